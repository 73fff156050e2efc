import type { Clock } from '../../time/clock.js';
import type { Timers } from '../../time/timers.js';

/** Lets the first call through at once, and merges further calls within the window into one at its end. */
export class WakeWindow {
  private open = false;
  private again = false;

  constructor(
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly ms: number,
    private readonly fire: () => void,
  ) {}

  poke(): void {
    if (this.open) {
      this.again = true;
      return;
    }
    this.open = true;
    this.timers.at(this.clock.now() + this.ms, () => this.close());
    this.fire();
  }

  /** Resets to the initial state, after the timers were stopped. */
  reset(): void {
    this.open = false;
    this.again = false;
  }

  private close(): void {
    this.open = false;
    if (!this.again) return;
    this.again = false;
    this.poke();
  }
}
