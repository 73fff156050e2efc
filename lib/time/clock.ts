/** A clock that a test turns. It never goes by itself. */
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

  /** Calls `listener` whenever the clock is turned. */
  onTurn(listener: () => void): void {
    this.turned.add(listener);
  }
}

/**
 * Another machine's clock, read now and then and carried on in between by this process's monotonic time: a
 * process whose own clock is wrong, or is set back, still agrees with everybody else.
 */
export class SynchronizedClock implements Clock {
  private base: number | undefined;
  private readAt = 0;

  constructor(private readonly fallback: Clock) {}

  /** `now` is what the other clock just said. */
  set(now: number): void {
    this.base = now;
    this.readAt = performance.now();
  }

  now(): number {
    return this.base === undefined ? this.fallback.now() : Math.round(this.base + performance.now() - this.readAt);
  }
}

/** Where "now" comes from, in epoch milliseconds. Tests swap it for a clock they can turn. */
export interface Clock {
  now(): number;
  /** Where somebody turns it: calls `listener` after each turn, so that what has become due need not be polled for. */
  onTurn?(listener: () => void): void;
}

export const systemClock: Clock = { now: () => Date.now() };

/** How much time has passed, whatever anybody does to clocks; only differences mean something. */
export const stopwatch: Clock = { now: () => performance.now() };
