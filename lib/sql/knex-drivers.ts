import type { Dialect } from './dialects/dialect.js';
import type { DriverConnection } from './driver-connection.js';
import { type MariaDbConnection, hearSignIn, mariaDbConnection } from './mariadb-connection.js';
import { MysqlSession, type MysqlSessionOptions } from './mysql-session.js';
import { type Mysql2Connection, mysql2Connection } from './mysql2-connection.js';
import type { Mysql2PoolConnection } from './mysql2-pool.js';
import { mysql2Session } from './mysql2-session.js';
import { type PgClient, pgConnection } from './pg-connection.js';
import { pgSession } from './pg-session.js';
import { Session, sessionOf } from './session.js';

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  readonly info?: { readonly status?: number } | null;
}

type Callback = (error: unknown, ...more: unknown[]) => unknown;

class MariaDbSession extends MysqlSession<Raw> {
  /** After an error the connector reports every session as in a transaction, so only successful results count. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return call(args);
    const heard: Callback = (error, ...more) => {
      if (!error) this.flags = this.connection.info?.status;
      return (callback as Callback)(error, ...more);
    };
    return call([...args.slice(0, -1), heard]);
  }
}

export const mariaDbSession = (connection: Raw, options: MysqlSessionOptions = {}): Session =>
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
