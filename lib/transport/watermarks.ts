import type { Clock } from '../time/clock.js';

/** How long a watermark may hide what appears below it: rows that committed late, leases that ran out. */
const FORGET_MS = 1_000;

/**
 * How far each group has been claimed. The index of a busy queue begins with what was deleted but cannot be cleaned
 * up yet; a claim that starts at the last row it took steps over it. Only ever an optimisation: everything is forgotten
 * once a second, and a hint about older tasks lowers the mark at once.
 */
export class Watermarks {
  private readonly marks = new Map<string, number>();
  private forgotAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  of(group: string): number {
    const now = this.clock.now();
    if (Math.abs(now - this.forgotAt) >= FORGET_MS) {
      this.marks.clear();
      this.forgotAt = now;
    }
    return this.marks.get(group) ?? 0;
  }

  raise(group: string, createdAt: number): void {
    this.marks.set(group, Math.max(createdAt, this.marks.get(group) ?? 0));
  }

  /** Without groups: of all; without a time: altogether. */
  lower(groups: readonly string[] | undefined, since = 0): void {
    for (const group of groups ?? [...this.marks.keys()]) {
      const mark = this.marks.get(group);
      if (mark !== undefined && mark > since) this.marks.set(group, since);
    }
  }
}
