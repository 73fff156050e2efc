import type { Clock } from '../time/clock.js';

const EVERY_MS = 60_000;

export interface UnservedWatchOptions<Found> {
  /** What has waited for longer than that for somebody who serves it. */
  find: (olderThanMs: number) => Promise<readonly Found[]>;
  tell: (found: Found) => void;
  /** How long it may wait: a rolling deploy is over by then. */
  patienceMs: number;
  clock: Clock;
}

/** Now and then looks for what waits for somebody who serves it, and tells of it. */
export class UnservedWatch<Found> {
  private lookedAt: number;

  constructor(private readonly options: UnservedWatchOptions<Found>) {
    this.lookedAt = options.clock.now();
  }

  async look(): Promise<void> {
    const { find, tell, patienceMs, clock } = this.options;
    const now = clock.now();
    if (now - this.lookedAt < EVERY_MS) return;
    this.lookedAt = now;
    for (const found of await find(patienceMs)) tell(found);
  }
}
