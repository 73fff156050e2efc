import { type ConnectionPool, DriverConnections, ignoreError, type LeasedConnection } from './driver-connection.js';
import { keepFromGivingBack } from './lost-clients.js';
import { type PgClient, pgConnection } from './pg-connection.js';
import { handOverClean } from './pg-hand-over.js';
import { pgSession } from './pg-session.js';
import { postgres } from './postgres.dialect.js';
import type { Report } from './session.js';

export interface PgPoolClient extends PgClient {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  removeListener(event: 'error', listener: (error: unknown) => void): unknown;
  release: (error?: Error | boolean) => void;
}

/** The part of `pg`'s Pool we use. */
export interface PgPool {
  readonly options: object;
  connect(): Promise<PgPoolClient>;
  on(event: 'connect' | 'acquire', listener: (client: PgPoolClient) => void): unknown;
  on(event: 'release', listener: (error: unknown, client: PgPoolClient) => void): unknown;
}

const guarded = new WeakMap<PgPool, Set<Report>>();

/**
 * A connection that the server ends in the very moment it is opened says so before whoever asked for it has come to
 * listen, and an error that nobody listens to ends the process. And whoever takes a connection takes it without the
 * transaction that somebody else has left open on it.
 */
export function guardPgPool(pool: PgPool, report: Report): PgPool {
  const reports = guarded.get(pool);
  if (reports) reports.add(report);
  else watch(pool, new Set([report]));
  return pool;
}

function watch(pool: PgPool, reports: Set<Report>): void {
  guarded.set(pool, reports);
  const watched = (client: PgPoolClient) => {
    const session = pgSession(client);
    for (const report of reports) session.watchedBy(report);
    return session;
  };
  pool.on('connect', (client) => {
    client.on('error', ignoreError);
    pgSession(client, { fresh: true });
  });
  // Also of those that asked before anybody watched: a client answers in order, so this comes before what they send.
  pool.on('acquire', (client) => void watched(client).end()?.catch(ignoreError));
  handOverClean<PgPoolClient>(pool, (client) => watched(client).end());
  // One that is given back with an error is ended by the pool.
  pool.on('release', (error, client) => void (error || watched(client).endLeft()?.catch(ignoreError)));
}

/** Connections of a `pg` pool, wherever the pool comes from. */
export function pgPool(poolOf: () => PgPool | Promise<PgPool>): ConnectionPool {
  const connections = new DriverConnections<PgClient>(pgConnection);
  return {
    dialect: postgres,
    acquire: async (report): Promise<LeasedConnection> => {
      const client = await guardPgPool(await poolOf(), report).connect();
      // The pool listens only to idle clients.
      client.on('error', ignoreError);
      const letGo = keepFromGivingBack(client);
      return {
        connection: connections.of(client),
        raw: client,
        session: pgSession(client).watchedBy(report),
        release: (broken) => {
          client.removeListener('error', ignoreError);
          letGo();
          client.release(broken);
        },
      };
    },
  };
}
