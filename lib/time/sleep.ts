/** The longest wait one timer can hold; Node fires longer ones at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, or at once when the signal aborts. Never rejects; keeps the process alive meanwhile. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener('abort', wake);
  });
}
