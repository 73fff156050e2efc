import { byFamily } from '../../sql/dialects/dialect.js';
import { amongKeys, planned } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type LimitRequest, NOTIFIES } from '../model/run.js';
import type { QueuedTask } from '../model/run-store.js';

/*
 * Limiters and their entries. The order of locks: runs by id, limiters by key, then entries and runs of others. The
 * latter two are locked with SKIP LOCKED, so a grant never waits for a holder.
 */

export interface ConditionalRow {
  id: string;
  epoch: number | string;
  precondition: string | null;
  limits: string | null;
  priority: number | string;
  created_at: number | string;
  overdue: number | string | null;
}

export interface WaitingRow {
  limiter: string;
  holder: string;
  run_id: string;
  limits: string;
  at: number | string;
}

/** Locks claimed runs for their admission. */
export const lockConditional = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= ${nowOf(scope)} THEN 1 ELSE 0 END AS overdue
  FROM ${scope.tables.runs} WHERE id ${amongKeys(scope.dialect, ids)} AND owner IS NOT NULL ORDER BY id FOR UPDATE`;

export const insertLimiters = ({ tables, dialect }: Scope, limitRequests: readonly LimitRequest[]): Statement => {
  const rows = [...new Map(limitRequests.map((limitRequest) => [limitRequest.limiter, limitRequest])).values()]
    .sort((a, b) => (a.limiter < b.limiter ? -1 : 1))
    .map(({ limiter, namespace, name, key }) => ({ limiter, namespace, name, limiter_key: key }));
  const columns = { limiter: 'key', namespace: 'key', name: 'key', limiter_key: 'key' } as const;
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.limiters} (limiter, namespace, name, limiter_key)
  SELECT n.limiter, n.namespace, n.name, n.limiter_key FROM ${dialect.rows(JSON.stringify(rows), columns)} AS n`,
    id('limiter'),
  );
};

export const lockLimiters = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement =>
  sql`SELECT limiter, grants, open_at FROM ${tables.limiters} WHERE limiter ${amongKeys(dialect, limiters)} ORDER BY limiter FOR UPDATE`;

/** The same without locks. */
export const selectLimiters = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement =>
  sql`SELECT limiter, grants, open_at FROM ${tables.limiters} WHERE limiter ${amongKeys(dialect, limiters)}`;

export const countGranted = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement => sql`
  SELECT limiter, count(*) AS granted FROM ${tables.limiterEntries}
  WHERE limiter ${amongKeys(dialect, limiters)} AND granted = 1 GROUP BY limiter`;

/** The first entries of each queue; each queue is one range read in index order. */
export const selectWaiting = (scope: Scope, limiters: readonly string[], page: number): Statement => {
  const { tables, dialect } = scope;
  const columns = sql`e.limiter, e.holder, e.run_id, e.limits, ${nowOf(scope)} AS at`;
  const first = (limiter: Statement) => sql`SELECT ${columns} FROM ${tables.limiterEntries} AS e
    WHERE e.limiter = ${limiter} AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT ${int(page)}`;
  const listed = () => dialect.rows(JSON.stringify(limiters.map((limiter) => ({ limiter }))), { limiter: 'key' });
  return byFamily(dialect, {
    postgres: () =>
      sql`SELECT o.* FROM ${listed()} AS l CROSS JOIN ${planned} CROSS JOIN LATERAL (${first(raw('l.limiter'))}) AS o`,
    mysql: () =>
      join(
        limiters.map((limiter) => sql`(${first(sql`${limiter}`)})`),
        ' UNION ALL ',
      ),
  });
};

/** Adds runs to their queues; an existing entry keeps its permit. */
export const insertRunEntries = (
  { tables, dialect }: Scope,
  runs: readonly { id: string; limiter: string; limitRequest: string; turn: number; queuedAt: number }[],
): Statement => {
  const rows = runs.map(({ id: holder, limiter, limitRequest, turn, queuedAt }) => ({
    holder,
    limiter,
    limits: limitRequest,
    turn,
    queued_at: queuedAt,
  }));
  const columns = { holder: 'key', limiter: 'key', limits: 'text', turn: 'int', queued_at: 'int' } as const;
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.limiterEntries} (holder, limiter, run_id, granted, turn, queued_at, limits)
  SELECT n.holder, n.limiter, n.holder, 0, n.turn, n.queued_at, n.limits
  FROM ${dialect.rows(JSON.stringify(rows), columns)} AS n`,
    id('holder'),
  );
};

/** Adds steps with their tasks. A step whose task was lost releases its permit, and keeps its place in the queue. */
export const upsertStepEntries = (scope: Scope, queues: readonly QueuedTask[]): Statement => {
  const { tables, dialect } = scope;
  const rows = queues
    .map(({ task, limitRequest, priority }) => ({
      holder: task.stepId,
      limiter: limitRequest.limiter,
      run_id: task.runId,
      turn: -priority,
      limits: JSON.stringify(limitRequest),
      task: JSON.stringify(task),
    }))
    .sort((a, b) => (a.holder < b.holder ? -1 : 1));
  const columns = { holder: 'key', limiter: 'key', run_id: 'key', turn: 'int', limits: 'text', task: 'text' } as const;
  const again = dialect.onConflictUpdate([id('holder')], (incoming) =>
    join([
      sql`granted = 0`,
      ...['limiter', 'limits', 'task'].map((column) => sql`${id(column)} = ${incoming(column)}`),
    ]),
  );
  return sql`
  INSERT INTO ${tables.limiterEntries} (holder, limiter, run_id, granted, turn, queued_at, limits, task)
  SELECT n.holder, n.limiter, n.run_id, 0, n.turn, ${nowOf(scope)}, n.limits, n.task
  FROM ${dialect.rows(JSON.stringify(rows), columns)} AS n ${again}`;
};

export const deleteEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;

export const selectEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`SELECT holder, limiter, granted FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;

/** Locks waiting entries that still exist; skips those that are locked, for example because they are being removed. */
export const lockEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement => sql`
  SELECT holder, run_id, task FROM ${tables.limiterEntries}
  WHERE holder ${amongKeys(dialect, holders)} AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED`;

/** Locks runs that wait at their limiter; skips runs that are locked. */
export const lockWaitingRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, owner FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED`;

export const markGranted = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`UPDATE ${tables.limiterEntries} SET granted = 1, task = NULL WHERE holder ${amongKeys(dialect, holders)}`;

/** Clears the precondition. If a run has an owner, the owner is admitting it now and reads the result. */
export const passRuns = (scope: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN ${nowOf(scope)} END
  WHERE id ${amongKeys(scope.dialect, ids)}`;

export const startRuns = (scope: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, ${nowOf(scope)}),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id ${amongKeys(scope.dialect, ids)}`;

export const parkRuns = ({ tables, dialect }: Scope, ids: readonly string[], reason: string): Statement => sql`
  UPDATE ${tables.runs} SET owner = NULL, status = 'pending', reason = ${reason}, wake_at = deadline
  WHERE id ${amongKeys(dialect, ids)}`;

export const updateLimiters = (
  { tables, dialect }: Scope,
  limiters: readonly { limiter: string; grants: string | null; open_at: number | null }[],
): Statement =>
  dialect.updateFrom({
    table: tables.limiters,
    as: 'l',
    from: sql`${dialect.rows(JSON.stringify(limiters), { limiter: 'key', grants: 'text', open_at: 'int' })} AS n`,
    on: raw('l.limiter = n.limiter'),
    set: { grants: raw('n.grants'), open_at: raw('n.open_at') },
  });

export const deleteLimiters = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.limiters} WHERE limiter ${amongKeys(dialect, limiters)}`;

/** The next limiters with entries, read by index from one limiter to the next. */
export const selectPeopled = ({ tables, dialect }: Scope, after: string, limit: number): Statement => {
  const most = int(limit);
  const entries = tables.limiterEntries;
  return byFamily(dialect, {
    postgres: () => sql`
  WITH RECURSIVE peopled(limiter) AS (
    (SELECT limiter FROM ${entries} WHERE limiter > ${after} ORDER BY limiter LIMIT 1)
    UNION ALL
    SELECT (SELECT e.limiter FROM ${entries} AS e WHERE e.limiter > p.limiter ORDER BY e.limiter LIMIT 1)
    FROM peopled AS p WHERE p.limiter IS NOT NULL
  )
  SELECT limiter FROM peopled WHERE limiter IS NOT NULL LIMIT ${most}`,
    mysql: () => sql`SELECT DISTINCT limiter FROM ${entries} WHERE limiter > ${after} ORDER BY limiter LIMIT ${most}`,
  });
};

/** Marks runs whose end must be reported to limiters. */
export const notifyLimiters = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} SET notifies = notifies + ${int(NOTIFIES.limiter)}
  WHERE id ${amongKeys(dialect, runIds)} AND notifies < ${int(NOTIFIES.limiter)}`;
