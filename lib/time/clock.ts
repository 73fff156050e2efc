/** Where "now" comes from, in epoch milliseconds. Tests swap it for a clock they can turn. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
