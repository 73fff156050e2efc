import { MissingTableError } from '../../errors/setup-errors.js';
import { byFamily } from '../dialects/dialect.js';
import { type Identifier, sql, type Statement } from '../dialects/statement.js';
import type { SqlExecutor } from '../sql-executor.js';
import type { Tables } from '../tables.js';
import { migratedTables } from './migrator.js';

/**
 * PostgreSQL: makes the space of deleted rows reusable and updates the planner's statistics, table by table, without
 * blocking others: not FULL, and locked tables are skipped. Covers every table that `migrate` creates, and `others`;
 * skips those that do not exist. Returns the number of tables. Other servers do this by themselves, so it does nothing
 * and returns 0.
 */
export const vacuum = (
  db: SqlExecutor,
  tables: Tables,
  others: readonly (Identifier | Statement)[] = [],
): Promise<number> =>
  byFamily(db.dialect, {
    postgres: async () => {
      let count = 0;
      for (const table of [...migratedTables(db.dialect, tables), ...others]) count += await vacuumOne(db, table);
      return count;
    },
    mysql: () => Promise.resolve(0),
  });

async function vacuumOne(db: SqlExecutor, table: Identifier | Statement): Promise<0 | 1> {
  try {
    await db.run(sql`VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
    return 1;
  } catch (error) {
    // A process may have no outbox, or only the tables of the contract.
    if (error instanceof MissingTableError) return 0;
    throw error;
  }
}
