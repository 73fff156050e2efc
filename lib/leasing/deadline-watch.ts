import { macrotask } from '../time/within.js';
import { sleep } from '../time/sleep.js';

/** What begins meanwhile may end earlier than all that was known. */
const LOOK_MS = 1_000;

/**
 * Calls `expire` whenever the time that `leftMs` tells may be over, until the signal aborts: for what must not outlast its
 * deadline while somebody else is waited for.
 */
export async function watchDeadlines(leftMs: () => number, expire: () => void, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(Math.min(LOOK_MS, Math.max(1, Math.ceil(leftMs()))), over);
    // Where the event loop stood still, an answer may have come that nobody has read yet.
    await macrotask();
    if (!over.aborted) expire();
  }
}
