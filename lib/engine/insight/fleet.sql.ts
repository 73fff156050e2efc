import { byFamily } from '../../sql/dialects/dialect.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Scope } from '../../sql/tables.js';
import { type ListRuns, MOST_SCANNED } from '../model/run-insight.js';
import { BLOCK_REASONS, FINAL_STATUSES } from '../model/run.js';
import { endedColumn } from '../tables/run.sql.js';
import { filterOf, rangeOf, runsOf, type Source, sourcesOf } from './listing.sql.js';

/*
 * Counts for people. Nothing is counted to its end: each part reads at most one row more than it may tell.
 */

type Int = number | string;

export interface StatusRow {
  status: string;
  runs: Int;
  /** Whether the runs match; those that do not were looked at, too. */
  fits: Int;
}

/** The runs of a filter's index that match all filters, by status. */
export const countSourceByStatus = (scope: Scope, query: ListRuns, source: Source, atMost: number): Statement => sql`
  SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN ${rangeOf(query)} AND ${filterOf(scope, query)} THEN 1 ELSE 0 END AS fits
    FROM ${runsOf(scope, source, atMost + 1)}
  ) AS f GROUP BY f.status, f.fits`;

/** The same among the newest runs. */
export const countNewestByStatus = (scope: Scope, query: ListRuns): Statement => sql`
  SELECT f.status, f.fits, count(*) AS runs FROM (
    SELECT r.status, CASE WHEN ${filterOf(scope, query)} THEN 1 ELSE 0 END AS fits
    FROM ${scope.tables.runs} AS r ${scope.dialect.forceIndex(id(`${scope.tables.prefix}_runs_listing`))}
    WHERE ${rangeOf(query)} ORDER BY r.created_at DESC, r.id DESC LIMIT ${int(MOST_SCANNED + 1)}
  ) AS f GROUP BY f.status, f.fits`;

/** Each of the final statuses, and running, counted by its own index. */
export const countEnded = (scope: Scope, namespace: string, atMost: number): Statement => {
  const { tables, dialect } = scope;
  const index = dialect.forceIndex(id(`${tables.prefix}_runs_finished`));
  const count = (status: string, found: Statement) =>
    sql`SELECT ${raw(`'${status}'`)} AS status, count(*) AS runs, 1 AS fits FROM (${found} LIMIT ${int(atMost + 1)}) AS c`;
  const ended = FINAL_STATUSES.map((status) =>
    count(
      status,
      sql`SELECT s.id FROM ${tables.runs} AS s ${index} WHERE s.namespace = ${namespace}
        AND s.${raw(endedColumn(dialect))} = ${raw(`'${status}'`)} AND s.finished_at IS NOT NULL`,
    ),
  );
  const running = sql`SELECT s.id FROM ${tables.runs} AS s WHERE s.namespace = ${namespace} AND s.owner IS NOT NULL`;
  return join([...ended, count('running', running)], ' UNION ALL ');
};

export interface BlockedRow {
  workflow: string;
  version: Int;
  reason: string;
  runs: Int;
}

/** Blocked runs by what they have in common; counted by the index of those alone. */
export const countBlocked = (scope: Scope, namespace: string, atMost: number): Statement => {
  const [blocked] = sourcesOf(scope, { namespace, blocked: true, limit: 1 });
  return sql`
  SELECT r.workflow, r.version, r.reason, count(*) AS runs
  FROM ${runsOf(scope, blocked!, atMost + 1)}
  WHERE r.reason IN (${join(BLOCK_REASONS)}) GROUP BY r.workflow, r.version, r.reason`;
};

/** The next limiters with an entry, by stepping through the index from one to the next. */
export const selectLimitersInUse = ({ tables, dialect }: Scope, after: string, limit: number): Statement =>
  byFamily(dialect, {
    postgres: () => {
      const next = (from: Statement) => sql`
        (SELECT e.limiter FROM ${tables.limiterEntries} AS e WHERE e.limiter > ${from} ORDER BY e.limiter LIMIT 1)`;
      return sql`
      WITH RECURSIVE used AS (
        SELECT f.limiter, 1 AS n FROM ${next(sql`${after}`)} AS f
        UNION ALL SELECT ${next(raw('u.limiter'))}, u.n + 1 FROM used AS u WHERE u.limiter IS NOT NULL AND u.n < ${int(limit)}
      ) SELECT limiter FROM used WHERE limiter IS NOT NULL`;
    },
    mysql: () => sql`
      SELECT e.limiter FROM ${tables.limiterEntries} AS e FORCE INDEX (${id(`${tables.limiterEntries.name}_queue`)})
      WHERE e.limiter > ${after} GROUP BY e.limiter ORDER BY e.limiter LIMIT ${int(limit)}`,
  });

export interface LimiterUseRow {
  limiter: string;
  open_at: Int | null;
  holding: Int;
  waiting: Int;
  since: Int | null;
  limits: string;
}

/** What is in these limiters, if they are of this namespace. */
export const selectLimiterUse = (
  { tables }: Scope,
  namespace: string,
  limiters: readonly string[],
  atMost: number,
): Statement => {
  const entries = (limiter: string) => sql`FROM ${tables.limiterEntries} AS e WHERE e.limiter = ${limiter}`;
  const counted = (limiter: string, granted: 0 | 1) => sql`
      (SELECT count(*) FROM (SELECT e.holder ${entries(limiter)} AND e.granted = ${int(granted)} LIMIT ${int(atMost + 1)}) AS c)`;
  const use = (limiter: string) => sql`(
    SELECT l.limiter, l.open_at, ${counted(limiter, 1)} AS holding, ${counted(limiter, 0)} AS waiting,
      (SELECT e.queued_at ${entries(limiter)} AND e.granted = 0 ORDER BY e.turn, e.queued_at, e.holder LIMIT 1) AS since,
      (SELECT e.limits ${entries(limiter)} ORDER BY e.granted, e.turn, e.queued_at, e.holder LIMIT 1) AS limits
    FROM ${tables.limiters} AS l WHERE l.limiter = ${limiter} AND l.namespace = ${namespace})`;
  return join(limiters.map(use), ' UNION ALL ');
};

export interface UntakenRow {
  channel: string | null;
  name: string | null;
  addressed: 'run' | 'key';
  target: string | null;
  signals: Int;
  since: Int | null;
}

/** Among the newest signals, those that nobody has taken, by name and target. A row without a channel counts all. */
export const selectUntaken = ({ tables }: Scope, namespace: string, scan: number): Statement => {
  const newest = (addressed: 'run' | 'key') => sql`(
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by FROM ${tables.signals} AS s
      WHERE s.namespace = ${namespace} AND s.addressed = ${raw(`'${addressed}'`)}
      ORDER BY s.created_at DESC, s.id DESC LIMIT ${int(scan + 1)})`;
  return sql`
  WITH newest AS (${newest('run')} UNION ALL ${newest('key')})
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM newest AS n
  WHERE n.taken_by IS NULL GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM newest AS n GROUP BY n.addressed`;
};

export const countListening = ({ tables, dialect }: Scope, channels: readonly string[]): Statement => sql`
  SELECT w.channel, count(*) AS waits FROM ${tables.waits} AS w WHERE w.channel ${amongKeys(dialect, channels)} GROUP BY w.channel`;
