import { type ConnectionPool, DriverConnections, ignoreError, type LeasedConnection } from './driver-connection.js';
import { keepFromGivingBack } from './lost-clients.js';
import { type PgClient, pgConnection } from './pg-connection.js';
import { postgres } from './postgres.dialect.js';

export interface PgPoolClient extends PgClient {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  removeListener(event: 'error', listener: (error: unknown) => void): unknown;
  release(error?: Error | boolean): void;
}

/** The part of `pg`'s Pool we use. */
export interface PgPool {
  readonly options: object;
  connect(): Promise<PgPoolClient>;
  on(event: 'connect', listener: (client: PgPoolClient) => void): unknown;
}

const guarded = new WeakSet<PgPool>();

/**
 * A connection that the server ends in the very moment it is opened says so before whoever asked for it has come to
 * listen, and an error that nobody listens to ends the process.
 */
function guard(pool: PgPool): PgPool {
  if (!guarded.has(pool)) pool.on('connect', (client) => client.on('error', ignoreError));
  guarded.add(pool);
  return pool;
}

/** Connections of a `pg` pool, wherever the pool comes from. */
export function pgPool(poolOf: () => PgPool | Promise<PgPool>): ConnectionPool {
  const connections = new DriverConnections<PgClient>(pgConnection);
  return {
    dialect: postgres,
    acquire: async (): Promise<LeasedConnection> => {
      const client = await guard(await poolOf()).connect();
      // The pool listens only to idle clients.
      client.on('error', ignoreError);
      const letGo = keepFromGivingBack(client);
      return {
        connection: connections.of(client),
        raw: client,
        release: (broken) => {
          client.removeListener('error', ignoreError);
          letGo();
          client.release(broken);
        },
      };
    },
  };
}
