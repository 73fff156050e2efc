import { amongKeys } from '../../sql/key-list.js';
import { join, raw, sql, type Statement } from '../../sql/statement.js';
import { FINAL_STATUSES, type NewRun, type RunStatus, NOTIFIES } from '../model/run.js';
import { nowOf, type Scope } from '../tables/run.sql.js';

/*
 * Dependencies lead from runs that wait to the runs they wait for. A run's dependencies are taken away under the lock of its row only.
 */

const DEPENDENCY_COLUMNS = { target_id: 'key', run_id: 'key' } as const;

export interface NewDependency {
  target_id: string;
  run_id: string;
}

/** In key order. */
export const dependenciesOf = (runs: readonly NewRun[]): NewDependency[] =>
  runs
    .flatMap(({ id: run_id, after = [] }) => after.map((target_id) => ({ target_id, run_id })))
    .sort((a, b) => compare(a.target_id, b.target_id) || compare(a.run_id, b.run_id));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `created` keeps to runs of the same statement. */
export const insertDependencies = (
  { tables, dialect }: Scope,
  dependencies: readonly NewDependency[],
  created = raw(''),
): Statement => sql`
  INSERT INTO ${tables.dependencies} (target_id, run_id)
  SELECT e.target_id, e.run_id FROM ${dialect.rows(JSON.stringify(dependencies), DEPENDENCY_COLUMNS)} AS e ${created}`;

export const selectTargets = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT target_id FROM ${tables.dependencies} WHERE run_id ${amongKeys(dialect, runIds)}`;

const lock = ({ dialect }: Scope): Statement => raw(dialect.family === 'postgres' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE');

/** Waits for whoever is ending one of them just now. */
export const lockOpen = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, notifies FROM ${scope.tables.runs}
  WHERE id ${amongKeys(scope.dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)}) ORDER BY id ${lock(scope)}`;

/** Whoever ends them looks for runs that wait. */
export const notifyRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} SET notifies = notifies | ${raw(String(NOTIFIES.runs))} WHERE id ${amongKeys(dialect, ids)}`;

export interface ConditionalRow {
  id: string;
  epoch: number | string;
  owner: string | null;
  limiter: string | null;
  late: number | boolean;
}

export const lockConditional = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, epoch, owner, limiter, CASE WHEN deadline <= ${nowOf(scope)} THEN 1 ELSE 0 END AS late
  FROM ${scope.tables.runs} WHERE id ${amongKeys(scope.dialect, ids)} ORDER BY id ${lock(scope)}`;

export interface TargetRow {
  run_id: string;
  target_id: string;
  /** Null when it is not there any more. */
  status: RunStatus | null;
}

/** How the runs stand that these wait for. A statement of its own, after the lock: what ended before is seen. */
export const selectTargetStatuses = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT e.run_id, e.target_id, r.status FROM ${tables.dependencies} AS e LEFT JOIN ${tables.runs} AS r ON r.id = e.target_id
  WHERE e.run_id ${amongKeys(dialect, runIds)}`;

/** What becomes of a claimed run at the precondition. */
export interface Conditional {
  id: string;
  /** For how many it waits. Zero: it may pass. */
  blockers: number;
  error: string | null;
}

/** Locked runs: those that wait are parked, others pass, to their limiter if they have one, or are to fail. */
export const decideConditional = (scope: Scope, decided: readonly Conditional[]): Statement => {
  const { tables, dialect } = scope;
  const rows = dialect.rows(JSON.stringify(decided), { id: 'key', blockers: 'int', error: 'text' });
  const to = (column: string) => raw(dialect.family === 'postgres' ? column : `r.${column}`);
  const [waits, fails] = [raw('w.blockers > 0'), raw('w.error IS NOT NULL')];
  const begins = raw('w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL');
  const set = join([
    sql`${to('owner')} = CASE WHEN ${waits} THEN NULL ELSE r.owner END`,
    sql`${to('status')} = CASE WHEN ${fails} THEN 'compensating' WHEN ${begins} THEN 'running' ELSE 'pending' END`,
    sql`${to('reason')} = CASE WHEN ${waits} THEN 'waiting_for_runs' END`,
    sql`${to('wake_at')} = CASE WHEN ${waits} THEN r.deadline END`,
    sql`${to('started_at')} = CASE WHEN ${begins} THEN COALESCE(r.started_at, ${nowOf(scope)}) ELSE r.started_at END`,
    sql`${to('precondition')} = CASE WHEN ${waits} THEN r.precondition WHEN ${fails} OR r.limiter IS NULL THEN NULL ELSE 'limiter' END`,
    sql`${to('closing')} = CASE WHEN ${fails} THEN 'failed' ELSE r.closing END`,
    sql`${to('error')} = COALESCE(w.error, r.error)`,
    sql`${to('blockers')} = w.blockers`,
  ]);
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.runs} AS r SET ${set} FROM ${rows} AS w WHERE r.id = w.id`
    : sql`UPDATE ${tables.runs} AS r JOIN ${rows} AS w ON r.id = w.id SET ${set}`;
};
