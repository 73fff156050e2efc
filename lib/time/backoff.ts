import { type Duration, toMs } from './duration.js';

export interface BackoffOptions {
  /** The wait after the first failure. Default `'1s'`. */
  delay?: Duration;
  /** What each further failure multiplies it by. Default 2. */
  factor?: number;
  /** The longest wait. Default `'5m'`. */
  maxDelay?: Duration;
  /** `'full'` waits a random time between 0 and the computed delay. Default `'none'`. */
  jitter?: 'none' | 'full';
}

/** The wait in ms before attempt `attempt + 1`, once attempt `attempt` (from 1) has failed. */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  const { delay = '1s', factor = 2, maxDelay = '5m', jitter = 'none' } = options;
  const ms = Math.min(toMs(maxDelay, 'backoff.maxDelay'), toMs(delay, 'backoff.delay') * factor ** (attempt - 1));
  return Math.round(jitter === 'full' ? Math.random() * ms : ms);
}
