import type { StepTask } from '../protocol/step.js';
import { sql, type Statement } from './dialects/statement.js';

/** What a commit of runs does in the tables of the transport. */
export interface Ridden {
  tasks: readonly StepTask[];
  /** Step ids of the answers that it takes. */
  takes: readonly string[];
}

/**
 * Whether the run of this column passed the fencing: only such runs write anything. `passed` is a part of the statement.
 * IS TRUE keeps the lookup a hashed subplan, where a semi-join might loop over all pairs.
 */
export const hasPassed = (runId: Statement): Statement => sql`(${runId} IN (SELECT passed.id FROM passed)) IS TRUE`;

/**
 * PostgreSQL: dispatches tasks and takes answers within the statement that commits their runs, in place of statements of
 * their own in a transaction.
 */
export interface CommitRiders {
  /** Parts of the statement's WITH, after `passed`. They notify workers of other processes with the commit. */
  parts(ridden: Ridden): Statement[];
  /** One value: the dispatch time, epoch ms; null if no task was written. To be selected if there are tasks. */
  readonly dispatchedAt: Statement;
}
