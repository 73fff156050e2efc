import type { OutboxEvent } from '../model/outbox-event.js';
import type { ShardLease } from './shard-leases.js';

/**
 * The state of a channel. `blocked`: it waits for `retry` or `skip`. `parked`: new events become dead letters.
 * `requeued`: requeued dead letters are delivered first.
 */
export type ChannelState = 'blocked' | 'parked' | 'requeued';

/** The first pending events of one channel, in order. */
export interface ChannelBatch {
  readonly shard: number;
  readonly channel: string;
  readonly events: readonly OutboxEvent[];
  /** How often its first event has failed. */
  readonly attempts: number;
  /** How many processes have died while delivering it. */
  readonly crashes: number;
  /** These events must become dead letters instead of being delivered. */
  readonly parked: boolean;
}

export interface FetchRequest {
  destination: string;
  /** Each with the channel after which to start; `''` for the first. */
  shards: readonly { readonly shard: number; readonly after: string }[];
  /** The maximum number of channels to read per shard. */
  channels: number;
  /** The maximum number of events per channel. */
  perChannel: number;
  /** The approximate maximum number of events in total. */
  limit: number;
  /** Channels to skip. */
  busy: readonly string[];
}

export interface Fetched {
  batches: ChannelBatch[];
  /** The last channel read of each shard, or `''` at its end. Shards that were not reached are omitted. */
  after: ReadonlyMap<number, string>;
}

/** Reads events to deliver. A long or blocked channel does not slow others down. */
export interface EventSource {
  /**
   * The first events of channels that have some and are neither blocked nor waiting for a retry. Reads at most
   * `perChannel` events of a channel.
   */
  fetch(request: FetchRequest): Promise<Fetched>;
  /**
   * Requeued dead letters, by channel and in order, of at most `channels` channels of these shards. A requeued channel
   * without events is included too, for example when a process died before it cleared the state.
   */
  requeued(destination: string, shards: readonly number[], channels: number): Promise<ChannelBatch[]>;
}

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
