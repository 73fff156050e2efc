import type { Dialect } from './dialects/dialect.js';
import { type ConnectionPool, DriverConnections, ignoreError, type LeasedConnection } from './driver-connection.js';
import { type Mysql2Connection, mysql2Connection } from './mysql2-connection.js';
import { mysql2Session } from './mysql2-session.js';
import { mysql2Counts, type Mysql2PoolState } from './pool-counts.js';
import type { Report } from './session.js';

export interface Mysql2PoolConnection extends Mysql2Connection {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  listeners(event: 'error'): unknown[];
  release(): void;
  destroy(): void;
}

/** The used part of `mysql2`'s callback pool. */
export interface Mysql2Pool extends Mysql2PoolState<Mysql2PoolConnection> {
  getConnection(callback: (error: Error | null, connection: Mysql2PoolConnection) => void): void;
  on?(event: 'connection' | 'acquire', listener: (connection: Mysql2PoolConnection) => void): unknown;
}

const guarded = new WeakMap<Mysql2Pool, Set<Report>>();

/** Ensures that an acquired connection has no transaction that was left open on it. */
export function guardMysql2Pool(pool: Mysql2Pool, report: Report): Mysql2Pool {
  const known = guarded.get(pool);
  if (known) known.add(report);
  if (known || !pool.on) return pool;
  const reports = new Set([report]);
  guarded.set(pool, reports);
  pool.on('connection', (connection) => void mysql2Session(connection, { fresh: true }));
  pool.on('acquire', (connection) => {
    const session = mysql2Session(connection);
    for (const each of reports) session.watchedBy(each);
    // A connection runs statements in order: the ROLLBACK precedes statements of its next user.
    void session.end()?.catch(ignoreError);
  });
  return pool;
}

const connect = (pool: Mysql2Pool): Promise<Mysql2PoolConnection> =>
  new Promise((resolve, reject) =>
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
  );

/** Connections of a `mysql2` pool from any source. */
export function mysql2Pool(dialect: Dialect, poolOf: () => Mysql2Pool | Promise<Mysql2Pool>): ConnectionPool {
  const connections = new DriverConnections<Mysql2Connection>((raw) => {
    // Added once and never removed, for all executors of the pool: the pool does not handle connection errors.
    const connection = raw as Mysql2PoolConnection;
    if (!connection.listeners('error').includes(ignoreError)) connection.on('error', ignoreError);
    return mysql2Connection(raw);
  });
  let known: Mysql2Pool | undefined;
  return {
    dialect,
    counts: () => known && mysql2Counts(known, (connection) => mysql2Session(connection).isBusy),
    setting: 'connectionLimit',
    acquire: async (report): Promise<LeasedConnection> => {
      known = await poolOf();
      const connection = await connect(guardMysql2Pool(known, report));
      return {
        connection: connections.of(connection),
        raw: connection,
        session: mysql2Session(connection).watchedBy(report),
        release: (broken) => (broken ? connection.destroy() : connection.release()),
      };
    },
  };
}
