import { id, int, join, sql, type Statement } from '../sql/dialects/statement.js';
import { onceNow, type Scope } from '../sql/tables.js';

/**
 * MySQL and MariaDB have no partial indexes, and no condition of ours is of use for a whole one. So these look first,
 * by a loose scan, at what begins each group of an index, and then read the groups that matter.
 */
type Int = number | string;

/** The workflows and versions whose first run is due since long ago, the oldest first. */
export const selectFirstDue = (scope: Scope, lateMs: number): Statement => sql`
  SELECT namespace, workflow, version, min(wake_at) AS first FROM ${scope.tables.runs}
  GROUP BY namespace, workflow, version HAVING first <= ${onceNow(scope)} - ${int(lateMs)} ORDER BY first LIMIT 100`;

export interface RunsOfVersion {
  namespace: string;
  workflow: string;
  version: Int;
}

/** How many of these nobody takes, counted up to `most`. `unless`: a condition on `r`, under which that is well. */
export const countUntaken = (
  scope: Scope,
  kinds: readonly RunsOfVersion[],
  lateMs: number,
  { most, unless }: { most: number; unless: Statement },
): Statement =>
  join(
    kinds.map(
      ({ namespace, workflow, version }, n) => sql`
  (SELECT ${int(n)} AS n, count(*) AS count FROM (
    SELECT 1 AS found FROM ${scope.tables.runs} AS r
    WHERE r.namespace = ${namespace} AND r.workflow = ${workflow} AND r.version = ${int(Number(version))}
      AND r.wake_at <= ${onceNow(scope)} - ${int(lateMs)} AND r.owner IS NULL AND NOT EXISTS (${unless}) LIMIT ${int(most)}
  ) AS u)`,
    ),
    ' UNION ALL ',
  );

/** Runs with a reason, up to `most`, by workflow and reason. */
export const selectBlockedByIndex = (scope: Scope, most: number): Statement => sql`
  SELECT b.namespace, b.workflow, b.reason, count(*) AS count FROM (
    SELECT r.namespace, r.workflow, r.reason FROM (
      SELECT namespace, reason, workflow, version FROM ${scope.tables.runs} ${scope.dialect.forceIndex(id(`${scope.tables.prefix}_runs_blocked`))}
      GROUP BY namespace, reason, workflow, version
    ) AS k STRAIGHT_JOIN ${scope.tables.runs} AS r
      ON r.namespace = k.namespace AND r.workflow = k.workflow AND r.version = k.version AND r.reason = k.reason
    WHERE k.reason IS NOT NULL AND r.status = 'suspended' AND (r.wake_at IS NULL OR r.wake_at > ${onceNow(scope)})
    LIMIT ${int(most)}
  ) AS b GROUP BY b.namespace, b.workflow, b.reason ORDER BY count(*) DESC LIMIT 10`;

/** The next namespace that has runs. One lookup: MariaDB may execute a loose scan again by reading the whole index. */
export const selectNextNamespace = ({ tables }: Scope, after: string | undefined): Statement => sql`
  SELECT namespace FROM ${tables.runs} WHERE ${after === undefined ? sql`namespace >= ''` : sql`namespace > ${after}`}
  ORDER BY namespace LIMIT 1`;

/** How many runs of these namespaces ended long ago, by namespace, counted up to `most` together. */
export const countEnded = (
  scope: Scope,
  { namespaces, statuses }: { namespaces: readonly string[]; statuses: readonly string[] },
  ageMs: number,
  most: number,
): Statement => {
  const kinds = namespaces.flatMap((namespace) => statuses.map((ended) => ({ namespace, ended })));
  const old = kinds.map(
    ({ namespace, ended }) => sql`
    (SELECT r.namespace FROM ${scope.tables.runs} AS r
    WHERE r.namespace = ${namespace} AND r.${id('ended')} = ${ended} AND r.finished_at < ${onceNow(scope)} - ${int(ageMs)}
    LIMIT ${int(most)})`,
  );
  return sql`
  SELECT e.namespace, count(*) AS count FROM (${join(old, ' UNION ALL ')} LIMIT ${int(most)}) AS e
  GROUP BY e.namespace ORDER BY e.namespace`;
};
