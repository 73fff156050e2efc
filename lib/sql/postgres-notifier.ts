import { randomBytes } from 'node:crypto';
import { DatabaseError } from '../errors/database-errors.js';
import { backoffMs } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';
import { answerWithin } from './session.js';
import { ignoreError } from './driver-connection.js';
import { NotificationEcho, envelopes, openEnvelope } from './notification-envelope.js';
import type { Notifier } from './notifier.js';
import { channelOf } from './dialects/postgres.dialect.js';
import { Publisher } from './publisher.js';
import type { Listener, SqlExecutor } from './sql-executor.js';
import type { Statement } from './dialects/statement.js';
import { Subscribers, type TopicListener } from './subscribers.js';

const CONNECT_MS = 10_000;
/** Only after this many missed echoes in a row is an error reported, and only once: one may be late. */
const MISSES = 2;
/** After that, an echo is sent only at every this many checks. */
const SELDOM = 20;
/** An extra topic to test whether notifications arrive. It has no subscribers. */
const ECHO = 'echo';

export interface PostgresNotifierOptions {
  prefix: string;
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
export class PostgresNotifier implements Notifier {
  live = false;
  private readonly sender = randomBytes(6).toString('hex');
  private readonly subscribers: Subscribers;
  private readonly publisher: Publisher;
  private stopped = new AbortController();
  /** Ends the current connection, to listen to other topics. */
  private renewed = new AbortController();
  private running: Promise<void> | undefined;
  private readonly channelsOf = new Map<string, string>();
  private readonly echo = new NotificationEcho();
  /** The number of missed echoes in a row. */
  private unheard = 0;

  constructor(
    private readonly executor: ListeningExecutor,
    private readonly options: PostgresNotifierOptions,
  ) {
    this.subscribers = new Subscribers(options.onError);
    this.publisher = new Publisher((topic, payloads) => this.send(topic, payloads), options.onError);
  }

  statement(topic: string, payload: string): Statement | undefined {
    return this.notification(topic, envelopes(this.sender, [payload])[0] ?? this.sender);
  }

  hears(topic: string): boolean {
    return this.subscribers.has(topic);
  }

  local(topic: string, payload: string): void {
    this.subscribers.tell(topic, payload);
  }

  publish(topic: string, payload: string): void {
    this.publisher.add(topic, payload);
  }

  subscribe(topic: string, listener: TopicListener): () => void {
    const isNew = !this.subscribers.topics.includes(topic);
    const unsubscribe = this.subscribers.add(topic, listener);
    if (isNew) this.renewed.abort();
    return unsubscribe;
  }

  start(): void {
    if (this.running) return;
    this.stopped = new AbortController();
    this.running = this.keepListening(this.stopped.signal);
  }

  /** Sends pending notifications, then ends the connection. */
  async stop(): Promise<void> {
    await answerWithin(2_000, this.publisher.idle()).catch(this.options.onError);
    this.stopped.abort();
    await this.running;
    this.running = undefined;
  }

  private notification(topic: string, envelope: string): Statement | undefined {
    return this.executor.dialect.notify(this.nameOf(topic), envelope);
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
        this.options.onError(error);
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
    const { topics: subscribed } = this.subscribers;
    // Without subscribers no connection is needed.
    if (subscribed.length === 0) return aborted(until);
    const topics = await this.channels([...subscribed, ECHO]);
    const listener = await this.open(topics, until);
    if (!listener) return;
    try {
      onConnected();
      this.subscribers.tellAll();
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
    for (const topic of topics.filter((name) => !this.channelsOf.has(name))) {
      const { rows } = await this.executor.run<{ channel: string }>(channelOf(this.nameOf(topic)));
      this.channelsOf.set(topic, String(rows[0]?.channel));
    }
    return new Map(topics.map((topic) => [String(this.channelsOf.get(topic)), topic]));
  }

  private hear(topic: string | undefined, text: string): void {
    const { sender, payloads } = openEnvelope(text);
    if (sender === this.sender && topic === ECHO) return this.echo.hear();
    if (topic === undefined || sender === this.sender) return;
    if (!payloads) return this.subscribers.tell(topic, undefined);
    for (const payload of payloads) this.subscribers.tell(topic, payload);
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
      if (this.unheard > 0) this.subscribers.tellAll();
      this.unheard = 0;
    } catch (error) {
      // An error of the pool does not show whether notifications arrive.
      if (!over.aborted) this.options.onError(error);
    }
  }

  private miss(): void {
    if (++this.unheard === MISSES) this.options.onError(new DatabaseError(DEAF, true));
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
