import { AsyncLocalStorage } from 'node:async_hooks';
import { stopwatch } from './clock.js';
import { within } from './sleep.js';

const ends = new AsyncLocalStorage<number>();

/** How much time the work that runs now has left, in ms; undefined if it has no limit. */
export function timeLeft(): number | undefined {
  const end = ends.getStore();
  return end === undefined ? undefined : end - stopwatch.now();
}

/** Work that ends with an error this close to its limit was ended by the limit. */
const CLOSE_MS = 100;

/**
 * Runs `work`, whose statements are ended by the database when its time is over. Throws what `late` returns if it takes
 * too long. Work that is begun inside of a limit has that limit.
 */
export function withinTime<T>(ms: number, work: () => Promise<T>, late: (cause?: unknown) => Error): Promise<T> {
  if (timeLeft() !== undefined) return work();
  return ends.run(stopwatch.now() + ms, () => within(ms, endedInTime(work, late), late));
}

async function endedInTime<T>(work: () => Promise<T>, late: (cause?: unknown) => Error): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (timeLeft() ?? 0) < CLOSE_MS ? late(error) : error;
  }
}
