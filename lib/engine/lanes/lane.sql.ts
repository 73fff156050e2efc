import { amongKeys, planned } from '../../sql/key-list.js';
import { id, join, raw, sql, type Statement } from '../../sql/statement.js';
import { type LaneTicket, NOTIFIES } from '../model/run.js';
import type { QueuedTask } from '../model/run-store.js';
import { nowOf, type Scope } from '../tables/run.sql.js';

/*
 * Lanes and who is in them. Locks are taken in this order: runs by id, lanes by key, then entries and runs of others,
 * these two with SKIP LOCKED: whoever gives places never waits for whoever holds one.
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
  lane: string;
  holder: string;
  run_id: string;
  limits: string;
  at: number | string;
}

/** Runs that were claimed to be let in. */
export const lockConditional = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= ${nowOf(scope)} THEN 1 ELSE 0 END AS overdue
  FROM ${scope.tables.runs} WHERE id ${amongKeys(scope.dialect, ids)} AND owner IS NOT NULL ORDER BY id FOR UPDATE`;

export const insertLanes = ({ tables, dialect }: Scope, tickets: readonly LaneTicket[]): Statement => {
  const rows = [...new Map(tickets.map((ticket) => [ticket.lane, ticket])).values()]
    .sort((a, b) => (a.lane < b.lane ? -1 : 1))
    .map(({ lane, namespace, name, key }) => ({ lane, namespace, name, lane_key: key }));
  const columns = { lane: 'key', namespace: 'key', name: 'key', lane_key: 'key' } as const;
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.lanes} (lane, namespace, name, lane_key)
  SELECT n.lane, n.namespace, n.name, n.lane_key FROM ${dialect.rows(JSON.stringify(rows), columns)} AS n`,
    id('lane'),
  );
};

export const lockLanes = ({ tables, dialect }: Scope, lanes: readonly string[]): Statement =>
  sql`SELECT lane, grants, open_at FROM ${tables.lanes} WHERE lane ${amongKeys(dialect, lanes)} ORDER BY lane FOR UPDATE`;

/** The same to look at. */
export const selectLanes = ({ tables, dialect }: Scope, lanes: readonly string[]): Statement =>
  sql`SELECT lane, grants, open_at FROM ${tables.lanes} WHERE lane ${amongKeys(dialect, lanes)}`;

export const countGranted = ({ tables, dialect }: Scope, lanes: readonly string[]): Statement => sql`
  SELECT lane, count(*) AS granted FROM ${tables.laneEntries}
  WHERE lane ${amongKeys(dialect, lanes)} AND granted = 1 GROUP BY lane`;

/** The first of each line, each a probe of the index in its order. */
export const selectWaiting = (scope: Scope, lanes: readonly string[], page: number): Statement => {
  const { tables, dialect } = scope;
  const columns = sql`e.lane, e.holder, e.run_id, e.limits, ${nowOf(scope)} AS at`;
  const first = (lane: Statement) => sql`SELECT ${columns} FROM ${tables.laneEntries} AS e
    WHERE e.lane = ${lane} AND e.granted = 0 ORDER BY e.place, e.queued_at, e.holder LIMIT ${raw(String(page))}`;
  if (dialect.family === 'mysql')
    return join(
      lanes.map((lane) => sql`(${first(sql`${lane}`)})`),
      ' UNION ALL ',
    );
  const listed = dialect.rows(JSON.stringify(lanes.map((lane) => ({ lane }))), { lane: 'key' });
  return sql`SELECT o.* FROM ${listed} AS l CROSS JOIN ${planned} CROSS JOIN LATERAL (${first(raw('l.lane'))}) AS o`;
};

/** Runs go to the end of their line; one that is in it already keeps its place. */
export const insertRunEntries = (
  { tables, dialect }: Scope,
  runs: readonly { id: string; lane: string; ticket: string; place: number; queuedAt: number }[],
): Statement => {
  const rows = runs.map(({ id: holder, lane, ticket, place, queuedAt }) => ({
    ...{ holder, lane, limits: ticket, place, queued_at: queuedAt },
  }));
  const columns = { holder: 'key', lane: 'key', limits: 'text', place: 'int', queued_at: 'int' } as const;
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.laneEntries} (holder, lane, run_id, granted, place, queued_at, limits)
  SELECT n.holder, n.lane, n.holder, 0, n.place, n.queued_at, n.limits
  FROM ${dialect.rows(JSON.stringify(rows), columns)} AS n`,
    id('holder'),
  );
};

/** Steps, with their tasks. One whose task got lost gives its place back and is the next to get one. */
export const upsertStepEntries = (scope: Scope, queues: readonly QueuedTask[]): Statement => {
  const { tables, dialect } = scope;
  const rows = queues
    .map(({ task, ticket, priority }) => ({
      ...{ holder: task.stepId, lane: ticket.lane, run_id: task.runId, place: -priority },
      ...{ limits: JSON.stringify(ticket), task: JSON.stringify(task) },
    }))
    .sort((a, b) => (a.holder < b.holder ? -1 : 1));
  const columns = { holder: 'key', lane: 'key', run_id: 'key', place: 'int', limits: 'text', task: 'text' } as const;
  const again = dialect.onConflictUpdate([id('holder')], (incoming) =>
    join([sql`granted = 0`, ...['lane', 'limits', 'task'].map((column) => sql`${id(column)} = ${incoming(column)}`)]),
  );
  return sql`
  INSERT INTO ${tables.laneEntries} (holder, lane, run_id, granted, place, queued_at, limits, task)
  SELECT n.holder, n.lane, n.run_id, 0, n.place, ${nowOf(scope)}, n.limits, n.task
  FROM ${dialect.rows(JSON.stringify(rows), columns)} AS n ${raw(dialect.family === 'postgres' ? 'WHERE true' : '')} ${again}`;
};

export const deleteEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.laneEntries} WHERE holder ${amongKeys(dialect, holders)}`;

/** Those of runs, and of all their steps. */
export const selectEntriesOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT holder, lane FROM ${tables.laneEntries} WHERE run_id ${amongKeys(dialect, runIds)}`;

export const selectEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`SELECT holder, lane, granted FROM ${tables.laneEntries} WHERE holder ${amongKeys(dialect, holders)}`;

/** Those that are still there and that nobody is taking away. */
export const lockEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement => sql`
  SELECT holder, run_id, task FROM ${tables.laneEntries}
  WHERE holder ${amongKeys(dialect, holders)} AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED`;

/** Runs that wait at their lane, but for those that somebody holds just now. */
export const lockWaitingRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, owner FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} AND precondition = 'lane' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED`;

export const markGranted = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`UPDATE ${tables.laneEntries} SET granted = 1, task = NULL WHERE holder ${amongKeys(dialect, holders)}`;

/** The precondition is open. A run that is owned is just being asked for by its owner, which will find it so. */
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

export const updateLanes = (
  { tables, dialect }: Scope,
  lanes: readonly { lane: string; grants: string | null; open_at: number | null }[],
): Statement => {
  const rows = dialect.rows(JSON.stringify(lanes), { lane: 'key', grants: 'text', open_at: 'int' });
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.lanes} AS l SET grants = n.grants, open_at = n.open_at FROM ${rows} AS n WHERE l.lane = n.lane`
    : sql`UPDATE ${tables.lanes} AS l JOIN ${rows} AS n ON l.lane = n.lane SET l.grants = n.grants, l.open_at = n.open_at`;
};

export const deleteLanes = ({ tables, dialect }: Scope, lanes: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.lanes} WHERE lane ${amongKeys(dialect, lanes)}`;

/** The next lanes that anybody is in, stepping from lane to lane and over all who are in one. */
export const selectPeopled = ({ tables, dialect }: Scope, after: string, limit: number): Statement => {
  const most = raw(String(limit));
  const entries = tables.laneEntries;
  if (dialect.family === 'mysql')
    return sql`SELECT DISTINCT lane FROM ${entries} WHERE lane > ${after} ORDER BY lane LIMIT ${most}`;
  return sql`
  WITH RECURSIVE peopled(lane) AS (
    (SELECT lane FROM ${entries} WHERE lane > ${after} ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT e.lane FROM ${entries} AS e WHERE e.lane > p.lane ORDER BY e.lane LIMIT 1)
    FROM peopled AS p WHERE p.lane IS NOT NULL
  )
  SELECT lane FROM peopled WHERE lane IS NOT NULL LIMIT ${most}`;
};

/** The ends of these runs mean something for lanes. */
export const notifyLanes = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} SET notifies = notifies + ${raw(String(NOTIFIES.lane))}
  WHERE id ${amongKeys(dialect, runIds)} AND notifies < ${raw(String(NOTIFIES.lane))}`;
