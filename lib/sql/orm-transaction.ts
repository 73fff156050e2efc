import { isConflict, toDatabaseError } from './database-errors.js';
import type { OrmTransactionOptions } from './sql-executor.js';
import { backoffMs } from '../time/backoff.js';
import { type Clock, systemClock } from '../time/clock.js';
import { sleep } from '../time/sleep.js';

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

/**
 * Runs `work` in a transaction that an ORM opens and closes; retries it from the start after a conflict, unless `once`.
 * Errors of `work` are thrown unchanged; those of beginning and committing as `DatabaseError`.
 */
export function ormTransaction<Handle, T>(
  open: (inside: (handle: Handle) => Promise<T>) => Promise<T>,
  work: (handle: Handle) => Promise<T>,
  { once = false }: OrmTransactionOptions = {},
): Promise<T> {
  const attempt = async () => {
    let working = false;
    try {
      return await open(async (handle) => {
        working = true;
        const answer = await work(handle);
        working = false;
        return answer;
      });
    } catch (error) {
      throw working ? error : toDatabaseError(error);
    }
  };
  return once ? attempt() : retryTransaction(attempt);
}
