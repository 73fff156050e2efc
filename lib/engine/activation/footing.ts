import type { KnownStep } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/**
 * What a claim builds upon: the newest of its records that were committed, as the database has said. A database that
 * loses commits, as a standby that was behind or a backup does, loses the newest first: so as long as these are there,
 * all before them are. Mostly it is one record; there are several while commits of one run overlap.
 */
export class Footing {
  private newest: readonly KnownStep[] = [];
  private lastSeq: number;

  constructor(history: readonly StepRecord[] = []) {
    this.lastSeq = history.reduce((last, { seq }) => Math.max(last, seq), -1);
  }

  get known(): readonly KnownStep[] {
    return this.newest;
  }

  /** These were committed in one go, by a write that has found `found` to be there. */
  stepOnto(steps: readonly StepRecord[], found: readonly KnownStep[]): void {
    const fresh = this.newOf(steps);
    const step = steps.findLast(({ settled }) => settled !== null) ?? fresh;
    if (!step) return;
    const { seq, settled } = step;
    this.newest = [...this.newest.filter((known) => !found.includes(known)), { seq, settled }];
  }

  /** A record without an outcome that was there before would tell nothing of this commit. */
  private newOf(steps: readonly StepRecord[]): StepRecord | undefined {
    const step = steps.findLast(({ seq }) => seq > this.lastSeq);
    for (const { seq } of steps) this.lastSeq = Math.max(this.lastSeq, seq);
    return step;
  }
}
