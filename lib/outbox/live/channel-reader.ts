import type { OutboxEvent } from '../model/outbox-event.js';

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
