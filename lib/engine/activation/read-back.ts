import { type Patience, untilBack } from '../../leasing/until-back.js';
import type { RunStore, RunWrite } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/** Without the owner: the empty commit only waits for the run's lock, no matter who owns the run by then. */
export type RunAtEpoch = Pick<RunWrite, 'runId' | 'epoch'>;

/**
 * Reads the settled record at a position, and retries while the database fails: only the record shows the outcome of
 * the step. A commit whose reply was lost may still be running on the server, and holds the run's lock until it ends.
 * So this function first waits for that lock; the record that it reads then is final.
 */
export function readBackFrom(store: Pick<RunStore, 'commit' | 'histories'>, patience: Patience) {
  return (claim: RunAtEpoch, seq: number): Promise<StepRecord | undefined> =>
    untilBack(async () => {
      await store.commit([{ ...claim, steps: [], tasks: [], takes: [], withdraws: [] }], async () => {});
      const history = await store.histories([claim.runId], { latest: true });
      return history.find((step) => step.seq === seq && step.settled !== null);
    }, patience);
}
