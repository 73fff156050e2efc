import type { Clock } from '../time/clock.js';

const EVERY_MS = 60_000;

export interface UnservedWatchOptions<Found> {
  /** Finds items that have waited for longer than `olderThanMs` for a process that serves them. */
  find: (olderThanMs: number) => Promise<readonly Found[]>;
  tell: (found: Found) => void;
  /** How long items may wait: longer than a rolling deploy. */
  patienceMs: number;
  clock: Clock;
}

/** Periodically finds and reports items that no process serves. */
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
