import { randomBytes } from 'node:crypto';
import { DatabaseError } from '../core/errors.js';
import { backoffMs, macrotask, sleep, within } from '../core/time.js';
import { byFamily, channelOf } from './dialects.js';
import type { Listener, SqlExecutor, SqlTransaction } from './executor.js';
import { answerWithin, ignoreError } from './pools.js';
import { type Home, raw, sql, type Statement } from './statement.js';
import { findTables, type SqlNow, type Tables, TablesAdapter } from './tables.js';
import type { WakeBus } from './wake.js';

/**
 * Notifies other processes and this one to poll. Notifications may be lost: every subscriber also polls, and is called
 * without a payload whenever some may have been lost.
 */
export interface Notifier {
  /** True while notifications from other processes arrive, so that polling may be slow. */
  readonly live: boolean;
  /** A statement to run in a batch's own transaction, as its only notification; undefined if the database has none. */
  statement(topic: string, payload: string): Statement | undefined;
  /** Whether {@link local} would reach a subscriber. */
  hears(topic: string): boolean;
  /** Notifies the subscribers of this process at once. Call it after the commit. */
  local(topic: string, payload: string): void;
  /** Notifies other processes in a separate statement after the commit; calls close together are merged. */
  publish(topic: string, payload: string): void;
  /** Calls `listener` with payloads of `topic`, undefined for "read everything". Returns a function to unsubscribe. */
  subscribe(topic: string, listener: (payload: string | undefined) => void): () => void;
  start(): void;
  stop(): Promise<void>;
}

/** An adapter that tells other processes of what it has written. */
export abstract class NotifyingAdapter extends TablesAdapter {
  constructor(
    db: SqlExecutor,
    tables: Tables,
    protected readonly notifier: Notifier,
    now?: SqlNow,
  ) {
    super(db, tables, now);
  }

  /**
   * After a commit. Not in the caller's transaction, since its locks and duration are the caller's. `publishing`: false if
   * the statement has told other processes.
   */
  protected hint(topic: string, publishing = true): void {
    this.notifier.local(topic, '{}');
    if (publishing) this.notifier.publish(topic, '{}');
  }
}

/** The texts that a notification lists, as a whole or in this field; undefined if it lists none. */
export function textsIn(payload: string | undefined, field?: string): readonly string[] | undefined {
  try {
    const told: unknown = JSON.parse(payload ?? 'null');
    const texts = field === undefined ? told : (told as Record<string, unknown> | null)?.[field];
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
  } catch {
    return undefined;
  }
}

/** Notifies this process after the commit, and others with the commit if the database has notifications. */
export async function tellWithCommit(
  tx: SqlTransaction,
  notifier: Pick<Notifier, 'statement' | 'local'>,
  topic: string,
  payload: string,
): Promise<void> {
  tx.afterCommit(() => notifier.local(topic, payload));
  const notification = notifier.statement(topic, payload);
  if (notification) await tx.run(notification);
}

type TopicListener = (payload: string | undefined) => void;

/** For databases without notifications: only this process is notified, and all others poll. */
export class PollingNotifier implements Notifier {
  readonly live: boolean = false;
  private readonly listeners = new Map<string, Set<TopicListener>>();

  constructor(protected readonly onError: (error: unknown) => void) {}

  hears(topic: string): boolean {
    return this.listeners.has(topic);
  }

  /** The function that it returns removes only this subscription, even if the listener has others. */
  subscribe(topic: string, listener: TopicListener): () => void {
    const own: TopicListener = (payload) => listener(payload);
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.listeners.get(topic) === listeners) this.listeners.delete(topic);
    };
  }

  local(topic: string, payload: string): void {
    this.tell(topic, payload);
  }

  statement(_topic: string, _payload: string): Statement | undefined {
    return undefined;
  }

  publish(_topic: string, _payload: string): void {
    // No other process could receive it.
  }

  start(): void {
    // Nothing to connect.
  }

  async stop(): Promise<void> {
    // Nothing to end.
  }

  protected get topics(): string[] {
    return [...this.listeners.keys()];
  }

  /** A listener that throws does not affect the others. */
  protected tell(topic: string, payload: string | undefined): void {
    for (const listener of this.listeners.get(topic) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Notifications may have been lost: all listeners read everything. */
  protected tellAll(): void {
    for (const topic of this.topics) this.tell(topic, undefined);
  }
}

/** The minimum time between two sends; notifications in between are merged. */
const GAP_MS = 5;

/**
 * Sends notifications asynchronously. The first is sent at once; those that arrive while it is being sent, or shortly
 * after, are merged. Equal ones are always merged.
 */
export class Publisher {
  private readonly waiting = new Map<string, Set<string>>();
  private sending: Promise<void> | undefined;

  constructor(
    private readonly send: (topic: string, payloads: readonly string[]) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  add(topic: string, payload: string): void {
    const payloads = this.waiting.get(topic) ?? new Set();
    this.waiting.set(topic, payloads.add(payload));
    this.sending ??= this.drain();
  }

  /** Resolves once everything added was sent or abandoned. */
  async idle(): Promise<void> {
    while (this.sending) await this.sending;
  }

  private async drain(): Promise<void> {
    await macrotask();
    while (this.waiting.size > 0) {
      const batch = [...this.waiting];
      this.waiting.clear();
      for (const [topic, payloads] of batch) await this.send(topic, [...payloads]).catch(this.onError);
      await sleep(GAP_MS);
    }
    this.sending = undefined;
  }
}

/**
 * Tests whether notifications of one connection reach another. A pooler in transaction mode accepts LISTEN like any
 * statement, but forwards no notifications and gives no error.
 */
class NotificationEcho {
  private waiting = new AbortController();
  private heard = false;

  /** The test notification has arrived. */
  hear(): void {
    this.heard = true;
    this.waiting.abort('heard');
  }

  /** @throws any error of `say`, and a DatabaseError when it takes longer than `ms`. */
  async comesBack(say: () => Promise<unknown>, ms: number, over: AbortSignal): Promise<boolean> {
    const waiting = (this.waiting = new AbortController());
    const end = () => waiting.abort('over');
    this.heard = false;
    over.addEventListener('abort', end);
    if (over.aborted) end();
    try {
      await answerWithin(ms, Promise.race([say(), sleep(2 * ms, waiting.signal)]));
      await sleep(ms, waiting.signal);
      // It may have arrived while the event loop was blocked.
      await macrotask();
      return this.heard;
    } finally {
      over.removeEventListener('abort', end);
      end();
    }
  }
}

/** PostgreSQL rejects payloads of 8,000 bytes and more. */
const MAX_BYTES = 7_900;

export interface Notification {
  sender: string;
  /** Undefined if they did not fit: read everything. */
  payloads: string[] | undefined;
}

/** Packs payloads of one topic into few notifications. A payload that is too long becomes "read everything". */
export function envelopes(sender: string, payloads: readonly string[]): string[] {
  const packed: string[] = [];
  const open: string[] = [];
  for (const payload of payloads) {
    if (write(sender, [payload]) === sender) return [sender];
    if (write(sender, [...open, payload]) === sender) packed.push(write(sender, open.splice(0)));
    open.push(payload);
  }
  if (open.length > 0) packed.push(write(sender, open));
  return packed;
}

function write(sender: string, payloads: readonly string[]): string {
  const text = `${sender} ${JSON.stringify(payloads)}`;
  return Buffer.byteLength(text) > MAX_BYTES ? sender : text;
}

/** Never throws: any user may write to a channel, and an unreadable notification means "read everything". */
export function openEnvelope(text: string): Notification {
  const space = text.indexOf(' ');
  if (space === -1) return { sender: text, payloads: undefined };
  const sender = text.slice(0, space);
  try {
    const payloads: unknown = JSON.parse(text.slice(space + 1));
    if (Array.isArray(payloads) && payloads.every((payload) => typeof payload === 'string'))
      return { sender, payloads };
  } catch {
    // Not our format.
  }
  return { sender, payloads: undefined };
}

const CONNECT_MS = 10_000;
/** Only after this many missed echoes in a row is an error reported, and only once: one may be late. */
const MISSES = 2;
/** After that, an echo is sent only at every this many checks. */
const SELDOM = 20;
/** An extra topic to test whether notifications arrive. It has no subscribers. */
const ECHO = 'echo';

export interface PostgresNotifierOptions {
  prefix: string;
  /** Of the tables, whose schema names the channels. Default: that of the connection. */
  home?: Home;
  onError: (error: unknown) => void;
  /** How often the connection is checked, and the timeout of a check. Default 3 s and 2 s. */
  checkIntervalMs?: number;
  checkTimeoutMs?: number;
}

export type ListeningExecutor = SqlExecutor & { listen: NonNullable<SqlExecutor['listen']> };

/**
 * LISTEN/NOTIFY over one connection for all topics. A lost connection is reopened, with unlimited retries. After each
 * opening every subscriber reads everything, since notifications were lost meanwhile.
 */
export class PostgresNotifier extends PollingNotifier {
  override live = false;
  private readonly sender = randomBytes(6).toString('hex');
  private readonly publisher: Publisher;
  private readonly home: Home;
  private stopped = new AbortController();
  /** Ends the current connection, to listen to other topics. */
  private renewed = new AbortController();
  private running: Promise<void> | undefined;
  /** What the current connection listens to: also to topics that have lost their subscribers since. */
  private listening: ReadonlySet<string> = new Set();
  private readonly channelsOf = new Map<string, string>();
  private readonly echo = new NotificationEcho();
  /** The number of missed echoes in a row. */
  private unheard = 0;

  constructor(
    private readonly executor: ListeningExecutor,
    private readonly options: PostgresNotifierOptions,
  ) {
    super(options.onError);
    this.home = options.home ?? { schema: undefined };
    this.publisher = new Publisher((topic, payloads) => this.send(topic, payloads), options.onError);
  }

  override statement(topic: string, payload: string): Statement | undefined {
    return this.notification(topic, envelopes(this.sender, [payload])[0] ?? this.sender);
  }

  override publish(topic: string, payload: string): void {
    this.publisher.add(topic, payload);
  }

  override subscribe(topic: string, listener: TopicListener): () => void {
    const isNew = !this.listening.has(topic);
    const unsubscribe = super.subscribe(topic, listener);
    if (isNew) this.renewed.abort();
    return unsubscribe;
  }

  override start(): void {
    if (this.running) return;
    this.stopped = new AbortController();
    this.running = this.keepListening(this.stopped.signal);
  }

  /** Sends pending notifications, then ends the connection. */
  override async stop(): Promise<void> {
    await answerWithin(2_000, this.publisher.idle()).catch(this.onError);
    this.stopped.abort();
    await this.running;
    this.running = undefined;
  }

  private notification(topic: string, envelope: string): Statement | undefined {
    return this.executor.dialect.notify(this.nameOf(topic), envelope, this.home);
  }

  private nameOf(topic: string): string {
    return `${this.options.prefix}_${topic}`;
  }

  private async send(topic: string, payloads: readonly string[]): Promise<void> {
    for (const envelope of envelopes(this.sender, payloads)) {
      const statement = this.notification(topic, envelope);
      if (statement) await this.executor.run(statement);
    }
  }

  private async keepListening(stopped: AbortSignal): Promise<void> {
    let failures = 0;
    while (!stopped.aborted) {
      try {
        await this.listenOnce(stopped, () => (failures = 0));
      } catch (error) {
        failures++;
        this.onError(error);
        // Half of the wait is random, so that processes do not reconnect at the same moment.
        await sleep(
          backoffMs(failures, { delay: 100, factor: 3, maxDelay: '2s' }) * (0.5 + Math.random() / 2),
          stopped,
        );
      }
    }
  }

  /** Resolves when it is stopped or renewed; throws when the connection is lost. */
  private async listenOnce(stopped: AbortSignal, onConnected: () => void): Promise<void> {
    this.renewed = new AbortController();
    const until = AbortSignal.any([stopped, this.renewed.signal]);
    const { topics: subscribed } = this;
    this.listening = new Set(subscribed);
    // Without subscribers no connection is needed.
    if (subscribed.length === 0) return aborted(until);
    const topics = await this.channels([...subscribed, ECHO]);
    const listener = await this.open(topics, until);
    if (!listener) return;
    try {
      onConnected();
      this.tellAll();
      await this.watch(listener, until);
    } finally {
      this.live = false;
      const closed = listener.close();
      // A lost connection may close slowly, and the next one does not wait for it.
      if (until.aborted) await closed;
    }
  }

  /** Undefined when it was stopped meanwhile; a connection that arrives too late is closed. */
  private async open(topics: ReadonlyMap<string, string>, until: AbortSignal): Promise<Listener | undefined> {
    const opening = this.executor.listen([...topics.keys()], (channel, text) => this.hear(topics.get(channel), text));
    let opened: Listener | undefined;
    try {
      return (opened = (await Promise.race([answerWithin(CONNECT_MS, opening), aborted(until)])) ?? undefined);
    } finally {
      if (!opened) opening.then((late) => late.close(), ignoreError);
    }
  }

  /** The channels of this schema, with their topics. Queried once: the pool may fail while we are connected. */
  private async channels(topics: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await findTables(this.executor, { prefix: this.options.prefix, home: this.home });
    for (const topic of topics.filter((name) => !this.channelsOf.has(name))) {
      const { rows } = await this.executor.run<{ channel: string }>(channelOf(this.nameOf(topic), this.home));
      this.channelsOf.set(topic, String(rows[0]?.channel));
    }
    return new Map(topics.map((topic) => [String(this.channelsOf.get(topic)), topic]));
  }

  private hear(topic: string | undefined, text: string): void {
    const { sender, payloads } = openEnvelope(text);
    if (sender === this.sender && topic === ECHO) return this.echo.hear();
    if (topic === undefined || sender === this.sender) return;
    if (!payloads) return this.tell(topic, undefined);
    for (const payload of payloads) this.tell(topic, payload);
  }

  /** A connection can be dead without an error. */
  private async watch(listener: Listener, until: AbortSignal): Promise<void> {
    const { checkIntervalMs = 3_000, checkTimeoutMs = 2_000 } = this.options;
    const lost = new AbortController();
    void listener.ended.then(() => lost.abort());
    const over = AbortSignal.any([until, lost.signal]);
    for (let check = 0; !over.aborted; check++) {
      if (!this.live && (this.unheard < MISSES || check % SELDOM === 0)) await this.prove(checkTimeoutMs, over);
      await sleep(checkIntervalMs, over);
      if (!over.aborted) await answerWithin(checkTimeoutMs, orAborted(listener.check(), over));
    }
    if (!until.aborted)
      throw new DatabaseError('The connection that receives notifications was lost: reconnecting', true);
  }

  /** Sets `live` once notifications of the pool's connections arrive; until then subscribers poll at the full rate. */
  private async prove(ms: number, over: AbortSignal): Promise<void> {
    try {
      const heard = await this.echo.comesBack(() => this.send(ECHO, ['']), ms, over);
      if (over.aborted) return;
      if (!heard) return this.miss();
      this.live = true;
      // Earlier notifications were lost.
      if (this.unheard > 0) this.tellAll();
      this.unheard = 0;
    } catch (error) {
      // An error of the pool does not show whether notifications arrive.
      if (!over.aborted) this.onError(error);
    }
  }

  private miss(): void {
    if (++this.unheard === MISSES) this.onError(new DatabaseError(DEAF, true));
  }
}

const DEAF = 'Notifications do not arrive, for example behind a pooler in transaction mode: work is found by polling';

/** Removes its listener from the longer-lived signal; a promise race would leak one each time. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | void> {
  return new Promise<T | void>((resolve, reject) => {
    const end = () => resolve();
    signal.addEventListener('abort', end, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );

/** Whoever hears of these asks the database. All others say only that there is something: they would be believed. */
const WITH_PAYLOADS = new Set(['tasks', 'done', 'messages']);

const SEND_MS = 2_000;
const SILENT_BUS = `The bus of \`wake\` has not taken a hint for ${SEND_MS} ms: work is found by polling`;

/**
 * Tells other processes by a bus what it tells this one, and those without the bus by the database, if it can. It is never
 * `live`: who writes to the tables may know nothing of the bus, so everybody polls as without one.
 */
export class BusNotifier extends PollingNotifier {
  private readonly sender = randomBytes(6).toString('hex');
  private readonly publisher: Publisher;
  private stopped = new AbortController();
  private listening: Promise<void> | undefined;
  private channel: string | undefined;
  /** One failure of many is told. */
  private readonly down = new Set<'listening' | 'sending'>();

  constructor(
    private readonly bus: WakeBus,
    private readonly executor: SqlExecutor,
    private readonly tables: { prefix: string; home: Home },
    onError: (error: unknown) => void,
  ) {
    super(onError);
    const failed = (error: unknown) => this.failed('sending', error);
    this.publisher = new Publisher((topic, payloads) => this.send(topic, payloads), failed);
  }

  override statement(topic: string, payload: string): Statement | undefined {
    const { prefix, home } = this.tables;
    const [envelope = this.sender] = envelopes(this.sender, [payload]);
    return this.executor.dialect.notify(`${prefix}_${topic}`, envelope, home);
  }

  override hears(): boolean {
    return true;
  }

  override local(topic: string, payload: string): void {
    super.local(topic, payload);
    this.publish(topic, payload);
  }

  override publish(topic: string, payload: string): void {
    this.publisher.add(topic, WITH_PAYLOADS.has(topic) ? payload : '');
  }

  override start(): void {
    if (this.listening) return;
    this.stopped = new AbortController();
    this.listening = this.keepListening(this.stopped.signal);
  }

  override async stop(): Promise<void> {
    await within(SEND_MS, this.publisher.idle(), () => new Error(SILENT_BUS)).catch(ignoreError);
    this.stopped.abort();
    await this.listening;
    this.listening = undefined;
  }

  private async keepListening(stopped: AbortSignal): Promise<void> {
    for (let failures = 1; !stopped.aborted; failures++) {
      try {
        await this.listenOnce(stopped);
      } catch (error) {
        this.failed('listening', error);
        await sleep(backoffMs(failures, { delay: 100, factor: 3, maxDelay: '10s', jitter: 'full' }), stopped);
      }
    }
  }

  /** Resolves when it is stopped. */
  private async listenOnce(stopped: AbortSignal): Promise<void> {
    const over = new AbortController();
    try {
      const channel = await this.channelOf();
      const anew = () => !over.signal.aborted && this.tellAll();
      const listening = this.bus.listen(channel, (text) => this.hear(text), over.signal, anew);
      await orAborted(Promise.resolve(listening), stopped);
      this.down.delete('listening');
      // What was sent before that was not heard.
      if (!stopped.aborted) this.tellAll();
      await aborted(stopped);
    } finally {
      over.abort();
    }
  }

  /** Of this database: others may use the same bus, with tables of the same names. */
  private async channelOf(): Promise<string> {
    const { executor, tables } = this;
    const { prefix, home } = tables;
    await findTables(executor, { prefix, home });
    const name = byFamily(executor.dialect, { postgres: () => 'current_database()', mysql: () => 'DATABASE()' });
    if (this.channel === undefined) {
      const { rows } = await executor.run<{ name: string }>(sql`SELECT ${raw(name)} AS name`);
      this.channel = [rows[0]?.name, home.schema, prefix].join('.').replaceAll(/[^\w.-]/g, '_');
    }
    return this.channel;
  }

  private async send(topic: string, payloads: readonly string[]): Promise<void> {
    const channel = await this.channelOf();
    for (const envelope of envelopes(`${this.sender}/${topic}`, payloads)) {
      const taken = Promise.resolve(this.bus.publish(channel, envelope));
      await within(SEND_MS, taken, () => new Error(SILENT_BUS));
    }
    this.down.delete('sending');
  }

  private failed(what: 'listening' | 'sending', error: unknown): void {
    if (!this.down.has(what)) this.onError(error);
    this.down.add(what);
  }

  private hear(text: string): void {
    const { sender: from, payloads } = openEnvelope(text);
    const [sender, topic] = from.split('/');
    if (sender === this.sender || !topic) return;
    if (!payloads || !WITH_PAYLOADS.has(topic)) return this.tell(topic, undefined);
    for (const payload of payloads) this.tell(topic, payload);
  }
}

/**
 * The notifier for a database. `onError` receives lost connections and errors of listeners; it need not act on them.
 */
export function createNotifier(
  executor: SqlExecutor,
  prefix: string,
  onError: (error: unknown) => void,
  {
    wake,
    ...options
  }: Pick<PostgresNotifierOptions, 'home' | 'checkIntervalMs' | 'checkTimeoutMs'> & { wake?: WakeBus | undefined } = {},
): Notifier {
  if (wake) return new BusNotifier(wake, executor, { prefix, home: options.home ?? { schema: undefined } }, onError);
  if (!canListen(executor)) return new PollingNotifier(onError);
  return new PostgresNotifier(executor, { ...options, prefix, onError });
}

const canListen = (executor: SqlExecutor): executor is ListeningExecutor => executor.listen !== undefined;
