/** The longest delay of a timer; Node fires longer ones at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, of any length, or when the signal aborts. Never rejects; keeps the process alive. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = ms; !signal?.aborted; left -= MAX_TIMER_MS) {
    await timer(Math.min(left, MAX_TIMER_MS), signal);
    if (left <= MAX_TIMER_MS) return;
  }
}

/** Resolves when `done` resolves, or after `ms`; rejects if `done` rejects first. Leaves no timer behind. */
export async function atMost(ms: number, done: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([done, sleep(ms, over.signal)]).finally(() => over.abort('over'));
}

function timer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timeout);
      stopListening?.();
      resolve();
    };
    const timeout = setTimeout(wake, ms);
    const stopListening = signal && sleepersOf(signal).add(wake);
  });
}

/**
 * All sleepers of one signal. They share one listener: after an outage hundreds may wait for the next attempt, and Node
 * warns of a leak from the eleventh listener on.
 */
class Sleepers {
  private readonly wakes = new Set<() => void>();

  constructor(private readonly signal: AbortSignal) {}

  /** Returns a function that removes it. */
  add(wake: () => void): () => void {
    if (this.wakes.size === 0) this.signal.addEventListener('abort', this.wakeAll);
    this.wakes.add(wake);
    return () => this.remove(wake);
  }

  private remove(wake: () => void): void {
    this.wakes.delete(wake);
    if (this.wakes.size === 0) this.signal.removeEventListener('abort', this.wakeAll);
  }

  private readonly wakeAll = (): void => {
    for (const wake of [...this.wakes]) wake();
  };
}

const sleeping = new WeakMap<AbortSignal, Sleepers>();

function sleepersOf(signal: AbortSignal): Sleepers {
  const known = sleeping.get(signal);
  if (known) return known;
  const sleepers = new Sleepers(signal);
  sleeping.set(signal, sleepers);
  return sleepers;
}

/** Resolves after all queued microtasks have run: code resumed by an event has run as far as it can. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Calls `fire` after `ms`, of any length. If the event loop was blocked, an answer may have arrived in time and be unread:
 * it is read first. Costs only one timer, so that it can be used for every statement and every call.
 *
 * Returns a function that cancels it.
 */
function expireAfter(ms: number, fire: () => void): () => void {
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
