import type { Moment, MomentQuery } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import type { OutboxEvent } from './events.js';

export interface DeadEvent extends OutboxEvent {
  readonly destination: string;
  readonly attempts: number;
  /** `failed`, `crashed`, `refused`, `behind` another dead letter, `skipped` by a person, or `requeued`. */
  readonly reason: string;
  readonly error: string | null;
  /** Epoch ms. */
  readonly failedAt: number;
}

export interface DeadQuery {
  destination: string;
  channel?: string;
  limit: number;
  /** Only events with a greater number than this. */
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

export interface RetriedBatch {
  /** How many channels were retried. */
  readonly retried: number;
  /** The last of them; undefined if there are no more after this batch. */
  readonly last?: string;
}

export interface ChannelLag {
  readonly channel: string;
  /** The number of undelivered events. */
  readonly pending: number;
}

/** How many channels `lag` counts, unless more are asked for. */
export const LAGS_COUNTED = 200;

/** Operations on events that were not delivered, for any process. */
export interface DeadLetters {
  /** Ordered by number. */
  list(query: DeadQuery): Promise<DeadEvent[]>;
  /**
   * Requeues dead letters of a channel, either all or those with these numbers. They are delivered in order before any
   * other event of the channel. Returns their number.
   */
  requeue(destination: string, channel: string, sequenceIds?: readonly string[], tx?: Transaction): Promise<number>;
  /** Makes the first event of a blocked channel a dead letter, so that the channel continues. False: not blocked. */
  skip(destination: string, channel: string, tx?: Transaction): Promise<boolean>;
  /** Retries a blocked channel at once and resets its attempts. False: it is not blocked. */
  retry(destination: string, channel: string, tx?: Transaction): Promise<boolean>;
  /** Retries up to `limit` blocked channels with greater names than `after`, in the order of their names. */
  retrySome(destination: string, batch: { after: string; limit: number }, tx?: Transaction): Promise<RetriedBatch>;
  /** Channels that are blocked, parked, or have requeued events pending, by state and name. */
  standing(destination: string, limit: number): Promise<StandingChannel[]>;
  /**
   * At most `limit` channels with undelivered events and their number, counted up to `atMost`, most first. Of more than
   * 200 (or `limit`, if that is more) those are counted whose first event is the oldest, among up to 100 of each shard.
   */
  lag(destination: string, limit: number, atMost: number): Promise<ChannelLag[]>;
}

/** What runs of a story have published: events, and all channels that any of them may have gone to. */
export interface StoryEvents {
  readonly events: readonly { readonly run: number; readonly mutationId: string }[];
  readonly channels: readonly string[];
}

export interface DeadLetterMoment extends Moment {
  readonly letter: Omit<DeadEvent, 'rejected' | 'data' | 'headers' | 'failedAt'>;
}

/** Tells of the dead letters of runs, in the order of time. */
export interface DeadLetterStory {
  /** The next of these events that were set aside for a destination, at the time of the last failure. */
  moments(published: StoryEvents, query: Omit<MomentQuery, 'runIds'>): Promise<DeadLetterMoment[]>;
}

/** Deletes old dead letters of all destinations. */
export interface DeadLetterRemoval {
  /**
   * Deletes up to `limit` dead letters that were set aside at least `olderThanMs` ago, the oldest first. Never waits for
   * a lock. Requeued ones are kept until they are delivered. The state of a channel is not changed: a parked one stays
   * parked. Returns how many.
   */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

/** The shards of a destination that one process publishes, or that none does. */
export interface ShardsOfOwner {
  readonly destination: string;
  /** The name of its node; null: nobody has them. */
  readonly owner: string | null;
  readonly shards: number;
  /** How many of them have a lease that has expired: nobody publishes these now. */
  readonly lapsed: number;
}

/** What needs somebody at a destination; each number is counted up to a limit, and is one more if there are more. */
export interface DestinationTroubles {
  readonly destination: string;
  readonly blocked: number;
  readonly parked: number;
  readonly requeued: number;
  readonly dead: number;
  /** Since when the first of its blocked channels is blocked, epoch ms. */
  readonly since: number | null;
}

/** Tells people how the delivery of events stands. */
export interface RelayInsight {
  /** By destination and owner. */
  shards(): Promise<ShardsOfOwner[]>;
  /** Of these destinations, in their order; everything is counted up to `atMost`. */
  troubles(destinations: readonly string[], atMost: number): Promise<DestinationTroubles[]>;
  /**
   * For how many ms the oldest undelivered event waits, blocked ones included; null if there is none. Looks at the first
   * undelivered event of up to `channels` channels of each shard.
   */
  waitsMs(destination: string, channels: number): Promise<number | null>;
}

/** Those without an owner come first. */
export const byOwner = (a: ShardsOfOwner, b: ShardsOfOwner): number => {
  const [one, other] = [a, b].map(({ destination, owner }) => `${destination}\n${owner ?? ''}`);
  return one! < other! ? -1 : 1;
};
