import { AsyncLocalStorage } from 'node:async_hooks';
import { isA } from './brand.js';
import { RetryAfterError } from './run-errors.js';

/**
 * What Node has for time, as it was when this module was loaded. A test of the app that puts timers of its own in their
 * place does not turn them for us: whatever waited for one of ours would wait for ever.
 */
export const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  queueMicrotask,
  /** Monotonic, in ms. */
  now: performance.now.bind(performance),
};

/** A clock for tests. It advances only by `advance`. */
export class ManualClock implements Clock {
  private readonly turned = new Set<() => void>();

  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
    for (const listener of this.turned) listener();
  }

  /** Calls `listener` whenever the clock is advanced. */
  onTurn(listener: () => void): void {
    this.turned.add(listener);
  }
}

/**
 * Follows another machine's clock. It is set periodically; in between, this process's monotonic time is added. So
 * a process with a wrong or adjusted system clock still agrees with all other processes.
 */
export class SynchronizedClock implements Clock {
  private base: number | undefined;
  private readAt = 0;

  constructor(private readonly fallback: Clock) {}

  /** `now` is the current time of the other clock. */
  set(now: number): void {
    this.base = now;
    this.readAt = real.now();
  }

  now(): number {
    return this.base === undefined ? this.fallback.now() : Math.round(this.base + real.now() - this.readAt);
  }
}

/** The source of the current time, in epoch milliseconds. Tests replace it with a {@link ManualClock}. */
export interface Clock {
  now(): number;
  /** For manual clocks: calls `listener` after each advance, so that due work is noticed without polling. */
  onTurn?(listener: () => void): void;
}

/** Clocks that follow each other differ by less. What is further ahead was written by a clock that is wrong. */
const LONGEST_LAG_MS = 60_000;

/**
 * The times that are recorded of one run. They never go back, whatever a clock does, and whoever has recorded the last
 * one: what the database and other processes have recorded by their clocks comes before.
 */
export class Moments implements Clock {
  private last = 0;

  constructor(private readonly clock: Clock) {}

  now(): number {
    return (this.last = Math.max(this.last, this.clock.now()));
  }

  /** Somebody else has recorded something at this time, by another clock; what is recorded here from now on follows. */
  follow(at: number | null): void {
    const now = this.now();
    if (at !== null && at > now && at <= now + LONGEST_LAG_MS) this.last = at + 1;
  }
}

export const systemClock: Clock = { now: () => Date.now() };

/** A monotonic clock, unaffected by changes of the system time; only differences are meaningful. */
export const stopwatch: Clock = { now: () => real.now() };

/** Moves on with real time, and as `turned` is turned: it does not stand still with that clock. */
export const stopwatchBeside = (turned: Clock | undefined): Clock =>
  turned ? { now: () => turned.now() + real.now() } : stopwatch;

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** `'500ms' | '30s' | '5m' | '2h' | '7d'`, or milliseconds as a number. */
export type Duration = number | `${number}${keyof typeof UNITS}`;

/**
 * Converts a duration to whole milliseconds; `what` names it in the error.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'` when it is negative, not finite, or has another form.
 */
export function toMs(duration: Duration, what = 'duration'): number {
  const ms = typeof duration === 'number' ? duration : parse(String(duration));
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  const given = typeof duration === 'string' ? JSON.stringify(duration) : String(duration);
  const message = `${what} is ${given}: pass milliseconds, or a string like '500ms', '30s', '5m', '2h', '7d'`;
  // Like an `InvalidArgumentError`, for HTTP APIs too.
  throw Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT', status: 400, statusCode: 400, expose: true });
}

function parse(text: string): number {
  const [, amount, unit] = PATTERN.exec(text) ?? [];
  return amount && unit ? Number(amount) * UNITS[unit as keyof typeof UNITS] : Number.NaN;
}

export interface BackoffOptions {
  /** The wait after the first failure. Default `'1s'`. */
  delay?: Duration;
  /** Each further failure multiplies the wait by this factor, at least 1. Default 2. */
  factor?: number;
  /** The longest wait. Default `'5m'`, or `delay` if that is longer. */
  maxDelay?: Duration;
  /**
   * Which part of the delay is random, from 0 to 1: with 0.2 it is 80 to 100 % of what was computed. `'full'` is 1. Default
   * `'none'`, which is 0.
   */
  jitter?: 'none' | 'full' | number;
}

/** The names of all options. */
export const BACKOFF_OPTIONS = { delay: true, factor: true, maxDelay: true, jitter: true } as const satisfies Record<
  keyof BackoffOptions,
  true
>;

/** A duration alone is the delay. */
export const backoffOf = (given: BackoffOptions | Duration = {}): BackoffOptions =>
  typeof given === 'object' ? given : { delay: given };

/**
 * The wait in ms before attempt `attempt + 1`, once attempt `attempt` has failed:
 * `min(delay * factor ** (attempt - 1), maxDelay) * (1 - jitter * random)`.
 *
 * @example
 * backoffMs(3, { delay: '30s', maxDelay: '1h' }); // 120000
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'` when an option is invalid, or `attempt` is no whole number from 1.
 */
export function backoffMs(attempt: number, given?: BackoffOptions | Duration): number {
  if (!(Number.isInteger(attempt) && attempt >= 1))
    refuse(`The attempt is ${String(attempt)}: pass a whole number from 1`);
  const { delay = '1s', factor = 2, maxDelay, jitter = 'none' } = backoffOf(given);
  const first = toMs(delay, 'backoff.delay');
  const longest = maxDelay === undefined ? Math.max(toMs('5m'), first) : toMs(maxDelay, 'backoff.maxDelay');
  if (!(factor >= 1)) refuse(`backoff.factor is ${String(factor)}: pass a number of at least 1`);
  const random = typeof jitter === 'number' ? jitter : { none: 0, full: 1 }[jitter];
  if (!(random >= 0 && random <= 1))
    refuse(`backoff.jitter is ${jitter}: pass 'none', 'full', or a number from 0 to 1`);
  // Zero times infinity would be NaN.
  const ms = first === 0 ? 0 : Math.min(longest, first * factor ** (attempt - 1));
  return Math.round(ms * (1 - random * Math.random()));
}

/** The longest wait that an error may ask for, in ms. */
export const LONGEST_DELAY_MS = 366 * 86_400_000;

/**
 * The wait in ms that a `RetryAfterError` asks for: a duration, or the time until a date; 0 for a date in the past.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'` when it is invalid, or longer than 366 days.
 */
export function askedDelayMs(
  delay: Duration | Date,
  clock: Clock = systemClock,
  what = 'The delay of a RetryAfterError',
): number {
  const ms = delay instanceof Date ? Math.max(0, delay.getTime() - clock.now()) : toMs(delay, what);
  if (ms <= LONGEST_DELAY_MS) return ms;
  return refuse(`${what} is ${String(delay)}: pass a duration of at most 366 days, or a valid Date`);
}

/** Like an `InvalidArgumentError`, which imports this file. */
function refuse(message: string): never {
  throw Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT' });
}

/**
 * The wait in ms that a thrown value asks for; undefined if it is no `RetryAfterError`.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'`, as {@link askedDelayMs} does.
 */
export const deferralOf = (thrown: unknown, clock?: Clock): number | undefined =>
  isA(thrown, RetryAfterError) && 'delay' in thrown ? askedDelayMs(thrown.delay, clock) : undefined;

/** The longest delay of a timer; Node fires longer ones at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const beside = new AsyncLocalStorage<true>();

/** Runs `work`. What sleeps in it, and in all that it begins, does not keep the process alive. */
export const keepingNothingAlive = <T>(work: () => T): T => beside.run(true, work);

/** Keeps the process alive until `work` has ended, whatever that waits for. */
export async function keepingAlive<T>(work: () => Promise<T>): Promise<T> {
  const timeout = real.setInterval(() => undefined, MAX_TIMER_MS);
  try {
    return await work();
  } finally {
    real.clearInterval(timeout);
  }
}

/**
 * Resolves after `ms`, of any length, or when the signal aborts. Never rejects; keeps the process alive, unless it is
 * called in {@link keepingNothingAlive}.
 */
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
      real.clearTimeout(timeout);
      stopListening?.();
      resolve();
    };
    const timeout = real.setTimeout(wake, ms);
    if (beside.getStore()) timeout.unref();
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
export const macrotask = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve));

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
    const end = () => (left > MAX_TIMER_MS ? wait(left - MAX_TIMER_MS) : real.setImmediate(() => isOver || fire()));
    timer = real.setTimeout(end, Math.min(left, MAX_TIMER_MS));
  };
  wait(ms);
  return () => {
    isOver = true;
    real.clearTimeout(timer);
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

/** The longest delay of the Node timer, because those drift and are limited to 24.8 days. */
const LONGEST_MS = 60_000;

interface Entry {
  due: number;
  fire: () => void;
  cancelled: boolean;
}

/**
 * Many waits on one Node timer. They are due by `clock`, so a test that advances the clock calls `fire()`. Waits can
 * have any length.
 */
export class Timers {
  /** A binary heap, earliest first. */
  private readonly heap: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The number of cancelled entries in the heap. */
  private dead = 0;

  constructor(private readonly clock: Clock) {}

  /** Calls `fire` once the clock has reached `due` (epoch ms). Returns a function that cancels it. */
  at(due: number, fire: () => void): () => void {
    const entry: Entry = { due, fire, cancelled: false };
    this.push(entry);
    if (this.heap[0] === entry) this.arm();
    return () => this.callOff(entry);
  }

  /** When the next entry is due, epoch ms; undefined if there is none. */
  get next(): number | undefined {
    const alive = this.heap.filter(({ cancelled }) => !cancelled);
    return alive.length === 0 ? undefined : Math.min(...alive.map(({ due }) => due));
  }

  /** Fires all due entries. */
  fire(): void {
    const now = this.clock.now();
    while (this.heap[0] && (this.heap[0].cancelled || this.heap[0].due <= now)) {
      const entry = this.pop();
      if (entry.cancelled) {
        this.dead--;
        continue;
      }
      entry.cancelled = true;
      entry.fire();
    }
    this.arm();
  }

  stop(): void {
    real.clearTimeout(this.timer);
    this.heap.length = 0;
    this.dead = 0;
  }

  /** Removes cancelled entries once they fill half of the heap, so that they are not kept until they are due. */
  private callOff(entry: Entry): void {
    if (entry.cancelled) return;
    entry.cancelled = true;
    if (++this.dead < 64 || this.dead < this.heap.length / 2) return;
    const alive = this.heap.splice(0).filter(({ cancelled }) => !cancelled);
    this.dead = 0;
    for (const other of alive) this.push(other);
  }

  private arm(): void {
    real.clearTimeout(this.timer);
    const [next] = this.heap;
    if (!next) return;
    // Plus one millisecond: a timer may fire slightly early, and would then find nothing due.
    this.timer = real.setTimeout(() => this.fire(), Math.min(LONGEST_MS, Math.max(0, next.due - this.clock.now() + 1)));
    this.timer.unref();
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.due <= entry.due) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): Entry {
    const { heap } = this;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) this.sink(last);
    return top;
  }

  private sink(entry: Entry): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.due < heap[child]!.due) child++;
      if (heap[child]!.due >= entry.due) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
  }
}

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

/** How long a shutdown waits for running work: in development somebody waits for it, and so does the next process. */
export const usualShutdown = (): Duration => (process.env['NODE_ENV'] === 'production' ? '10s' : '1s');
