import type { ChannelState } from './event-source.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { ShardLease } from './shard-leases.js';

/** Every write about a channel needs the lease of its shard. */
export interface ChannelWrite {
  readonly lease: ShardLease;
  readonly channel: string;
}

export interface Acknowledged extends ChannelWrite {
  /** The exact numbers that were delivered, in order. */
  readonly ids: readonly string[];
  /** Whether its row of failures or crashes must be deleted. */
  readonly clears: boolean;
}

export interface FailedHead extends ChannelWrite {
  /** How much the failure counts: 0 for a `RetryAfterError`. */
  readonly counts: 0 | 1;
  readonly delayMs: number;
  /** The class of the error and a part of its message. */
  readonly error: string;
  /** Whether the channel is blocked until it is retried or skipped. */
  readonly blocks: boolean;
}

export interface DeadLettered extends ChannelWrite {
  readonly event: OutboxEvent;
  readonly attempts: number;
  readonly reason: 'failed' | 'crashed' | 'refused' | 'behind' | 'skipped';
  readonly error: string | null;
  /** Whether all later events of its channel are set aside too. */
  readonly parksChannel: boolean;
  /** Whether it was requeued, so that it is no longer in the outbox. */
  readonly requeued: boolean;
}

/**
 * Writes the results of deliveries. Each write needs the lease of its shard, checked by the same statement or under its
 * lock. Returns for each item whether it was written: false means that another process holds the shard, or that an
 * event no longer existed.
 */
export interface Acknowledgements {
  /**
   * Records deliveries. With one destination, events are removed, or marked if they are retained; the newest event of
   * all is kept as a mark, so that the greatest number never decreases. With several, the position moves.
   */
  acknowledge(owner: string, items: readonly Acknowledged[]): Promise<boolean[]>;
  /**
   * Records that the first event of each channel was not delivered. Resets crashes, because no process died. If dead
   * letters of the channel were requeued meanwhile, it is not blocked: they are delivered first, then this event.
   */
  fail(owner: string, items: readonly FailedHead[]): Promise<boolean[]>;
  /** Counts a crash before a delivery that may cause one. Returns the counts; undefined if the lease was lost. */
  countCrash(owner: string, items: readonly ChannelWrite[]): Promise<(number | undefined)[]>;
  /**
   * Stores dead letters and acknowledges the events, in one commit. If dead letters of the channel were requeued
   * meanwhile, events that would queue behind them or park the channel are requeued too.
   */
  deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]>;
  /**
   * Records deliveries of requeued events and resets their failures. After the last one of a channel, the channel's
   * state is cleared, unless other events are still queued behind a dead letter. Without ids, only the state is
   * checked.
   */
  acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]>;
  /** With several destinations: ends events of these shards that all destinations have passed. Returns how many. */
  tidy(shards: readonly number[]): Promise<number>;
}

/**
 * Whether a new dead letter is requeued with others of its channel: it was in delivery when they were requeued, and its
 * turn comes after theirs. As a dead letter it would park the channel again after they are delivered. An event that was
 * itself requeued has had its turn.
 */
export const followsRequeued = (item: DeadLettered, state: ChannelState | null | undefined): boolean =>
  state === 'requeued' && !item.requeued && (item.reason === 'behind' || item.parksChannel);
