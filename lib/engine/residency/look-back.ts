import type { Clock } from '../../time/clock.js';

/** How far back a quick look goes: transactions that start runs are seldom open for longer. */
const QUICK_MS = 2_000;
/** For so long a look that took everything answers for what is older. */
const GOOD_FOR_MS = 1_000;
/** The same once a look has found nothing: then there is time for another. */
const GOOD_FOR_WHEN_QUIET_MS = 100;

/**
 * How far back claims look for due runs. While some transaction keeps its snapshot open, the index begins with all that
 * was taken since, and each claim would walk over it. So most look at what became due a moment ago. What turned up
 * later than it was due, or was locked just then, is found by those that look at everything: one a second at the least,
 * and one whenever there is nothing else to take.
 */
export class LookBack {
  /** What each clock said when the last look began that took everything; undefined when none did. */
  private tookAllAt: readonly number[] | undefined;
  private began: readonly number[] = [];
  private withinMs: number | undefined;
  private found = true;
  private served = 0;

  /** @param clocks what goes by on any of them counts: a test may hold one of them still. */
  constructor(private readonly clocks: readonly Clock[]) {}

  /** Begins a look: how long ago runs may have become due at the most, in ms; undefined for all. `served`: how many workflows. */
  next(served: number): number | undefined {
    // One that is new here may have had runs for long.
    if (served !== this.served) this.tookAllAt = undefined;
    this.served = served;
    this.began = this.clocks.map((clock) => clock.now());
    this.withinMs = this.isFresh ? QUICK_MS : undefined;
    return this.withinMs;
  }

  /** What came of it. Returns whether the next should follow at once: this one was quick, found nothing, and there is time. */
  learn(taken: number, limit: number): boolean {
    this.found = taken > 0;
    // One that took nothing may have been a lapsed process's, which is given nothing.
    if (this.withinMs === undefined) this.tookAllAt = this.found && taken < limit ? this.began : undefined;
    return this.withinMs !== undefined && !this.found && !this.isFresh;
  }

  /** How long may be napped before the next look, in ms: what this one did not look at may have brought the wake-up. */
  get nextWithinMs(): number {
    if (this.withinMs === undefined) return Infinity;
    return this.found ? GOOD_FOR_MS : GOOD_FOR_WHEN_QUIET_MS;
  }

  private get isFresh(): boolean {
    const { tookAllAt, clocks } = this;
    if (!tookAllAt) return false;
    const ages = clocks.map((clock, i) => Math.abs(clock.now() - tookAllAt[i]!));
    return Math.max(...ages) < (this.found ? GOOD_FOR_MS : GOOD_FOR_WHEN_QUIET_MS);
  }
}
