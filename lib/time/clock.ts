/** A clock for tests. It advances only by `advance`. */
export class ManualClock implements Clock {
  private readonly turned = new Set<() => void>();

  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
    for (const listener of this.turned) listener();
  }

  /** Calls `listener` whenever the clock is advanced. */
  onTurn(listener: () => void): void {
    this.turned.add(listener);
  }
}

/**
 * Follows another machine's clock. It is set periodically; in between, this process's monotonic time is added. So
 * a process with a wrong or adjusted system clock still agrees with all other processes.
 */
export class SynchronizedClock implements Clock {
  private base: number | undefined;
  private readAt = 0;

  constructor(private readonly fallback: Clock) {}

  /** `now` is the current time of the other clock. */
  set(now: number): void {
    this.base = now;
    this.readAt = performance.now();
  }

  now(): number {
    return this.base === undefined ? this.fallback.now() : Math.round(this.base + performance.now() - this.readAt);
  }
}

/** The source of the current time, in epoch milliseconds. Tests replace it with a {@link ManualClock}. */
export interface Clock {
  now(): number;
  /** For manual clocks: calls `listener` after each advance, so that due work is noticed without polling. */
  onTurn?(listener: () => void): void;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A monotonic clock, unaffected by changes of the system time; only differences are meaningful. */
export const stopwatch: Clock = { now: () => performance.now() };
