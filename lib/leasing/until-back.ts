import { DatabaseError } from '../errors.js';
import { type BackoffOptions, backoffMs } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';

export interface Patience {
  /** Once it aborts, nothing is waited for any longer: the next failure is thrown. Default: never. */
  stopped?: AbortSignal;
  /** Which failures are waited out; the others are thrown. Default: every `DatabaseError`. */
  passes?: (error: unknown) => boolean;
  /** Told of every failure that is waited out, of how many there have been, and of the wait. What it throws ends it all. */
  onFailure?: (error: unknown, failures: number, waitMs: number) => unknown;
  /** How long to wait after each. Default: from 50 ms to 2 s, jittered. */
  retry?: BackoffOptions;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/** Whether trying again may help. */
export const mayPass = (error: unknown): error is DatabaseError => error instanceof DatabaseError && !error.aboutData;

/** Does `work`, which is told how often it has failed, again and again until the database is back. */
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
