import { DatabaseError } from '../errors.js';
import { backoffMs } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';
import type { RunStore } from './run-store.js';
import type { StepRecord } from './step-record.js';

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

export interface ReadBackOptions {
  /** Told of every failure that is waited out. */
  onError: (error: unknown) => void;
  /** Once it aborts, a database that is away is waited for no longer. */
  stopped: AbortSignal;
}

/** Reads the settled record at a position, however long the database is away meanwhile. */
export function readBackFrom(store: Pick<RunStore, 'histories'>, { onError, stopped }: ReadBackOptions) {
  return async (runId: string, seq: number): Promise<StepRecord | undefined> => {
    for (let failures = 1; ; failures++) {
      try {
        const history = await store.histories([runId]);
        return history.find((step) => step.seq === seq && step.settled !== null);
      } catch (error) {
        if (!(error instanceof DatabaseError && error.transient) || stopped.aborted) throw error;
        onError(error);
        await sleep(backoffMs(failures, RETRY), stopped);
      }
    }
  };
}
