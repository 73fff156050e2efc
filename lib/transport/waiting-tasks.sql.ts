import { byFamily } from '../sql/dialects/dialect.js';
import { amongKeys, inlineText } from '../sql/dialects/key-list.js';
import { id, int, join, raw, sql, type Statement } from '../sql/dialects/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { LAPSED_MS } from '../worker/task-source.js';

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

const forced = ({ tables, dialect }: Scope): Statement =>
  byFamily(dialect, {
    postgres: () => raw(''),
    mysql: () => sql`FORCE INDEX (${id(`${tables.tasks.name}_claim`)})`,
  });

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
