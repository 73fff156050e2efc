import { type Duration, toMs } from './duration.js';

export interface BackoffOptions {
  /** The wait after the first failure. Default `'1s'`. */
  delay?: Duration;
  /** Each further failure multiplies the wait by this factor, at least 1. Default 2. */
  factor?: number;
  /** The longest wait. Default `'5m'`. */
  maxDelay?: Duration;
  /** `'full'` waits a random time between 0 and the computed delay. Default `'none'`. */
  jitter?: 'none' | 'full';
}

/** The names of all options. */
export const BACKOFF_OPTIONS = { delay: true, factor: true, maxDelay: true, jitter: true } as const satisfies Record<
  keyof BackoffOptions,
  true
>;

/**
 * The wait in ms before attempt `attempt + 1`, once attempt `attempt` (from 1) has failed.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'` when an option is invalid.
 */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  const { delay = '1s', factor = 2, maxDelay = '5m', jitter = 'none' } = options;
  const first = toMs(delay, 'backoff.delay');
  const longest = toMs(maxDelay, 'backoff.maxDelay');
  if (!(factor >= 1)) {
    const message = `backoff.factor is ${String(factor)}: pass a number of at least 1`;
    throw Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT' });
  }
  // Zero times infinity would be NaN.
  const ms = first === 0 ? 0 : Math.min(longest, first * factor ** (attempt - 1));
  return Math.round(jitter === 'full' ? Math.random() * ms : ms);
}
