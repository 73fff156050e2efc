import { type Clock, systemClock } from './clock.js';
import { type Duration, toMs } from './duration.js';

/** The longest wait that an error may ask for, in ms. */
export const LONGEST_DELAY_MS = 366 * 86_400_000;

/**
 * The wait in ms that a `RetryAfterError` asks for: a duration, or the time until a date; 0 for a date in the past.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'` when it is invalid, or longer than 366 days.
 */
export function askedDelayMs(delay: Duration | Date, clock: Clock = systemClock): number {
  const what = 'The delay of a RetryAfterError';
  const ms = delay instanceof Date ? Math.max(0, delay.getTime() - clock.now()) : toMs(delay, what);
  if (ms <= LONGEST_DELAY_MS) return ms;
  const message = `${what} is ${String(delay)}: pass a duration of at most 366 days, or a valid Date`;
  throw Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT' });
}

/**
 * The wait in ms that a thrown value asks for; undefined if it is no `RetryAfterError`. By name: the class may be of
 * another copy of this package.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'`, as {@link askedDelayMs} does.
 */
export const deferralOf = (thrown: unknown, clock?: Clock): number | undefined =>
  isRetryAfter(thrown) ? askedDelayMs(thrown.delay, clock) : undefined;

function isRetryAfter(thrown: unknown): thrown is { delay: Duration | Date } {
  if (typeof thrown !== 'object' || thrown === null || !('delay' in thrown)) return false;
  for (let type: object | null = thrown; type; type = Object.getPrototypeOf(type) as object | null)
    if (type.constructor?.name === 'RetryAfterError') return true;
  return false;
}
