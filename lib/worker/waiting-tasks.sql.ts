import { workerOf } from '../core/protocol.js';
import { amongKeys, byFamily, inlineText } from '../sql/dialects.js';
import type { SqlConnection } from '../sql/executor.js';
import { indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { byName, type WaitingTask } from './claims.js';
import {
  type GroupInSight,
  type GroupsQuery,
  LAPSED_MS,
  MOST_TASKS_SCANNED,
  type StoredTask,
  type StoredTasksPage,
  type TaskAttempt,
  type TaskPosition,
  type TasksQuery,
  type TaskStatus,
  type WaitingPage,
  type WaitingQuery,
} from './waiting-tasks.js';

/** The most groups of one look whose tasks are read; the next look continues after them. */
const MOST_READ = 100;
/** The most tasks of one look, divided among its groups; the next look continues after them, too. */
const MOST_TASKS = 2_000;

/** The oldest tasks of a group whose window is elsewhere: those that workers claim next. */
const HEAD = 20;

/** Where the next look continues. */
interface Reached {
  /** After this group. */
  group: string;
  /** In a group of which not all tasks were read: after this one. */
  within: ReadonlyMap<string, WindowEnd>;
}

interface TaskRow {
  step_id: string;
  run_id: string;
  attempt: number | string;
  name: string;
  grp: string;
  created_at: number | string;
  waited_ms: number | string;
  claimed: number | string;
}

/**
 * Two statements, however much waits: the groups whose oldest task has waited for long, and a window of tasks of each.
 * What does not fit into one look is read by the next ones, so that nothing stays hidden behind something else.
 */
export async function waitingTasks(db: SqlConnection, scope: Scope, query: WaitingQuery): Promise<WaitingPage> {
  const { olderThanMs, cursor } = query;
  const reached: Reached = (cursor as Reached | undefined) ?? { group: '', within: new Map<string, WindowEnd>() };
  const { groups, next } = query.groups ? given(query.groups) : await overdueGroups(db, scope, reached, olderThanMs);
  if (groups.length === 0) return { tasks: [], cursor: { ...reached, group: next } satisfies Reached };
  const limit = Math.floor(MOST_TASKS / Math.max(10, groups.length));
  const windows = groups.map((group): Window => ({ group, after: reached.within.get(group), limit }));
  const heads = windows
    .filter(({ after }) => after)
    .map(({ group }): Window => ({ group, after: undefined, limit: HEAD }));
  const { rows } = await db.run<TaskRow>(selectWindows(scope, [...windows, ...heads]));
  const read = new Map(rows.map((row) => [row.step_id, taskOf(row)]));
  const old = [...read.values()].filter(({ waitedMs }) => waitedMs >= olderThanMs);
  const within = new Map([...reached.within].filter(([group]) => !groups.includes(group)));
  for (const window of windows) {
    const end = endOf(window, old);
    if (end) within.set(window.group, end);
  }
  return { tasks: byName(old), cursor: { group: next, within } satisfies Reached };
}

/** Where a group continues that has filled its window; it reads a few tasks again. */
function endOf({ group, after, limit }: Window, tasks: readonly WaitingTask[]): WindowEnd | undefined {
  const own = tasks.filter((task) => task.group === group && isPast(after, task));
  if (own.length < limit) return undefined;
  const createdAt = Math.max(...own.map((task) => task.createdAt));
  // The first window may have any of the tasks of this time.
  if (after === undefined) return { createdAt, stepId: '' };
  const last = own.filter((task) => task.createdAt === createdAt).map(({ stepId }) => stepId);
  return { createdAt, stepId: last.sort().at(-1)! };
}

const isPast = (end: WindowEnd | undefined, { createdAt, stepId }: WaitingTask): boolean =>
  end === undefined || createdAt > end.createdAt || (createdAt === end.createdAt && stepId > end.stepId);

const given = (groups: readonly string[]) => ({ groups: groups.slice(0, MOST_READ), next: '' });

/** Groups with tasks that have waited for long, and the group after which the next look continues. */
async function overdueGroups(
  db: SqlConnection,
  scope: Scope,
  { group: after }: Reached,
  olderThanMs: number,
): Promise<{ groups: string[]; next: string }> {
  type GroupRow = { grp: string; overdue: number | string };
  const { rows } = await db.run<GroupRow>(selectOverdueGroups(scope, after, olderThanMs));
  const overdue = rows.filter((row) => Number(row.overdue) === 1).map(({ grp }) => grp);
  const groups = overdue.slice(0, MOST_READ);
  const end = rows.length < MOST_GROUPS ? '' : rows.at(-1)!.grp;
  return { groups, next: overdue.length > MOST_READ ? groups.at(-1)! : end };
}

/** Of these, the ones that still wait at the same attempt. */
export async function unclaimedOf(
  db: SqlConnection,
  scope: Scope,
  tasks: readonly TaskAttempt[],
): Promise<TaskAttempt[]> {
  if (tasks.length === 0) return [];
  type Row = { step_id: string; attempt: number | string };
  const stepIds = tasks.map(({ stepId }) => stepId);
  const { rows } = await db.run<Row>(selectUnclaimed(scope, stepIds));
  const attempts = new Map(rows.map(({ step_id, attempt }) => [step_id, Number(attempt)]));
  return tasks.filter(({ stepId, attempt }) => attempts.get(stepId) === attempt);
}

const taskOf = (row: TaskRow): WaitingTask => ({
  stepId: row.step_id,
  runId: row.run_id,
  attempt: Number(row.attempt),
  name: row.name,
  group: row.grp,
  createdAt: Number(row.created_at),
  waitedMs: Number(row.waited_ms),
  isClaimed: Number(row.claimed) === 1,
});

/** The most groups that one look steps through. */
export const MOST_GROUPS = 1_000;

/** Where a window of a group ends: after this task of its time, in the order of ids. */
export interface WindowEnd {
  createdAt: number;
  stepId: string;
}

/** The tasks of a group that a look reads: the `limit` oldest, or the next ones after `after`. */
export interface Window {
  group: string;
  after: WindowEnd | undefined;
  limit: number;
}

const forced = ({ tables, dialect }: Scope): Statement => dialect.forceIndex(indexOf(tables.tasks, 'claim'));

/** The next groups after `after`, and whether their oldest task has waited for `olderThanMs`. */
export const selectOverdueGroups = (scope: Scope, after: string, olderThanMs: number): Statement => {
  const { tables, dialect } = scope;
  const overdue = (since: Statement) =>
    sql`CASE WHEN ${since} <= ${nowOf(scope)} - ${int(olderThanMs)} THEN 1 ELSE 0 END AS overdue`;
  return byFamily(dialect, {
    // Steps from one group to the next: PostgreSQL would group by reading all tasks.
    postgres: () => {
      const next = (group: Statement) => sql`
      SELECT t.grp, t.created_at FROM ${tables.tasks} AS t WHERE t.grp > ${group} ORDER BY t.grp, t.created_at LIMIT 1`;
      return sql`
  WITH RECURSIVE firsts AS (
    SELECT o.grp, o.created_at, 1 AS n FROM (${next(sql`${after}`)}) AS o
    UNION ALL
    SELECT o.grp, o.created_at, f.n + 1 FROM firsts AS f CROSS JOIN LATERAL (${next(raw('f.grp'))}) AS o
    WHERE f.n < ${int(MOST_GROUPS)}
  ) SELECT grp, ${overdue(raw('created_at'))} FROM firsts ORDER BY grp`;
    },
    // A loose scan of the index. Where it holds a few tasks for each group, it may be read as it is.
    mysql: () => sql`
  SELECT g.grp, ${overdue(raw('g.since'))} FROM (
    SELECT grp, min(created_at) AS since FROM ${tables.tasks} ${forced(scope)}
    WHERE grp > ${inlineText(after)} GROUP BY grp ORDER BY grp LIMIT ${int(MOST_GROUPS)}
  ) AS g ORDER BY g.grp`,
  });
};

/** The tasks of these windows, window by window. */
export const selectWindows = (scope: Scope, windows: readonly Window[]): Statement =>
  join(
    windows.map((window) => selectWindow(scope, window)),
    ' UNION ALL ',
  );

/** Of any age: PostgreSQL could not estimate how many are old, and might read and sort the whole group. */
const selectWindow = (scope: Scope, { group, after, limit }: Window): Statement => {
  // From the beginning in the order of claims; there, nothing orders tasks of the same time.
  const rest =
    after === undefined
      ? sql`ORDER BY created_at`
      : sql`AND created_at >= ${after.createdAt} AND (created_at > ${after.createdAt} OR step_id > ${after.stepId})
    ORDER BY created_at, step_id`;
  return sql`(
    SELECT step_id, run_id, attempt, name, grp, created_at, ${nowOf(scope)} - created_at AS waited_ms, ${claimed(scope)}
    FROM ${scope.tables.tasks} ${forced(scope)}
    WHERE grp = ${group} ${rest} LIMIT ${int(limit)})`;
};

/** A worker has it, and lives as far as one can know. */
const isClaimed = (scope: Scope): Statement =>
  sql`(claimed_at IS NOT NULL AND claimed_at > ${nowOf(scope)} - ${int(LAPSED_MS)})`;

const claimed = (scope: Scope): Statement => sql`CASE WHEN ${isClaimed(scope)} THEN 1 ELSE 0 END AS claimed`;

/** Of these tasks, those that nobody has claimed. */
export const selectUnclaimed = (scope: Scope, stepIds: readonly string[]): Statement => sql`
  SELECT step_id, attempt FROM ${scope.tables.tasks}
  WHERE step_id ${amongKeys(scope.dialect, stepIds)} AND NOT ${isClaimed(scope)}`;

/** Reads one entry of the index for each group of the page, unless they are named, and then its oldest tasks. */
export async function groupsInSight(
  db: SqlConnection,
  scope: Scope,
  { atMost, groups: named, ...query }: GroupsQuery,
): Promise<GroupInSight[]> {
  const groups = named ?? (await db.run<{ grp: string }>(selectGroups(scope, query))).rows.map(({ grp }) => grp);
  if (groups.length === 0) return [];
  const { rows } = await db.run<GroupRow>(countTasks(scope, groups, atMost));
  const byGroup = new Map(rows.map((row) => [row.grp, groupOf(row, atMost)]));
  return groups.flatMap((group) => byGroup.get(group) ?? []);
}

function groupOf({ grp, since, ...row }: GroupRow, atMost: number): GroupInSight {
  const [tasks, waiting, lapsed] = [Number(row.tasks), Number(row.waiting), Number(row.lapsed)];
  return {
    group: grp,
    waiting,
    since: since === null ? null : Number(since),
    inHand: tasks - waiting - lapsed,
    lapsed,
    more: tasks > atMost,
  };
}

/** The next groups with tasks, by stepping through the index from one to the next; and those of `also`. */
export function selectGroups(scope: Scope, { after, limit, also = [] }: Omit<GroupsQuery, 'atMost'>): Statement {
  const withTasks = selectWithTasks(scope, after, limit);
  if (also.length === 0) return sql`${withTasks} ORDER BY grp`;
  // The database sorts all of them: only it knows in which order its index has them.
  const rows = scope.dialect.rows(
    also.map((grp) => ({ grp })),
    { grp: 'key' },
  );
  return sql`
  SELECT g.grp FROM (
    SELECT w.grp FROM (${withTasks}) AS w UNION SELECT a.grp FROM ${rows} AS a WHERE a.grp > ${after}
  ) AS g ORDER BY g.grp LIMIT ${int(limit)}`;
}

const selectWithTasks = ({ tables, dialect }: Scope, after: string, limit: number): Statement =>
  byFamily(dialect, {
    postgres: () => {
      const next = (from: Statement) =>
        sql`(SELECT t.grp FROM ${tables.tasks} AS t WHERE t.grp > ${from} ORDER BY t.grp LIMIT 1)`;
      return sql`
      WITH RECURSIVE found AS (
        SELECT f.grp, 1 AS n FROM ${next(sql`${after}`)} AS f
        UNION ALL SELECT ${next(sql`g.grp`)}, g.n + 1 FROM found AS g WHERE g.grp IS NOT NULL AND g.n < ${int(limit)}
      ) SELECT grp FROM found WHERE grp IS NOT NULL`;
    },
    mysql: () => sql`
      SELECT w.grp FROM (
        SELECT t.grp FROM ${tables.tasks} AS t FORCE INDEX (${indexOf(tables.tasks, 'claim')})
        WHERE t.grp > ${after} GROUP BY t.grp ORDER BY t.grp LIMIT ${int(limit)}) AS w`,
  });

export interface GroupRow {
  grp: string;
  tasks: number | string;
  waiting: number | string;
  since: number | string | null;
  lapsed: number | string;
}

/** The oldest tasks of each of these groups, counted. */
export const countTasks = (scope: Scope, groups: readonly string[], atMost: number): Statement => {
  const { tables, dialect } = scope;
  const counted = (group: string) => sql`(
    SELECT ${dialect.asKey(dialect.cast(group, 'text'))} AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= ${nowOf(scope)} - ${int(LAPSED_MS)} THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM ${tables.tasks} AS t ${forced(scope)}
      WHERE t.grp = ${group} ORDER BY t.created_at LIMIT ${int(atMost + 1)}
    ) AS o)`;
  return join(groups.map(counted), ' UNION ALL ');
};

export interface StoredTaskRow {
  step_id: string;
  run_id: string;
  seq: number | string;
  name: string;
  grp: string;
  attempt: number | string;
  claimed_by: string | null;
  claimed_at: number | string | null;
  created_at: number | string;
  standing: TaskStatus;
}

/** Reads the part of the table that it looks at, whose end the first statement tells, and returns what matches. */
export async function listTasks(db: SqlConnection, scope: Scope, query: TasksQuery): Promise<StoredTasksPage> {
  const { rows: ends } = await db.run<PositionRow>(selectScanEnd(scope, query));
  const end = ends.map(positionOf)[0];
  const { rows } = await db.run<StoredTaskRow>(selectListed(scope, query, end));
  const page = rows.slice(0, query.limit).map(storedTaskOf);
  // A mark begins with the name of its worker, and so does the name of another.
  const tasks = page.filter(({ worker }) => query.worker === undefined || worker === query.worker);
  return { tasks, next: rows.length > query.limit ? page.at(-1) : end };
}

type PositionRow = Pick<StoredTaskRow, 'step_id' | 'grp' | 'created_at'>;

const positionOf = ({ grp, created_at, step_id }: PositionRow): TaskPosition => ({
  group: grp,
  createdAt: Number(created_at),
  stepId: step_id,
});

const storedTaskOf = (row: StoredTaskRow): StoredTask => ({
  ...positionOf(row),
  runId: row.run_id,
  seq: Number(row.seq),
  name: row.name,
  attempt: Number(row.attempt),
  status: row.standing,
  worker: row.claimed_by === null ? null : workerOf(row.claimed_by),
  claimedAt: row.claimed_at === null ? null : Number(row.claimed_at),
});

/** Those before or after a position. */
const tasksPast = ({ dialect }: Scope, way: '<=' | '>', { group, createdAt, stepId }: TaskPosition): Statement =>
  byFamily(dialect, {
    postgres: () => sql`(t.grp, t.created_at, t.step_id) ${raw(way)} (${group}, ${createdAt}, ${stepId})`,
    mysql: () => {
      const than = raw(way === '>' ? '>' : '<');
      return sql`(t.grp ${than} ${group} OR (t.grp = ${group} AND (t.created_at ${than} ${createdAt}
        OR (t.created_at = ${createdAt} AND t.step_id ${raw(way)} ${stepId}))))`;
    },
  });

const tasksInOrder = (
  scope: Scope,
  columns: Statement,
  { group, after }: TasksQuery,
  end?: TaskPosition,
): Statement => {
  const conditions = [
    ...(group === undefined ? [] : [sql`t.grp = ${group}`]),
    ...(after ? [tasksPast(scope, '>', after)] : []),
    ...(end ? [tasksPast(scope, '<=', end)] : []),
  ];
  const where = conditions.length === 0 ? raw('1 = 1') : join(conditions, ' AND ');
  return sql`
    SELECT ${columns} FROM ${scope.tables.tasks} AS t ${forced(scope)} WHERE ${where} ORDER BY ${orderOf(group)}`;
};

/** MariaDB sorts all tasks of a group if the group is among what it orders by. */
const orderOf = (group: string | undefined): Statement =>
  raw(group === undefined ? 't.grp, t.created_at, t.step_id' : 't.created_at, t.step_id');

/** The last task that a page looks at; none if it comes to the end. */
export const selectScanEnd = (scope: Scope, query: TasksQuery): Statement =>
  sql`${tasksInOrder(scope, raw('t.grp, t.created_at, t.step_id'), query)} LIMIT 1 OFFSET ${int(MOST_TASKS_SCANNED - 1)}`;

/** Filters what the index has in order: beside a filter that few match, PostgreSQL would rather read and sort the table. */
export const selectListed = (scope: Scope, query: TasksQuery, end: TaskPosition | undefined): Statement => {
  const { group, name, status, worker, olderThanMs, limit } = query;
  const now = nowOf(scope);
  const standing = sql`CASE WHEN t.claimed_at IS NULL THEN 'waiting'
      WHEN t.claimed_at <= ${now} - ${int(LAPSED_MS)} THEN 'lapsed' ELSE 'inHand' END`;
  const isOf = (holder: string) =>
    sql`(t.claimed_by = ${holder} OR LEFT(t.claimed_by, ${int([...holder].length + 1)}) = ${`${holder}#`})`;
  const conditions = [
    ...(name === undefined ? [] : [sql`t.name = ${name}`]),
    ...(status === undefined ? [] : [sql`${standing} = ${status}`]),
    ...(worker === undefined ? [] : [isOf(worker)]),
    ...(olderThanMs > 0 ? [sql`t.created_at <= ${now} - ${int(olderThanMs)}`] : []),
  ];
  const isFiltered = conditions.length > 0;
  const columns = 't.step_id, t.run_id, t.seq, t.name, t.grp, t.attempt, t.claimed_by, t.claimed_at, t.created_at';
  const scanned = sql`${tasksInOrder(scope, raw(columns), query, end)} LIMIT ${int(isFiltered ? MOST_TASKS_SCANNED : limit + 1)}`;
  return sql`
  SELECT ${raw(columns)}, ${standing} AS standing FROM (${scanned}) AS t
  WHERE ${isFiltered ? join(conditions, ' AND ') : raw('1 = 1')} ORDER BY ${orderOf(group)} LIMIT ${int(limit + 1)}`;
};
