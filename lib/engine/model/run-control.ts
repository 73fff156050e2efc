import type { Endings } from './run-store.js';
import type { ClaimedRun, NewRun, RunStatus, RunTransition } from './run.js';
import type { RunNews } from './run-hooks.js';
import { WorkflowIdConflictError } from '../../errors/run-errors.js';
import { FIXED_TEXTS } from '../../protocol/fixed-texts.js';
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
  /**
   * Workflows and versions with runs that have been due for `olderThanMs`, and that no process has claimed: it has
   * nobody, or too few. Cheap, no matter how many runs wait.
   */
  overdue(namespace: string, olderThanMs: number): Promise<OverdueRuns[]>;
  /** The workflows and versions of the runs that `page` returns, without the runs. */
  versions(query: { namespace: string; afterId: string; scan: number }): Promise<VersionsPage>;
}

/** How many runs of a part of all runs have not ended, by what code they need. */
export interface VersionsPage {
  versions: { workflow: string; version: number; runs: number }[];
  /** The last id that was looked at; undefined if there are no more. */
  next: string | undefined;
}

/** Runs of a workflow and version that wait to be claimed. */
export interface OverdueRuns {
  workflow: string;
  version: number;
  /** Since when the first of them is due, epoch ms. */
  since: number;
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
 * their waits, answer the steps that wait for them, write notes of the signals that they leave to others, and tell hooks of `ended`.
 * Resolves to existing answers to withdrawn tasks, if any task was withdrawn.
 */
export type GivingUp = (
  closed: Endings & { withdrawn: readonly string[]; ended?: RunNews },
  tx: Transaction,
) => Promise<readonly StepAnswer[] | undefined>;

/**
 * The outcome of closing a run: `ended` at once; `closing`: an engine will end it. Nothing was changed: `underway` (it
 * is being closed already), `over` (it had ended), `missing` (it does not exist).
 */
export type CloseOutcome = 'ended' | 'closing' | 'underway' | 'over' | 'missing';

/**
 * Why a failed run, or a child that it needs, cannot go on. `compensated`: steps were undone. `closing`: a child is being
 * ended. `passed`: its code did more after the failure that ended it. `not_begun`: it failed before its code ran.
 * `effects`: it waits for calls that were enqueued.
 */
export interface ResumptionRefusal {
  why: 'compensated' | 'closing' | 'passed' | 'not_begun' | 'effects' | 'erased';
  runId: string;
  step?: string;
  seq?: number;
}

/** For a run that goes on with its parent, if at all: its steps that have failed are asked for again. */
export const outputsIn = (answers: readonly StepAnswer[] = []): StepAnswer[] =>
  answers.filter(({ status }) => status === 'completed');

/** Whether existing answers of workers still count: its steps are compensated, or a `retry` goes on with them. */
export const keepsAnswers = (transition: RunTransition | undefined): boolean =>
  transition?.status === 'compensating' || (transition?.status === 'failed' && transition.resume !== undefined);

/** Changes runs from outside of their code. Every method is atomic; locks are taken in the order of run ids. */
export interface RunControl {
  /**
   * Takes a run from its owner and withdraws its open tasks. Existing outputs of workers become the outcomes of their
   * steps; if the run is compensated, failures do too. A run with nothing to compensate and no children ends in the same transaction,
   * and so does one that is `terminated` and has no open children; any other is due at once for an engine to close it.
   * `cancelled` changes nothing for a run that is being closed already; `terminated` ends its compensation. Signals
   * that it has not taken are released to others. The owner, and waiters for the run, are notified with the commit.
   */
  close(id: string, how: 'cancelled' | 'terminated', givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome>;
  /** Open children of a run, and how they are closed when it ends; in the order of their ids. */
  openChildren(parentId: string): Promise<{ id: string; close: 'cancel' | 'terminate' }[]>;
  /**
   * Makes a stuck run due; `not-stuck` if it is none of these, `erased` if its history was. Engines are notified with the commit.
   *
   * - A blocked run. Steps that have used all their attempts get fresh ones, under the same ids.
   * - A run whose compensation failed: that compensation starts with all attempts again, and the remaining ones follow.
   * - A failed run: the failures that ended it are forgotten, their steps get fresh attempts under the same ids, and its
   *   children that did not complete go on, too. Steps that wait for children that have completed are answered. A run
   *   with a limiter asks it again, and its time limit begins anew. Returns a refusal, and changes nothing, if that
   *   cannot be done.
   */
  retry(
    id: string,
    givingUp: GivingUp,
    tx?: Transaction,
  ): Promise<'retried' | 'not-stuck' | 'erased' | 'missing' | ResumptionRefusal>;
}

export const TERMINATED: WireError = {
  name: 'WorkflowTerminatedError',
  code: 'WORKFLOW_TERMINATED',
  message: FIXED_TEXTS.terminated,
};
