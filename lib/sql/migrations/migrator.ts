import { DatabaseError, InvalidArgumentError, MissingTableError, SchemaError } from '../../core/errors.js';
import { PACKAGE_VERSION } from '../../core/protocol.js';
import { ignoreError } from '../pools.js';
import { byFamily, type Dialect, DIALECTS } from '../dialects.js';
import type { SqlConnection, SqlExecutor } from '../executor.js';
import { checkServer, isAtLeast } from '../servers.js';
import { type Home, id, type Identifier, join, raw, render, sql, type Statement } from '../statement.js';
import { findTables, type Located, type Tables, tablesWithPrefix } from '../tables.js';
import {
  actTables,
  contractTables,
  effectTables,
  holdTables,
  outboxTables,
  runTables,
  storeTables,
  waitingTables,
} from './001.js';
import { allGrants, type Grants, grantsOn, type GrantsTo, refuseHidden, sayingRights } from './rights.js';
import { createTable, type Migration, type SchemaStep } from './schema-steps.js';

/** In the order of application. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  { id: '001-transport', since: '0.1.0', part: 'transport', steps: contractTables },
  {
    id: '001-engine',
    since: '0.1.0',
    part: 'engine',
    steps: (dialect, tables) =>
      [runTables, waitingTables, outboxTables, effectTables, actTables, holdTables, storeTables].flatMap((stepsOf) =>
        stepsOf(dialect, tables),
      ),
  },
];

interface MigrateOptions {
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

/** PostgreSQL truncates longer names, MySQL rejects them. */
export const LONGEST_NAME = 63;

/** @throws InvalidArgumentError for the name of a schema or table that a database would reject or change. */
export function validateName(name: unknown, argument: string): asserts name is string {
  const fits = typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= LONGEST_NAME;
  // Function bodies are quoted with `$durable$`; a lone surrogate would be stored as another character.
  if (!fits || /\0|\$durable\$|\p{Cs}/u.test(name))
    throw new InvalidArgumentError(argument, name, `a name of 1 to ${LONGEST_NAME} bytes, without NUL`);
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
  await findTables(executor, tables);
  return sayingRights(executor, grantsOf(executor, tables, options), async () => {
    await createSchema(executor, tables.home);
    if ((await pendingMigrations(executor, tables, options)).length === 0) return [];
    return underMigrationLock(executor, tables, (tx) => applyPending(tx, tables, options));
  });
}

/** PostgreSQL: a schema that an option names, and that does not exist yet. A database is created by its owner. */
const createSchema = (executor: SqlExecutor, { schema }: Home): Promise<void> =>
  byFamily(executor.dialect, {
    postgres: async () => {
      if (schema === undefined) return;
      const { rows } = await executor.run(sql`SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ${schema}`);
      // Not IF NOT EXISTS alone, which needs a right even if there is nothing to do.
      if (rows.length === 0) await executor.run(sql`CREATE SCHEMA IF NOT EXISTS ${id(schema)}`);
    },
    mysql: () => Promise.resolve(),
  });

/** Runs one process at a time for the tables of one prefix. */
export function underMigrationLock<T>(
  executor: SqlExecutor,
  tables: Located,
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
  await findTables(executor, tables);
  const grants = grantsOf(executor, tables, options);
  const pending = await sayingRights(executor, grants, () => pendingMigrations(executor, tables, options));
  if (pending.length === 0) return;
  throw new SchemaError(
    `The tables with prefix "${tables.prefix}"${inSchema(tables.home)} lack ${pending.join(', ')}: run \`npx nest-durable migrate\`, ` +
      'apply what `npx nest-durable sql` prints, or set `migrate: true`. If they are in another schema, set `schema`',
  );
}

const inSchema = ({ schema }: Home): string => (schema === undefined ? '' : ` in the schema "${schema}"`);

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
  home: tables.home,
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
const lockName = ({ dialect }: SqlConnection, { prefix, home }: Located): Statement =>
  sql`SHA2(CONCAT('nest-durable.', ${dialect.schemaOf(home)}, '.', ${prefix}), 256)`;

async function lock(tx: SqlConnection, tables: Located): Promise<void> {
  await byFamily<Promise<unknown>>(tx.dialect, {
    postgres: () =>
      tx.run(
        sql`SELECT pg_advisory_xact_lock(1148540530, hashtext(coalesce(${tx.dialect.schemaOf(tables.home)}, '') || '.' || CAST(${tables.prefix} AS text)))`,
      ),
    mysql: () => lockOnMysql(tx, tables),
  });
}

async function lockOnMysql(tx: SqlConnection, tables: Located): Promise<void> {
  const { rows } = await tx.run<{ locked: unknown }>(
    sql`SELECT GET_LOCK(${lockName(tx, tables)}, ${LOCK_SECONDS}) AS locked`,
  );
  if (Number(rows[0]?.locked) !== 1) {
    throw new DatabaseError(`Another process has been migrating "${tables.prefix}" for ${LOCK_SECONDS} seconds`, true);
  }
}

/** PostgreSQL releases it at the end of the transaction. */
async function unlock(tx: SqlConnection, tables: Located): Promise<void> {
  await byFamily<Promise<unknown>>(tx.dialect, {
    postgres: () => Promise.resolve(),
    mysql: () => tx.run(sql`SELECT RELEASE_LOCK(${lockName(tx, tables)}) AS released`),
  });
}

/** The first version of this package. */
export const FIRST_VERSION = '0.1.0';

/** Versions of this package, for example `'0.1.0'`. */
export interface VersionRange {
  /** Its tables exist: only what later versions add. Default: none exist. */
  from?: string | undefined;
  /** Only what this version and earlier ones need. Default: the version installed. */
  to?: string | undefined;
  /** Default: this version. Others are for upgrade tests. */
  installed?: string | undefined;
}

/** Whether what the version `since` has added is to be applied. */
export type IsWanted = (since: string) => boolean;

/** @throws InvalidArgumentError unless both are versions up to the installed one, in order. */
export function wantedBetween({ from, to, installed = PACKAGE_VERSION }: VersionRange): IsWanted {
  const upTo = to === undefined ? numbersOf(installed) : released('to', to, installed);
  const after = from === undefined ? undefined : released('from', from, to ?? installed);
  return (since) => {
    const version = numbersOf(since);
    return isAtLeast(upTo, version) && !(after && isAtLeast(after, version));
  };
}

const numbersOf = (version: string): number[] => version.split('.').map(Number);

function released(argument: string, version: string, last: string): number[] {
  const numbers = /^\d+\.\d+\.\d+$/.test(version) ? numbersOf(version) : [];
  if (isAtLeast(numbersOf(last), numbers) && isAtLeast(numbers, numbersOf(FIRST_VERSION))) return numbers;
  const among = last === FIRST_VERSION ? last : `from ${FIRST_VERSION} to ${last}`;
  throw new InvalidArgumentError(argument, version, `a version of nest-durable: ${among}`);
}

/** The schema of the tables; on MySQL and MariaDB their database. Default: that of the connection. */
export interface InSchema {
  schema?: string | undefined;
}

/** The statements of `migrate` for an empty schema, or for one of an earlier version. */
export function schemaStatements(
  name: Dialect['name'],
  prefix: string,
  options: MigrateOptions & VersionRange & InSchema = {},
): string[] {
  validatePrefix(prefix);
  const { schema } = options;
  if (schema !== undefined) validateName(schema, 'schema');
  const dialect = DIALECTS[name];
  const tables = tablesWithPrefix(prefix, { schema });
  const isWanted = wantedBetween(options);
  const statements = migrationsOf(options)
    .filter(({ since }) => isWanted(since))
    .flatMap((migration) => [
      ...migration.steps(dialect, tables).map(({ statement }) => statement),
      sql`INSERT INTO ${tables.migrations} (id, applied_at) VALUES (${raw(`'${migration.id}'`)}, ${dialect.now})`,
    ]);
  const first = options.from === undefined ? [migrationsTable(dialect, tables).statement] : [];
  return [...first, ...statements].map((statement) => render(statement, dialect).text);
}

/** The statements that drop every table of `schemaStatements`, the last one first. */
export function dropSchemaStatements(name: Dialect['name'], prefix: string, { schema }: InSchema = {}): string[] {
  validatePrefix(prefix);
  if (schema !== undefined) validateName(schema, 'schema');
  const dialect = DIALECTS[name];
  const drops = migratedTables(dialect, tablesWithPrefix(prefix, { schema })).map(
    (table) => sql`DROP TABLE IF EXISTS ${table}`,
  );
  return drops.reverse().map((statement) => render(statement, dialect).text);
}

/** As a script that clients of the database take. */
export const scriptOf = (statements: readonly string[]): string =>
  statements.map((statement) => `${statement};\n`).join('\n');

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

/** What PostgreSQL keeps of deleted rows, which every look at their tables reads. */
export interface Bloat {
  /** For how long the oldest transaction has kept deleted rows; undefined if this user may not see those of others. */
  horizonMs: number | undefined;
  /** Of tables that the server has counted. */
  deadRows: readonly { table: string; rows: number }[];
}

/** A transaction that has only begun and read nothing holds nothing; one with a number of its own does. */
const selectHorizon: Statement = sql`
  SELECT
    (SELECT count(*) FROM pg_catalog.pg_stat_activity
      WHERE datname = current_database() AND query = '<insufficient privilege>') AS hidden,
    greatest(
      (SELECT max(CAST(extract(epoch FROM clock_timestamp() - xact_start) * 1000 AS bigint))
        FROM pg_catalog.pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'
          AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)),
      (SELECT max(CAST(extract(epoch FROM clock_timestamp() - prepared) * 1000 AS bigint))
        FROM pg_catalog.pg_prepared_xacts WHERE database = current_database())) AS open`;

const selectDeadRows = (dialect: Dialect, home: Home, names: readonly string[]): Statement => sql`
  SELECT s.relname AS name, s.n_dead_tup AS dead FROM pg_catalog.pg_stat_user_tables AS s
  WHERE s.schemaname = ${dialect.schemaOf(home)} AND s.relname IN (${join(names)})`;

type Int = number | string;

/** Undefined on databases that keep no such rows in their tables. */
export const bloatOf = (db: SqlExecutor, home: Home, names: readonly string[]): Promise<Bloat | undefined> =>
  byFamily<Promise<Bloat | undefined>>(db.dialect, {
    postgres: async () => {
      const [horizon] = (await db.run<{ hidden: Int; open: Int | null }>(selectHorizon)).rows;
      const { rows } = await db.run<{ name: string; dead: Int }>(selectDeadRows(db.dialect, home, names));
      return {
        horizonMs: Number(horizon?.hidden) > 0 ? undefined : Math.max(0, Number(horizon?.open ?? 0)),
        deadRows: rows.map(({ name, dead }) => ({ table: name, rows: Number(dead) })),
      };
    },
    mysql: () => Promise.resolve(undefined),
  });
