import type { Clock } from './clock.js';

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
