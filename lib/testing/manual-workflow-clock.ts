import type { Clock } from '../time/clock.js';
import { type Duration, toMs } from '../time/duration.js';

/** An app that depends on a clock: whether it is idle, and when it continues by itself. */
export interface Timekeeper {
  /** Resolves when nothing can continue without time passing or an outside event. */
  drain(): Promise<void>;
  /** The next time at which something is due, epoch ms. */
  nextDue(): number | undefined;
}

/** The clock of a testing app: it moves only when a test advances it, and waits for what becomes due. */
export class ManualWorkflowClock implements Clock {
  private readonly turned = new Set<() => void>();
  private keeper: Timekeeper | undefined;

  /** Starts at `time`, epoch ms. Default: the first second of 2026. */
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  onTurn(listener: () => void): void {
    this.turned.add(listener);
  }

  /**
   * Advances the clock by this duration. Stops at each due time until the app is idle, so that steps see the time at
   * which they would have run.
   *
   * @example
   * await clock.advance('3d');
   *
   * @throws Error that names what is still running, when the app does not become idle
   */
  async advance(duration: Duration): Promise<void> {
    const end = this.time + toMs(duration, 'duration');
    await this.keeper?.drain();
    for (let due = this.dueBy(end); due !== undefined; due = this.dueBy(end)) {
      this.turnTo(due);
      await this.keeper?.drain();
    }
    this.turnTo(end);
    await this.keeper?.drain();
  }

  /** Sets the time without waiting. */
  turnTo(time: number): void {
    this.time = time;
    for (const listener of this.turned) listener();
  }

  /** Makes {@link advance} wait for this timekeeper. */
  keep(keeper: Timekeeper): void {
    this.keeper = keeper;
  }

  private dueBy(end: number): number | undefined {
    const due = this.keeper?.nextDue();
    return due !== undefined && due > this.time && due <= end ? due : undefined;
  }
}
