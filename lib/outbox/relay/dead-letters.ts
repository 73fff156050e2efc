import type { OutboxEvent } from '../model/outbox-event.js';

export interface DeadEvent extends OutboxEvent {
  readonly destination: string;
  readonly attempts: number;
  /** `failed`, `crashed`, `refused`, `behind` another dead one, `skipped` by somebody, or `requeued`. */
  readonly reason: string;
  readonly error: string | null;
  /** Epoch ms. */
  readonly failedAt: number;
}

export interface DeadQuery {
  destination: string;
  channel?: string;
  limit: number;
  /** Those with a greater number than this. */
  after?: string;
}

export interface StandingChannel {
  readonly destination: string;
  readonly channel: string;
  readonly state: 'blocked' | 'parked' | 'requeued';
  readonly attempts: number;
  readonly error: string | null;
  /** Epoch ms. */
  readonly failedAt: number | null;
}

export interface ChannelLag {
  readonly channel: string;
  /** Events that wait. */
  readonly pending: number;
}

/** What people may do about events that were not delivered, from any process. */
export interface DeadLetters {
  /** By number. */
  list(query: DeadQuery): Promise<DeadEvent[]>;
  /**
   * Gives the dead of a channel back, all of them or these numbers alone, to be delivered in their order before anything
   * else of the channel. Returns how many.
   */
  requeue(destination: string, channel: string, sequenceIds?: readonly string[]): Promise<number>;
  /** Puts the first event of a blocked channel among the dead, so that the channel goes on. False: it is not blocked. */
  skip(destination: string, channel: string): Promise<boolean>;
  /** Lets a blocked channel try again at once, its attempts forgotten. False: it is not blocked. */
  retry(destination: string, channel: string): Promise<boolean>;
  /** The same for all that are blocked. Returns how many. */
  retryAll(destination: string): Promise<number>;
  /** Channels that are blocked or parked, by name. */
  standing(destination: string, limit: number): Promise<StandingChannel[]>;
  /**
   * At most `limit` channels in which something waits, and how much: most first, counted up to `atMost`. Of each shard so
   * many are looked at.
   */
  lag(destination: string, limit: number, atMost: number): Promise<ChannelLag[]>;
}
