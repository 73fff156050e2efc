import type { ErasedRows } from '../model/run-erasure.js';
import type { ErasedOutside, KeptItem } from '../model/outgoing-erasure.js';

/** How many rows of each kind were blanked or deleted by a call of `erase`. */
export interface ErasedCounts extends ErasedRows, Omit<ErasedOutside, 'kept'> {
  /** Details of operators' acts on the runs. */
  acts: number;
}

/** What `erase` has done, and what is left to be done. */
export interface ErasureReport {
  /** Identifies the act; also in its audit row. */
  id: string;
  erased: ErasedCounts;
  /** Runs that have not ended: they are erased when they do, by an engine. */
  underWay: number;
  /** What was not erased, and why: the first 100. */
  kept: readonly KeptItem[];
  /** How many were not erased, counted as far as they were read. */
  left: number;
  /** Whether nothing is left: no run is under way, and nothing was kept. */
  complete: boolean;
}

const MOST_LISTED = 100;

/** Counts what an erasure does. */
export class ErasureTally {
  private readonly counts: ErasedCounts = {
    runs: 0,
    steps: 0,
    attempts: 0,
    logs: 0,
    attributes: 0,
    signals: 0,
    effects: 0,
    auditEvents: 0,
    events: 0,
    deadLetters: 0,
    acts: 0,
  };
  /** Of the runs that were looked at. */
  readonly schedules = new Set<string>();
  private kept: KeptItem[] = [];
  private left = 0;
  private underWay = 0;

  add({ kept = [], ...counts }: Partial<ErasedCounts> & { kept?: readonly KeptItem[] }): void {
    for (const [kind, count] of Object.entries(counts)) this.counts[kind as keyof ErasedCounts] += count;
    for (const item of kept) this.keep(item);
  }

  keep(item: KeptItem): void {
    this.left++;
    if (item.kind === 'run') this.underWay++;
    if (this.kept.length < MOST_LISTED) this.kept.push(item);
  }

  /** What was left may be gone since: it is looked at again. */
  lookAgain(): void {
    this.kept = [];
    this.left = 0;
    this.underWay = 0;
  }

  get isComplete(): boolean {
    return this.left === 0;
  }

  report(id: string): ErasureReport {
    const { counts, kept, left, underWay } = this;
    return { id, erased: { ...counts }, underWay, kept: [...kept], left, complete: this.isComplete };
  }
}
