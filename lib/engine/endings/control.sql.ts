import { join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { BLOCK_REASONS, FINAL_STATUSES } from '../model/run.js';
import { STEP_COLUMNS } from '../tables/step.sql.js';

/** In the app's transaction, MySQL returns the newest rows only to locking reads. */
const newest = ({ dialect }: Scope, joined: boolean): Statement => (joined ? sql` ${dialect.newest}` : raw(''));

/** Locks a run, so that its owner cannot write it. */
export const lockRun = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT id, namespace, workflow, status, reason, closing, notifies, unwinds, error, erased_at FROM ${tables.runs} WHERE id = ${runId} FOR UPDATE`;

export interface OpenRow {
  seq: number | string;
  kind: string;
  /** The delivered signal that its code has not taken. */
  given: string | null;
}

/** Its open remote steps and signal waits; also signals that were delivered and not taken. */
export const selectOpen = (scope: Scope, runId: string, joined: boolean): Statement =>
  sql`SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM ${scope.tables.steps} WHERE run_id = ${runId} AND kind IN ('remote', 'signal') AND settled IS NULL${newest(scope, joined)}`;

export const selectOpenChildren = (scope: Scope, parentId: string, joined = false): Statement => sql`
  SELECT id, parent_close FROM ${scope.tables.runs}
  WHERE parent_id = ${parentId} AND parent_close <> 'abandon' AND status NOT IN (${join(FINAL_STATUSES)})
  ORDER BY id${newest(scope, joined)}`;

export const endCancelled = (scope: Scope, runId: string, error: string | null): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL,
    reason_detail = NULL, closing = NULL, error = ${error}, finished_at = ${nowOf(scope)}
  WHERE id = ${runId}`;

/** Takes the run from its owner, makes it due at once, and stores its last place in the order of outcomes. */
export const beginClosing = (scope: Scope, runId: string, closing: string): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'compensating', closing = ${closing}, owner = NULL, epoch = epoch + 1, wake_at = ${nowOf(scope)},
    reason = NULL, reason_detail = NULL, crashes = 0,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = ${runId})
  WHERE id = ${runId}`;

export const selectOrders = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT id, settled FROM ${tables.runs} WHERE id ${amongKeys(dialect, runIds)}`;

/** Locks the rows, so that the app's transaction sees the newest ones, too. */
export const lockOpenRemote = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps}
  WHERE run_id ${amongKeys(dialect, runIds)} AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE`;

/** Stores the last place in the order of outcomes of these runs. */
export const countSettled = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${tables.runs}
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${tables.steps} AS s WHERE s.run_id = ${tables.runs}.id)
  WHERE id ${amongKeys(dialect, runIds)}`;

/** Removes delivered signals from steps: they are left to other waits. */
export const forgetGiven = ({ tables }: Scope, runId: string, seqs: readonly number[]): Statement => sql`
  UPDATE ${tables.steps} SET status = 'pending', output = NULL WHERE run_id = ${runId} AND seq IN (${join(seqs)})`;

export const deleteWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.waits} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** Makes a blocked run due at once; it keeps its reason until it is claimed. */
export const unblock = (scope: Scope, runId: string): Statement => sql`
  UPDATE ${scope.tables.runs} SET wake_at = ${nowOf(scope)}, crashes = 0
  WHERE id = ${runId} AND reason IN (${join(BLOCK_REASONS)})`;

/** Restores the error that had ended the run; stores its last place in the order, which an end does not do. */
export const compensateAgain = (scope: Scope, runId: string, error: string | null): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'compensating', wake_at = ${nowOf(scope)}, crashes = 0, finished_at = NULL, error = ${error},
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = ${runId})
  WHERE id = ${runId}`;

/** Deletes failed compensations, so that they start again. */
export const forgetFailedUndoing = ({ tables }: Scope, runId: string): Statement =>
  sql`DELETE FROM ${tables.steps} WHERE run_id = ${runId} AND seq < 0 AND status = 'failed'`;
