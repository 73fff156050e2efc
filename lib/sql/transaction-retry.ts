import { backoffMs } from '../time/backoff.js';
import { type Clock, systemClock } from '../time/clock.js';
import { sleep } from '../time/sleep.js';
import { isConflict } from './database-errors.js';

export interface TransactionRetryOptions {
  /** The maximum number of tries, including the first. Default 10. */
  attempts?: number;
  /** No retry after this time: a lock timeout alone takes a minute on some servers. Default 60 s. */
  giveUpAfterMs?: number;
  clock?: Clock;
}

/**
 * Retries `attempt` after a conflict with another transaction. It must have no effects when it throws. Any other error
 * is thrown at once, including a lost connection, since its commit may have happened.
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
      // Jittered, otherwise both victims would conflict again.
      await sleep(backoffMs(tries, { delay: 5, maxDelay: 500, jitter: 'full' }));
    }
  }
}
