import type { JsonColumn } from '../sql/dialect.js';
import { amongKeys, planned } from '../sql/key-list.js';
import { join, raw, sql, type Statement } from '../sql/statement.js';
import type { RunWrite } from './run-store.js';
import { nowOf, type Scope } from './run.sql.js';
import { upsertSteps } from './step.sql.js';

const COLUMNS = {
  id: 'key',
  epoch: 'int',
  status: 'key',
  reason: 'key',
  reason_detail: 'text',
  output: 'text',
  error: 'text',
  wake_at: 'int',
  settled: 'int',
  cleared: 'int',
} as const satisfies Record<string, JsonColumn>;

function rowOf({
  runId,
  epoch,
  transition,
  clearCrashes,
}: RunWrite): Record<keyof typeof COLUMNS, string | number | null> {
  const parked = transition?.status === 'suspended' ? transition : undefined;
  return {
    id: runId,
    epoch,
    status: transition?.status ?? null,
    reason: parked?.reason ?? null,
    reason_detail: parked?.detail ?? null,
    output: transition?.status === 'completed' ? transition.output : null,
    error: transition?.status === 'failed' ? JSON.stringify(transition.error) : null,
    wake_at: parked?.wakeAt ?? null,
    settled: parked?.settled ?? null,
    // A run that was parked in good order did not kill its process.
    cleared: clearCrashes || parked ? 1 : 0,
  };
}

/** In the order in which all writers lock. */
const byId = (a: RunWrite, b: RunWrite): number => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0);

const rowsOf = ({ dialect }: Scope, writes: readonly RunWrite[]): Statement =>
  dialect.rows(JSON.stringify([...writes].sort(byId).map(rowOf)), COLUMNS);

const changesRun = ({ transition, clearCrashes }: RunWrite): boolean =>
  transition !== undefined || clearCrashes === true;

/** `w` is a row of a write, `r` the run. A write without a status leaves the run with its owner. */
const assignments = (scope: Scope): Statement => {
  const to = (column: string) => raw(scope.dialect.family === 'postgres' ? column : `r.${column}`);
  const final = raw(`w.status IN ('completed', 'failed')`);
  return join([
    sql`${to('owner')} = CASE WHEN w.status IS NULL THEN r.owner END`,
    sql`${to('wake_at')} = w.wake_at`,
    sql`${to('settled')} = COALESCE(w.settled, r.settled)`,
    sql`${to('crashes')} = CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END`,
    sql`${to('reason')} = w.reason`,
    sql`${to('reason_detail')} = w.reason_detail`,
    sql`${to('output')} = w.output`,
    sql`${to('error')} = w.error`,
    sql`${to('finished_at')} = CASE WHEN ${final} THEN ${nowOf(scope)} END`,
    sql`${to('status')} = COALESCE(w.status, r.status)`,
  ]);
};

/**
 * PostgreSQL: the fence, the steps, the runs and the notification in one statement. Answers the runs that passed.
 * The lock is the weakest that keeps other writers out, and the run's row is rewritten only when the run changes.
 */
export const commitAll = (
  scope: Scope,
  writes: readonly RunWrite[],
  notification: Statement | undefined,
): Statement => {
  const { tables } = scope;
  const steps = writes.flatMap((write) => write.steps);
  const parts = [
    sql`w AS MATERIALIZED (SELECT listed.* FROM ${rowsOf(scope, writes)} AS listed CROSS JOIN ${planned})`,
    sql`held AS MATERIALIZED (
    SELECT o.id, o.epoch FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch FROM ${tables.runs} AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND r.owner IS NOT NULL FOR NO KEY UPDATE
    ) AS o)`,
    ...(steps.length > 0
      ? [sql`stepped AS (${upsertSteps(scope, steps, raw('JOIN held ON held.id = i.run_id'))})`]
      : []),
    ...(writes.some(changesRun)
      ? [
          sql`changed AS (
    UPDATE ${tables.runs} AS r SET ${assignments(scope)}
    FROM w JOIN held ON held.id = w.id WHERE r.id = w.id AND (w.status IS NOT NULL OR w.cleared = 1))`,
        ]
      : []),
  ];
  return sql`WITH ${join(parts, ',\n  ')}
  SELECT held.id, held.epoch${notification ? sql`, (${notification}) AS told` : raw('')} FROM held`;
};

/** The fence by itself: waits for whoever is writing these runs. */
export const lockRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, epoch, owner FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/** MySQL and MariaDB: what becomes of locked runs; undefined when nothing does. */
export const changeRuns = (scope: Scope, writes: readonly RunWrite[]): Statement | undefined => {
  const changing = writes.filter(changesRun);
  if (changing.length === 0) return undefined;
  return sql`UPDATE ${scope.tables.runs} AS r JOIN ${rowsOf(scope, changing)} AS w ON r.id = w.id SET ${assignments(scope)}`;
};

/** Runs that nobody owns, locked against being taken, with the order of their outcomes so far. */
export const lockUnowned = (scope: Scope, namespace: string, ids: readonly string[]): Statement => sql`
  SELECT id, status, reason, settled FROM ${scope.tables.runs}
  WHERE id ${amongKeys(scope.dialect, ids)} AND namespace = ${namespace} AND owner IS NULL ORDER BY id FOR UPDATE`;

/** Outcomes came in: the run is due, unless it stands still for a reason. */
export const wakeRuns = (scope: Scope, runs: readonly { id: string; settled: number }[]): Statement => {
  const { tables, dialect } = scope;
  const rows = dialect.rows(JSON.stringify(runs), { id: 'key', settled: 'int' });
  const to = (column: string) => raw(dialect.family === 'postgres' ? column : `r.${column}`);
  const due = sql`CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, ${nowOf(scope)}), ${nowOf(scope)}) END`;
  const set = sql`${to('settled')} = w.settled, ${to('wake_at')} = ${due}`;
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.runs} AS r SET ${set} FROM ${rows} AS w WHERE r.id = w.id`
    : sql`UPDATE ${tables.runs} AS r JOIN ${rows} AS w ON r.id = w.id SET ${set}`;
};
