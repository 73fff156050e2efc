import type { SqlConnection } from '../sql/sql-executor.js';
import type { Scope } from '../sql/tables.js';
import type { GroupInSight, GroupsQuery } from '../worker/task-source.js';
import { countTasks, type GroupRow, selectGroups } from './groups.sql.js';

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
