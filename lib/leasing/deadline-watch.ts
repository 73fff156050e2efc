import { macrotask } from '../time/within.js';
import { sleep } from '../time/sleep.js';

/** The poll interval: work that starts meanwhile may have an earlier deadline. */
const LOOK_MS = 1_000;

/**
 * Calls `expire` whenever the time that `leftMs` returns may be over, until the signal aborts. Enforces deadlines while
 * a call is awaited that may outlast them.
 */
export async function watchDeadlines(leftMs: () => number, expire: () => void, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(Math.min(LOOK_MS, Math.max(1, Math.ceil(leftMs()))), over);
    // After a blocked event loop, a response may have arrived that was not read yet.
    await macrotask();
    if (!over.aborted) expire();
  }
}
