import { byFamily } from '../../sql/dialects/dialect.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { MissingTableError, SchemaError } from '../../errors/setup-errors.js';
import { applyStep, underMigrationLock, validatePrefix } from '../../sql/migrations/migrator.js';
import { channelOf } from '../../sql/dialects/postgres.dialect.js';
import { type Grants, sayingRights } from '../../sql/migrations/missing-rights.js';
import { checkServer } from '../../sql/server-version.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { sql } from '../../sql/dialects/statement.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import { eraName, type OutboxTables, type PublishedNames, validateTableNames } from '../tables/sql-outbox-tables.js';
import { checkAdoptable, checkNumbers } from './sql-outbox-check.js';
import { appGrants } from './outbox-roles.sql.js';
import { outboxSteps } from './outbox-steps.sql.js';
import { type PublishedStep, qualified, selectDone } from './published-step.sql.js';

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
 * @throws MissingRightsError when the user may not create tables.
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
  connection: SqlConnection,
  tables: OutboxTables,
  { ordering = 'commit' }: OutboxSchemaOptions = {},
): Promise<PublishedStep[]> {
  validate(tables, ordering);
  const names = await namesOf(connection, tables);
  await checkAdoptable(connection, names);
  return lacking(connection, outboxSteps(connection.dialect, names, ordering));
}

const grantsOf = (tables: OutboxTables): Grants => ({ prefix: tables.prefix, grantsTo: appGrants(tables) });

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
