import type { OutboxEvent } from '../model/outbox-event.js';

/** Event numbers are strings of digits, since they may exceed 2^53. */

/** The maximum value of the column. */
const GREATEST = 2n ** 63n - 1n;

/** A number in canonical form for comparison; undefined if it is not a valid number. */
export function sequenceOf(text: string): string | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number > GREATEST ? undefined : String(number);
}

/** Whether `a` comes after `b`. */
export const isAfter = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length);

export const laterOf = (a: string, b: string): string => (isAfter(a, b) ? a : b);

/** A position in a channel: after the event with this number. */
export interface ReadPosition {
  readonly channel: string;
  /** A whole number as text; `'0'` is before the first event. */
  readonly after: string;
}

export interface ReadEvent {
  readonly event: OutboxEvent;
  /** Approximate size in characters of JSON. */
  readonly size: number;
}

/** The events after a position, in order. */
export interface ChannelPage {
  readonly events: readonly ReadEvent[];
  /** The last removed number, if events after the position were removed; `events` is empty then. */
  readonly gone?: string;
}

/**
 * Reads channels without changing anything. A reader that has seen an event of a channel has missed none before it, if
 * events get their numbers at commit or insert.
 */
export interface ChannelReader {
  /**
   * The first `limit` events after each position, in the order of the request; several positions may be of one channel.
   * Takes one or two statements for any number of positions. Each page is a consistent snapshot.
   */
  read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]>;
  /** The greatest number of each channel so far, in the order of the request; `'0'` where there was none. */
  tops(channels: readonly string[]): Promise<string[]>;
}

/** Data read from the app's tables, and the position of the channel at that moment. */
export interface ChannelSnapshot<T> {
  data: T;
  /** `data` reflects every event up to this number and none after it: pass it as `after` to a stream of the channel. */
  sequenceId: string;
}

/** Reads of an app that a stream of events can continue from. */
export interface ChannelSnapshots {
  /**
   * `read` and the position of the channel see the same snapshot. The number is valid for this channel only. `handle`
   * is the transaction handle of the app's ORM; `read` may run more than once and should change nothing.
   */
  snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>>;
}
