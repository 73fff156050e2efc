import { byFamily } from '../../sql/dialects/dialect.js';
import type { Scope } from '../../sql/tables.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { endedColumn } from '../tables/run.sql.js';
import { type ListPosition, type ListRuns, MOST_SCANNED } from '../model/run-insight.js';
import { filterOf, rangeOf, timeOf } from './listing-filters.sql.js';
import { endings, type Source } from './listing-sources.sql.js';

/*
 * Pages of runs in the order of creation, or of their ends. A filter that few runs match is read by its index; all other
 * queries scan runs in that order, a limited number at a time.
 */

/** The number of runs of a source, counted up to one more than may be read. */
export const countSource = ({ ids }: Source): Statement =>
  sql`SELECT count(*) AS found FROM (${ids} LIMIT ${int(MOST_SCANNED + 1)}) AS c`;

const orderOf = ({ order }: ListRuns, at: string, key: string): Statement => {
  const way = order === 'oldest' ? 'ASC' : 'DESC';
  return raw(`${at} ${way}, ${key} ${way}`);
};

/** The first runs of a source as `r`, each read by its id: by any other index, a filter could be read once for each of them. */
export const runsOf = ({ tables, dialect }: Scope, { ids }: Source, atMost: number): Statement => {
  const listed = sql`(${ids} LIMIT ${int(atMost)}) AS c`;
  return byFamily(dialect, {
    postgres: () =>
      sql`${listed} CROSS JOIN LATERAL (SELECT o.* FROM ${tables.runs} AS o WHERE o.id = c.id OFFSET 0) AS r`,
    mysql: () => sql`${listed} STRAIGHT_JOIN ${tables.runs} AS r FORCE INDEX (PRIMARY) ON r.id = c.id`,
  });
};

/** The next page from a source; reads the whole source. */
export const pageOfSource = (scope: Scope, query: ListRuns, source: Source): Statement => sql`
  SELECT r.id, r.${raw(timeOf(query))} AS listed_at, 1 AS fits FROM ${runsOf(scope, source, MOST_SCANNED)}
  WHERE ${rangeOf(query)} AND ${filterOf(scope, query)}
  ORDER BY ${orderOf(query, `r.${timeOf(query)}`, 'r.id')} LIMIT ${int(query.limit + 1)}`;

/** The next `scanned` runs, and whether they match. */
const scannedOf = (scope: Scope, query: ListRuns, scanned: number): Statement => {
  const { tables, dialect } = scope;
  const at = raw(`r.${timeOf(query)} AS listed_at`);
  const fits = sql`CASE WHEN ${filterOf(scope, query)} THEN 1 ELSE 0 END AS fits`;
  if (query.order !== 'ended')
    return sql`
    SELECT r.id, ${at}, ${fits} FROM ${tables.runs} AS r ${dialect.forceIndex(id(`${tables.prefix}_runs_listing`))}
    WHERE ${rangeOf(query)} ORDER BY ${orderOf(query, 'r.created_at', 'r.id')} LIMIT ${int(scanned)}`;
  const ids = sql`SELECT e.id FROM (${endedInOrder(scope, query, scanned)}) AS e ORDER BY ${orderOf(query, 'e.finished_at', 'e.id')}`;
  return sql`SELECT r.id, ${at}, ${fits} FROM ${runsOf(scope, { ids }, scanned)}`;
};

/** The next `most` of each way to end, by the index alone, in which each has its own part. */
function endedInOrder({ tables, dialect }: Scope, query: ListRuns, most: number): Statement {
  const parts = endings(query).map((status) => {
    const as = sql`r.${raw(endedColumn(dialect))} = ${raw(`'${status}'`)}`;
    return sql`(
      SELECT r.id, r.finished_at FROM ${tables.runs} AS r ${dialect.forceIndex(id(`${tables.prefix}_runs_finished`))}
      WHERE r.namespace = ${query.namespace} AND ${as} AND ${rangeOf(query)}
      ORDER BY ${orderOf(query, 'r.finished_at', 'r.id')} LIMIT ${int(most)})`;
  });
  return join(parts, ' UNION ALL ');
}

/** The digits of a time in a packed position. */
const TIME_DIGITS = 20;

/** The position that {@link pageOfOrder} packed into a text. */
export const unpacked = (packed: string): ListPosition => ({
  id: packed.slice(TIME_DIGITS),
  at: Number(packed.slice(0, TIME_DIGITS)),
});

/**
 * Scans the next `scanned` runs in order. Returns the matching ones; and with `fits` 0, if there are any, how many were
 * scanned and the last of them, packed into a text that sorts as the runs do: so one aggregate finds both. MariaDB scans
 * the runs once for each mention of them.
 */
export const pageOfOrder = (scope: Scope, query: ListRuns, scanned: number): Statement => {
  const inOrder = orderOf(query, 'listed_at', 'id');
  const last = raw(query.order === 'oldest' ? 'max' : 'min');
  const packed = sql`CONCAT(LPAD(${scope.dialect.cast(raw('listed_at'), 'text')}, ${int(TIME_DIGITS)}, '0'), id)`;
  return sql`
  WITH scanned AS (${scannedOf(scope, query, scanned)})
  SELECT u.id, u.listed_at, u.fits FROM (
    SELECT f.id, f.listed_at, 1 AS fits FROM (
      SELECT id, listed_at FROM scanned WHERE fits = 1 ORDER BY ${inOrder} LIMIT ${int(query.limit + 1)}
    ) AS f
    UNION ALL SELECT ${last}(${packed}), count(*), 0 AS fits FROM scanned HAVING count(*) > 0
  ) AS u ORDER BY ${orderOf(query, 'u.listed_at', 'u.id')}`;
};
