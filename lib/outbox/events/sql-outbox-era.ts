import { randomUUID } from 'node:crypto';
import { SchemaError } from '../../errors/setup-errors.js';
import { isDenied } from '../../sql/database-errors.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { sql } from '../../sql/dialects/statement.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import * as mysql from './mysql-era.sql.js';
import * as postgres from './postgres-era.sql.js';

/** Why numbers cannot jump in a new era: the role may not insert events, or the column type is too narrow. */
export type NumbersStay = 'denied' | 'narrow';

/**
 * Checks whether this server assigned the last numbers. A server that was promoted or restored may lack the last
 * commits and would assign their numbers again: then the numbers jump once, far beyond all that were ever assigned.
 * PostgreSQL checks this itself before it assigns numbers. On MySQL and MariaDB relays check it; a relay whose role may
 * not insert events leaves the jump to others and to `nest-durable outbox-jump`.
 */
export async function lookAtEra(db: SqlExecutor, tables: OutboxTables): Promise<NumbersStay | undefined> {
  try {
    return await byFamily(db.dialect, {
      postgres: async () => {
        await db.run(sql`SELECT ${postgres.lookAtEra(tables.names)}`);
        return undefined;
      },
      mysql: () => lookOnMysql(db, tables),
    });
  } catch (error) {
    if (!isDenied(error)) throw error;
    return 'denied';
  }
}

/** Jumps unconditionally, for a restore that leaves no trace. */
export async function jumpNumbers(db: SqlExecutor, tables: OutboxTables): Promise<void> {
  await byFamily(db.dialect, {
    postgres: async () => {
      await db.run(postgres.forgetEra(tables.names));
      await db.run(sql`SELECT ${postgres.lookAtEra(tables.names)}`);
    },
    mysql: async () => {
      await db.run(mysql.forgetEra(tables));
      if (await lookOnMysql(db, tables))
        throw new SchemaError(
          'Event numbers cannot be advanced while sequence_id is narrower than bigint: make it bigint',
        );
    },
  });
}

async function lookOnMysql(db: SqlExecutor, tables: OutboxTables): Promise<NumbersStay | undefined> {
  const { rows } = await db.run<{ same: number | string }>(mysql.selectEra(db.dialect, tables));
  if (Number(rows[0]?.same) === 1) return undefined;
  if (!rows[0]) {
    await db.run(mysql.insertEra(db.dialect, tables));
    return undefined;
  }
  return db.transaction(async (tx) => {
    const locked = await tx.run<{ same: number | string }>(mysql.lockEra(tx.dialect, tables));
    if (Number(locked.rows[0]?.same) === 1) return undefined;
    const numbers = await tx.run<{ type: string }>(mysql.selectNumberType(tx.dialect, tables));
    if (String(numbers.rows[0]?.type).toLowerCase() !== 'bigint') {
      await tx.run(mysql.updateEra(tx.dialect, tables));
      return 'narrow';
    }
    const mark = randomUUID();
    await tx.run(mysql.leap(tables, mark));
    await tx.run(mysql.updateEra(tx.dialect, tables, mark));
    await tx.run(mysql.removeLeap(tables, mark));
    return undefined;
  });
}
