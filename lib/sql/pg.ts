import { createHash } from 'node:crypto';
import { sleep, stopwatch, Timers } from '../core/time.js';
import { type ConnectionPool, type DriverConnection, DriverConnections, type LeasedConnection } from './connections.js';
import { toDatabaseError } from './database-errors.js';
import { postgres, unplanned } from './dialects.js';
import type { RenderedStatement } from './statement.js';
import type { Listener, SqlResult } from './executor.js';
import {
  callThrough,
  Checkout,
  endsOf,
  IDLE_SECONDS,
  ignoreError,
  keepAlive,
  keepFromGivingBack,
  pgCounts,
  type PgPoolState,
  type Report,
  Session,
  type SessionDriver,
  type SessionEnds,
  sessionOf,
  type Socket,
  textOf,
  type TransactionState,
  withoutLiterals,
} from './pools.js';
import type { SqlValue } from './statement.js';
import { type Position, Within } from './transaction-parts.js';

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

/** A pool of the app, with what other connections are made from. */
export interface PgAppPool extends PgPool {
  readonly Client: PgClientClass;
  on(event: 'connect' | 'acquire', listener: (client: PgPoolClient) => void): unknown;
  on(event: 'release', listener: (error: unknown, client: PgPoolClient) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  listeners(event: 'connect' | 'remove'): ((client: object) => unknown)[];
  end(...args: unknown[]): unknown;
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
export function pgPool(poolOf: () => PgPool | Promise<PgPool>, statements = new PoolStatements()): ConnectionPool {
  const connections = new DriverConnections<PgClient>((client) => pgConnection(client, statements));
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

/** Whether the sessions of a pool always cache plans, as a role or database may set it: each connection is asked once. */
export class KeptPlans {
  private readonly asked = new WeakSet<object>();

  constructor(private forced = false) {}

  /** Queries each connection once; undefined if that was done, or is not needed any more. */
  learn(connection: object, ask: () => Promise<unknown>): Promise<void> | undefined {
    if (this.forced || this.asked.has(connection)) return undefined;
    this.asked.add(connection);
    return ask().then(
      (mode) => void (this.forced ||= mode === 'force_generic_plan'),
      // A failed transaction cannot be queried; the next statement reports the error.
      () => void this.asked.delete(connection),
    );
  }

  /** The statement text to send. */
  textOf(text: string): string {
    return this.forced ? unplanned(text) : text;
  }
}

interface PgQuery {
  text: string;
  within?: Within | undefined;
  name?: string;
  values?: readonly SqlValue[];
  types?: typeof pgTypes;
}

export interface PgResult {
  rows: Record<string, unknown>[];
  rowCount: number | null;
}

/** The used part of `pg`'s Client. */
export interface PgClient {
  query(query: PgQuery): Promise<PgResult>;
}

const BOOL = 16;
const INT8 = 20;
const NUMBERS = new Set([21, 23, 26, 700, 701]);

const asInteger = (text: string): number | string => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
};
const asText = (text: string): string => text;

/** How results are parsed, independent of the app's type parsers: JSON and times stay text. */
export const pgTypes = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    if (NUMBERS.has(oid)) return Number;
    if (oid === INT8) return asInteger;
    return oid === BOOL ? (text) => text === 't' : asText;
  },
};

/** A prepared name exists already, or does not exist. */
const MIXED_UP = new Set<unknown>(['42P05', '26000']);
export const isMixedUp = (error: unknown): boolean => MIXED_UP.has((error as { code?: unknown } | null)?.code);

const PLAN_CACHE_MODE = { text: `SELECT current_setting('plan_cache_mode', true) AS mode` };

/** How the statements of one pool are sent. */
export class PoolStatements {
  readonly prepared = new PreparedTexts();
  private readonly plans: KeptPlans;
  /** What is prepared, by the text as it was rendered: long texts are neither changed nor hashed for each statement. */
  private readonly known = new Map<string, Pick<PgQuery, 'text' | 'name' | 'types'>>();

  /** `plansKept`: its sessions are known to cache plans always. */
  constructor({ plansKept = false } = {}) {
    this.plans = new KeptPlans(plansKept);
  }

  query({ text: given, params: values, within }: RenderedStatement): PgQuery {
    const known = this.known.get(given);
    if (known) return { ...known, values, within };
    const text = this.plans.textOf(given);
    const name = this.prepared.nameOf(text);
    if (name === undefined) return { text, values, types: pgTypes, within };
    this.known.set(given, { text, name, types: pgTypes });
    return { text, name, values, types: pgTypes, within };
  }

  /**
   * Behind PgBouncer in transaction mode, a client's server connection changes, so its prepared statements are missing
   * or belong to another client. At the first sign of that, nothing more is prepared for this pool.
   */
  async send(client: PgClient, statement: RenderedStatement): Promise<PgResult> {
    const learning = this.plans.learn(client, async () => (await client.query(PLAN_CACHE_MODE)).rows[0]?.['mode']);
    if (learning) {
      await learning;
      this.known.clear();
    }
    const named = this.query(statement);
    try {
      return await client.query(named);
    } catch (error) {
      if (named.name === undefined || !isMixedUp(error)) throw error;
      return this.sendUnprepared(client, statement, error);
    }
  }

  /** `error`: a sign that statements are mixed up. In a transaction, which has failed, it is the cause of what follows. */
  sendUnprepared(client: PgClient, statement: RenderedStatement, error: unknown): Promise<PgResult> {
    this.prepared.forgo();
    this.known.clear();
    return client.query(this.query(statement)).catch(() => Promise.reject(error as Error));
  }
}

export const resultOf = ({ rows, rowCount }: PgResult): SqlResult<Record<string, unknown>> => ({
  rows,
  affected: rowCount ?? 0,
});

export const pgConnection = (client: PgClient, statements: PoolStatements): DriverConnection => ({
  execute: async (statement) => resultOf(await statements.send(client, statement)),
  command: async (text) => void (await client.query({ text })),
});

interface PgSessionClient extends PgClient {
  /** Since `pg` 8.17. */
  getTransactionStatus?(): string | null;
  /** False while a result is pending. */
  readyForQuery?: boolean;
  processID?: number | null;
  connection?: {
    on(event: 'readyForQuery', listener: (message: { status?: string }) => void): unknown;
    readonly stream?: Socket;
  };
}

const IDLE = 'I';

/**
 * Until the end of its transaction, and without a round trip of its own. `tcp_user_timeout` is for a result that nobody
 * takes off the server, which is not idle then.
 */
const LIMITS = ['idle_in_transaction_session_timeout', 'tcp_user_timeout'];
const LIMITED = LIMITS.map((setting) => `; SET LOCAL ${setting} = ${IDLE_SECONDS * 1_000}`).join('');

/** The argument of `query`, a BEGIN. */
function limited(query: unknown, text: string): unknown {
  const both = text.replace(/;?\s*$/, LIMITED);
  if (typeof query === 'string') return both;
  return typeof (query as { submit?: unknown }).submit === 'function' ? query : { ...(query as object), text: both };
}

/** As if it had been sent, and the server had refused it. */
function refused(query: unknown, error: Error): Promise<never> | undefined {
  const execution = query as { handleError?(error: Error): void };
  if (!execution.handleError) return Promise.reject(error);
  execution.handleError(error);
  return undefined;
}

class PgSession implements SessionDriver {
  checkout: Checkout | undefined;
  readonly keepsAtBegin = true;
  position?: Position;
  readonly timers = new Timers(stopwatch);
  readonly ping: () => Promise<unknown>;
  private sent: string | undefined;
  /** The server's last status, and the one before. */
  private statuses: [string | undefined, string | undefined] = [undefined, undefined];

  constructor(
    private readonly client: PgSessionClient,
    private fresh: boolean,
  ) {
    const query = client.query.bind(client);
    this.ping = () => query({ text: '' });
    keepAlive(client.connection?.stream);
    client.connection?.on('readyForQuery', ({ status }) => (this.statuses = [status, this.statuses[0]]));
    callThrough(client, 'query', ([first, ...more], call) => {
      this.fresh = false;
      const refusal = Within.refusal(this, first);
      if (refusal) return refused(first, refusal);
      this.sent = textOf(first);
      if (!Checkout.sends(this, this.sent)) return call([first, ...more]);
      const answer = call([limited(first, this.sent!), ...more]);
      return answer instanceof Promise ? answer.then((results: unknown) => [results].flat()[0]) : answer;
    });
  }

  get ends(): Required<SessionEnds> | undefined {
    return endsOf(this.client.processID, this.client.connection?.stream);
  }

  destroy(): void {
    this.client.connection?.stream?.destroy();
  }

  get state(): TransactionState {
    if (this.fresh) return 'none';
    if (this.client.readyForQuery === false) return 'unknown';
    const status = this.client.getTransactionStatus?.() ?? this.statuses[0];
    if (!status) return 'unknown';
    return status === IDLE ? 'none' : 'open';
  }

  get isBusy(): boolean {
    return this.client.readyForQuery === false;
  }

  get lastStatement(): string | undefined {
    return this.sent === undefined ? undefined : withoutLiterals(this.sent);
  }

  /** A failed statement's result may come in two parts: its status is known after the next statement is sent. */
  async rollback(): Promise<boolean> {
    await this.client.query({ text: 'ROLLBACK' });
    const [, before = IDLE] = this.statuses;
    return before !== IDLE;
  }
}

/** `fresh`: it was just opened, and nothing was sent on it. */
export const pgSession = (client: PgClient, { fresh = false } = {}): Session =>
  sessionOf(client, () => new Session(new PgSession(client, fresh)));

interface Notification {
  channel: string;
  payload?: string;
}

/** The used part of `pg`'s Client for listening. */
export interface PgListenClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'notification', listener: (message: Notification) => void): unknown;
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  /** The socket, for connections that no longer respond. */
  readonly connection?: { readonly stream?: Pick<Socket, 'destroy'> };
}

export type PgClientClass = new (options: object) => PgListenClient;

const ignoreAnswer = (): void => undefined;

/**
 * A client outside the pool, made from the options of one: its password is not enumerable, so they are copied property by
 * property. Not connected yet.
 */
export function unpooledClient<Client extends PgListenClient>(
  ClientClass: new (options: object) => Client,
  options: object,
): { client: Client; ended: Promise<void>; close: () => Promise<void> } {
  const own = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options));
  const client = new ClientClass(Object.assign(own, { keepAlive: true, connectionTimeoutMillis: 10_000 }));
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  const close = async () => {
    const goodbye = client.end().catch(ignoreError);
    const gone = new AbortController();
    // A half-open connection never confirms the end.
    const patience = sleep(1_000, gone.signal).then(() => gone.signal.aborted || client.connection?.stream?.destroy());
    await Promise.race([goodbye, ended]);
    gone.abort();
    await patience;
  };
  return { client, ended, close };
}

/** Opens a connection outside the pool, with its options, and listens. */
export async function listenOnPostgres(
  Client: PgClientClass,
  options: object,
  channels: readonly string[],
  onNotify: (channel: string, payload: string) => void,
): Promise<Listener> {
  const { client, ended, close } = unpooledClient(Client, options);
  client.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
  const check = () =>
    client.query('SELECT 1').then(ignoreAnswer, (error: unknown) => {
      throw toDatabaseError(error);
    });
  try {
    await client.connect();
    if (channels.length > 0)
      await client.query(channels.map((channel) => `LISTEN ${postgres.quote(channel)}`).join('; '));
    return { ended, check, close };
  } catch (error) {
    void close();
    throw error;
  }
}

/** DDL runs only once. */
const REPEATED = /^\s*(select|insert|update|delete|with)\b/i;

/**
 * The statements to prepare, with names derived from their text. Connections keep prepared statements forever, so a
 * program that generates texts must not prepare all of them.
 */
export class PreparedTexts {
  private readonly names = new Map<string, string>();
  private forgone = false;

  constructor(private readonly limit = 500) {}

  /** Stops preparing: a pooler between us and the server mixes up prepared statements of several clients. */
  forgo(): void {
    this.forgone = true;
  }

  /** The name to prepare `text` under; undefined to send it unprepared. */
  nameOf(text: string): string | undefined {
    if (this.forgone) return undefined;
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= this.limit || !REPEATED.test(text)) return known;
    const name = `durable_${createHash('sha1').update(text).digest('hex')}`;
    this.names.set(text, name);
    return name;
  }
}
