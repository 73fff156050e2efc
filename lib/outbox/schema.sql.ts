import { InvalidArgumentError, MissingTableError, SchemaError } from '../core/errors.js';
import { isDenied } from '../sql/database-errors.js';
import { byFamily, channelOf, type Dialect, postgres } from '../sql/dialects.js';
import type { SqlConnection, SqlExecutor } from '../sql/executor.js';
import { applyStep, underMigrationLock, validatePrefix } from '../sql/migrations/migrator.js';
import { type Grants, sayingRights } from '../sql/migrations/rights.js';
import { checkServer } from '../sql/servers.js';
import { findHome, type Finding, findTables } from '../sql/tables.js';
import { raw, render, sql, type Statement } from '../sql/statement.js';
import type { OutboxOrdering } from './events.js';
import { relationNamed } from './published-tables.postgres.sql.js';
import { appGrants, outboxSteps } from './script.sql.js';
import {
  AUTO_CREATE,
  eraName,
  type OutboxTables,
  type PublishedNames,
  type PublishedStep,
  qualified,
  selectDone,
  validateTableNames,
} from './tables.sql.js';

export interface OutboxSchemaOptions {
  /** Default `'commit'`. */
  ordering?: OutboxOrdering;
  /** Which tables somebody else creates. Default: none. */
  createdByOthers?: readonly (keyof typeof AUTO_CREATE)[];
}

/**
 * Creates the published tables, or adopts existing ones: missing parts are added; rows and other columns are not
 * changed. Run it after `migrate`; any number of processes may run it at once. Returns the names of what it created.
 *
 * @throws SchemaError when a table of this name is not an outbox, or its numbers are not reliable; when somebody else
 *   creates a table, and has not.
 * @throws InvalidArgumentError for names that a database would reject.
 * @throws MissingRightsError when the user may not create tables.
 */
export async function migrateOutbox(
  executor: SqlExecutor,
  tables: OutboxTables,
  { ordering = 'commit', createdByOthers = [] }: OutboxSchemaOptions = {},
): Promise<string[]> {
  validate(tables, ordering);
  await checkServer(executor);
  const names = await namesOf(executor, tables);
  await checkAdoptable(executor, names);
  const steps = outboxSteps(executor.dialect, names, ordering);
  const made = await lacking(executor, steps);
  for (const table of createdByOthers)
    if (made.some(({ what }) => what === `table "${names[table]}"`)) throw new SchemaError(toBeCreated(names, table));
  if (made.length > 0)
    await sayingRights(executor, grantsOf(tables), () =>
      underMigrationLock(executor, tables, async (tx) => {
        for (const step of steps) await applyStep(tx, step);
      }),
    );
  await checkNumbers(executor, tables, names);
  return [...new Set(made.map(({ what }) => what))];
}

/**
 * Checks the tables in a process that may not change them.
 *
 * @throws SchemaError naming everything that is missing, or why the numbers are not reliable; MissingRightsError when
 *   the user may not see the tables.
 */
export const requireOutbox = (
  executor: SqlExecutor,
  tables: OutboxTables,
  { ordering = 'commit' }: OutboxSchemaOptions = {},
): Promise<void> =>
  sayingRights(executor, grantsOf(tables), async () => {
    const missing = await pendingOutbox(executor, tables, { ordering });
    const names = await namesOf(executor, tables);
    if (missing.length > 0) {
      await lookForHidden(executor, names, missing);
      throw new SchemaError(
        `The outbox "${names.schema}"."${names.table}" lacks for ordering '${ordering}': ${missing.join('; ')}. ` +
          'Run "npx nest-durable migrate", apply what "npx nest-durable sql" prints, or set `migrate: true`. An app ' +
          'that needs no outbox sets `outbox: false`',
      );
    }
    await checkNumbers(executor, tables, names);
  });

/**
 * MySQL and MariaDB list no table that the user has no right to.
 *
 * @throws DatabaseError when a table that is not listed may not be read.
 */
async function lookForHidden(db: SqlConnection, { schema, table, nodesTable }: PublishedNames, missing: string[]) {
  for (const name of [table, nodesTable, eraName(table)]) {
    if (!missing.includes(`table "${name}"`)) continue;
    await db.run(sql`SELECT 1 AS found FROM ${qualified(schema, name)} LIMIT 0`).catch((error: unknown) => {
      if (!(error instanceof MissingTableError)) throw error;
    });
  }
}

/**
 * The names of what `migrateOutbox` would create.
 *
 * @throws SchemaError when a table of this name is not an outbox.
 */
export async function pendingOutbox(
  executor: SqlExecutor,
  tables: OutboxTables,
  options: OutboxSchemaOptions = {},
): Promise<string[]> {
  await checkServer(executor);
  return [...new Set((await pendingSteps(executor, tables, options)).map(({ what }) => what))];
}

/**
 * The steps of `migrateOutbox` that are not done.
 *
 * @throws SchemaError when a table of this name is not an outbox.
 */
export async function pendingSteps(
  executor: SqlExecutor,
  tables: OutboxTables,
  { ordering = 'commit' }: OutboxSchemaOptions = {},
): Promise<PublishedStep[]> {
  validate(tables, ordering);
  const names = await namesOf(executor, tables);
  await checkAdoptable(executor, names);
  return lacking(executor, outboxSteps(executor.dialect, names, ordering));
}

const toBeCreated = (names: PublishedNames, table: keyof typeof AUTO_CREATE): string =>
  `The table "${names.schema}"."${names[table]}" is missing, and ${AUTO_CREATE[table]} is false: create it as ` +
  '"npx nest-durable sql" prints it, or leave the variable out';

const grantsOf = (tables: OutboxTables): Grants => ({ ...tables, grantsTo: appGrants(tables) });

function validate({ names, prefix }: OutboxTables, ordering: unknown): void {
  validatePrefix(prefix);
  validateTableNames(names);
  if (ordering !== 'commit' && ordering !== 'insert' && ordering !== 'none')
    throw new InvalidArgumentError('outbox.ordering', ordering, "'commit', 'insert' or 'none'");
}

/**
 * Looks up where the tables are, unless it is known: the published ones with the others, or, if they have names of their
 * own, where these alone lead. To be awaited before any other statement on them.
 */
export async function findOutbox(executor: SqlExecutor, tables: OutboxTables, options?: Finding): Promise<void> {
  const { names, prefix, home } = tables;
  await findTables(executor, tables, options);
  // Another app may have tables of the common names where the connection looks.
  if (names.table === `${prefix}_outbox`) names.schema ??= home.schema;
  else await findHome(executor, names, names.table, { ...options, preferred: home.schema });
}

async function namesOf(executor: SqlExecutor, tables: OutboxTables): Promise<PublishedNames> {
  await findOutbox(executor, tables);
  const { table, nodesTable, schema } = tables.names;
  if (!schema)
    throw new SchemaError('The connection has no default schema: set `schema`, `outbox.schema`, or its search_path');
  const topicChannel = await byFamily(executor.dialect, {
    postgres: async () => {
      const topic = await executor.run<{ channel: string }>(channelOf(`${tables.prefix}_outbox`, tables.home));
      return String(topic.rows[0]?.channel);
    },
    mysql: () => Promise.resolve(''),
  });
  return { table, nodesTable, schema, topicChannel };
}

async function lacking(connection: SqlConnection, steps: readonly PublishedStep[]): Promise<PublishedStep[]> {
  const { rows } = await connection.run<{ step: number }>(selectDone(steps));
  const done = new Set(rows.map(({ step }) => Number(step)));
  return steps.filter((_, i) => !done.has(i));
}

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
  if (!/\bPRIMARY KEY \(`sequence_id`\)/i.test(definition))
    refuse(names, 'has another primary key than sequence_id, by which its rows are locked one by one: make it that');
  return BigInt(/\bAUTO_INCREMENT=(\d+)/i.exec(definition)?.[1] ?? 1) - 1n;
}

function refuse({ schema, table }: PublishedNames, what: string): never {
  throw new SchemaError(`The outbox "${schema}"."${table}" ${what}`);
}
