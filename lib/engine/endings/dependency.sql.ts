import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { FINAL_STATUSES, type NewRun, type RunStatus, NOTIFIES } from '../model/run.js';

/*
 * Dependencies lead from waiting runs to the runs they wait for. Deleting one requires the lock of its waiting run.
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

/** `created` restricts it to runs created by the same statement. */
export const insertDependencies = (
  { tables, dialect }: Scope,
  dependencies: readonly NewDependency[],
  created = raw(''),
): Statement => sql`
  INSERT INTO ${tables.dependencies} (target_id, run_id)
  SELECT e.target_id, e.run_id FROM ${dialect.rows(JSON.stringify(dependencies), DEPENDENCY_COLUMNS)} AS e ${created}`;

export const selectTargets = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT target_id FROM ${tables.dependencies} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** Waits for transactions that are ending one of these runs. */
export const lockOpen = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, notifies FROM ${scope.tables.runs}
  WHERE id ${amongKeys(scope.dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)}) ORDER BY id ${scope.dialect.forNoKeyUpdate}`;

/** Marks runs whose end must release waiting runs. */
export const notifyRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} SET notifies = notifies | ${int(NOTIFIES.runs)} WHERE id ${amongKeys(dialect, ids)}`;

export interface ConditionalRow {
  id: string;
  epoch: number | string;
  owner: string | null;
  limiter: string | null;
  late: number | boolean;
}

export const lockConditional = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, epoch, owner, limiter, CASE WHEN deadline <= ${nowOf(scope)} THEN 1 ELSE 0 END AS late
  FROM ${scope.tables.runs} WHERE id ${amongKeys(scope.dialect, ids)} ORDER BY id ${scope.dialect.forNoKeyUpdate}`;

export interface TargetRow {
  run_id: string;
  target_id: string;
  /** Null if the run no longer exists. */
  status: RunStatus | null;
}

/** The statuses of the awaited runs. A separate statement after the lock, so that earlier ends are seen. */
export const selectTargetStatuses = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT e.run_id, e.target_id, r.status FROM ${tables.dependencies} AS e LEFT JOIN ${tables.runs} AS r ON r.id = e.target_id
  WHERE e.run_id ${amongKeys(dialect, runIds)}`;

/** The precondition of a claimed run, evaluated. */
export interface Conditional {
  id: string;
  /** The number of runs it waits for. Zero: it may pass. */
  blockers: number;
  error: string | null;
}

/** For locked runs: waiting ones are parked; others pass, to their limiter if they have one, or will fail. */
export const decideConditional = (scope: Scope, decided: readonly Conditional[]): Statement => {
  const { tables, dialect } = scope;
  const [waits, fails] = [raw('w.blockers > 0'), raw('w.error IS NOT NULL')];
  const begins = raw('w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL');
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(JSON.stringify(decided), { id: 'key', blockers: 'int', error: 'text' })} AS w`,
    on: raw('r.id = w.id'),
    set: {
      owner: sql`CASE WHEN ${waits} THEN NULL ELSE r.owner END`,
      status: sql`CASE WHEN ${fails} THEN 'compensating' WHEN ${begins} THEN 'running' ELSE 'pending' END`,
      reason: sql`CASE WHEN ${waits} THEN 'waiting_for_runs' END`,
      wake_at: sql`CASE WHEN ${waits} THEN r.deadline END`,
      started_at: sql`CASE WHEN ${begins} THEN COALESCE(r.started_at, ${nowOf(scope)}) ELSE r.started_at END`,
      precondition: sql`CASE WHEN ${waits} THEN r.precondition WHEN ${fails} OR r.limiter IS NULL THEN NULL ELSE 'limiter' END`,
      closing: sql`CASE WHEN ${fails} THEN 'failed' ELSE r.closing END`,
      error: raw('COALESCE(w.error, r.error)'),
      blockers: raw('w.blockers'),
    },
  });
};
