import type { Clock } from '../../time/clock.js';

/** The time range of a quick look: transactions that start runs are seldom open for longer. */
const QUICK_MS = 2_000;
/** For this long after a look that claimed everything, quick looks are sufficient. */
const GOOD_FOR_MS = 1_000;
/** The same after a look that found nothing: then there is time for a full look. */
const GOOD_FOR_WHEN_QUIET_MS = 100;

/**
 * The time range in which claims look for due runs. While a transaction keeps an old snapshot open, the index begins
 * with entries of all runs claimed since, and each claim would scan them. So most claims only look at runs that became
 * due recently. Runs that appeared after their due time, or were locked, are found by full looks: at least one per
 * second, and one whenever a quick look finds nothing.
 */
export class LookBack {
  /** The time on each clock at the start of the last look that claimed everything; undefined if there was none. */
  private tookAllAt: readonly number[] | undefined;
  private began: readonly number[] = [];
  private withinMs: number | undefined;
  private found = true;
  private served = 0;

  /** @param clocks the largest passed time on any of them counts: a test may stop one of them. */
  constructor(private readonly clocks: readonly Clock[]) {}

  /** Begins a look and returns its range in ms; undefined for all due runs. `served`: the number of workflows. */
  next(served: number): number | undefined {
    // A new workflow may have old due runs.
    if (served !== this.served) this.tookAllAt = undefined;
    this.served = served;
    this.began = this.clocks.map((clock) => clock.now());
    this.withinMs = this.isFresh ? QUICK_MS : undefined;
    return this.withinMs;
  }

  /** Stores the result. Returns whether a full look is due at once: a quick one found nothing, the last is too old. */
  learn(taken: number, limit: number): boolean {
    this.found = taken > 0;
    // A full look without runs proves nothing: a node with an expired lease gets no runs.
    if (this.withinMs === undefined) this.tookAllAt = this.found && taken < limit ? this.began : undefined;
    return this.withinMs !== undefined && !this.found && !this.isFresh;
  }

  /** The longest nap before the next look, in ms: the wake-up may be for a run outside of the last range. */
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
