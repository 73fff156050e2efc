import { byFamily } from '../sql/dialects/dialect.js';
import { id, int, join, sql, type Statement } from '../sql/dialects/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { type GroupsQuery, LAPSED_MS } from '../worker/task-source.js';

/** The next groups with tasks, by stepping through the index from one to the next; and those of `also`. */
export function selectGroups(scope: Scope, { after, limit, also = [] }: Omit<GroupsQuery, 'atMost'>): Statement {
  const withTasks = selectWithTasks(scope, after, limit);
  if (also.length === 0) return sql`${withTasks} ORDER BY grp`;
  // The database sorts all of them: only it knows in which order its index has them.
  const rows = scope.dialect.rows(JSON.stringify(also.map((grp) => ({ grp }))), { grp: 'key' });
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
        SELECT t.grp FROM ${tables.tasks} AS t FORCE INDEX (${id(`${tables.tasks.name}_claim`)})
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
  const index = dialect.forceIndex(id(`${tables.tasks.name}_claim`));
  const counted = (group: string) => sql`(
    SELECT ${dialect.asKey(dialect.cast(group, 'text'))} AS grp, count(*) AS tasks,
      count(CASE WHEN o.claimed_at IS NULL THEN 1 END) AS waiting,
      min(CASE WHEN o.claimed_at IS NULL THEN o.created_at END) AS since,
      count(CASE WHEN o.claimed_at <= ${nowOf(scope)} - ${int(LAPSED_MS)} THEN 1 END) AS lapsed
    FROM (
      SELECT t.claimed_at, t.created_at FROM ${tables.tasks} AS t ${index}
      WHERE t.grp = ${group} ORDER BY t.created_at LIMIT ${int(atMost + 1)}
    ) AS o)`;
  return join(groups.map(counted), ' UNION ALL ');
};
