import type { Load } from './lives.js';

/** How much of everything is measured. */
export interface Sizes {
  load: Load;
  rounds: number;
  /** Steps one after the other. */
  sequence: number;
  /** Workflows of each round. */
  runs: number;
  starts: number;
  idleMs: number;
}

export const FULL: Sizes = {
  load: { lives: 40_000, inFlight: 2_000 },
  rounds: 5,
  sequence: 200,
  runs: 2_000,
  starts: 200,
  idleMs: 20_000,
};

export const QUICK: Sizes = {
  load: { lives: 20_000, inFlight: 2_000 },
  rounds: 3,
  sequence: 200,
  runs: 1_000,
  starts: 100,
  idleMs: 10_000,
};
