import type { KnownOptions } from '../../options/known-options.js';

/** An event as the in-memory storage keeps it. */
export interface StoredEvent {
  readonly event: OutboxEvent;
  readonly processed: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Whether a channel equals the pattern, or starts with its part before a trailing `*`. */
export const matchesChannel = (pattern: string, channel: string): boolean =>
  pattern.endsWith('*') ? channel.startsWith(pattern.slice(0, -1)) : channel === pattern;

/** How channels begin that only hooks read: one per run, with its ends and blocks. */
export const RUN_CHANNELS = 'durable:run:';

/** Whether only hooks read the channel. */
export const isRunChannel = (channel: string): boolean => channel.startsWith(RUN_CHANNELS);

/** The topic of notifications about new events. A payload is a JSON array of channels. */
export const OUTBOX_TOPIC = 'outbox';

/** One event as it is published: its number within its channel's order, and what the app wrote. */
export interface OutboxEvent<Data = unknown> {
  /** A whole number as text; greater than that of every earlier event of the same channel. */
  readonly sequenceId: string;
  /** Correlates the event with its cause, for example a client's optimistic change. A UUID unless the app set one. */
  readonly mutationId: string;
  readonly channel: string;
  readonly name: string;
  /** True if the event reverts an optimistic change of a client. */
  readonly rejected: boolean;
  readonly data: Data;
  readonly headers: Readonly<Record<string, unknown>> | null;
}

/** The argument of `Outbox.publish`. */
export interface NewOutboxEvent {
  /** Events of one channel are ordered. 1 to 255 characters. */
  channel: string;
  /** 1 to 191 characters. */
  name: string;
  /** Any JSON value. Default null. */
  data?: unknown;
  /** Default: a new UUID. 1 to 191 characters. */
  mutationId?: string;
  headers?: Readonly<Record<string, unknown>>;
  /** True: the data is stored as it is although `outbox.codec` is set, for programs without the codec. Default false. */
  plain?: boolean;
}

/** Also what only a published event has: a handler may pass one on. */
export const EVENT_FIELDS = {
  channel: true,
  name: true,
  data: true,
  mutationId: true,
  headers: true,
  sequenceId: true,
  rejected: true,
  plain: true,
} satisfies KnownOptions<NewOutboxEvent & OutboxEvent>;

/** A checked event that is about to be stored. */
export interface WrittenEvent {
  readonly mutationId: string;
  readonly channel: string;
  readonly name: string;
  readonly rejected: boolean;
  /** JSON text; null when there is none. */
  readonly data: string | null;
  /** JSON text. */
  readonly headers: string | null;
}

/**
 * When an event gets its number. `commit`: when its transaction commits. The numbers of a channel then follow the order
 * of commits, and a reader that has read up to a number has missed nothing below it. `insert`: when it is written;
 * later writers of the channel wait until that transaction has ended. `none`: when it is written; no writer waits, and
 * numbers may become visible out of order.
 */
export type OutboxOrdering = 'commit' | 'insert' | 'none';
