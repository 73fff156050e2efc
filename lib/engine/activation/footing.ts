import type { KnownStep } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/**
 * The newest records of a claim that the database has confirmed as committed. A database that loses commits, such as a
 * lagging standby or a restored backup, loses the newest first: so if these records exist, all earlier ones do. Usually
 * it is one record; there are several while commits of one run overlap.
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

  /** Adds steps that were committed by one write, which has found the records `found`. */
  stepOnto(steps: readonly StepRecord[], found: readonly KnownStep[]): void {
    const fresh = this.newOf(steps);
    const step = steps.findLast(({ settled }) => settled !== null) ?? fresh;
    if (!step) return;
    const { seq, settled } = step;
    this.newest = [...this.newest.filter((known) => !found.includes(known)), { seq, settled }];
  }

  /** Only new records count: an older record without an outcome would not prove this commit. */
  private newOf(steps: readonly StepRecord[]): StepRecord | undefined {
    const step = steps.findLast(({ seq }) => seq > this.lastSeq);
    for (const { seq } of steps) this.lastSeq = Math.max(this.lastSeq, seq);
    return step;
  }
}
