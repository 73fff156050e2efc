import type { RunExtras } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/** The compensation of one step. */
export interface Compensation {
  seq: number;
  /** Runs it with records and retries; rejects once it is not retried any more. */
  run: (undone: StepRecord) => Promise<unknown>;
}

/**
 * The compensations to run if the run ended now; the code registers them again in each activation. Also whether the
 * run's row is marked to need unwinding: the mark is written at the latest with the first step that needs it.
 */
export class Compensations {
  private readonly bySeq = new Map<number, Compensation>();

  constructor(
    /** Whether the row has the mark, or a pending write will set it. */
    private told: boolean,
    /** Steps at lower positions belong to another run, which compensates them. */
    private readonly from: number,
  ) {}

  add(compensation: Compensation): void {
    if (compensation.seq >= this.from) this.bySeq.set(compensation.seq, compensation);
  }

  has(seq: number): boolean {
    return this.bySeq.has(seq);
  }

  /** The point of no return: earlier steps are no longer compensated. */
  commit(): void {
    this.bySeq.clear();
  }

  /** In reverse order, including those of steps that have not completed. */
  inReverse(): Compensation[] {
    return [...this.bySeq.values()].sort((a, b) => b.seq - a.seq);
  }

  /** Whether the run must be played to end it early. */
  get unwinds(): boolean {
    return this.told;
  }

  /** Adds the mark to the extras of the first step that needs compensation, or the first child to close. */
  extrasFor({ seq, status }: StepRecord, extras?: RunExtras): RunExtras | undefined {
    if (this.told || status === 'failed' || !(this.has(seq) || extras?.children)) return extras;
    this.told = true;
    return { ...extras, unwinds: true };
  }
}

export const undoingSeq = (seq: number): number => -1 - seq;
