import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, InvalidArgumentError } from '../core/errors.js';
import { atMost } from '../core/time.js';
import { migrationStatements, type OutboxStatementsOptions } from '../operate/roles.js';
import type { OutboxOrdering } from '../outbox/events.js';
import { jumpNumbers } from '../outbox/events.sql.js';
import { findOutbox, migrateOutbox, pendingOutbox } from '../outbox/schema.sql.js';
import { type OutboxTableNames, outboxTableNames, type OutboxTables, outboxTables } from '../outbox/tables.sql.js';
import type { Dialect } from '../sql/dialects.js';
import { driverExecutor } from '../sql/driver-executor.js';
import type { SqlExecutor } from '../sql/executor.js';
import {
  migrate,
  pendingMigrations,
  scriptOf,
  vacuum,
  validateName,
  validatePrefix,
  wantedBetween,
} from '../sql/migrations/migrator.js';
import { sql } from '../sql/statement.js';
import { findTables, type Tables, tablesWithPrefix } from '../sql/tables.js';
import { counted, type Environment, type Printer } from './print.js';

const isMissing = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
};

/**
 * Loads a database driver of the app: as a peer of this package, or else from the current folder.
 *
 * @throws ConfigurationError when it is installed in neither place.
 */
export async function appDriver(name: 'pg' | 'mysql2'): Promise<Record<string, unknown>> {
  try {
    return exportsOf(await (name === 'pg' ? import('pg') : import('mysql2')));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    const here = createRequire(join(process.cwd(), 'package.json'));
    return exportsOf(await import(pathToFileURL(here.resolve(name)).href));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ConfigurationError(`The driver "${name}" is not installed: run npm install ${name} and try again`);
  }
}

/** The exports of a CommonJS module, loaded by either `import` or `require`. */
function exportsOf(module: unknown): Record<string, unknown> {
  const { default: inner } = module as { default?: unknown };
  return { ...(inner as Record<string, unknown> | undefined), ...(module as Record<string, unknown>) };
}

export interface OpenDatabase {
  executor: SqlExecutor;
  close(): Promise<void>;
}

/** How long a statement under way, or a server that says nothing, may keep a connection open. */
const CLOSE_MS = 2_000;
/** How long a server may take to greet. */
const CONNECT_MS = 10_000;

/**
 * Runs `work` on this database and closes it, also when it is interrupted.
 *
 * @throws InvalidArgumentError for a missing or invalid URL; the reason of `interrupted`
 */
export async function withDatabase<T>(
  url: string | undefined,
  work: (executor: SqlExecutor) => Promise<T>,
  interrupted?: AbortSignal,
): Promise<T> {
  if (!url) throw missingArgument('The database', 'its URL with --url, or set DATABASE_URL');
  try {
    const database = await openDatabase(url);
    try {
      return await untilInterrupted(work(database.executor), interrupted);
    } finally {
      await atMost(CLOSE_MS, database.close());
    }
  } catch (error) {
    throw hasSaidNothing(error) ? new SilentDatabaseError(new URL(url).host) : error;
  }
}

/** A server took the connection, and did not greet. */
class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError';

  constructor(host: string) {
    super(`The database at ${host} did not answer within ${CONNECT_MS / 1_000} seconds`);
  }
}

/** The drivers have no code of their own for it, or one that they share with the system. */
const hasSaidNothing = (error: unknown): boolean =>
  /(timeout exceeded when trying to connect|terminated due to connection timeout|connect ETIMEDOUT)$/.test(
    error instanceof Error ? error.message : '',
  );

/** @throws the reason of the interruption */
export async function untilInterrupted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

type PgPoolClass = new (options: object) => { end(): Promise<void> };
type CreateMysqlPool = (options: object) => { end(callback: () => void): void };

const EXPECTED = 'postgres://user:password@host:port/database, or the same with mysql:// or mariadb://';

/**
 * Opens a database by its URL.
 *
 * @throws InvalidArgumentError when the URL is invalid; the error does not quote it, since it may contain a password.
 */
export function openDatabase(url: string): Promise<OpenDatabase> {
  switch (schemeOf(url)) {
    case 'postgres:':
    case 'postgresql:':
      return openPostgres(url);
    case 'mysql:':
    case 'mariadb:':
      return openMysql(url);
    default:
      throw new InvalidArgumentError('The database URL', `of ${schemeOf(url)}`, EXPECTED);
  }
}

function schemeOf(url: string): string {
  if (!URL.canParse(url)) throw new InvalidArgumentError('The database URL', 'not a URL', EXPECTED);
  return new URL(url).protocol;
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const { Pool } = (await appDriver('pg')) as { Pool: PgPoolClass };
  const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: CONNECT_MS });
  return { executor: driverExecutor(pool), close: () => pool.end() };
}

/** A MariaDB server accepts `mysql://` too; its version string decides. */
async function openMysql(url: string): Promise<OpenDatabase> {
  const { createPool } = (await appDriver('mysql2')) as { createPool: CreateMysqlPool };
  const pool = createPool({ uri: url, connectionLimit: 2, connectTimeout: CONNECT_MS });
  const close = () => new Promise<void>((resolve) => pool.end(resolve));
  try {
    const { rows } = await driverExecutor(pool).run<{ version: string }>(sql`SELECT version() AS version`);
    const dialect = /mariadb/i.test(String(rows[0]?.version)) ? 'mariadb' : 'mysql';
    return { executor: driverExecutor(pool, { dialect }), close };
  } catch (error) {
    await atMost(CLOSE_MS, close());
    throw error;
  }
}

export interface CommandOptions {
  prefix: string;
  /** The schema of all tables. */
  schema?: string;
  url: string | undefined;
  env: Environment;
  /** False: the app has no outbox. */
  outbox?: boolean;
  outboxTable?: string;
  outboxNodesTable?: string;
  outboxSchema?: string;
  outboxOrdering?: OutboxOrdering;
}

type Print = (line: string) => void;

/** Migrates the tables. */
export async function migrateCommand({ prefix, url, ...options }: CommandOptions, print: Printer): Promise<number> {
  const tables = tablesOf({ prefix, ...options });
  const applied = await withDatabase(url, async (executor) => {
    const ids = await migrate(executor, tables);
    if (options.outbox === false) return ids;
    return [...ids, ...(await migrateOutbox(executor, outboxTablesOf(tables, options), orderingOf(options)))];
  });
  print.gathered({ applied }, applied, told('Applied', applied, prefix));
  return 0;
}

/** Returns 1 when migrations are pending. */
export async function statusCommand({ prefix, url, ...options }: CommandOptions, print: Printer): Promise<number> {
  const tables = tablesOf({ prefix, ...options });
  const pending = await withDatabase(url, async (executor) => {
    await findTables(executor, tables);
    const ids = await pendingMigrations(executor, tables);
    if (options.outbox === false) return ids;
    return [...ids, ...(await pendingOutbox(executor, outboxTablesOf(tables, options), orderingOf(options)))];
  });
  print.gathered({ pending }, pending, told('Pending', pending, prefix));
  return pending.length === 0 ? 0 : 1;
}

const told = (what: string, ids: readonly string[], prefix: string): string[] =>
  ids.length === 0 ? [`The tables ${prefix}_* are up to date`] : ids.map((id) => `${what} ${id}`);

export const DIALECT_NEEDED = 'postgres, mysql or mariadb, or pass a database with --url or DATABASE_URL';

export interface SqlCommandOptions extends CommandOptions {
  dialect: Dialect['name'] | undefined;
  /** The version whose tables exist. */
  from?: string;
}

/** Prints what `migrate` would do to an empty database, or to one of an earlier version. */
export async function sqlCommand(
  { prefix, url, dialect, from, ...options }: SqlCommandOptions,
  print: Print,
): Promise<number> {
  validatePrefix(prefix);
  if (dialect === undefined && url === undefined) {
    throw missingArgument('--dialect', DIALECT_NEEDED);
  }
  const outbox = options.outbox !== false && scriptOptions(prefix, options);
  // Before the database is asked for its kind.
  wantedBetween({ from });
  const name = dialect ?? (await withDatabase(url, (executor) => Promise.resolve(executor.dialect.name)));
  const statements = migrationStatements(name, { prefix, schema: options.schema, outbox, from });
  print(statements.length > 0 ? scriptOf(statements) : `-- The tables of ${String(from)} are those of this version`);
  return 0;
}

type OutboxFlags = Omit<CommandOptions, 'prefix' | 'url'>;

/** All our tables. @throws InvalidArgumentError */
export function tablesOf({ prefix, schema }: Pick<CommandOptions, 'prefix' | 'schema'>): Tables {
  validatePrefix(prefix);
  if (schema !== undefined) validateName(schema, '--schema');
  return tablesWithPrefix(prefix, { schema });
}

/** The tables of events that an app with these options uses. */
export const outboxTablesOf = ({ prefix, home }: Tables, options: OutboxFlags): OutboxTables =>
  outboxTables(prefix, namesOf(prefix, options), home);

/** The same names as the module's, so that a command creates the tables that the app uses. */
function namesOf(prefix: string, options: OutboxFlags): OutboxTableNames {
  const { outboxTable: table, outboxNodesTable: nodesTable, outboxSchema: schema, env } = options;
  return outboxTableNames({ table, nodesTable, schema }, prefix, env);
}

const orderingOf = ({ outboxOrdering: ordering = 'commit' }: OutboxFlags): { ordering: OutboxOrdering } => ({
  ordering,
});

const scriptOptions = (prefix: string, options: OutboxFlags): OutboxStatementsOptions => ({
  ...givenNamesOf(prefix, options),
  ...orderingOf(options),
});

/** The names of the tables of events, for statements that are printed. */
export function givenNamesOf(prefix: string, options: OutboxFlags): Omit<OutboxStatementsOptions, 'ordering'> {
  const { schema, ...names } = namesOf(prefix, options);
  return { ...names, ...(schema !== undefined && { schema }) };
}

/** Moves the event numbers beyond all numbers that were ever assigned. */
export async function jumpCommand({ prefix, url, ...options }: CommandOptions, print: Print): Promise<number> {
  const tables = outboxTablesOf(tablesOf({ prefix, ...options }), options);
  await withDatabase(url, async (executor) => {
    await findOutbox(executor, tables);
    await jumpNumbers(executor, tables);
  });
  print(`The numbers of "${tables.names.table}" now continue above all that were ever assigned`);
  return 0;
}

/** Makes the space of deleted rows reusable. */
export async function vacuumCommand({ prefix, url, ...options }: CommandOptions, print: Printer): Promise<number> {
  const tables = tablesOf({ prefix, ...options });
  const published = outboxTablesOf(tables, options);
  const count = await withDatabase(url, async (executor) => {
    await findOutbox(executor, published);
    return vacuum(executor, tables, options.outbox === false ? [] : [published.outbox, published.nodes]);
  });
  const words =
    count > 0 ? `Vacuumed ${counted(count, 'table')} ${prefix}_*` : 'Nothing to do: this server reuses space by itself';
  print.changed({ vacuumed: count }, [], words);
  return 0;
}

/** The error for what was not given, and has to be. */
export const missingArgument = (argument: string, expected: string): InvalidArgumentError =>
  new InvalidArgumentError(argument, undefined, expected, `${argument} is missing: pass ${expected}`);
