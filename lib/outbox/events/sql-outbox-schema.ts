import { byFamily } from '../../sql/dialects/dialect.js';
import { InvalidArgumentError, SchemaError } from '../../errors.js';
import { applyStep, underMigrationLock, validatePrefix } from '../../sql/migrations/migrator.js';
import { channelOf } from '../../sql/dialects/postgres.dialect.js';
import { checkServer } from '../../sql/server-version.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { sql } from '../../sql/dialects/statement.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import { type OutboxTables, type PublishedNames, validateTableNames } from '../tables/sql-outbox-tables.js';
import { checkAdoptable, checkNumbers } from './sql-outbox-check.js';
import { outboxSteps } from './outbox-steps.sql.js';
import { type PublishedStep, selectDone } from './published-step.sql.js';

export interface OutboxSchemaOptions {
  /** Default `'commit'`. */
  ordering?: OutboxOrdering;
}

/**
 * Creates the published tables, or adopts existing ones: missing parts are added; rows and other columns are not
 * changed. Run it after `migrate`; any number of processes may run it at once. Returns the names of what it created.
 *
 * @throws SchemaError when a table of this name is not an outbox, or its numbers are not reliable.
 * @throws InvalidArgumentError for names that a database would reject.
 */
export async function migrateOutbox(
  executor: SqlExecutor,
  tables: OutboxTables,
  { ordering = 'commit' }: OutboxSchemaOptions = {},
): Promise<string[]> {
  validate(tables, ordering);
  await checkServer(executor);
  const names = await namesOf(executor, tables);
  await checkAdoptable(executor, names);
  const steps = outboxSteps(executor.dialect, names, ordering);
  const made = await lacking(executor, steps);
  if (made.length > 0)
    await underMigrationLock(executor, tables, async (tx) => {
      for (const step of steps) await applyStep(tx, step);
    });
  await checkNumbers(executor, tables, names);
  return [...new Set(made.map(({ what }) => what))];
}

/**
 * Checks the tables in a process that may not change them.
 *
 * @throws SchemaError naming everything that is missing, or why the numbers are not reliable.
 */
export async function requireOutbox(
  executor: SqlExecutor,
  tables: OutboxTables,
  { ordering = 'commit' }: OutboxSchemaOptions = {},
): Promise<void> {
  const missing = await pendingOutbox(executor, tables, { ordering });
  const names = await namesOf(executor, tables);
  if (missing.length > 0)
    throw new SchemaError(
      `The outbox "${names.schema}"."${names.table}" lacks for ordering '${ordering}': ${missing.join('; ')}. ` +
        'Run "npx nest-durable migrate", apply what "npx nest-durable sql" prints, or set `migrate: true`. An app ' +
        'that needs no outbox sets `outbox: false`',
    );
  await checkNumbers(executor, tables, names);
}

/**
 * The names of what `migrateOutbox` would create.
 *
 * @throws SchemaError when a table of this name is not an outbox.
 */
export async function pendingOutbox(
  executor: SqlExecutor,
  tables: OutboxTables,
  { ordering = 'commit' }: OutboxSchemaOptions = {},
): Promise<string[]> {
  validate(tables, ordering);
  await checkServer(executor);
  const names = await namesOf(executor, tables);
  await checkAdoptable(executor, names);
  const missing = await lacking(executor, outboxSteps(executor.dialect, names, ordering));
  return [...new Set(missing.map(({ what }) => what))];
}

function validate({ names, prefix }: OutboxTables, ordering: unknown): void {
  validatePrefix(prefix);
  validateTableNames(names);
  if (ordering !== 'commit' && ordering !== 'insert' && ordering !== 'none')
    throw new InvalidArgumentError('outbox.ordering', ordering, "'commit', 'insert' or 'none'");
}

/** Resolves the schema of the tables, even if none was named. */
async function namesOf(connection: SqlConnection, { names, prefix }: OutboxTables): Promise<PublishedNames> {
  const { table, nodesTable } = names;
  const { dialect } = connection;
  const { rows } = await connection.run<{ name: string | null }>(sql`SELECT ${dialect.currentSchema} AS name`);
  const schema = names.schema ?? rows[0]?.name;
  if (!schema) throw new SchemaError('The connection has no default schema: set `outbox.schema`, or its search_path');
  const topicChannel = await byFamily(dialect, {
    postgres: async () => {
      const topic = await connection.run<{ channel: string }>(channelOf(`${prefix}_outbox`));
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
