import type { Clock } from '../time/clock.js';
import { type Duration, toMs } from '../time/duration.js';

/** What goes by a clock: whether it has come to rest, and when it goes on by itself. */
export interface Timekeeper {
  /** Resolves when nothing moves without time or the outside. */
  drain(): Promise<void>;
  /** The next time at which something is due, epoch ms. */
  nextDue(): number | undefined;
}

/** The clock of a testing app: it goes only when a test turns it, and waits for what becomes due. */
export class ManualWorkflowClock implements Clock {
  private readonly turned = new Set<() => void>();
  private keeper: Timekeeper | undefined;

  /** Begins at `time`, epoch ms. Default: the first second of 2026. */
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  onTurn(listener: () => void): void {
    this.turned.add(listener);
  }

  /**
   * Lets so much time pass, stopping at each moment at which something is due until nothing moves any more: steps see
   * the time at which they would have run.
   *
   * @example
   * await clock.advance('3d');
   *
   * @throws Error that says what moves, when it does not come to rest
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

  /** Turns it without waiting for anything. */
  turnTo(time: number): void {
    this.time = time;
    for (const listener of this.turned) listener();
  }

  /** From now on {@link advance} waits for it. */
  keep(keeper: Timekeeper): void {
    this.keeper = keeper;
  }

  private dueBy(end: number): number | undefined {
    const due = this.keeper?.nextDue();
    return due !== undefined && due > this.time && due <= end ? due : undefined;
  }
}
