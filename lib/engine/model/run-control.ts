import type { Endings } from './run-store.js';
import type { ClaimedRun, NewRun, RunStatus } from './run.js';
import { WorkflowIdConflictError } from '../../errors.js';
import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type WireError, toWireError } from '../../protocol/wire-error.js';

export interface UnfinishedPage {
  /** In the form of a claim, in the order of their ids. */
  runs: ClaimedRun[];
  /** The start of the next page; undefined at the end. A page with `next` may be empty. */
  next: string | undefined;
}

/** Reads all runs that have not ended, each once. */
export interface UnfinishedRuns {
  /**
   * Reads up to `scan` runs of any status whose ids come after `afterId`, and returns those that have not ended. Locks
   * and changes nothing; each page shows the state at the time of its read.
   */
  page(query: { namespace: string; afterId: string; scan: number }): Promise<UnfinishedPage>;
}

export interface PurgeRuns {
  namespace: string;
  status: readonly RunStatus[];
  /** Only runs that ended at least this long ago, in ms. */
  olderThanMs: number;
  /** The most runs that this call deletes. */
  limit: number;
}

/**
 * Deletes runs and all their data: steps, attempts, logs, attributes, waits, signals sent to them by id, permits of
 * limiters, start keys. It locks the runs, ancestors and descendants, in the order of their ids, before other rows.
 *
 * Signals that were on their way to them are left to others, as by {@link RunControl.close}. If a child is kept when its
 * parent is deleted, it becomes a run without a parent.
 */
export interface RunRemoval {
  /**
   * Deletes the given runs that have ended, and their descendants that have ended. A run that has not ended is kept
   * with all its descendants. Returns the deleted ids, including those of descendants.
   */
  delete(ids: readonly string[], givingUp: GivingUp, tx?: Transaction): Promise<string[]>;
  /**
   * Deletes the runs that ended first; never waits for a lock. A run is kept while its parent has not ended or
   * dependents must still be notified of its end. It is kept until a later purge if it, or a child that would be kept,
   * is locked. Age and status of each run decide, independent of its parent. Returns how many it deleted.
   */
  purge(request: PurgeRuns, givingUp: GivingUp): Promise<number>;
  /** Deletes expired start keys, regardless of the app's retention. Returns how many. */
  tidy(limit: number): Promise<number>;
}

/** The parent of the existing run with an id. */
export interface Belonging {
  id: string;
  parentId: string | null;
  parentSeq: number | null;
}

/** Whether the existing run is the requested child itself, created by an earlier attempt of the same commit. */
export const isSameChild = ({ parent }: NewRun, taken: Belonging): boolean =>
  taken.parentId === parent?.id && taken.parentSeq === parent?.seq;

/** The answer to the step of a child whose id belongs to another run. */
export function answerOfConflict({ id, parent }: NewRun): StepAnswer[] {
  if (!parent) return [];
  const { id: runId, seq } = parent;
  const error = toWireError(new WorkflowIdConflictError(id, 'origin (it is not the child of this step)'));
  const to = { stepId: stepIdOf(runId, seq), runId, seq, startedAt: null, createdAt: 0 };
  return [{ ...to, status: 'failed', output: null, error: JSON.stringify(error) }];
}

/**
 * The work of other ports in the transaction that closes or deletes runs: withdraw their open tasks and the answers to
 * their waits, answer the steps that wait for them, and write notes of the signals that they leave to others.
 * Resolves to existing answers to withdrawn tasks, if any task was withdrawn.
 */
export type GivingUp = (
  closed: Endings & { withdrawn: readonly string[] },
  tx: Transaction,
) => Promise<readonly StepAnswer[] | undefined>;

/**
 * The outcome of closing a run: `ended` at once; `closing`: an engine will end it. Nothing was changed: `underway` (it
 * is being closed already), `over` (it had ended), `missing` (it does not exist).
 */
export type CloseOutcome = 'ended' | 'closing' | 'underway' | 'over' | 'missing';

/** Changes runs from outside of their code. Every method is atomic; locks are taken in the order of run ids. */
export interface RunControl {
  /**
   * Takes a run from its owner and withdraws its open tasks. If the run is compensated, existing answers of workers
   * become the outcomes of their steps. A run with nothing to compensate and no children ends in the same transaction,
   * and so does one that is `terminated` and has no open children; any other is due at once for an engine to close it.
   * `cancelled` changes nothing for a run that is being closed already; `terminated` ends its compensation. Signals
   * that it has not taken are released to others. The owner, and waiters for the run, are notified with the commit.
   */
  close(id: string, how: 'cancelled' | 'terminated', givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome>;
  /** Open children of a run, and how they are closed when it ends; in the order of their ids. */
  openChildren(parentId: string): Promise<{ id: string; close: 'cancel' | 'terminate' }[]>;
  /**
   * Makes a blocked run due, or a run whose compensation failed: that compensation starts with all attempts again, and
   * the remaining ones follow. `not-stuck` if the run is neither. Engines are notified with the commit.
   */
  retry(id: string, tx?: Transaction): Promise<'retried' | 'not-stuck' | 'missing'>;
}

export const TERMINATED: WireError = {
  name: 'WorkflowTerminatedError',
  code: 'WORKFLOW_TERMINATED',
  message: 'The run was terminated: nothing was compensated',
};
