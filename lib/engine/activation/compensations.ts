import type { RunExtras } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/** How one step is undone. */
export interface Compensation {
  seq: number;
  /** Runs it, recorded and retried; rejects once it has given up. */
  run: (undone: StepRecord) => Promise<unknown>;
}

/**
 * What would have to be undone if the run ended now: the code says so anew in each activation. And whether the run's row
 * says that there is something, which it must before there is.
 */
export class Compensations {
  private readonly bySeq = new Map<number, Compensation>();

  constructor(
    /** Whether the row is known to say so, or something that will be written says it. */
    private told: boolean,
  ) {}

  add(compensation: Compensation): void {
    this.bySeq.set(compensation.seq, compensation);
  }

  has(seq: number): boolean {
    return this.bySeq.has(seq);
  }

  /** The point of no return: what was asked for before is not undone any more. */
  commit(): void {
    this.bySeq.clear();
  }

  /** The last first, whether they have completed or not. */
  inReverse(): Compensation[] {
    return [...this.bySeq.values()].sort((a, b) => b.seq - a.seq);
  }

  /** Ending the run early takes playing it. */
  get unwinds(): boolean {
    return this.told;
  }

  /** What goes with a record: the first step that has to be compensated, or child to be closed, says so of its run. */
  extrasFor({ seq, status }: StepRecord, extras?: RunExtras): RunExtras | undefined {
    if (this.told || status === 'failed' || !(this.has(seq) || extras?.children)) return extras;
    this.told = true;
    return { ...extras, unwinds: true };
  }
}

/** Where the compensation of a step is recorded. */
export const undoingSeq = (seq: number): number => -1 - seq;
