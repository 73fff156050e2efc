import type { Transaction } from '../../protocol/transaction.js';
import type { GivingUp, ResumptionRefusal } from './run-control.js';
import type { ClaimedRun, RunRecord } from './run.js';
import type { StepRecord } from './step-record.js';

/** Whether two reads of a run are the same for a replay. */
export const isSame = (one: EditableRun, other: EditableRun): boolean => textOf(one) === textOf(other);

const textOf = ({ run: { status, closing, owner, input, erasedAt }, steps }: EditableRun): string =>
  JSON.stringify([status, closing, owner, input, erasedAt, steps]);

/** A run with what a replay of it needs. */
export interface EditableRun {
  run: RunRecord;
  claim: ClaimedRun;
  /** In the order of their positions. */
  steps: readonly StepRecord[];
}

/** The child whose outcome the step gets. */
export const childOf = (step: StepRecord | undefined): string | null => (step?.kind === 'child' ? step.ref : null);

/** Replays a run with a history, which may contain an edit. `asked`: the new positions that the code asked for. */
export type ReplayOf = (
  run: ClaimedRun,
  history: readonly StepRecord[],
) => Promise<{ asked: readonly StepRecord[]; refusal: string | undefined }>;

/** What operators change in runs, besides {@link RunControl}. */
export interface RunEdits {
  /**
   * Locks runs in the order of their ids, waiting for other writes, and returns those that exist, as they are then. Until
   * the transaction ends, nobody else writes them.
   */
  lock(ids: readonly string[], tx: Transaction): Promise<RunRecord[]>;
  /** A run and its history. With `tx` the run is locked, as by `lock`, and both are as they are then. */
  open(id: string, tx?: Transaction): Promise<EditableRun | undefined>;
  /**
   * Writes a step of a locked run, takes the run from its owner, and makes it due at once. If the step has an outcome,
   * its waits and its permit are removed, and `givingUp` withdraws its task; a signal that was delivered to it is left
   * to others. A failed run goes on as by {@link RunControl.retry}, before the step is written; but the child of this step
   * stays as it is, since nobody waits for it any more. The former owner and all engines are notified with the commit. Writes nothing and returns why a failed run cannot go on, or false if the run is
   * no longer as it was `found`, where a lock does not prevent that.
   */
  rewrite(
    found: EditableRun,
    step: StepRecord,
    givingUp: GivingUp,
    tx: Transaction,
  ): Promise<boolean | ResumptionRefusal>;
}
