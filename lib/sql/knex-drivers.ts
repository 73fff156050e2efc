import type { Dialect } from './dialects/dialect.js';
import { type DriverConnection, ignoreError } from './driver-connection.js';
import { hearSignIn, type MariaDbConnection, mariaDbConnection } from './mariadb-connection.js';
import { mysql2Session, MysqlSession, type MysqlSessionOptions } from './mysql2-session.js';
import { type Mysql2Connection, mysql2Connection } from './mysql2-connection.js';
import type { Mysql2PoolConnection } from './mysql2-pool.js';
import { type PgClient, pgConnection } from './pg-connection.js';
import { pgSession } from './pg-session.js';
import { type PoolCounts, tarnCounts } from './pool-counts.js';
import { type Report, Session, sessionOf } from './session.js';
import type { KnexClient, KnexPool } from './mikro-orm-transaction.js';
import { callThrough } from './sent-statements.js';

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  readonly info?: { readonly status?: number } | null;
}

type Callback = (error: unknown, ...more: unknown[]) => unknown;

class MariaDbSession extends MysqlSession<Raw> {
  /** Results that have not come. */
  private awaited = 0;

  get isBusy(): boolean {
    return this.awaited > 0;
  }

  /** After an error the connector reports every session as in a transaction, so only successful results count. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return call(args);
    this.awaited++;
    const heard: Callback = (error, ...more) => {
      this.awaited--;
      if (!error) this.flags = this.connection.info?.status;
      return (callback as Callback)(error, ...more);
    };
    return call([...args.slice(0, -1), heard]);
  }
}

const mariaDbSession = (connection: Raw, options: MysqlSessionOptions = {}): Session =>
  sessionOf(connection, () => new Session(new MariaDbSession(connection, options)));

/** How the connections of a Knex client are used. */
interface KnexDriver {
  session(raw: object, options?: MysqlSessionOptions): Session;
  connection(raw: object): DriverConnection;
  /** Called before the client opens connections. */
  prepare?(client: { driver: object }): void;
}

/** MikroORM 6 uses the `mariadb` connector for MariaDB, version 7 uses `mysql2`. */
export const KNEX_DRIVERS: Record<Dialect['name'], KnexDriver> = {
  postgres: {
    session: (raw, options) => pgSession(raw as PgClient, options),
    connection: (raw) => pgConnection(raw as PgClient),
  },
  mysql: {
    session: (raw, options) => mysql2Session(raw as Mysql2PoolConnection, options),
    connection: (raw) => mysql2Connection(raw as Mysql2Connection),
  },
  mariadb: {
    session: (raw, options) => mariaDbSession(raw as Raw, options),
    connection: (raw) => mariaDbConnection(raw as MariaDbConnection),
    prepare: hearSignIn,
  },
};

export const knexCounts = (driver: KnexDriver, { pool }: KnexClient): PoolCounts | undefined =>
  pool && tarnCounts(pool, (raw) => driver.session(raw).isBusy);

/** Marks a connection, as Knex does, so that it is not used again. */
export const dispose = (raw: object): void =>
  void Object.assign(raw, {
    __knex__disposed: new Error('The connection was lost, or released with an open transaction'),
  });

const isDisposed = (raw: object): boolean => Boolean((raw as { __knex__disposed?: unknown }).__knex__disposed);

const guarded = new WeakMap<KnexPool, Set<Report>>();

/** Ensures that an acquired connection has no transaction that was left open on it. */
export function guardKnex(dialect: Dialect, client: KnexClient, report: Report): void {
  const driver = KNEX_DRIVERS[dialect.name];
  driver.prepare?.(client);
  const { pool } = client;
  if (!pool) return;
  const known = guarded.get(pool);
  if (known) return void known.add(report);
  const reports = new Set([report]);
  guarded.set(pool, reports);
  const watched = (raw: object) => {
    const session = driver.session(raw);
    for (const each of reports) session.watchedBy(each);
    return session;
  };
  const endings = new WeakMap<object, Promise<void>>();
  pool.on('createSuccess', (_, raw) => void driver.session(raw, { fresh: true }));
  // A connection runs statements in order: the ROLLBACK precedes statements of its next user.
  pool.on('acquireSuccess', (_, raw) => void watched(raw).end()?.catch(ignoreError));
  pool.on('release', (raw) => {
    const ending = watched(raw).endLeft(!isDisposed(raw));
    if (!ending) return;
    dispose(raw);
    endings.set(raw, ending.catch(ignoreError));
  });
  // Otherwise the ROLLBACK would be lost with the connection, and the open transaction not reported.
  callThrough(client, 'destroyRawConnection', (args, destroy) => {
    const ending = endings.get(args[0] as object);
    return ending ? ending.then(() => destroy(args)) : destroy(args);
  });
}
