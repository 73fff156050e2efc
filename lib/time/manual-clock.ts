import type { Clock } from './clock.js';

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
