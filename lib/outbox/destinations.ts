import type { Intake } from '../acts/holds.js';
import { readably } from '../core/thrown.js';
import { isA } from '../core/brand.js';
import { NonRetryablePublishError, ProcessEndingError } from '../core/errors.js';
import { shortText } from '../core/protocol.js';
import { RetryAfterError } from '../core/run-errors.js';
import { askedDelayMs, backoffMs, type BackoffOptions, type Clock } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import { type ErrorRules, toWireError } from '../core/wire-error.js';
import { type EventCodec, isRunChannel, matchesChannel, opened, type OutboxEvent } from './events.js';

/**
 * How to handle an undeliverable event. `block`: its channel is blocked until `OutboxOperations.retry` or `skip`.
 * `park`: the event is set aside, and the channel continues. `park-channel`: it is set aside with all later events of
 * its channel.
 */
export type OnPoison = 'block' | 'park' | 'park-channel';

export interface PoisonPolicy {
  readonly onPoison: OnPoison;
  /** The maximum number of tries before `onPoison` applies, including the first. */
  readonly attempts: number;
  readonly backoff: BackoffOptions;
  /** The number of processes that an event may crash before `onPoison` applies. */
  readonly crashes: number;
}

export type Verdict =
  { readonly kind: 'again'; readonly counts: 0 | 1; readonly delayMs: number } | { readonly kind: OnPoison };

/** What to do after `error` if the event has failed `attempts` times before. */
export function verdictOn(error: unknown, attempts: number, policy: PoisonPolicy): Verdict {
  if (isA(error, RetryAfterError)) return { kind: 'again', counts: 0, delayMs: delayOf(error, policy) };
  if (isA(error, NonRetryablePublishError) || attempts + 1 >= policy.attempts) return { kind: policy.onPoison };
  return { kind: 'again', counts: 1, delayMs: backoffMs(attempts + 1, policy.backoff) };
}

/** Whether `onPoison` applies without another delivery, because too many processes crashed. */
export const isDeadly = (crashes: number, policy: PoisonPolicy): boolean => crashes >= policy.crashes;

function delayOf({ delay }: RetryAfterError, policy: PoisonPolicy): number {
  try {
    return askedDelayMs(delay);
  } catch {
    return backoffMs(1, policy.backoff);
  }
}

export interface DeliveryContext {
  /**
   * Aborts when the publish timeout has passed or the shard was lost; then another delivery takes over. Also when this
   * process ends, with a `ProcessEndingError`: what is delivered still counts, and what fails is delivered elsewhere.
   */
  readonly signal: AbortSignal;
  /** The same for every try of the same first event: its channel and number, as a header takes them. */
  readonly idempotencyKey: string;
  /**
   * True for dead letters that were requeued by hand: they keep their numbers, although later events of the channel may
   * have been delivered already.
   */
  readonly requeued?: boolean;
}

/**
 * Where events are delivered: a publisher or handlers of the app. Each destination has its own position in every
 * channel. Events of one channel are delivered in order, the next after `deliver` has resolved for the previous ones;
 * different channels are delivered concurrently.
 */
export interface Destination {
  /** The name under which the database stores its positions; 1 to 191 characters. */
  readonly name: string;
  /** The maximum number of events, all of one channel, per call. */
  readonly batchSize: number;
  /** The ends and blocks of runs that it wants, as JSON; they are written only if a known destination wants them. */
  readonly wants?: string;
  /** Overrides the relay's poison policy. */
  readonly poison?: Partial<Pick<PoisonPolicy, 'onPoison' | 'attempts'>>;
  /**
   * Resolves once all of these events are delivered. They are of one channel, in order. Events that were delivered but
   * not acknowledged, for example before a crash, are delivered again with the same numbers.
   *
   * @throws RetryAfterError to set the time of the next try; NonRetryablePublishError when another try would not help,
   *   so that the poison policy applies at once. After any other error it is retried with backoff, and the poison
   *   policy applies after the last attempt.
   */
  deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void>;
}

/** One event as its consumer's inbox identifies it. */
export interface Incoming {
  consumer: string;
  channel: string;
  /** A whole number as text. */
  sequenceId: string;
  /** A dead letter that was requeued by hand: it is applied once, regardless of the consumer's position. */
  requeued?: boolean;
}

/** The channel under which the position is stored. A requeued event has its own key, which no channel can have. */
export const positionKeyOf = ({ channel, sequenceId, requeued }: Incoming): string =>
  requeued ? `\u0001requeued\u0001${sequenceId}` : channel;

/** Stores the positions of consumers in each channel, so that an event that is delivered twice takes effect once. */
export interface Inbox {
  /**
   * Runs `apply` in a new transaction of the app, unless the consumer has already received this event of the channel or
   * a later one. The writes of `apply` commit together with the new position. Both roll back when `apply` throws, and
   * the error is rethrown; also when `apply` catches an error that has aborted the transaction. Concurrent calls for
   * one consumer and channel wait for each other. After a deadlock, `apply` runs again.
   *
   * @returns whether `apply` ran.
   */
  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean>;
}

/** A method of the app that receives the events of some channels. */
export interface EventHandler {
  /** Names of channels, or prefixes of them with a trailing `*`. Channels of runs only match their own prefix. */
  readonly patterns: readonly string[];
  /** Default: every event of these channels. @throws RetryAfterError if the event must wait for another process. */
  readonly wants?: (event: OutboxEvent) => boolean | Promise<boolean>;
  /** `handle` is the transaction handle of the app's ORM. */
  run(event: OutboxEvent, handle: unknown): unknown;
}

const isFor = ({ patterns }: EventHandler, { channel }: OutboxEvent): boolean =>
  patterns.some((pattern) => matchesChannel(pattern, channel) && isRunChannel(pattern) === isRunChannel(channel));

/**
 * Delivers events to handlers of the app. Each event has its own transaction, which moves the consumer's position in
 * the channel and then runs all matching handlers one after another. What they write with the handle takes effect once
 * and in the channel's order, even if an event is delivered again.
 */
export class ConsumerDestination implements Destination {
  declare readonly wants?: string;
  /** One event per call, so that a failure identifies its event. */
  readonly batchSize = 1;

  constructor(
    private readonly inbox: Inbox,
    readonly name: string,
    private readonly handlers: readonly EventHandler[],
    readonly poison: NonNullable<Destination['poison']> = {},
    wants?: string,
    /** Opens the data of events. */
    private readonly codec?: EventCodec,
  ) {
    if (wants !== undefined) this.wants = wants;
  }

  async deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void> {
    for (const stored of events) {
      const handlers = this.handlers.filter((handler) => isFor(handler, stored));
      if (handlers.length === 0) continue;
      const event = opened(this.codec, stored);
      const wanting: EventHandler[] = [];
      for (const handler of handlers) if (!handler.wants || (await handler.wants(event))) wanting.push(handler);
      if (wanting.length > 0) await this.receive(event, wanting, context);
    }
  }

  private async receive(
    event: OutboxEvent,
    handlers: readonly EventHandler[],
    { signal, requeued = false }: DeliveryContext,
  ): Promise<void> {
    signal.throwIfAborted();
    const { channel, sequenceId } = event;
    await this.inbox.receive({ consumer: this.name, channel, sequenceId, requeued }, async (handle) => {
      for (const handler of handlers) {
        signal.throwIfAborted();
        await readably(() => handler.run(event, handle));
      }
      // A late event is rolled back: it may have been set aside already, to be requeued by hand.
      if (!(signal.reason instanceof ProcessEndingError)) signal.throwIfAborted();
    });
  }
}

/** Provides notifications of new events. They may be lost, so the relay also polls. */
export interface RelaySignals {
  /** True while hints from other processes arrive. */
  readonly live: boolean;
  /** `listener` is also called whenever notifications may have been lost. Returns a function to unsubscribe. */
  subscribe(topic: string, listener: () => void): () => void;
}

/** Receives events of a relay. The relay waits for `publishing` alone. */
export interface RelayObserver {
  error?(error: unknown): void;
  /** Shards whose leases expired or were taken by other processes. */
  lost?(shards: readonly { destination: string; shard: number }[]): void;
  failed?(failure: ChannelFailure & { delayMs: number }): void;
  /** A channel was blocked, or an event set aside, by its policy. */
  poisoned?(failure: ChannelFailure & { outcome: 'block' | 'park' | 'park-channel' }): void;
  delivered?(delivery: { destination: string; events: number }): void;
  /** An event appeared with a lower number than one already delivered of its channel. */
  late?(event: { destination: string; channel: string; sequenceId: string }): void;
  /** Another server has taken over, and the numbers could not jump beyond all that were assigned. */
  numbersStay?(why: 'denied' | 'narrow'): void;
  /** Calls `publish`, which passes these events to the destination. */
  publishing?<T>(
    batch: { destination: string; events: readonly OutboxEvent[] },
    publish: () => Promise<T>,
  ): T | Promise<T>;
  fetched?(look: { destination: string; events: number }): void;
}

export interface ChannelFailure {
  destination: string;
  channel: string;
  sequenceId: string;
  error: string;
}

export interface RelayOptions {
  /** Unique per life of the process: see `relayNodeId`. */
  nodeId: string;
  /** How long a process holds a shard without renewing its lease. Renewed every third of it. */
  leaseMs: number;
  /** How long the process counts as alive without a heartbeat. Default: `leaseMs`. */
  heartbeatTimeoutMs?: number;
  /** The timeout of one call of a destination; at most half of the lease. */
  publishTimeoutMs: number;
  /** How long `stop` waits for deliveries in progress. Default: `publishTimeoutMs`. */
  shutdownMs?: number;
  /** The maximum number of concurrent channels per destination. */
  concurrency: number;
  /** The maximum number of events in memory per destination. */
  buffer: number;
  /** The limits of one poll: channels per shard, and events per channel. */
  channelsPerShard: number;
  eventsPerChannel: number;
  /** The poll interval without notifications; ten times as long while they arrive and the last poll found nothing. */
  pollMs: number;
  /** Notifications within this time cause one poll. */
  debounceMs: number;
  /** Ignores notifications: polls once every `pollMs`. */
  fixedRate: boolean;
  policy: PoisonPolicy;
  /** Whether this process must take no shards, and publish nothing but what it has begun. Default: never. */
  intake?: Pick<Intake, 'isDraining' | 'isEnding' | 'onChanged'> | undefined;
  /** False: of an error only its class is stored, since its message may contain data that is sealed. Default true. */
  keepsMessages?: boolean;
  /** What of errors is stored and told to observers. Default: nothing is changed. */
  errors?: ErrorRules;
  /** Measures elapsed time. Default: a clock that also counts while the process is suspended. */
  elapsed?: Clock;
}

const LONGEST = 500;

/**
 * The part of an error that is stored and logged, as the app wants it to be seen: its class and the start of its message,
 * never a stack. Of a database error only the code: messages of drivers and ORMs contain statements with their values.
 */
export function errorNote(error: unknown, { redact }: ErrorRules = {}): string {
  const told = isOfDatabase(error) ? { name: error.name, message: codeOf(error) } : error;
  const { name = 'Error', message } = toWireError(told, { redact });
  return shortText(`${name}: ${message}`, LONGEST);
}

const codeOf = ({ code }: { code?: unknown }): string =>
  typeof code === 'string' || typeof code === 'number' ? String(code) : 'see the log of the database';

const isOfDatabase = (error: unknown): error is Error & { code?: unknown } =>
  error instanceof Error && ['sql', 'query', 'sqlState', 'driverError', 'severity'].some((field) => field in error);

/** The maximum number of channels whose last number is remembered. */
const CHANNELS = 10_000;

/**
 * Detects events that became visible after later ones of their channel were delivered. Only writers of other programs
 * or `ordering: 'none'` can cause this. Remembers the most recent channels.
 */
export class LateArrivals {
  private readonly last = new Map<string, number>();

  /** Whether a delivery that starts with this number follows a greater one. */
  isLate(channel: string, first: string): boolean {
    return Number(first) < (this.last.get(channel) ?? 0);
  }

  delivered(channel: string, last: string): void {
    const before = this.last.get(channel) ?? 0;
    this.last.delete(channel);
    this.last.set(channel, Math.max(before, Number(last)));
    if (this.last.size <= CHANNELS) return;
    for (const oldest of this.last.keys()) return void this.last.delete(oldest);
  }
}
