/** The longest wait one timer can hold; Node fires longer ones at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, however long, or at once when the signal aborts. Never rejects; keeps the process alive meanwhile. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; !signal?.aborted; left -= MAX_TIMER_MS) {
    await timer(Math.min(left, MAX_TIMER_MS), signal);
    if (left <= MAX_TIMER_MS) return;
  }
}

function timer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timeout = setTimeout(wake, ms);
    signal?.addEventListener('abort', wake);
  });
}
