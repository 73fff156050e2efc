import { SchemaError } from '../../errors/setup-errors.js';
import { relationNamed } from './postgres-tables.sql.js';
import { qualified } from './published-step.sql.js';
import type { OutboxTables, PublishedNames } from '../tables/sql-outbox-tables.js';
import { isDenied } from '../../sql/database-errors.js';
import { byFamily, type Dialect, render } from '../../sql/dialects/dialect.js';
import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { SqlConnection } from '../../sql/sql-executor.js';

/** The columns of the outbox. */
export const selectColumns = (dialect: Dialect, names: PublishedNames): Statement =>
  byFamily(dialect, {
    postgres: () => sql`SELECT a.attname AS name FROM ${relationNamed(names, names.table)}
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
    mysql: () => sql`SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = ${dialect.literal(names.schema)} AND table_name = ${dialect.literal(names.table)}`,
  });

/** The greatest number in our tables, as text. */
export const selectKnown = ({ outbox, channels, dead, pruned }: OutboxTables, dialect: Dialect): Statement => {
  return sql`SELECT ${dialect.cast(raw('max(listed.number)'), 'text')} AS known FROM (
    SELECT max(sequence_id) AS number FROM ${outbox} UNION ALL SELECT max(position) FROM ${channels}
    UNION ALL SELECT max(sequence_id) FROM ${dead} UNION ALL SELECT max(position) FROM ${pruned}) AS listed`;
};

/** PostgreSQL: the sequence of the column; no row when it has none. `last` is null without the right to read it. */
export const selectSequence = ({ schema, table }: PublishedNames): Statement => {
  const name = postgres.literal(render(qualified(schema, table), postgres).text);
  return sql`SELECT s.seqcache AS cache, s.seqincrement AS increment, s.seqcycle AS cycle, s.seqmax AS most,
      CASE WHEN has_sequence_privilege(s.seqrelid, 'USAGE, SELECT')
        THEN CAST(coalesce(pg_sequence_last_value(s.seqrelid), 0) AS text) END AS last
    FROM pg_catalog.pg_sequence AS s
    WHERE s.seqrelid = CAST(pg_get_serial_sequence(${name}, 'sequence_id') AS regclass)`;
};

/** MySQL: includes the next number; `information_schema` may be a day out of date. */
export const showTable = ({ schema, table }: PublishedNames): Statement =>
  sql`SHOW CREATE TABLE ${qualified(schema, table)}`;

const NEEDED = ['sequence_id', 'mutation_id', 'channel', 'name'];

/**
 * Checks an existing table before anything is added to it.
 *
 * @throws SchemaError when it is not an outbox.
 */
export async function checkAdoptable(connection: SqlConnection, names: PublishedNames): Promise<void> {
  const { rows } = await connection.run<{ name: string }>(selectColumns(connection.dialect, names));
  const found = new Set(rows.map(({ name }) => name));
  const missing = NEEDED.filter((name) => !found.has(name));
  if (found.size > 0 && missing.length > 0)
    refuse(names, `is not an outbox: it lacks ${missing.join(', ')}. Choose another name with \`outbox.table\``);
}

/**
 * Checks that the numbers of the table increase, which an adopted table does not guarantee. A role that may only write
 * cannot check this; then the relay does.
 *
 * @throws SchemaError naming what to change.
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
  const last = await byFamily(connection.dialect, {
    postgres: () => lastOfSequence(connection, names),
    mysql: () => lastOfTable(connection, names),
  });
  if (last !== undefined && last < known)
    refuse(
      names,
      `assigns numbers from ${last + 1n}, but ${known} was assigned before, so order and deduplication would ` +
        'break: set its next number above that (it was truncated with RESTART IDENTITY, or restored in part)',
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
    refuse(names, 'has a sequence that cycles or does not increase: ALTER SEQUENCE … INCREMENT 1 NO CYCLE');
  return sequence.last === null ? undefined : BigInt(sequence.last);
}

/** The definition omits the next number while it is 1. */
async function lastOfTable(connection: SqlConnection, names: PublishedNames): Promise<bigint> {
  const { rows } = await connection.run<Record<string, unknown>>(showTable(names));
  const definition = Object.values(rows[0] ?? {})
    .map(String)
    .join('\n');
  if (!/\bAUTO_INCREMENT\b/i.test(definition))
    refuse(names, 'does not assign numbers: make sequence_id AUTO_INCREMENT');
  return BigInt(/\bAUTO_INCREMENT=(\d+)/i.exec(definition)?.[1] ?? 1) - 1n;
}

function refuse({ schema, table }: PublishedNames, what: string): never {
  throw new SchemaError(`The outbox "${schema}"."${table}" ${what}`);
}
