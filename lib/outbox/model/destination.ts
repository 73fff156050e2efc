import { NonRetryablePublishError, RetryAfterError } from '../../errors.js';
import type { OutboxEvent } from './outbox-event.js';
import { type BackoffOptions, backoffMs } from '../../time/backoff.js';
import { toMs } from '../../time/duration.js';

/**
 * What becomes of an event that cannot be delivered. `block`: its channel stands still until somebody decides. `park`: it
 * is put aside, and the channel goes on. `park-channel`: it is put aside and all that follow in its channel join it.
 */
export type OnPoison = 'block' | 'park' | 'park-channel';

export interface PoisonPolicy {
  readonly onPoison: OnPoison;
  /** How often an event is tried before the policy decides, the first time included. */
  readonly attempts: number;
  readonly backoff: BackoffOptions;
  /** How many processes an event may kill before the policy decides. */
  readonly crashes: number;
}

export type Verdict =
  { readonly kind: 'again'; readonly counts: 0 | 1; readonly delayMs: number } | { readonly kind: OnPoison };

/** What to do after `error`, when the event has failed `attempts` times before. */
export function verdictOn(error: unknown, attempts: number, policy: PoisonPolicy): Verdict {
  if (named(error, RetryAfterError)) return { kind: 'again', counts: 0, delayMs: delayOf(error, policy) };
  if (named(error, NonRetryablePublishError) || attempts + 1 >= policy.attempts) return { kind: policy.onPoison };
  return { kind: 'again', counts: 1, delayMs: backoffMs(attempts + 1, policy.backoff) };
}

/** Whether a policy decides before anything is delivered: too many died of it. */
export const isDeadly = (crashes: number, policy: PoisonPolicy): boolean => crashes >= policy.crashes;

/** Packages may be installed twice, and classes with them. */
const named = <E extends Error>(error: unknown, Class: abstract new (...args: never[]) => E): error is E =>
  error instanceof Class || (error instanceof Error && error.name === Class.name);

function delayOf({ delay }: RetryAfterError, policy: PoisonPolicy): number {
  try {
    return toMs(delay);
  } catch {
    return backoffMs(1, policy.backoff);
  }
}

export interface DeliveryContext {
  /** Aborted when the publish timeout has passed or the shard was lost: what is not done by then is somebody else's. */
  readonly signal: AbortSignal;
  /** The same for every try of the same first event: its channel and number. */
  readonly idempotencyKey: string;
  /**
   * These had been put aside and were given back by hand: they come with their own numbers, though later ones of the
   * channel may have been delivered meanwhile.
   */
  readonly requeued?: boolean;
}

/**
 * Where events go: a publisher of the app, or handlers of its own. Each destination has its own position in every
 * channel. Events of one channel come in order, the next only after `deliver` has resolved for the one before; those of
 * different channels at once.
 */
export interface Destination {
  /** Known to the database by this name; 1 to 191 characters. */
  readonly name: string;
  /** The most events of one channel for one call. */
  readonly batchSize: number;
  /** In place of what the relay does with events that are not taken. */
  readonly poison?: Partial<Pick<PoisonPolicy, 'onPoison' | 'attempts'>>;
  /**
   * Resolves once all of these events are where they should be. They are of one channel, in order. What was delivered
   * and not acknowledged, as after a crash, is delivered again with the same numbers.
   *
   * @throws RetryAfterError to say when to try again; NonRetryablePublishError when that would not help, and the poison
   *   policy decides at once. Anything else is tried again with backoff, and handled by the poison policy when the
   *   attempts are over.
   */
  deliver(events: readonly OutboxEvent[], context: DeliveryContext): Promise<void>;
}
