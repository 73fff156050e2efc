import type { OutboxEvent } from '../model/outbox-event.js';

/**
 * What stands in a channel's way. `blocked`: somebody has to decide. `parked`: whatever comes joins the dead. `requeued`:
 * those of its dead that were given back go first.
 */
export type ChannelState = 'blocked' | 'parked' | 'requeued';

/** The first pending events of one channel, in order. */
export interface ChannelBatch {
  readonly shard: number;
  readonly channel: string;
  readonly events: readonly OutboxEvent[];
  /** How often its first event has failed. */
  readonly attempts: number;
  /** How many processes have died while they delivered it. */
  readonly crashes: number;
  /** These are not to be delivered but to be put with those that are dead already. */
  readonly parked: boolean;
}

export interface FetchRequest {
  destination: string;
  /** With the channel behind which the look begins; `''` for the first. */
  shards: readonly { readonly shard: number; readonly after: string }[];
  /** The most channels to look at in each shard. */
  channels: number;
  /** The most events of one channel. */
  perChannel: number;
  /** About the most events of all. */
  limit: number;
  /** Channels of which nothing is wanted. */
  busy: readonly string[];
}

export interface Fetched {
  batches: ChannelBatch[];
  /** How far each shard was looked through: the last channel seen, or `''` once there was none behind it. Without those that were not come to. */
  after: ReadonlyMap<number, string>;
}

/** Reads what is to be delivered. However much waits in one channel, or stands still, costs the others nothing. */
export interface EventSource {
  /**
   * The first events of channels that have some, neither blocked nor waiting for their next attempt. Many events in one
   * channel are never read beyond `perChannel`.
   */
  fetch(request: FetchRequest): Promise<Fetched>;
  /**
   * Dead events that somebody gave back, by channel and in order, of at most `channels` channels of these shards. Without
   * events where none of a requeued channel are left, as when a process died before it wrote that down.
   */
  requeued(destination: string, shards: readonly number[], channels: number): Promise<ChannelBatch[]>;
}
