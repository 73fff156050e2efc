import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Release } from '../model/run-endings.js';
import { FINAL_STATUSES, type RunStatus } from '../model/run.js';

export interface EndedChildRow {
  id: string;
  parent_id: string;
  parent_seq: number | string;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** Ended runs whose parents have not ended: an answer to an ended parent would never be taken. */
export const selectEndedChildren = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM ${tables.runs} AS r JOIN ${tables.runs} AS p ON p.id = r.parent_id
  WHERE r.id ${amongKeys(dialect, ids)} AND p.status NOT IN (${join(FINAL_STATUSES)})`;

export interface DependencyRow {
  target_id: string;
  run_id: string;
}

export const selectDependenciesTo = ({ tables, dialect }: Scope, targetIds: readonly string[]): Statement =>
  sql`SELECT target_id, run_id FROM ${tables.dependencies} WHERE target_id ${amongKeys(dialect, targetIds)}`;

export interface WaiterRow {
  id: string;
  status: RunStatus;
  reason: string | null;
  owner: string | null;
  blockers: number | string;
}

/** Without a condition on their state, so that it waits for a run that is being parked instead of skipping it. */
export const lockWaiters = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, status, reason, owner, blockers FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} ORDER BY id
  ${dialect.forNoKeyUpdate}`;

const DEPENDENCY_COLUMNS = { target_id: 'key', run_id: 'key' } as const;

export const deleteDependencies = ({ tables, dialect }: Scope, dependencies: readonly DependencyRow[]): Statement => {
  const listed = dependencies.map(({ target_id, run_id }) => ({ target_id, run_id }));
  return dialect.deleteFrom({
    table: tables.dependencies,
    as: 'e',
    from: sql`${dialect.rows(JSON.stringify(listed), DEPENDENCY_COLUMNS)} AS g`,
    on: raw('e.target_id = g.target_id AND e.run_id = g.run_id'),
  });
};

export const deleteDependenciesOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.dependencies} WHERE run_id ${amongKeys(dialect, runIds)}`;

/**
 * Updates locked runs that wait for fewer runs now. A run that waits for none is due, and its precondition is met; a
 * run that depended on a failed one is due, and fails. `blockers` comes last, since MySQL assigns from left to right.
 */
export const releaseWaiters = (scope: Scope, releases: readonly Release[]): Statement => {
  const { tables, dialect } = scope;
  const free = raw('(w.error IS NOT NULL OR r.blockers <= w.met)');
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(JSON.stringify(releases), { id: 'key', met: 'int', error: 'text' })} AS w`,
    on: raw('r.id = w.id'),
    set: {
      wake_at: sql`CASE WHEN ${free} THEN ${nowOf(scope)} ELSE r.wake_at END`,
      reason: sql`CASE WHEN ${free} THEN NULL ELSE r.reason END`,
      precondition: sql`CASE WHEN NOT ${free} THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END`,
      closing: raw(`CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END`),
      error: raw('COALESCE(w.error, r.error)'),
      blockers: sql`CASE WHEN ${free} THEN 0 ELSE r.blockers - w.met END`,
    },
  });
};

/** The statuses of runs, ended or not. */
export const selectStatuses = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/** The limiters in which these runs, or steps of theirs, hold a permit or wait for one. */
export const selectLimitersOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT limiter FROM ${tables.limiterEntries} WHERE run_id ${amongKeys(dialect, runIds)}`;

export const deletePermitsOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.limiterEntries} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** The limiters of these holders. */
export const selectPermits = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`SELECT DISTINCT limiter FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;

export const deletePermits = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;
