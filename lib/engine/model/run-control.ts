import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { WireError } from '../../protocol/wire-error.js';
import type { Endings } from './run-store.js';

/**
 * What other ports have to do in the transaction that closes a run: give up its open tasks and the answers to its waits,
 * tell who waits for it, and keep the notes of signals that it leaves to others.
 * Resolves to the answers that were there to what was given up, if anything was.
 */
export type ClosedAlongside = (
  closed: Endings & { withdrawn: readonly string[] },
  tx: Transaction,
) => Promise<readonly StepAnswer[] | undefined>;

/**
 * Of a run that was asked to end: `ended` at once, `closing` (an engine brings it to its end), or nothing to do:
 * `underway` (it is on its way to its end already), `over`, `missing`.
 */
export type CloseOutcome = 'ended' | 'closing' | 'underway' | 'over' | 'missing';

/** What is done to runs from outside of their code. Every method is atomic; locks are taken in the order of run ids. */
export interface RunControl {
  /**
   * Takes a run from whoever plays it and withdraws its open tasks. Where it is to be undone, what workers had answered by
   * then is the outcome of their steps. One that has nothing to compensate and no children
   * ends in the same transaction, and so does one that is `terminated` and has no open children; any other is due at
   * once for an engine to close it. `cancelled` changes nothing on a run that is being closed already, `terminated` ends
   * its compensation. Signals that it was given and has not taken are left to others. With `tx` this process is not told:
   * that is {@link announce}'s, after the commit.
   */
  close(
    id: string,
    how: 'cancelled' | 'terminated',
    alongside: ClosedAlongside,
    tx?: Transaction,
  ): Promise<CloseOutcome>;
  /** Open children of a run, by what is to become of them when it ends; in the order of their ids. */
  openChildren(parentId: string): Promise<{ id: string; close: 'cancel' | 'terminate' }[]>;
  /**
   * Makes a blocked run due, or one whose compensation failed: that compensation is tried afresh, and those that had not
   * begun come after it. `not-stuck` when it is neither. With `tx` nobody is told.
   */
  retry(id: string, tx?: Transaction): Promise<'retried' | 'not-stuck' | 'missing'>;
  /** Tells this process, once the transaction that {@link close} was given has committed. */
  announce(id: string, outcome: CloseOutcome, limiters: readonly string[]): void;
}

/** What a run ends with that was terminated. */
export const TERMINATED: WireError = {
  name: 'WorkflowTerminatedError',
  code: 'WORKFLOW_TERMINATED',
  message: 'The run was terminated: nothing of what it had done was compensated',
};
