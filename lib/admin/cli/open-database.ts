import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { missingArgument } from './missing-argument.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { ConfigurationError } from '../../errors/setup-errors.js';
import { sql } from '../../sql/dialects/statement.js';
import { driverExecutor } from '../../sql/driver-executor.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { atMost } from '../../time/sleep.js';

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
