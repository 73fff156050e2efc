import type { Timers } from '../../time/timers.js';

/** The due times of a run's positions, with their timers. */
export class DueTimes {
  private readonly bySeq = new Map<number, number>();
  private readonly cancels = new Set<() => void>();

  constructor(
    private readonly timers: Timers,
    /** Hears which due time is reached. */
    private readonly onDue: (due: number) => void,
  ) {}

  get size(): number {
    return this.bySeq.size;
  }

  /** The earliest, epoch ms; null when there is none. */
  get next(): number | null {
    return this.bySeq.size === 0 ? null : Math.min(...this.bySeq.values());
  }

  /** Calls `fire` at `due`, unless `clear` is called before. */
  add(seq: number, due: number, fire: () => void): void {
    this.bySeq.set(seq, due);
    const cancel = this.timers.at(due, () => {
      if (this.bySeq.get(seq) === due) this.bySeq.delete(seq);
      this.cancels.delete(cancel);
      this.onDue(due);
      fire();
    });
    this.cancels.add(cancel);
  }

  /** Removes the due time of a position; its timer still fires. */
  delete(seq: number): void {
    this.bySeq.delete(seq);
  }

  clear(): void {
    this.bySeq.clear();
    for (const cancel of this.cancels) cancel();
    this.cancels.clear();
  }
}
