import { backoffMs } from '../time/backoff.js';
import { type Clock, systemClock } from '../time/clock.js';
import { sleep } from '../time/sleep.js';
import { isConflict } from './database-errors.js';

export interface TransactionRetryOptions {
  /** Tries, counting the first. Default 10. */
  attempts?: number;
  /** No new try after this long: lock timeouts alone take a minute on some servers. Default 60 s. */
  giveUpAfterMs?: number;
  clock?: Clock;
}

/**
 * Runs `attempt` again when its transaction was the victim of another one. It must leave nothing behind when it
 * throws. Any other error, also a lost connection, is thrown at once: its commit may have happened.
 */
export async function retryTransaction<T>(
  attempt: () => Promise<T>,
  options: TransactionRetryOptions = {},
): Promise<T> {
  const { attempts = 10, giveUpAfterMs = 60_000, clock = systemClock } = options;
  const startedAt = clock.now();
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || tries >= attempts || clock.now() - startedAt >= giveUpAfterMs) throw error;
      // Jittered, or both victims meet again.
      await sleep(backoffMs(tries, { delay: 5, maxDelay: 500, jitter: 'full' }));
    }
  }
}
