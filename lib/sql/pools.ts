import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseError } from '../core/errors.js';
import { type Clock, keepingNothingAlive, real, sleep, stopwatch, systemClock, Timers, within } from '../core/time.js';
import { isConnectionLost, isPoolTimeout } from './database-errors.js';
import { type Position, positionAfter } from './transaction-parts.js';

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

/** A connection was returned to the pool with an open transaction. */
export interface LeftOpen {
  /** The last statement on it, without values, if known. */
  statement?: string;
}

/** For errors that a driver also emits as events: without a listener they would end the process. */
export const ignoreError = (): void => undefined;

/** A dead network connection may give no error; the longest default lock wait of MySQL is 50 s. */
export const STATEMENT_MS = 90_000;

/**
 * What engines and workers do by themselves is of few rows by their keys, and others wait for it. Whoever has waited for
 * as long as the server lets an idle transaction live ({@link IDLE_SECONDS}) waits behind no lock that is still needed,
 * but for a connection that is dead.
 */
export const OWN_WORK_MS = 20_000;

/** Whoever waits for longer loses nothing with the connection: the server rolls back by itself when that ends. */
const ROLLBACK_MS = 10_000;

/** @throws DatabaseError when it takes longer than `ms`, after a call of `late`; the result is ignored then. */
export function answerWithin<T>(ms: number, answer: Promise<T>, late?: () => void): Promise<T> {
  return within(ms, answer, () => {
    late?.();
    return new DatabaseError(`The database has not responded for ${ms} ms`, true, { elsewhere: true });
  });
}

const HEARD_WITHIN_MS = 3_000;

/**
 * Which connections of a pool have been heard of since one of them was lost: whatever lies between may have dropped them
 * all without a word, and each would be found by somebody who waits for it in vain.
 */
export class Heard {
  private readonly at = new WeakMap<object, number>();
  private lostAt: number | undefined;
  private areSilent = false;

  of(raw: object): void {
    this.at.set(raw, stopwatch.now());
  }

  lost(): void {
    this.lostAt = stopwatch.now();
    this.areSilent = false;
  }

  /** Whether it answers, for a connection of which nothing has been heard since; undefined where nobody doubts it. */
  answers(raw: object, ask: () => Promise<unknown>): Promise<boolean> | undefined {
    const { lostAt } = this;
    const at = this.at.get(raw);
    if (lostAt === undefined || (at !== undefined && at > lostAt)) return undefined;
    // A second one that is silent speaks for all that were known before.
    if (this.areSilent && at !== undefined) return Promise.resolve(false);
    return answerWithin(HEARD_WITHIN_MS, ask()).then(
      () => (this.of(raw), true),
      () => !(this.areSilent = true),
    );
  }
}

export const rolledBack = <T>(answer: Promise<T>): Promise<T> => answerWithin(ROLLBACK_MS, answer);

/** A session as both ends of its connection know it. Behind most proxies the number or the port differs at the other end. */
export interface SessionEnds {
  /** Its number on the server: `pg_terminate_backend(…)` or `KILL …` ends it. */
  session: number;
  /** That of the client; undefined for a socket in the file system. */
  port?: number;
}

/** A session of a process that is gone, as far as the roster knows. */
export interface GoneSession extends Required<SessionEnds> {
  /** All sessions of that process. */
  all: readonly (readonly [session: number, port: number])[];
}

/** A session behind whose locks statements of this database's user wait. */
export interface LockHolder extends SessionEnds {
  /** What the server knows of its process: the name that the process gave, and the address. */
  process: string;
  /** What it runs, or on PostgreSQL has run last; without values. */
  statement?: string;
  /** Since when its transaction is open. */
  openMs: number;
  /** How long the first statement behind it has waited. */
  waitedMs: number;
}

/** Gets all that are in the way, the oldest transaction first; may reject. */
export type LockListener = (holders: readonly LockHolder[]) => Promise<void> | void;

export type TransactionState = 'none' | 'open' | 'unknown';

export type Report = (left: LeftOpen) => void;

/** What a driver knows and can do without a round trip to the server. */
export interface SessionDriver {
  /** Whether a transaction is open, according to the server's last message. */
  readonly state: TransactionState;
  /** The last statement sent by any code, without its values. */
  readonly lastStatement: string | undefined;
  /** Whether a statement was sent whose result has not come. */
  readonly isBusy: boolean;
  /** Queued before the next statement. May resolve to whether there was a transaction, if that was unknown. */
  rollback(): Promise<boolean | void>;
  /** Set while the connection is ours. */
  checkout: Checkout | undefined;
  position?: Position;
  /** A BEGIN inside of a transaction changes nothing. Elsewhere it commits that. */
  readonly keepsAtBegin?: boolean;
  readonly timers: Timers;
  /** Called when it is no longer. */
  letGo?(): void;
  /** Undefined where they are not known, and once the connection is closed. */
  readonly ends: Required<SessionEnds> | undefined;
  /** Shows the server that this process is alive, without a statement. */
  ping(): Promise<unknown>;
  /** Closes the socket without a word to the server. Whoever waits for an answer gets an error. */
  destroy(): void;
}

/** The socket of a connection. */
export interface Socket {
  readonly localPort?: number;
  readonly destroyed?: boolean;
  destroy(error?: Error): unknown;
  setKeepAlive?(enable: boolean, initialDelay: number): unknown;
}

/** Ends a wait for a server that is gone, after this time and ten probes, one a second. */
const KEEP_ALIVE_MS = 10_000;

const outside = AsyncLocalStorage.snapshot();
let quietly = <T>(work: () => T): T => work();

/** How what connections need by themselves is kept out of the app's traces. */
export function keepQuiet(run: typeof quietly): void {
  quietly = run;
}

/** Timers fire in the context of whoever has set the first: with its trace, and its limit of time. */
export const besideAll = <T>(work: () => T): T => outside(() => keepingNothingAlive(() => quietly(work)));

/** Undefined once the connection is closed. */
export function endsOf(session: unknown, socket: Socket | undefined): Required<SessionEnds> | undefined {
  const port = socket?.destroyed ? undefined : socket?.localPort;
  return typeof session === 'number' && port !== undefined ? { session, port } : undefined;
}

export const keepAlive = (socket: Socket | undefined): void => void socket?.setKeepAlive?.(true, KEEP_ALIVE_MS);

/** How long the server waits for the next statement of a transaction of ours before it ends the session, in seconds. */
export const IDLE_SECONDS = 20;
/** Code of the app may wait for something else inside its transaction: meanwhile the server hears of us. */
const PULSE_MS = 5_000;
const PING_MS = 10_000;
/** A statement that takes longer may wait for a lock. */
const SLOW_MS = 10_000;
/** Statements of ours have ended by then; the app may have statements that take hours. */
const NO_NEWS_MS = 100_000;

const BEGINS = /^\s*(start\s+transaction|begin)\b/i;
const ENDS = /^\s*(commit|rollback)\s*;?\s*$/i;
const OPENS = /^\s*(set\s+transaction|start\s+transaction|begin)\b/i;

/** Statements of an ORM that nobody else limits; those of the app take the time they need. */
const LIMITS: readonly (readonly [text: RegExp, ms: number])[] = [
  [/^\s*rollback\s*;?\s*$/i, ROLLBACK_MS],
  [/^\s*commit\b/i, STATEMENT_MS],
  // It waits for nobody.
  [OPENS, OWN_WORK_MS],
];

const opening = new AsyncLocalStorage<Checkout>();

/**
 * A time in which a connection is ours. What a transaction has locked is locked until the server knows that it has
 * ended, and behind a network that drops all packets neither side learns of the other's end. So the server ends a
 * transaction of ours from whose process it hears nothing ({@link IDLE_SECONDS}), and this process closes the socket of
 * a connection that does not respond.
 */
export class Checkout {
  private driver: SessionDriver | undefined;
  private cancelPulse: (() => void) | undefined;
  private sent = '';
  private sentAt = 0;
  /** What the server has not answered is a ping. */
  private isAsked = false;
  /** The ORM returns the connection itself, before it has told its listeners of the end. */
  private isOfOrm = false;

  /** `onSlow` is called at each pulse of a statement that has run for {@link SLOW_MS}, until {@link NO_NEWS_MS}. */
  constructor(private readonly onSlow: () => void = ignoreError) {}

  /** `open` lets an ORM begin a transaction, on whichever connection; it is ours until `open` has settled. */
  async during<T>(open: () => Promise<T>): Promise<T> {
    this.isOfOrm = true;
    try {
      return await opening.run(this, open);
    } finally {
      this.end();
    }
  }

  on(driver: SessionDriver): this {
    this.driver = driver;
    driver.checkout = this;
    return this;
  }

  end(): void {
    this.cancelPulse?.();
    const { driver } = this;
    if (driver?.checkout !== this) return;
    driver.checkout = undefined;
    driver.letGo?.();
  }

  /** Closes the connection. */
  readonly destroy = (): void => this.driver?.destroy();

  /**
   * A driver calls it before it sends a statement of whoever. Returns whether that begins a transaction of ours: then
   * the driver limits how long the server waits in it.
   */
  static sends(driver: SessionDriver, text = ''): boolean {
    driver.position = positionAfter(text, driver.position, driver.keepsAtBegin && driver.state !== 'none');
    if (driver.checkout?.isOver(text)) driver.checkout.end();
    const waiting = driver.checkout ? undefined : opening.getStore();
    if (waiting && !waiting.driver && OPENS.test(text)) waiting.on(driver);
    return driver.checkout?.sends(text) ?? false;
  }

  private isOver(text: string): boolean {
    return this.isOfOrm && ENDS.test(this.sent) && !ENDS.test(text);
  }

  private sends(text: string): boolean {
    this.sent = text;
    this.sentAt = stopwatch.now();
    this.isAsked = false;
    if (!this.cancelPulse) this.beat();
    return BEGINS.test(text);
  }

  private beat(): void {
    // An answer that has arrived may be unread, if the event loop was blocked: it is read first.
    const look = () => void real.setImmediate(() => this.look());
    this.cancelPulse = this.driver?.timers.at(stopwatch.now() + PULSE_MS, () => besideAll(look));
  }

  private ask(driver: SessionDriver): void {
    this.isAsked = true;
    const heard = () => void (this.isAsked = false);
    void answerWithin(PING_MS, driver.ping()).then(heard, this.destroy);
  }

  private look(): void {
    const { driver, sent, sentAt } = this;
    if (driver?.checkout !== this) return;
    this.beat();
    if (!driver.isBusy) return this.ask(driver);
    if (this.isAsked) return;
    const waitedMs = stopwatch.now() - sentAt;
    if (LIMITS.some(([text, ms]) => text.test(sent) && waitedMs >= ms)) return this.destroy();
    if (waitedMs >= SLOW_MS && waitedMs < NO_NEWS_MS) this.onSlow();
  }
}

/**
 * One pooled connection, for all its users. Code that forgets COMMIT or ROLLBACK returns a connection with an open
 * transaction: the next user's statements would join it and be rolled back with it, or commit half of it.
 */
export class Session {
  private readonly reports = new Set<Report>();
  private ending: Promise<void> | undefined;
  private committing: Promise<unknown> | undefined;

  constructor(private readonly driver: SessionDriver) {}

  /** A COMMIT of its user, which waits for work of ours: whoever returns the connection meanwhile ends nothing before. */
  commits(answer: Promise<unknown>): void {
    const over = answer.catch(ignoreError).finally(() => this.committing === over && (this.committing = undefined));
    this.committing = over;
  }

  /** Calls `report` when a transaction is left open here. */
  watchedBy(report: Report): this {
    this.reports.add(report);
    return this;
  }

  get state(): TransactionState {
    return this.driver.state;
  }

  get isBusy(): boolean {
    return this.driver.isBusy;
  }

  get ends(): Required<SessionEnds> | undefined {
    return this.driver.ends;
  }

  /** `begun`: where its transaction is, if it was begun before the connection was watched. */
  positionSince(begun: () => Position): Position {
    if (this.driver.position === undefined) this.driver.position = begun();
    return this.driver.position;
  }

  /** The connection is ours, until the checkout is ended. */
  checkout(onSlow?: () => void): Checkout {
    return new Checkout(onSlow).on(this.driver);
  }

  /** Closes the socket: whoever gives up an answer must not leave what it has locked to a connection that may be dead. */
  destroy(): void {
    this.driver.destroy();
  }

  /**
   * Rolls back a transaction that may be open, before any other statement; undefined when there is none. Rejects when
   * the server refuses or does not respond: then the connection must not be used.
   */
  end(tells = true): Promise<void> | undefined {
    if (this.ending) return this.ending;
    if (this.state === 'none') return undefined;
    const afterCommit = async () => {
      await this.committing;
      if (this.state !== 'none') await this.rollBack(tells);
    };
    this.ending = (this.committing ? afterCommit() : this.rollBack(tells)).finally(() => (this.ending = undefined));
    return this.ending;
  }

  /**
   * Like `end`, for a connection that is returned: leaves alone a transaction whose state is unknown. Pass false for
   * `tells` if the connection is returned as broken: then no code forgot anything.
   */
  endLeft(tells = true): Promise<void> | undefined {
    return this.state === 'open' ? this.end(tells) : undefined;
  }

  private async rollBack(tells: boolean): Promise<void> {
    const { state, lastStatement: statement } = this.driver;
    const tell = () => tells && this.reports.forEach((report) => report(statement === undefined ? {} : { statement }));
    try {
      const wasOpen = await rolledBack(this.driver.rollback());
      if (state === 'open' || wasOpen) tell();
    } catch (error) {
      // For a lost connection, an open transaction is the last known state: no code forgot it.
      if (state === 'open' && !isConnectionLost(error)) tell();
      throw error;
    }
  }
}

const sessions = new WeakMap<object, Session>();
const inProcess = new Set<WeakRef<Session>>();

/** The session of this connection, created once. */
export function sessionOf(raw: object, make: () => Session): Session {
  const known = sessions.get(raw);
  if (known) return known;
  const session = make();
  sessions.set(raw, session);
  for (const kept of inProcess) if (!kept.deref()) inProcess.delete(kept);
  inProcess.add(new WeakRef(session));
  return session;
}

/** Of all connections that are open in this process, in the pools of its executors. */
export const sessionsOfProcess = (): Required<SessionEnds>[] =>
  [...inProcess].flatMap((kept) => kept.deref()?.ends ?? []);

export const isOfProcess = (ends: SessionEnds): boolean =>
  sessionsOfProcess().some(({ session, port }) => session === ends.session && port === ends.port);

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
