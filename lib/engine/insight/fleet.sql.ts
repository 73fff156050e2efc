import { byFamily } from '../../sql/dialects/dialect.js';
import { inlineText } from '../../sql/dialects/key-list.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Scope } from '../../sql/tables.js';
import { type ListRuns, MOST_SCANNED } from '../model/run-insight.js';
import { BLOCK_REASONS, type BlockReason, FINAL_STATUSES, type RunStatus } from '../model/run.js';
import { endedColumn } from '../tables/run.sql.js';
import { runsOf } from './listing.sql.js';
import { filterOf, rangeOf } from './listing-filters.sql.js';
import type { Source } from './listing-sources.sql.js';

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

/** Statuses whose runs have an index. */
export const INDEXED_STATUSES: readonly RunStatus[] = [...FINAL_STATUSES, 'running'];

/** Each of these statuses counted by its own index. */
export const countIndexed = (
  scope: Scope,
  namespace: string,
  statuses: readonly RunStatus[],
  atMost: number,
): Statement => {
  const { tables, dialect } = scope;
  const index = dialect.forceIndex(id(`${tables.prefix}_runs_finished`));
  const running = sql`SELECT s.id FROM ${tables.runs} AS s WHERE s.namespace = ${namespace} AND s.owner IS NOT NULL`;
  const count = (status: string, found: Statement) =>
    sql`SELECT ${raw(`'${status}'`)} AS status, count(*) AS runs, 1 AS fits FROM (${found} LIMIT ${int(atMost + 1)}) AS c`;
  const counts = statuses.map((status) =>
    count(
      status,
      status === 'running'
        ? running
        : sql`SELECT s.id FROM ${tables.runs} AS s ${index} WHERE s.namespace = ${namespace}
        AND s.${raw(endedColumn(dialect))} = ${raw(`'${status}'`)} AND s.finished_at IS NOT NULL`,
    ),
  );
  return join(counts, ' UNION ALL ');
};

export interface BlockedRow {
  workflow: string;
  version: Int;
  reason: string;
  runs: Int;
}

/** Blocked runs in the order of their index: after a workflow and version. */
export interface BlockedWindow {
  /** MySQL and MariaDB: the index has one reason after the other. */
  reason?: BlockReason;
  after?: { workflow: string; version: number };
}

export const blockedWindows = ({ dialect }: Scope): BlockedWindow[] =>
  dialect.hasPartialIndexes ? [{}] : BLOCK_REASONS.map((reason) => ({ reason }));

/** The next `atMost + 1` blocked runs, by what they have in common. */
export const countBlocked = (
  { tables, dialect }: Scope,
  namespace: string,
  { reason, after }: BlockedWindow,
  atMost: number,
): Statement => {
  const past =
    after &&
    byFamily(dialect, {
      postgres: () =>
        sql`AND (r.workflow, r.version) > (${after.workflow}, ${dialect.cast(sql`${after.version}`, 'int')})`,
      mysql: () =>
        sql`AND (r.workflow > ${after.workflow} OR (r.workflow = ${after.workflow} AND r.version > ${after.version}))`,
    });
  // As in the index's condition. Elsewhere a run with such a reason is suspended, too: its row need not be read.
  const blocked = reason
    ? sql`r.reason = ${reason}`
    : sql`r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (${join(BLOCK_REASONS)})`;
  return sql`
  SELECT f.workflow, f.version, f.reason, count(*) AS runs FROM (
    SELECT r.workflow, r.version, r.reason
    FROM ${tables.runs} AS r ${dialect.forceIndex(id(`${tables.prefix}_runs_blocked`))}
    WHERE r.namespace = ${namespace} AND ${blocked} ${past ?? raw('')}
    ORDER BY r.workflow, r.version LIMIT ${int(atMost + 1)}
  ) AS f GROUP BY f.workflow, f.version, f.reason ORDER BY f.workflow, f.version`;
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
      WHERE e.limiter > ${inlineText(after)} GROUP BY e.limiter ORDER BY e.limiter LIMIT ${int(limit)}`,
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

export interface LimiterUserRow {
  limiter: string;
  holder: string;
  run_id: string;
  granted: Int;
  queued_at: Int;
}

/** The first `named` with a permit, and the first in the queue, of each of these limiters, in their order. */
export const selectLimiterUsers = ({ tables }: Scope, limiters: readonly string[], named: number): Statement => {
  const first = (limiter: string, granted: 0 | 1) => sql`(
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM ${tables.limiterEntries} AS e
    WHERE e.limiter = ${limiter} AND e.granted = ${int(granted)}
    ORDER BY e.turn, e.queued_at, e.holder LIMIT ${int(named)})`;
  const all = limiters.flatMap((limiter) => [first(limiter, 1), first(limiter, 0)]);
  return sql`
  SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM (${join(all, ' UNION ALL ')}) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, p.holder`;
};
