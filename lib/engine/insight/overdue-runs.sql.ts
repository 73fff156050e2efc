import { byFamily } from '../../sql/dialects/dialect.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { nowOf, type Scope } from '../../sql/tables.js';

/** The indexes of runs that wait to be claimed, by workflow and version, and since when their first run waits. */
const QUEUES = [
  { column: 'wake_at', since: 'wake_at', index: 'due' },
  { column: 'turn', since: 'created_at', index: 'turn' },
] as const;
type Queue = (typeof QUEUES)[number];

/**
 * The workflows and versions with runs that have been due for `olderThanMs`, and since when. Reads a few entries of an
 * index for each workflow and version that there are runs of, no matter how many runs wait.
 */
export const selectOverdue = (scope: Scope, namespace: string, olderThanMs: number): Statement => {
  const firsts = QUEUES.map((queue) =>
    byFamily(scope.dialect, {
      postgres: () => stepping(scope, namespace, queue),
      mysql: () => grouping(scope, namespace, queue),
    }),
  );
  return sql`
  SELECT f.workflow, f.version, min(f.since) AS since FROM (${join(firsts, ' UNION ALL ')}) AS f
  WHERE f.since <= ${nowOf(scope)} - ${int(olderThanMs)}
  GROUP BY f.workflow, f.version`;
};

/** PostgreSQL: from one workflow and version to the next, since grouping would read the entries of all runs. */
const stepping = ({ tables }: Scope, namespace: string, { column, since }: Queue): Statement => {
  const [name, at] = [id(`by_${column}`), raw(`r.${since}`)];
  const next = (after: Statement) => sql`
      SELECT r.workflow, r.version, ${at} AS since FROM ${tables.runs} AS r
      WHERE r.namespace = ${namespace} AND r.${id(column)} IS NOT NULL ${after}
      ORDER BY r.workflow, r.version, r.${id(column)} LIMIT 1`;
  return sql`
  (WITH RECURSIVE ${name} AS (
    SELECT o.workflow, o.version, o.since FROM (${next(raw(''))}) AS o
    UNION ALL
    SELECT o.workflow, o.version, o.since FROM ${name} AS f
    CROSS JOIN LATERAL (${next(raw('AND (r.workflow, r.version) > (f.workflow, f.version)'))}) AS o
  ) SELECT workflow, version, since FROM ${name})`;
};

/**
 * MySQL and MariaDB: by a loose scan of the index, for which `namespace` has to be grouped by, too. Then the time of one
 * run, since thousands may have the same turn.
 */
const grouping = ({ tables }: Scope, namespace: string, { column, since, index }: Queue): Statement => {
  const forced = sql`FORCE INDEX (${id(`${tables.prefix}_runs_${index}`)})`;
  const firsts = sql`
    SELECT workflow, version, min(${id(column)}) AS first FROM ${tables.runs} ${forced}
    WHERE namespace = ${namespace} GROUP BY namespace, workflow, version`;
  const sinceOf =
    column === since
      ? raw('w.first')
      : sql`(SELECT r.${id(since)} FROM ${tables.runs} AS r ${forced}
        WHERE r.namespace = ${namespace} AND r.workflow = w.workflow AND r.version = w.version AND r.${id(column)} = w.first
        LIMIT 1)`;
  return sql`
  SELECT w.workflow, w.version, ${sinceOf} AS since FROM (${firsts}) AS w WHERE w.first IS NOT NULL`;
};
