/** Where "now" comes from, in epoch milliseconds. Tests swap it for a clock they can turn. */
export interface Clock {
  now(): number;
  /** Where somebody turns it: calls `listener` after each turn, so that what has become due need not be polled for. */
  onTurn?(listener: () => void): void;
}

export const systemClock: Clock = { now: () => Date.now() };

/** How much time has passed, whatever anybody does to clocks; only differences mean something. */
export const stopwatch: Clock = { now: () => performance.now() };
