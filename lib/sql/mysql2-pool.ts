import type { Dialect } from './dialect.js';
import { type ConnectionPool, DriverConnections, ignoreError, type LeasedConnection } from './driver-connection.js';
import { type Mysql2Connection, mysql2Connection } from './mysql2-connection.js';

export interface Mysql2PoolConnection extends Mysql2Connection {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  listeners(event: 'error'): unknown[];
  release(): void;
  destroy(): void;
}

/** The part of `mysql2`'s callback pool we use. */
export interface Mysql2Pool {
  getConnection(callback: (error: Error | null, connection: Mysql2PoolConnection) => void): void;
}

const connect = (pool: Mysql2Pool): Promise<Mysql2PoolConnection> =>
  new Promise((resolve, reject) =>
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
  );

/** Connections of a `mysql2` pool, wherever the pool comes from. */
export function mysql2Pool(dialect: Dialect, poolOf: () => Mysql2Pool | Promise<Mysql2Pool>): ConnectionPool {
  const connections = new DriverConnections<Mysql2Connection>((raw) => {
    // For good, and once however many executors share the pool: it hears of a connection's end, but leaves its errors to nobody.
    const connection = raw as Mysql2PoolConnection;
    if (!connection.listeners('error').includes(ignoreError)) connection.on('error', ignoreError);
    return mysql2Connection(raw);
  });
  return {
    dialect,
    acquire: async (): Promise<LeasedConnection> => {
      const connection = await connect(await poolOf());
      return {
        connection: connections.of(connection),
        raw: connection,
        release: (broken) => (broken ? connection.destroy() : connection.release()),
      };
    },
  };
}
