import { amongKeys } from '../../sql/key-list.js';
import { join, raw, sql, type Statement } from '../../sql/statement.js';
import type { Release } from '../model/run-endings.js';
import { FINAL_STATUSES, type RunStatus } from '../model/run.js';
import { nowOf, type Scope } from '../tables/run.sql.js';

export interface EndedChildRow {
  id: string;
  parent_id: string;
  parent_seq: number | string;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** Ended runs whose parents may still want to know: to a parent that is over nobody would ever bring an answer. */
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

/** Without a condition on how they stand: one that is being parked just now has to be waited for, not passed over. */
export const lockWaiters = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, status, reason, owner, blockers FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} ORDER BY id
  ${raw(dialect.family === 'postgres' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE')}`;

const DEPENDENCY_COLUMNS = { target_id: 'key', run_id: 'key' } as const;

export const deleteDependencies = ({ tables, dialect }: Scope, dependencies: readonly DependencyRow[]): Statement => {
  const rows = dialect.rows(
    JSON.stringify(dependencies.map(({ target_id, run_id }) => ({ target_id, run_id }))),
    DEPENDENCY_COLUMNS,
  );
  const matches = raw('e.target_id = g.target_id AND e.run_id = g.run_id');
  return dialect.family === 'postgres'
    ? sql`DELETE FROM ${tables.dependencies} AS e USING ${rows} AS g WHERE ${matches}`
    : sql`DELETE e FROM ${tables.dependencies} AS e JOIN ${rows} AS g ON ${matches}`;
};

export const deleteDependenciesOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.dependencies} WHERE run_id ${amongKeys(dialect, runIds)}`;

/**
 * Locked runs that wait for fewer others now. Whoever waits for none any longer is due, and past the precondition; one that
 * depended on a failure is due to fail. `blockers` comes last, since MySQL assigns from left to right.
 */
export const releaseWaiters = (scope: Scope, releases: readonly Release[]): Statement => {
  const { tables, dialect } = scope;
  const rows = dialect.rows(JSON.stringify(releases), { id: 'key', met: 'int', error: 'text' });
  const to = (column: string) => raw(dialect.family === 'postgres' ? column : `r.${column}`);
  const free = raw('(w.error IS NOT NULL OR r.blockers <= w.met)');
  const set = join([
    sql`${to('wake_at')} = CASE WHEN ${free} THEN ${nowOf(scope)} ELSE r.wake_at END`,
    sql`${to('reason')} = CASE WHEN ${free} THEN NULL ELSE r.reason END`,
    sql`${to('precondition')} = CASE WHEN NOT ${free} THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END`,
    sql`${to('closing')} = CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END`,
    sql`${to('error')} = COALESCE(w.error, r.error)`,
    sql`${to('blockers')} = CASE WHEN ${free} THEN 0 ELSE r.blockers - w.met END`,
  ]);
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.runs} AS r SET ${set} FROM ${rows} AS w WHERE r.id = w.id`
    : sql`UPDATE ${tables.runs} AS r JOIN ${rows} AS w ON r.id = w.id SET ${set}`;
};

/** How runs stand, whether or not they have ended. */
export const selectStatuses = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/** The limiters in which these runs, or steps of theirs, hold a permit or wait for one. */
export const selectLimitersOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT limiter FROM ${tables.limiterEntries} WHERE run_id ${amongKeys(dialect, runIds)}`;

export const deletePermitsOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.limiterEntries} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** The limiters in which these hold a permit. */
export const selectPermits = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`SELECT DISTINCT limiter FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;

export const deletePermits = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;
