import type { Moment, MomentQuery } from '../../protocol/moment.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { OutboxEvent } from '../model/outbox-event.js';

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
