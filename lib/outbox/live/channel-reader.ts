import type { OutboxEvent } from '../model/outbox-event.js';

/** Numbers of events are texts of digits, since they may be greater than 2^53. */

/** The greatest that a column holds. */
const GREATEST = 2n ** 63n - 1n;

/** A number as it is compared; undefined for whatever is none. */
export function sequenceOf(text: string): string | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number > GREATEST ? undefined : String(number);
}

/** Whether `a` comes after `b`. */
export const isAfter = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length);

export const laterOf = (a: string, b: string): string => (isAfter(a, b) ? a : b);

/** A position in a channel: behind the event with this number. */
export interface ReadPosition {
  readonly channel: string;
  /** A whole number as text; `'0'` is before all. */
  readonly after: string;
}

export interface ReadEvent {
  readonly event: OutboxEvent;
  /** About how much it holds, in characters of JSON. */
  readonly size: number;
}

/** What stands behind a position, in order. */
export interface ChannelPage {
  readonly events: readonly ReadEvent[];
  /** The greatest number of what has been removed behind the position, so that what follows it cannot be told. Then there are no events. */
  readonly gone?: string;
}

/**
 * Reads channels without changing anything. Whoever has seen an event of a channel has missed none before it: this
 * holds for events that get their numbers at commit, or at the insert.
 */
export interface ChannelReader {
  /**
   * The first `limit` events behind each of these positions, answered in the same order; several may be of one channel.
   * However many are asked for, it is a statement or two. What is said of one position is of one moment.
   */
  read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]>;
  /** The greatest number that each of these channels has had so far, in the same order; `'0'` where there was none. */
  tops(channels: readonly string[]): Promise<string[]>;
}

/** What was read of an app's tables, and where the channel stood at that moment. */
export interface ChannelSnapshot<T> {
  data: T;
  /** Every event up to this number is in `data`, and none behind it: what a stream of the channel goes on after. */
  sequenceId: string;
}

/** Reads of an app that a stream of events can go on from. */
export interface ChannelSnapshots {
  /**
   * `read` and the position of the channel are of one moment. Of other channels the number says nothing. `handle` is
   * what the app's ORM reads with; `read` may run more than once, and should change nothing.
   */
  snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>>;
}
