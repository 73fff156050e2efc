import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { nowOf, type Scope } from '../../sql/tables.js';

/** A workflow and version that there are runs of. */
export interface RunKind {
  workflow: string;
  version: number;
}

/** The indexes of runs that wait to be claimed, by workflow and version, and since when their first run waits. */
const QUEUES = [
  { column: 'wake_at', since: 'wake_at' },
  { column: 'turn', since: 'created_at' },
] as const;
type Queue = (typeof QUEUES)[number];

const isOverdue = (scope: Scope, olderThanMs: number): Statement =>
  sql`f.since <= ${nowOf(scope)} - ${int(olderThanMs)}`;

/**
 * PostgreSQL: the workflows and versions with runs that have been due for `olderThanMs`, and since when. Reads a few
 * entries of an index for each workflow and version, no matter how many runs wait.
 */
export const selectOverdue = (scope: Scope, namespace: string, olderThanMs: number): Statement => sql`
  SELECT f.workflow, f.version, min(f.since) AS since
  FROM (${join(
    QUEUES.map((queue) => stepping(scope, namespace, queue)),
    ' UNION ALL ',
  )}) AS f
  WHERE ${isOverdue(scope, olderThanMs)}
  GROUP BY f.workflow, f.version`;

/** From one workflow and version to the next, since grouping would read the entries of all runs. */
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

/*
 * MySQL and MariaDB plan grouping by the statistics that a table had when the server opened it. If it was empty then, all
 * entries of the index are read; so each range here has constants for bounds.
 */

const dueRuns = ({ tables }: Scope, namespace: string): Statement => sql`
  FROM ${tables.runs} AS r FORCE INDEX (${id(`${tables.prefix}_runs_due`)}) WHERE r.namespace = ${namespace}`;

/** MySQL and MariaDB: the next workflow and version after each of these. */
export const selectNextKinds = (scope: Scope, namespace: string, after: readonly RunKind[]): Statement => {
  const runs = dueRuns(scope, namespace);
  const next = after.flatMap(({ workflow, version }) => [
    sql`(SELECT r.workflow, r.version ${runs} AND r.workflow = ${workflow} AND r.version > ${version}
      ORDER BY r.version LIMIT 1)`,
    sql`(SELECT r.workflow, r.version ${runs} AND r.workflow > ${workflow} ORDER BY r.workflow, r.version LIMIT 1)`,
  ]);
  return sql`SELECT n.workflow, n.version FROM (${join(next, ' UNION ')}) AS n`;
};

/** MySQL and MariaDB: those of these workflows and versions that have runs that have been due for `olderThanMs`. */
export const selectOverdueOf = (
  scope: Scope,
  namespace: string,
  kinds: readonly RunKind[],
  olderThanMs: number,
): Statement => {
  const { tables } = scope;
  const inTurn = sql`FORCE INDEX (${id(`${tables.prefix}_runs_turn`)}) WHERE r.namespace = ${namespace}`;
  const firsts = kinds.flatMap(({ workflow, version }) => {
    const ofKind = sql`AND r.workflow = ${workflow} AND r.version = ${version}`;
    return [
      sql`(SELECT r.workflow, r.version, r.wake_at AS since ${dueRuns(scope, namespace)} ${ofKind}
        AND r.wake_at IS NOT NULL ORDER BY r.wake_at LIMIT 1)`,
      sql`(SELECT r.workflow, r.version, r.created_at AS since FROM ${tables.runs} AS r ${inTurn} ${ofKind}
        AND r.turn IS NOT NULL ORDER BY r.turn LIMIT 1)`,
    ];
  });
  return sql`
  SELECT f.workflow, f.version, min(f.since) AS since FROM (${join(firsts, ' UNION ALL ')}) AS f
  WHERE ${isOverdue(scope, olderThanMs)} GROUP BY f.workflow, f.version`;
};
