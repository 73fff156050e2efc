import { NonRetryablePublishError } from '../../errors/outbox-errors.js';
import { RetryAfterError } from '../../errors/step-errors.js';
import type { OutboxEvent } from './outbox-event.js';
import { type BackoffOptions, backoffMs } from '../../time/backoff.js';
import { askedDelayMs } from '../../time/retry-after.js';

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
  if (named(error, RetryAfterError)) return { kind: 'again', counts: 0, delayMs: delayOf(error, policy) };
  if (named(error, NonRetryablePublishError) || attempts + 1 >= policy.attempts) return { kind: policy.onPoison };
  return { kind: 'again', counts: 1, delayMs: backoffMs(attempts + 1, policy.backoff) };
}

/** Whether `onPoison` applies without another delivery, because too many processes crashed. */
export const isDeadly = (crashes: number, policy: PoisonPolicy): boolean => crashes >= policy.crashes;

/** Also by name, because the package, and with it its classes, may be installed twice. */
const named = <E extends Error>(error: unknown, Class: abstract new (...args: never[]) => E): error is E =>
  error instanceof Class || (error instanceof Error && error.name === Class.name);

function delayOf({ delay }: RetryAfterError, policy: PoisonPolicy): number {
  try {
    return askedDelayMs(delay);
  } catch {
    return backoffMs(1, policy.backoff);
  }
}

export interface DeliveryContext {
  /** Aborts when the publish timeout has passed or the shard was lost; then another delivery takes over. */
  readonly signal: AbortSignal;
  /** The same for every try of the same first event: its channel and number. */
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
