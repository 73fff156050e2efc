import { postgres } from './dialects/postgres.dialect.js';
import { type ConnectionPool, DriverConnections, type LeasedConnection, ignoreError } from './driver-connection.js';
import { keepFromGivingBack } from './lost-clients.js';
import { type PgClient, pgConnection } from './pg-connection.js';
import { pgSession } from './pg-session.js';
import { pgCounts, type PgPoolState } from './pool-counts.js';
import { callThrough } from './sent-statements.js';
import type { Report } from './session.js';

interface PooledClient {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  removeListener(event: 'error', listener: (error: unknown) => void): unknown;
  release: (error?: Error | boolean) => void;
}

interface HandOverOptions<Client> {
  connect: () => Promise<Client>;
  /** Undefined if there is nothing to roll back. */
  endingOf: (client: Client) => Promise<void> | undefined;
  /** How many clients may be destroyed per request. A new one has nothing to roll back. */
  most: number;
}

/** The callback of `connect`. */
type Done<Client> = (error: unknown, client?: Client, release?: PooledClient['release']) => void;

/**
 * Makes `connect`, in both forms, return a client only after a transaction that was left open on it is rolled back;
 * `pool.query` also calls `connect`. A client that fails its ROLLBACK is destroyed and replaced. A client without a
 * transaction is returned without delay.
 */
function handOverClean<Client extends PooledClient>(
  pool: { readonly options: object },
  endingOf: (client: Client) => Promise<void> | undefined,
): void {
  const most = (pool.options as { max?: number }).max ?? 10;
  callThrough(pool, 'connect', ([done], call) => {
    const connect = () => call([]) as Promise<Client>;
    const clean = cleaning({ connect, endingOf, most });
    if (typeof done !== 'function') return connect().then(clean);
    return call([callingBack(done as Done<Client>, clean)]);
  });
}

/** Synchronous if the client needs no rollback. */
function callingBack<Client extends PooledClient>(
  done: Done<Client>,
  clean: (client: Client) => Client | Promise<Client>,
): Done<Client> {
  return (error, client, release) => {
    const cleaned = client && clean(client);
    if (!(cleaned instanceof Promise)) return done(error, client, release);
    void cleaned.then(
      (other) => done(undefined, other, other.release),
      (refused: unknown) => done(refused, undefined, () => undefined),
    );
  };
}

/** Returns the client, or later another one. Rejects with the ROLLBACK error of the last one. */
function cleaning<Client extends PooledClient>({ connect, endingOf, most }: HandOverOptions<Client>) {
  let destroyed = 0;
  const ended = async (client: Client, ending: Promise<void>): Promise<Client> => {
    // The pool listens only to idle clients, and the next holder does not listen yet.
    client.on('error', ignoreError);
    try {
      await ending;
    } catch (error) {
      client.release(true);
      if (++destroyed > most) throw error;
      return clean(await connect());
    }
    client.removeListener('error', ignoreError);
    return client;
  };
  const clean = (client: Client): Client | Promise<Client> => {
    const ending = endingOf(client);
    return ending ? ended(client, ending) : client;
  };
  return clean;
}

export interface PgPoolClient extends PgClient {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  removeListener(event: 'error', listener: (error: unknown) => void): unknown;
  release: (error?: Error | boolean) => void;
}

/** The used part of `pg`'s Pool. */
export interface PgPool extends PgPoolState<PgClient> {
  connect(): Promise<PgPoolClient>;
  on(event: 'connect' | 'acquire', listener: (client: PgPoolClient) => void): unknown;
  on(event: 'release', listener: (error: unknown, client: PgPoolClient) => void): unknown;
}

const guarded = new WeakMap<PgPool, Set<Report>>();

/**
 * Adds an error listener to new clients: the server may end a connection before its holder listens, and an unhandled
 * error event ends the process. Also ensures that an acquired client has no transaction that was left open on it.
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
  // Also for earlier `connect` calls: a client runs statements in order, so the ROLLBACK precedes theirs.
  pool.on('acquire', (client) => void watched(client).end()?.catch(ignoreError));
  handOverClean<PgPoolClient>(pool, (client) => watched(client).end());
  // The pool ends a client that is released with an error.
  pool.on('release', (error, client) => void (error || watched(client).endLeft()?.catch(ignoreError)));
}

/** Connections of a `pg` pool from any source. */
export function pgPool(poolOf: () => PgPool | Promise<PgPool>): ConnectionPool {
  const connections = new DriverConnections<PgClient>(pgConnection);
  let known: PgPool | undefined;
  return {
    dialect: postgres,
    counts: () => known && pgCounts(known, (client) => pgSession(client).isBusy),
    setting: 'max',
    acquire: async (report): Promise<LeasedConnection> => {
      known = await poolOf();
      const client = await guardPgPool(known, report).connect();
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
