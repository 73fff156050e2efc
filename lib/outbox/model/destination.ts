import type { OutboxEvent } from './outbox-event.js';
import type { PoisonPolicy } from './poison-policy.js';

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
