import { DatabaseError } from '../errors/database-errors.js';
import { type BackoffOptions, backoffMs } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';

export interface Patience {
  /** Once it aborts, the next failure is thrown. Default: never. */
  stopped?: AbortSignal;
  /** Which failures are retried; the others are thrown. Default: every `DatabaseError`. */
  passes?: (error: unknown) => boolean;
  /** Called and awaited before each wait, with the error, the number of failures and the wait. It may throw to end the retries. */
  onFailure?: (error: unknown, failures: number, waitMs: number) => unknown;
  /** The wait after each failure. Default: from 50 ms to 2 s, jittered. */
  retry?: BackoffOptions;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/** Whether a retry may help. */
export const mayPass = (error: unknown): error is DatabaseError => error instanceof DatabaseError && !error.aboutData;

/** Retries `work`, which receives the number of failures, until the database is available again. */
export async function untilBack<T>(work: (failures: number) => Promise<T>, patience: Patience): Promise<T> {
  const { stopped, passes = (error) => error instanceof DatabaseError, onFailure, retry = RETRY } = patience;
  for (let failures = 0; ;) {
    try {
      return await work(failures);
    } catch (error) {
      if (stopped?.aborted || !passes(error)) throw error;
      const waitMs = backoffMs(++failures, retry);
      await onFailure?.(error, failures, waitMs);
      await sleep(waitMs, stopped);
    }
  }
}
