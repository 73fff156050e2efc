import type { Clock } from './clock.js';

/** The longest delay of the Node timer, because those drift and are limited to 24.8 days. */
const LONGEST_MS = 60_000;

interface Entry {
  due: number;
  fire: () => void;
  cancelled: boolean;
}

/**
 * Many waits on one Node timer. They are due by `clock`, so a test that advances the clock calls `fire()`. Waits can
 * have any length.
 */
export class Timers {
  /** A binary heap, earliest first. */
  private readonly heap: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The number of cancelled entries in the heap. */
  private dead = 0;

  constructor(private readonly clock: Clock) {}

  /** Calls `fire` once the clock has reached `due` (epoch ms). Returns a function that cancels it. */
  at(due: number, fire: () => void): () => void {
    const entry: Entry = { due, fire, cancelled: false };
    this.push(entry);
    if (this.heap[0] === entry) this.arm();
    return () => this.callOff(entry);
  }

  /** When the next entry is due, epoch ms; undefined if there is none. */
  get next(): number | undefined {
    const alive = this.heap.filter(({ cancelled }) => !cancelled);
    return alive.length === 0 ? undefined : Math.min(...alive.map(({ due }) => due));
  }

  /** Fires all due entries. */
  fire(): void {
    const now = this.clock.now();
    while (this.heap[0] && (this.heap[0].cancelled || this.heap[0].due <= now)) {
      const entry = this.pop();
      if (entry.cancelled) {
        this.dead--;
        continue;
      }
      entry.cancelled = true;
      entry.fire();
    }
    this.arm();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.heap.length = 0;
    this.dead = 0;
  }

  /** Removes cancelled entries once they fill half of the heap, so that they are not kept until they are due. */
  private callOff(entry: Entry): void {
    if (entry.cancelled) return;
    entry.cancelled = true;
    if (++this.dead < 64 || this.dead < this.heap.length / 2) return;
    const alive = this.heap.splice(0).filter(({ cancelled }) => !cancelled);
    this.dead = 0;
    for (const other of alive) this.push(other);
  }

  private arm(): void {
    clearTimeout(this.timer);
    const [next] = this.heap;
    if (!next) return;
    // Plus one millisecond: a timer may fire slightly early, and would then find nothing due.
    this.timer = setTimeout(() => this.fire(), Math.min(LONGEST_MS, Math.max(0, next.due - this.clock.now() + 1)));
    this.timer.unref();
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.due <= entry.due) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): Entry {
    const { heap } = this;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) this.sink(last);
    return top;
  }

  private sink(entry: Entry): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.due < heap[child]!.due) child++;
      if (heap[child]!.due >= entry.due) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
  }
}
