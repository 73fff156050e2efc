import { MAX_TIMER_MS } from './sleep.js';

/** Resolves once all microtasks queued until now have run: code resumed by an event has come to rest. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * What `answer` resolves to, unless it takes longer than `ms`: then it rejects with what `late` makes, and whatever
 * comes afterwards is ignored. Costs one timer while all is well, so that every statement can have one.
 */
export function within<T>(ms: number, answer: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let isOver = false;
    const giveUp = () => isOver || reject(late());
    // Where the event loop stood still, an answer may have come in time that nobody has read yet: it is read first.
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
