import { MAX_TIMER_MS } from './sleep.js';

/** Resolves after all queued microtasks have run: code resumed by an event has run as far as it can. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Calls `fire` after `ms`, of any length. If the event loop was blocked, an answer may have arrived in time and be unread:
 * it is read first. Costs only one timer, so that it can be used for every statement and every call.
 *
 * Returns a function that cancels it.
 */
export function expireAfter(ms: number, fire: () => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    const end = () => (left > MAX_TIMER_MS ? wait(left - MAX_TIMER_MS) : setImmediate(() => isOver || fire()));
    timer = setTimeout(end, Math.min(left, MAX_TIMER_MS));
  };
  wait(ms);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Settles like `answer`. After `ms` it rejects with the error of `late`, and ignores the later outcome of `answer`. */
export function within<T>(ms: number, answer: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = expireAfter(ms, () => reject(late()));
    answer.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: Error) => {
        cancel();
        reject(error);
      },
    );
  });
}
