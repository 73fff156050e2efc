/** An event as the process keeps it in place of a row. */
export interface StoredEvent {
  readonly event: OutboxEvent;
  readonly processed: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Whether a channel is the one named, or begins with what stands before a trailing `*`. */
export const matchesChannel = (pattern: string, channel: string): boolean =>
  pattern.endsWith('*') ? channel.startsWith(pattern.slice(0, -1)) : channel === pattern;

/** The topic of notifications that events were written. A payload is a JSON array of channels. */
export const OUTBOX_TOPIC = 'outbox';

/** One event as it is published: its number within its channel's order, and what the app wrote. */
export interface OutboxEvent<Data = unknown> {
  /** A whole number as text; greater than that of every earlier event of the same channel. */
  readonly sequenceId: string;
  /** Correlates it with what caused it, as an optimistic change of a client. A UUID unless the app chose one. */
  readonly mutationId: string;
  readonly channel: string;
  readonly name: string;
  /** It takes back what a client did optimistically. */
  readonly rejected: boolean;
  readonly data: Data;
  readonly headers: Readonly<Record<string, unknown>> | null;
}

/** What an app hands to `Outbox.publish`. */
export interface NewOutboxEvent {
  /** What shares an order: 1 to 255 characters. */
  channel: string;
  /** 1 to 191 characters. */
  name: string;
  /** Anything that JSON holds. Default null. */
  data?: unknown;
  /** Default: a new UUID. 1 to 191 characters. */
  mutationId?: string;
  headers?: Readonly<Record<string, unknown>>;
}

/** A checked event on its way into the table. */
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
 * When an event gets its number. `commit`: when its transaction commits, so that the numbers of a channel follow the
 * order of commits and whoever has read up to a number has missed nothing below it. `insert`: when it is written, and
 * later writers of the channel wait until that transaction has ended. `none`: when it is written; nobody waits, and
 * numbers may become visible out of order.
 */
export type OutboxOrdering = 'commit' | 'insert' | 'none';
