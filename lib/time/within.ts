import { MAX_TIMER_MS } from './sleep.js';

/** Resolves after all queued microtasks have run: code resumed by an event has run as far as it can. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Settles like `answer`. After `ms` it rejects with the error of `late`, and ignores the later outcome of `answer`. It
 * costs only one timer, so that it can be used for every statement.
 */
export function within<T>(ms: number, answer: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let isOver = false;
    const giveUp = () => isOver || reject(late());
    // If the event loop was blocked, an answer may have arrived in time and be unread: it is read first.
    const timer = setTimeout(() => setImmediate(giveUp), Math.min(ms, MAX_TIMER_MS));
    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    answer.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: Error) => {
        end();
        reject(error);
      },
    );
  });
}
