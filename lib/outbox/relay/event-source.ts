import type { OutboxEvent } from '../model/outbox-event.js';

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
