import { type Clock, sleep, systemClock, Timers } from '../core/time.js';
import { isPoolTimeout } from './database-errors.js';

/** The connections of a pool, at one moment. */
export interface PoolCounts {
  /** The most that it opens; undefined if it does not say. */
  readonly most: number | undefined;
  /** How many somebody in this process holds, whoever it is. */
  readonly used: number;
  /** Of these, how many run a statement. */
  readonly busy: number;
  /** How many requests for a connection wait, those of the app too. */
  readonly pending: number;
}

/** Of `pg`'s Pool. */
export interface PgPoolState<Client> {
  readonly options: object;
  readonly waitingCount?: number;
  /** Internals of `pg-pool`: all clients, and which of them wait for a user. */
  readonly _clients?: readonly (Client & { readonly _connecting?: boolean })[];
  readonly _idle?: readonly { readonly client: Client }[];
}

/** Of `mysql2`'s callback pool: internals, as queues. */
export interface Mysql2PoolState<Connection> {
  readonly config?: { readonly connectionLimit?: number };
  readonly _allConnections?: Queue<Connection & { readonly authorized?: boolean }>;
  readonly _freeConnections?: Queue<Connection>;
  readonly _connectionQueue?: { readonly length: number };
}

interface Queue<T> {
  readonly length: number;
  get(position: number): T | undefined;
}

/** Of Tarn's pool, below Knex. */
export interface TarnPoolState {
  readonly max?: number;
  readonly used?: readonly { readonly resource: object }[];
  numPendingAcquires?(): number;
}

type IsBusy<Connection> = (connection: Connection) => boolean;

const counted = <C>(limit: unknown, used: readonly C[], isBusy: IsBusy<C>, pending = 0): PoolCounts => ({
  most: typeof limit === 'number' && limit > 0 ? limit : undefined,
  used: used.length,
  busy: used.filter(isBusy).length,
  pending,
});

/** Undefined if this version of the pool does not tell. */
export function pgCounts<C>(pool: PgPoolState<C>, isBusy: IsBusy<C>): PoolCounts | undefined {
  const { options, _clients: clients, _idle: idle, waitingCount } = pool;
  if (!clients || !idle) return undefined;
  const free = new Set(idle.map(({ client }) => client));
  const used = clients.filter((client) => !client._connecting && !free.has(client));
  return counted<C>((options as { max?: unknown }).max, used, isBusy, waitingCount);
}

/** Undefined if this version of the pool does not tell. */
export function mysql2Counts<C>(pool: Mysql2PoolState<C>, isBusy: IsBusy<C>): PoolCounts | undefined {
  const { config, _allConnections: all, _freeConnections: idle, _connectionQueue: queue } = pool;
  if (!all || !idle) return undefined;
  const free = new Set(itemsOf(idle));
  const used = itemsOf(all).filter((connection) => connection.authorized !== false && !free.has(connection));
  return counted<C>(config?.connectionLimit, used, isBusy, queue?.length);
}

/** Undefined if this version of the pool does not tell. */
export function tarnCounts(pool: TarnPoolState, isBusy: IsBusy<object>): PoolCounts | undefined {
  const { max, used } = pool;
  if (!used) return undefined;
  const resources = used.map(({ resource }) => resource);
  return counted(max, resources, isBusy, pool.numPendingAcquires?.());
}

const itemsOf = <T>(queue: Queue<T>): T[] =>
  Array.from({ length: queue.length }, (_, position) => queue.get(position)).filter((item) => item !== undefined);

/**
 * `held`: somebody holds connections that run no statement: the pool is too small, or transactions wait for others.
 * `busy`: every connection runs a statement. `opening`: the pool could open more, and the server does not let it.
 */
export type PoolWaitReason = 'held' | 'busy' | 'opening';

/** Statements wait for connections. */
export interface PoolWait {
  /** How long the first of them has waited. */
  waitedMs: number;
  /** How many of our statements and transactions wait now. */
  waiting: number;
  /** Undefined if the pool does not tell. */
  why?: PoolWaitReason;
  /** The most connections of the pool; undefined if it does not say. */
  most?: number;
  /** The size that would do, if the size is what is wrong; undefined if no sensible one would. */
  enough?: number;
  /** The option of the pool that sets it. */
  setting: string;
}

/** Longer than a statement that keeps a connection usually takes. */
const PATIENCE_MS = 5_000;

/** What the loops of a process need, as in the formula for users. */
const LOOPS = 4;

/** Servers accept 100 (PostgreSQL) or 151 connections by default, from all processes. */
const MOST_SENSIBLE = 100;

/**
 * Notices when a connection does not come. A transaction of the app that waits for a call of ours, which itself waits
 * for a connection, keeps the connection that would be needed: nothing but a larger pool helps. Costs one timer, no
 * matter how many statements run.
 */
export class PoolWaits {
  private readonly since = new Map<object, number>();
  private readonly timers: Timers;
  private listeners: ((wait: PoolWait) => void)[] = [];
  private patienceMs = PATIENCE_MS;
  private isArmed = false;
  private toldAt = -Infinity;

  constructor(
    private readonly pool: { counts?(): PoolCounts | undefined; setting?: string | undefined },
    private readonly clock: Clock = systemClock,
  ) {
    this.timers = new Timers(clock);
    clock.onTurn?.(() => this.timers.fire());
  }

  /** Calls `listener` when a statement has waited for `afterMs`, and again while one does. */
  onWait(listener: (wait: PoolWait) => void, afterMs = PATIENCE_MS): void {
    this.listeners.push(listener);
    this.patienceMs = afterMs;
  }

  /**
   * A wait begins. Returns a function that ends it, with the error if no connection came: some pools give up sooner than
   * we do, which is told of at once. Only its first call counts.
   */
  begin(): (error?: unknown) => void {
    const wait = {};
    this.since.set(wait, this.clock.now());
    if (!this.isArmed) this.armAt(this.clock.now() + this.patienceMs);
    return (error) => {
      if (error !== undefined && this.since.has(wait) && isPoolTimeout(error)) this.tell();
      this.since.delete(wait);
    };
  }

  /** Not for each wait: there is one for every statement, and most end at once. */
  private armAt(due: number): void {
    if (this.listeners.length === 0) return;
    this.isArmed = true;
    this.timers.at(due, () => this.look());
  }

  private look(): void {
    this.isArmed = false;
    // The first in the order of insertion has waited longest.
    const [first] = this.since.values();
    if (first === undefined) return;
    if (this.clock.now() - first >= this.patienceMs) this.tell();
    this.armAt(Math.max(first, this.toldAt) + this.patienceMs);
  }

  private tell(): void {
    const now = this.clock.now();
    if (now - this.toldAt < this.patienceMs) return;
    this.toldAt = now;
    const [first = now] = this.since.values();
    const { setting = 'the size of the pool' } = this.pool;
    const wait = { waitedMs: now - first, waiting: this.since.size, setting, ...this.diagnosis() };
    for (const listener of this.listeners) listener(wait);
  }

  private diagnosis(): Pick<PoolWait, 'why' | 'most' | 'enough'> {
    const counts = this.pool.counts?.();
    if (!counts) return {};
    const { most, used, busy, pending } = counts;
    if (most === undefined) return { why: 'opening' };
    if (used < most) return { why: 'opening', most };
    if (busy === used) return { why: 'busy', most };
    // Each connection may belong to a transaction that needs a second one, and so may each that the app waits for.
    const transactions = most + Math.max(0, pending - this.since.size);
    const enough = 2 * transactions + LOOPS;
    return { why: 'held', most, ...(enough <= MOST_SENSIBLE && { enough }) };
  }
}

interface LostClient {
  once(event: 'end', listener: () => void): unknown;
  release(error: boolean): void;
}

interface Pool {
  on(event: 'acquire', listener: (client: LostClient) => void): unknown;
  on(event: 'release', listener: (error: unknown, client: LostClient) => void): unknown;
}

/** Clients that we hold ourselves and always release. */
const ours = new WeakSet<object>();

/** Lets the caller release this client; returns a function that ends that. */
export function keepFromGivingBack(client: object): () => void {
  ours.add(client);
  return () => void ours.delete(client);
}

/** The holder of a connection that ended or failed its ROLLBACK has this long to release it. */
const GRACE_MS = 1_000;

const watched = new WeakSet<object>();

/**
 * Kysely, below MikroORM 7, releases a connection only after a successful COMMIT or ROLLBACK. A connection that is lost
 * in COMMIT or fails its ROLLBACK would never return to the pool, and the pool could not be closed. Such connections
 * are released and destroyed here.
 */
export function giveBackLostClients<P extends object>(pool: P): P {
  if (watched.has(pool)) return pool;
  watched.add(pool);
  const known = new WeakSet<LostClient>();
  const out = new WeakSet<LostClient>();
  const giveBack = (client: LostClient, isLost: () => boolean) =>
    void sleep(GRACE_MS).then(() => isLost() && out.has(client) && !ours.has(client) && client.release(true));
  const events = pool as unknown as Pool;
  events.on('release', (_, client) => void out.delete(client));
  // Not on connect: the ORM may have opened connections before.
  events.on('acquire', (client) => {
    out.add(client);
    if (known.has(client)) return;
    known.add(client);
    client.once('end', () => giveBack(client, () => true));
    onRefusedRollback(client, (isLast) => giveBack(client, isLast));
  });
  return pool;
}

/** `isLast`: no statement was sent after it. */
function onRefusedRollback(client: object, refused: (isLast: () => boolean) => void): void {
  let sent = 0;
  callThrough(client, 'query', (args, call) => {
    const number = ++sent;
    const answer = call(args);
    if (isRollback(textOf(args[0])) && answer instanceof Promise) answer.catch(() => refused(() => number === sent));
    return answer;
  });
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a method of a driver's connection with `through` for all callers; `call` is the original method. */
export function callThrough(
  connection: object,
  name: string,
  through: (args: unknown[], call: (args: unknown[]) => unknown) => unknown,
): void {
  const methods = connection as Record<string, Method | undefined>;
  const method = methods[name];
  if (typeof method !== 'function') return;
  methods[name] = function (this: unknown, ...args) {
    return through(args, (passed) => method.apply(this, passed));
  };
}

/** The text of the argument of a driver's `query`. */
export function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  const { text, sql } = (query ?? {}) as { text?: unknown; sql?: unknown };
  return [text, sql].find((part) => typeof part === 'string');
}

/** Whether it rolls back the whole transaction, as an ORM writes it. */
export const isRollback = (text: string | undefined): boolean => /^\s*rollback\s*;?\s*$/i.test(text ?? '');

const PARTS = [
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)/,
  /'(?:[^'\\]|''|\\.)*'?/,
  // On the MySQL family these are texts; on PostgreSQL they are names.
  /"(?:[^"\\]|""|\\.)*"?/,
  // PostgreSQL's dollar quotes.
  /(?<![$\w])\$(?<tag>(?:[a-z_]\w*)?)\$[^]*?(?:\$\k<tag>\$|$)/,
  /(?<![$\w])\d[\d.]*/,
];
/** One expression, since each part may contain text that looks like another. */
const LITERALS = new RegExp(PARTS.map(({ source }) => source).join('|'), 'gi');

/** A statement of the app for display: on one line, shortened, without comments and literal values. */
export function withoutLiterals(text: string, { quoted = false } = {}): string {
  const shown = (part: string) => (part.startsWith('"') && !quoted ? part : /^(--|\/\*)/.test(part) ? ' ' : '…');
  const line = text.replace(LITERALS, shown).replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
