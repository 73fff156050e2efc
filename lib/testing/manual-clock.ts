import type { Clock } from '../time/clock.js';

/** A clock that moves when a test turns it. */
export class ManualClock implements Clock {
  constructor(private time = 1_700_000_000_000) {}

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}
