import type { SqlConnection } from '../sql/sql-executor.js';
import type { Scope } from '../sql/tables.js';
import type { GroupInSight, GroupsQuery } from '../worker/task-source.js';
import { countTasks, type GroupRow, selectGroups } from './groups.sql.js';

/** Reads one entry of the index for each group of the page, and then its oldest tasks. */
export async function groupsInSight(
  db: SqlConnection,
  scope: Scope,
  { after, limit, atMost }: GroupsQuery,
): Promise<GroupInSight[]> {
  const { rows: found } = await db.run<{ grp: string }>(selectGroups(scope, after, limit));
  if (found.length === 0) return [];
  const groups = found.map(({ grp }) => grp);
  const { rows } = await db.run<GroupRow>(countTasks(scope, groups, atMost));
  return rows.map((row) => groupOf(row, atMost)).sort((a, b) => (a.group < b.group ? -1 : 1));
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
