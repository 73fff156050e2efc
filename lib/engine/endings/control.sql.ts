import { join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/sql-scope.js';
import { BLOCK_REASONS, FINAL_STATUSES } from '../model/run.js';
import { STEP_COLUMNS } from '../tables/step.sql.js';

/** In a transaction of the app's, MySQL shows the newest rows only to whoever locks them. */
const newest = ({ dialect }: Scope, joined: boolean): Statement => (joined ? sql` ${dialect.newest}` : raw(''));

/** A run, locked against whoever plays it. */
export const lockRun = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT id, status, reason, closing, notifies, unwinds, error FROM ${tables.runs} WHERE id = ${runId} FOR UPDATE`;

export interface OpenRow {
  seq: number | string;
  kind: string;
  /** What nobody's code has come to. */
  given: string | null;
}

/** What it has asked of others and has no answer to; of signals also what it was given and has not taken. */
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

/** Taken from its owner and due at once, its order of outcomes written down. */
export const beginClosing = (scope: Scope, runId: string, closing: string): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'compensating', closing = ${closing}, owner = NULL, epoch = epoch + 1, wake_at = ${nowOf(scope)},
    reason = NULL, reason_detail = NULL, crashes = 0,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = ${runId})
  WHERE id = ${runId}`;

export const selectOrders = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT id, settled FROM ${tables.runs} WHERE id ${amongKeys(dialect, runIds)}`;

/** Locked, so that a transaction of the app's sees the newest rows, too. */
export const lockOpenRemote = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps}
  WHERE run_id ${amongKeys(dialect, runIds)} AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE`;

/** Their order of outcomes, written down. */
export const countSettled = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${tables.runs}
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${tables.steps} AS s WHERE s.run_id = ${tables.runs}.id)
  WHERE id ${amongKeys(dialect, runIds)}`;

/** Steps that were given signals which are left to others. */
export const forgetGiven = ({ tables }: Scope, runId: string, seqs: readonly number[]): Statement => sql`
  UPDATE ${tables.steps} SET status = 'pending', output = NULL WHERE run_id = ${runId} AND seq IN (${join(seqs)})`;

export const deleteWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.waits} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** Blocked: due at once, with its reason until somebody takes it. */
export const unblock = (scope: Scope, runId: string): Statement => sql`
  UPDATE ${scope.tables.runs} SET wake_at = ${nowOf(scope)}, crashes = 0
  WHERE id = ${runId} AND reason IN (${join(BLOCK_REASONS)})`;

/** What had ended it is its error again; its order of outcomes is written down, which an end does not do. */
export const compensateAgain = (scope: Scope, runId: string, error: string | null): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'compensating', wake_at = ${nowOf(scope)}, crashes = 0, finished_at = NULL, error = ${error},
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = ${runId})
  WHERE id = ${runId}`;

/** Compensations that gave up: they begin anew. */
export const forgetFailedUndoing = ({ tables }: Scope, runId: string): Statement =>
  sql`DELETE FROM ${tables.steps} WHERE run_id = ${runId} AND seq < 0 AND status = 'failed'`;
