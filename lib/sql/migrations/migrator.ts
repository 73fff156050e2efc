import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { DatabaseError } from '../../errors/database-errors.js';
import { MissingTableError, SchemaError } from '../../errors/setup-errors.js';
import { byFamily, type Dialect } from '../dialects/dialect.js';
import { DIALECTS } from '../dialects/dialects.js';
import { ignoreError } from '../driver-connection.js';
import { allGrants, type Grants, grantsOn, type GrantsTo, refuseHidden, sayingRights } from './missing-rights.js';
import { createTable, type Migration, type SchemaStep } from './schema-steps.js';
import { checkServer } from '../server-version.js';
import type { SqlConnection, SqlExecutor } from '../sql-executor.js';
import { type Identifier, sql, type Statement } from '../dialects/statement.js';
import { type Tables, tablesWithPrefix } from '../tables.js';
import { actTables } from './001-acts.js';
import { holdTables } from './001-holds.js';
import { contractTables } from './001-contract.js';
import { effectTables } from './001-effects.js';
import { outboxTables } from './001-outbox.js';
import { runTables } from './001-runs.js';
import { waitingTables } from './001-waiting.js';

/** In the order of application. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  { id: '001-transport', since: '0.1.0', part: 'transport', steps: contractTables },
  {
    id: '001-engine',
    since: '0.1.0',
    part: 'engine',
    steps: (dialect, tables) =>
      [runTables, waitingTables, outboxTables, effectTables, actTables, holdTables].flatMap((stepsOf) =>
        stepsOf(dialect, tables),
      ),
  },
];

export interface MigrateOptions {
  /** `'transport'` creates only the contract's tables. Default `'all'`. */
  part?: 'transport' | 'all';
  /** Default: those of this version. Others are for upgrade tests. */
  migrations?: readonly Migration[];
  /** What else the app needs, named with the grants for these tables. */
  grantsTo?: GrantsTo;
}

/** The maximum wait while another process migrates. */
const LOCK_SECONDS = 120;

/** @throws InvalidArgumentError unless it is a letter followed by at most 30 letters, digits or underscores. */
export function validatePrefix(prefix: unknown): asserts prefix is string {
  if (typeof prefix === 'string' && /^[a-z][a-z0-9_]{0,30}$/i.test(prefix)) return;
  throw new InvalidArgumentError('prefix', prefix, 'a letter followed by at most 30 letters, digits or underscores');
}

/**
 * Migrates the tables; any number of processes may do so at once. Existing tables of the contract are adopted
 * unchanged. Returns the ids of the migrations that this call applied.
 *
 * @throws ConfigurationError when the server is too old; MissingRightsError when the user may not create tables.
 */
export async function migrate(executor: SqlExecutor, tables: Tables, options: MigrateOptions = {}): Promise<string[]> {
  validatePrefix(tables.prefix);
  await checkServer(executor);
  return sayingRights(executor, grantsOf(executor, tables, options), async () => {
    if ((await pendingMigrations(executor, tables, options)).length === 0) return [];
    return underMigrationLock(executor, tables, (tx) => applyPending(tx, tables, options));
  });
}

/** Runs one process at a time for the tables of one prefix. */
export function underMigrationLock<T>(
  executor: SqlExecutor,
  tables: Pick<Tables, 'prefix'>,
  work: (tx: SqlConnection) => Promise<T>,
): Promise<T> {
  return executor.transaction(async (tx) => {
    await lock(tx, tables);
    try {
      return await work(tx);
    } finally {
      // If this fails, the connection is lost and the lock with it.
      await unlock(tx, tables).catch(ignoreError);
    }
  });
}

/** The ids of pending migrations, in order. */
export async function pendingMigrations(
  connection: SqlConnection,
  tables: Tables,
  options: MigrateOptions = {},
): Promise<string[]> {
  const applied = await appliedMigrations(connection, tables);
  return migrationsOf(options)
    .map(({ id }) => id)
    .filter((id) => !applied.has(id));
}

/**
 * @throws SchemaError that tells how to apply pending migrations, if there are any; MissingRightsError when the user may
 *   not read the tables.
 */
export async function requireMigrated(
  executor: SqlExecutor,
  tables: Tables,
  options: MigrateOptions = {},
): Promise<void> {
  await checkServer(executor);
  const grants = grantsOf(executor, tables, options);
  const pending = await sayingRights(executor, grants, () => pendingMigrations(executor, tables, options));
  if (pending.length === 0) return;
  throw new SchemaError(
    `The tables with prefix "${tables.prefix}" lack ${pending.join(', ')}: run \`npx nest-durable migrate\`, ` +
      'apply what `npx nest-durable sql` prints, or set `migrate: true`',
  );
}

/** Every table that `migrate` creates. */
export const migratedTables = (dialect: Dialect, tables: Tables, options: MigrateOptions = {}): Identifier[] =>
  [migrationsTable(dialect, tables), ...migrationsOf(options).flatMap((one) => one.steps(dialect, tables))].flatMap(
    ({ creates }) => creates ?? [],
  );

/** Their names on every database. */
export const migratedNames = (prefix: string): string[] => [
  ...new Set(
    Object.values(DIALECTS)
      .flatMap((dialect) => migratedTables(dialect, tablesWithPrefix(prefix)))
      .map(({ name }) => name),
  ),
];

const grantsOf = ({ dialect }: SqlExecutor, tables: Tables, options: MigrateOptions): Grants => ({
  prefix: tables.prefix,
  grantsTo: allGrants(grantsOn(migratedTables(dialect, tables, options)), options.grantsTo ?? (() => [])),
});

export const migrationsOf = ({ part = 'all', migrations = ALL_MIGRATIONS }: MigrateOptions): readonly Migration[] =>
  migrations.filter((migration) => part === 'all' || migration.part === part);

/** Which migrations were applied. */
export const migrationsTable = (dialect: Dialect, tables: Tables): SchemaStep =>
  createTable(dialect, tables.migrations, ['id varchar(64) NOT NULL PRIMARY KEY', 'applied_at bigint NOT NULL']);

async function appliedMigrations(connection: SqlConnection, tables: Tables): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await connection.run<{ id: string }>(sql`SELECT id FROM ${tables.migrations}`);
    return new Set(rows.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof MissingTableError)) throw error;
    await refuseHidden(connection, tables.prefix);
    return new Set();
  }
}

/** On MySQL each step commits separately, so completed steps of an interrupted migration are detected. */
async function applyPending(tx: SqlConnection, tables: Tables, options: MigrateOptions): Promise<string[]> {
  await applyStep(tx, migrationsTable(tx.dialect, tables));
  const applied = await appliedMigrations(tx, tables);
  const pending = migrationsOf(options).filter(({ id }) => !applied.has(id));
  for (const migration of pending) {
    for (const step of migration.steps(tx.dialect, tables)) await applyStep(tx, step);
    await tx.run(sql`INSERT INTO ${tables.migrations} (id, applied_at) VALUES (${migration.id}, ${tx.dialect.now})`);
  }
  return pending.map(({ id }) => id);
}

/** Skips a step that is already done. */
export async function applyStep(tx: SqlConnection, { statement, done }: SchemaStep): Promise<void> {
  if (done && (await tx.run(done)).rows.length > 0) return;
  await tx.run(statement);
}

/** Lock names of the MySQL family are short and, on MySQL, shared by all its databases. */
const lockName = (tables: Pick<Tables, 'prefix'>): Statement =>
  sql`SHA2(CONCAT('nest-durable.', DATABASE(), '.', ${tables.prefix}), 256)`;

async function lock(tx: SqlConnection, tables: Pick<Tables, 'prefix'>): Promise<void> {
  await byFamily<Promise<unknown>>(tx.dialect, {
    postgres: () =>
      tx.run(
        sql`SELECT pg_advisory_xact_lock(1148540530, hashtext(coalesce(current_schema(), '') || '.' || CAST(${tables.prefix} AS text)))`,
      ),
    mysql: () => lockOnMysql(tx, tables),
  });
}

async function lockOnMysql(tx: SqlConnection, tables: Pick<Tables, 'prefix'>): Promise<void> {
  const { rows } = await tx.run<{ locked: unknown }>(
    sql`SELECT GET_LOCK(${lockName(tables)}, ${LOCK_SECONDS}) AS locked`,
  );
  if (Number(rows[0]?.locked) !== 1) {
    throw new DatabaseError(`Another process has been migrating "${tables.prefix}" for ${LOCK_SECONDS} seconds`, true);
  }
}

/** PostgreSQL releases it at the end of the transaction. */
async function unlock(tx: SqlConnection, tables: Pick<Tables, 'prefix'>): Promise<void> {
  await byFamily<Promise<unknown>>(tx.dialect, {
    postgres: () => Promise.resolve(),
    mysql: () => tx.run(sql`SELECT RELEASE_LOCK(${lockName(tables)}) AS released`),
  });
}
