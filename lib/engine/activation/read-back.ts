import { type Patience, untilBack } from '../../leasing/until-back.js';
import type { RunStore, RunWrite } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

/** Without its owner: the lock of the run is only waited for, and who owns it by then has waited for it too. */
export type RunAtEpoch = Pick<RunWrite, 'runId' | 'epoch'>;

/**
 * Reads the settled record at a position, however long the database is away or refuses meanwhile: only the record can
 * tell what became of the step, so no error of the database is an answer. A commit whose reply was lost may
 * still be under way on the server, and holds the run's lock until it has ended: so that lock is waited for first, and
 * what is read then is the last word.
 */
export function readBackFrom(store: Pick<RunStore, 'commit' | 'histories'>, patience: Patience) {
  return (claim: RunAtEpoch, seq: number): Promise<StepRecord | undefined> =>
    untilBack(async () => {
      await store.commit([{ ...claim, steps: [], tasks: [], takes: [], withdraws: [] }], async () => {});
      const history = await store.histories([claim.runId], { latest: true });
      return history.find((step) => step.seq === seq && step.settled !== null);
    }, patience);
}
