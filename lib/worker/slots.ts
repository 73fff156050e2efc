import type { ConcurrencyClass } from './handler-registry.js';

/** Counts running handlers, in the process and per concurrency class. */
export class Slots {
  private readonly perClass = new Map<string, number>();
  private taken = 0;

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.taken;
  }

  /** How many more of this class may start, apart from the limit of the process. */
  freeIn(concurrencyClass: ConcurrencyClass | undefined): number {
    if (concurrencyClass?.concurrency === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, concurrencyClass.concurrency - (this.perClass.get(concurrencyClass.name) ?? 0));
  }

  take(concurrencyClass: ConcurrencyClass | undefined): void {
    this.add(concurrencyClass, 1);
  }

  giveBack(concurrencyClass: ConcurrencyClass | undefined): void {
    this.add(concurrencyClass, -1);
  }

  private add(concurrencyClass: ConcurrencyClass | undefined, count: number): void {
    this.taken += count;
    if (!concurrencyClass) return;
    this.perClass.set(concurrencyClass.name, (this.perClass.get(concurrencyClass.name) ?? 0) + count);
  }
}
