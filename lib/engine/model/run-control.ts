import type { Endings } from './run-store.js';
import type { ClaimedRun, NewRun, RunStatus } from './run.js';
import { WorkflowIdConflictError } from '../../errors.js';
import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type WireError, toWireError } from '../../protocol/wire-error.js';

export interface UnfinishedPage {
  /** As somebody who takes them would see them. In the order of their ids. */
  runs: ClaimedRun[];
  /** Where the next page begins; undefined when there is none. A page may be empty all the same. */
  next: string | undefined;
}

/** All runs that have not ended, for whoever looks at each of them once. */
export interface UnfinishedRuns {
  /**
   * Looks at up to `scan` runs whose ids come after `afterId`, whatever became of them, and returns those that have not
   * ended. Locks nothing and changes nothing; each page sees what is there when it is read.
   */
  page(query: { namespace: string; afterId: string; scan: number }): Promise<UnfinishedPage>;
}

export interface PurgeRuns {
  namespace: string;
  status: readonly RunStatus[];
  /** Only runs that ended so long ago, in ms. */
  olderThanMs: number;
  /** At most so many runs in this call. */
  limit: number;
}

/**
 * Gives up what workers were asked for on behalf of runs that are no more, in the transaction that deletes them. Resolves
 * to the answers that were there, if there were any.
 */
export type Withdrawing = (stepIds: readonly string[], tx: Transaction) => Promise<readonly StepAnswer[] | void>;

/**
 * Deletes runs and all that is theirs: steps, attempts, logs, attributes, waits, signals sent to them by id, permits of
 * limiters, start keys. Locks are taken in the order of run ids, ancestors and descendants alike; then the rest.
 *
 * Signals that were reserved for them and had not come to them are released. A child that stays when its parent
 * goes stays as a run without a parent.
 */
export interface RunRemoval {
  /**
   * Deletes those of these runs that have ended, and with them all their descendants that have. One that has not ended
   * stays, and so does all that descends from it. Returns the ids, descendants' included.
   */
  delete(ids: readonly string[], withdraw: Withdrawing, tx?: Transaction): Promise<string[]>;
  /**
   * Deletes the longest ended first; never waits for anybody's lock. A run stays while its parent has not ended or
   * others have still to be told of its end, and for another time when somebody has locked it or a child of it that
   * would stay. Each run goes by its own age and status, whatever becomes of its parent. Returns how many.
   */
  purge(request: PurgeRuns, withdraw: Withdrawing): Promise<number>;
  /** Deletes what has served its time whatever the app wants to keep: start keys that have expired. Returns how many. */
  tidy(limit: number): Promise<number>;
}

/** Where a run that has the id belongs. */
export interface Belonging {
  id: string;
  parentId: string | null;
  parentSeq: number | null;
}

/** Whether the run that has the id is the very child that was asked for, by an earlier issue of the same commit. */
export const isSameChild = ({ parent }: NewRun, taken: Belonging): boolean =>
  taken.parentId === parent?.id && taken.parentSeq === parent?.seq;

/** What the step of a child is told whose id is another run's. */
export function answerOfConflict({ id, parent }: NewRun): StepAnswer[] {
  if (!parent) return [];
  const { id: runId, seq } = parent;
  const error = toWireError(new WorkflowIdConflictError(id, 'origin: it is not the child of this step'));
  const to = { stepId: stepIdOf(runId, seq), runId, seq, startedAt: null, createdAt: 0 };
  return [{ ...to, status: 'failed', output: null, error: JSON.stringify(error) }];
}

/**
 * What other ports have to do in the transaction that closes a run: give up its open tasks and the answers to its waits,
 * tell who waits for it, and keep the notes of signals that it leaves to others.
 * Resolves to the answers that were there to what was given up, if anything was.
 */
export type GivingUp = (
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
   * its compensation. Signals that it was given and has not taken are left to others. Whoever plays the run, and whoever
   * waits for it, hears of it with the commit.
   */
  close(id: string, how: 'cancelled' | 'terminated', givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome>;
  /** Open children of a run, by what is to become of them when it ends; in the order of their ids. */
  openChildren(parentId: string): Promise<{ id: string; close: 'cancel' | 'terminate' }[]>;
  /**
   * Makes a blocked run due, or one whose compensation failed: that compensation is tried afresh, and those that had not
   * begun come after it. `not-stuck` when it is neither. Engines hear of it with the commit.
   */
  retry(id: string, tx?: Transaction): Promise<'retried' | 'not-stuck' | 'missing'>;
}

/** What a run ends with that was terminated. */
export const TERMINATED: WireError = {
  name: 'WorkflowTerminatedError',
  code: 'WORKFLOW_TERMINATED',
  message: 'The run was terminated: nothing of what it had done was compensated',
};
