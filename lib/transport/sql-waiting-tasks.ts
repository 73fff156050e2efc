import type { SqlConnection } from '../sql/sql-executor.js';
import type { Scope } from '../sql/tables.js';
import type { TaskAttempt, WaitingPage, WaitingQuery } from '../worker/waiting-tasks.js';
import { byName, type WaitingTask } from './tasks-by-name.js';
import {
  MOST_GROUPS,
  selectOverdueGroups,
  selectUnclaimed,
  selectWindows,
  type WindowEnd,
  type Window,
} from './waiting-tasks.sql.js';

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
