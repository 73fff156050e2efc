import type { Clock } from '../time/clock.js';

const EVERY_MS = 15_000;
/** The clock follows that of the database: between two naps it may be set back by this. */
const CORRECTION_MS = 1_000;
/** What was told is told again after this time, if it lasts. */
const AGAIN_MS = 600_000;

/** What a look has found. */
export interface Found<Item> {
  items: readonly Item[];
  /**
   * Whether what was told of before is served now. A look need not find all that waits, so what it has not found may
   * wait on.
   */
  isServed: (told: Item) => boolean;
}

export interface UnservedWatchOptions<Item> {
  /** Finds items that have waited for longer than `olderThanMs`. Undefined if this is left to another process. */
  find: (olderThanMs: number) => Promise<Found<Item> | undefined>;
  keyOf: (item: Item) => string;
  tell: (item: Item) => void;
  clock: Clock;
}

/** How long items may wait, in ms, before they are told of. */
export const UNSERVED_AFTER_MS = 30_000;

/**
 * Finds items that no process serves, at a slow beat. It tells of each once; again after ten minutes while that lasts;
 * and again when the item is no longer served after it has been. The first look follows a while after the start:
 * processes that are deployed together do not start at once.
 */
export class UnservedWatch<Item> {
  private lookedAt: number;
  private readonly told = new Map<string, { item: Item; at: number }>();

  constructor(private readonly options: UnservedWatchOptions<Item>) {
    this.lookedAt = options.clock.now();
  }

  async look(): Promise<void> {
    const { find, keyOf, tell, clock } = this.options;
    const now = clock.now();
    if (now - this.lookedAt < EVERY_MS - CORRECTION_MS) return;
    this.lookedAt = now;
    const found = await find(UNSERVED_AFTER_MS);
    if (!found) return;
    for (const [key, { item, at }] of this.told)
      if (now - at >= AGAIN_MS || found.isServed(item)) this.told.delete(key);
    for (const item of found.items) {
      const key = keyOf(item);
      if (this.told.has(key)) continue;
      this.told.set(key, { item, at: now });
      tell(item);
    }
  }
}
