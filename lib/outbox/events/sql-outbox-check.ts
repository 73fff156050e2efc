import { SchemaError } from '../../errors.js';
import { isDenied } from '../../sql/database-errors.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { selectColumns, selectKnown, selectSequence, showTable } from './outbox-check.sql.js';
import type { PublishedNames } from '../tables/published-names.js';

const NEEDED = ['sequence_id', 'mutation_id', 'channel', 'name'];

/**
 * Before anything is added to a table that is there.
 *
 * @throws SchemaError when it is something else than an outbox.
 */
export async function checkAdoptable(connection: SqlConnection, names: PublishedNames): Promise<void> {
  const { rows } = await connection.run<{ name: string }>(selectColumns(connection.dialect, names));
  const found = new Set(rows.map(({ name }) => name));
  const missing = NEEDED.filter((name) => !found.has(name));
  if (found.size > 0 && missing.length > 0)
    refuse(names, `is no outbox: it lacks ${missing.join(', ')}. Choose another name by \`outbox.table\``);
}

/**
 * Whether the numbers of the table grow, which is not seen in what we make by ourselves. A role that may only write
 * cannot look, and leaves that to the relay.
 *
 * @throws SchemaError saying what to change.
 */
export async function checkNumbers(
  connection: SqlConnection,
  tables: OutboxTables,
  names: PublishedNames,
): Promise<void> {
  try {
    await compareNumbers(connection, tables, names);
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
}

async function compareNumbers(connection: SqlConnection, tables: OutboxTables, names: PublishedNames): Promise<void> {
  const known = BigInt(
    (await connection.run<{ known: string | null }>(selectKnown(tables, connection.dialect))).rows[0]?.known ?? 0,
  );
  const last = await (connection.dialect.family === 'postgres' ? lastOfSequence : lastOfTable)(connection, names);
  if (last !== undefined && last < known)
    refuse(
      names,
      `gives numbers from ${last + 1n} on again, but ${known} was given before, so order and deduplication would ` +
        'break: let its numbers go on behind that (it was truncated with RESTART IDENTITY, or restored in part)',
    );
}

interface SequenceRow {
  cache: number;
  increment: number;
  cycle: boolean;
  most: number | string;
  last: string | null;
}

async function lastOfSequence(connection: SqlConnection, names: PublishedNames): Promise<bigint | undefined> {
  const { rows } = await connection.run<SequenceRow>(selectSequence(names));
  const [sequence] = rows;
  if (!sequence) refuse(names, 'has no sequence of its own for sequence_id: make it serial, bigserial or an identity');
  if (Number(sequence.cache) !== 1)
    refuse(
      names,
      `has a sequence with CACHE ${sequence.cache}: numbers would be out of order. ALTER SEQUENCE … CACHE 1`,
    );
  if (Number(sequence.increment) < 1 || sequence.cycle)
    refuse(names, 'has a sequence that does not grow for ever: ALTER SEQUENCE … INCREMENT 1 NO CYCLE');
  return sequence.last === null ? undefined : BigInt(sequence.last);
}

/** The next number is not written down while it is 1. */
async function lastOfTable(connection: SqlConnection, names: PublishedNames): Promise<bigint> {
  const { rows } = await connection.run<Record<string, unknown>>(showTable(names));
  const definition = Object.values(rows[0] ?? {})
    .map(String)
    .join('\n');
  if (!/\bAUTO_INCREMENT\b/i.test(definition))
    refuse(names, 'gives no numbers by itself: make sequence_id AUTO_INCREMENT');
  return BigInt(/\bAUTO_INCREMENT=(\d+)/i.exec(definition)?.[1] ?? 1) - 1n;
}

function refuse({ schema, table }: PublishedNames, what: string): never {
  throw new SchemaError(`The outbox "${schema}"."${table}" ${what}`);
}
