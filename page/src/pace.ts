/** How much longer than an answer took nobody asks again: a fiftieth of the time at most is spent on an answer. */
const REST = 50;
/** However long answers take: whoever looks wants to see what changes. */
const MOST_MS = 30_000;

/**
 * When to ask again, in ms: the slower the longer the answer took, so that a busy app is asked less, and not before there
 * is another answer, in `restMs`.
 */
export const pauseAfter = (everyMs: number, tookMs: number, restMs = 0): number =>
  Math.max(everyMs, Math.min(MOST_MS, Math.max(restMs, tookMs * REST)));
