import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { RunStatus } from './run.js';

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
 * Signals that were reserved for them and had not come to them are anybody's again. A child that stays when its parent
 * goes stays as a run without a parent.
 */
export interface RunRemoval {
  /**
   * Deletes those of these runs that have ended, and with them all their descendants that have. One that has not ended
   * stays, and so does all that descends from it. Answers the ids, descendants' included.
   */
  delete(ids: readonly string[], withdraw: Withdrawing, tx?: Transaction): Promise<string[]>;
  /**
   * Deletes the longest ended first; never waits for anybody's lock. A run stays while its parent has not ended or
   * others have still to be told of its end, and for another time when somebody has locked it or a child of it that
   * would stay. Each run goes by its own age and status, whatever becomes of its parent. Answers how many.
   */
  purge(request: PurgeRuns, withdraw: Withdrawing): Promise<number>;
  /** Deletes what has served its time whatever the app wants to keep: start keys that have expired. Answers how many. */
  tidy(limit: number): Promise<number>;
}
