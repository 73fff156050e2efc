import { byFamily } from '../../sql/dialects/dialect.js';
import type { Scope } from '../../sql/tables.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { endedColumn } from '../tables/run.sql.js';
import { holdAttribute } from '../model/attributes.js';
import { type AttributeFilter, type ListRuns, MOST_SCANNED } from '../model/run-insight.js';
import { BLOCK_REASONS, isFinal } from '../model/run.js';

/*
 * Pages of runs in the order of creation. A filter that few runs match is read by its index; all other queries scan
 * runs in the order of creation, a limited number at a time.
 */

/** The ids of runs that match a filter, read by its index. */
export interface Source {
  ids: Statement;
  /** Often many runs match it, so that the first page is quicker read in order. */
  broad?: true;
}

/** The indexes that the filters of a query can use. */
export function sourcesOf(scope: Scope, query: ListRuns): Source[] {
  const { tables } = scope;
  const { namespace, status = [], attributes = [], parentId, blocked } = query;
  const runs = (condition: Statement): Source => ({
    ids: sql`SELECT s.id FROM ${tables.runs} AS s WHERE ${condition}`,
  });
  const sources: Source[] = attributes.map((filter) => ({
    ids: sql`SELECT a.run_id AS id FROM ${tables.attributes} AS a WHERE a.namespace = ${namespace} AND ${fits(filter)}`,
  }));
  if (parentId !== undefined) sources.push(runs(sql`s.parent_id = ${parentId}`));
  if (status.length === 1 && status[0] === 'running') sources.push(runs(raw('s.owner IS NOT NULL')));
  if (status.length > 0 && status.every(isFinal)) sources.push({ ids: endedAs(scope, namespace, status) });
  if (!scope.dialect.hasPartialIndexes) return [...sources, ...sourcesByWorkflow(scope, query)];
  if (query.workflow !== undefined) sources.push({ ids: dueOrNot(scope, query, query.workflow), broad: true });
  if (blocked)
    sources.push(runs(sql`s.namespace = ${namespace} AND ${raw(`s.reason IS NOT NULL AND s.status = 'suspended'`)}`));
  return sources;
}

const endedAs = ({ tables, dialect }: Scope, namespace: string, status: readonly string[]): Statement => sql`
  SELECT s.id FROM ${tables.runs} AS s ${dialect.forceIndex(id(`${tables.prefix}_runs_finished`))}
  WHERE s.namespace = ${namespace} AND s.${raw(endedColumn(dialect))} IN (${join(status)}) AND s.finished_at IS NOT NULL`;

/** PostgreSQL: runs with and without a due time are in different indexes. */
function dueOrNot({ tables }: Scope, { namespace, version }: ListRuns, workflow: string): Statement {
  const ofVersion = version === undefined ? raw('') : sql`AND s.version = ${version}`;
  const half = (condition: string) => sql`SELECT s.id FROM ${tables.runs} AS s
    WHERE s.namespace = ${namespace} AND s.workflow = ${workflow} ${ofVersion} AND ${raw(condition)}`;
  return sql`${half('s.wake_at IS NOT NULL')} UNION ALL ${half('s.wake_at IS NULL')}`;
}

/** MySQL family: the index of blocked runs has all runs, by workflow, version and reason. */
function sourcesByWorkflow({ tables, dialect }: Scope, { namespace, workflow, blocked }: ListRuns): Source[] {
  const index = dialect.forceIndex(id(`${tables.prefix}_runs_blocked`));
  const sources: Source[] = [];
  if (workflow !== undefined)
    sources.push({
      ids: sql`SELECT s.id FROM ${tables.runs} AS s ${index} WHERE s.namespace = ${namespace} AND s.workflow = ${workflow}`,
      broad: true,
    });
  if (blocked) {
    const reasons = dialect.rows(JSON.stringify(BLOCK_REASONS.map((reason) => ({ reason }))), { reason: 'key' });
    // By equality in all columns of the index: behind them a condition would be checked for each run of a workflow.
    sources.push({
      ids: sql`SELECT s.id FROM (
        SELECT k.namespace, k.workflow, k.version FROM ${tables.runs} AS k ${index} GROUP BY k.namespace, k.workflow, k.version
      ) AS kinds STRAIGHT_JOIN ${reasons} AS b STRAIGHT_JOIN ${tables.runs} AS s ${index}
        ON s.namespace = kinds.namespace AND s.workflow = kinds.workflow AND s.version = kinds.version AND s.reason = b.reason
      WHERE kinds.namespace = ${namespace} AND s.status = 'suspended'`,
    });
  }
  return sources;
}

/** The number of runs of a source, counted up to one more than may be read. */
export const countSource = ({ ids }: Source): Statement =>
  sql`SELECT count(*) AS found FROM (${ids} LIMIT ${int(MOST_SCANNED + 1)}) AS c`;

const orderOf = ({ order = 'newest' }: ListRuns, alias = ''): Statement => {
  const way = order === 'newest' ? 'DESC' : 'ASC';
  return raw(`${alias}created_at ${way}, ${alias}id ${way}`);
};

/** The first condition is redundant, but an index can use it. */
export const rangeOf = ({ past, createdFrom, createdBefore, order = 'newest' }: ListRuns): Statement => {
  const [than, orLike] = order === 'newest' ? [raw('<'), raw('<=')] : [raw('>'), raw('>=')];
  const conditions = [
    ...(past
      ? [
          sql`r.created_at ${orLike} ${past.createdAt} AND (r.created_at ${than} ${past.createdAt} OR r.id ${than} ${past.id})`,
        ]
      : []),
    ...(createdFrom === undefined ? [] : [sql`r.created_at >= ${createdFrom}`]),
    ...(createdBefore === undefined ? [] : [sql`r.created_at < ${createdBefore}`]),
  ];
  return conditions.length === 0 ? raw('1 = 1') : join(conditions, ' AND ');
};

export const filterOf = ({ tables }: Scope, query: ListRuns): Statement => {
  const { namespace, status, reason, blocked, workflow, version, attributes = [], parentId, scheduleId } = query;
  // Not EXISTS: PostgreSQL may then read all runs with the attribute, before it looks at the first of a page.
  const has = (filter: AttributeFilter) =>
    sql`(SELECT 1 FROM ${tables.attributes} AS a WHERE a.run_id = r.id AND ${fits(filter)} LIMIT 1) = 1`;
  const conditions = [
    sql`r.namespace = ${namespace}`,
    ...(status ? [among('status', status)] : []),
    ...(reason ? [among('reason', reason)] : []),
    ...(blocked ? [among('reason', BLOCK_REASONS)] : []),
    ...(workflow === undefined ? [] : [sql`r.workflow = ${workflow}`]),
    ...(version === undefined ? [] : [sql`r.version = ${version}`]),
    ...(parentId === undefined ? [] : [sql`r.parent_id = ${parentId}`]),
    ...(scheduleId === undefined ? [] : [sql`r.schedule_id = ${scheduleId}`]),
    ...attributes.map(has),
  ];
  return join(conditions, ' AND ');
};

const among = (column: string, values: readonly string[]): Statement =>
  values.length === 0 ? raw('1 = 0') : sql`r.${id(column)} IN (${join(values)})`;

function fits({ name, compare }: AttributeFilter): Statement {
  const conditions = compare.map(({ how, value }) => {
    const { type, text, number } = holdAttribute(value);
    const column = raw(type === 'text' ? 'a.text_value' : 'a.number_value');
    return sql`a.type = ${type} AND ${column} ${raw(how)} ${text ?? number}`;
  });
  return join([sql`a.name = ${name}`, ...conditions], ' AND ');
}

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
  SELECT r.id, r.created_at, 1 AS fits FROM ${runsOf(scope, source, MOST_SCANNED)}
  WHERE ${rangeOf(query)} AND ${filterOf(scope, query)}
  ORDER BY ${orderOf(query, 'r.')} LIMIT ${int(query.limit + 1)}`;

/**
 * Scans the next `scanned` runs in order. Returns the matching ones, and, with `fits` 0, the last scanned one if there
 * may be more.
 */
export const pageOfOrder = (scope: Scope, query: ListRuns, scanned: number): Statement => {
  const { tables } = scope;
  const index = scope.dialect.forceIndex(id(`${tables.prefix}_runs_listing`));
  return sql`
  WITH scanned AS (
    SELECT r.id, r.created_at, CASE WHEN ${filterOf(scope, query)} THEN 1 ELSE 0 END AS fits
    FROM ${tables.runs} AS r ${index} WHERE ${rangeOf(query)}
    ORDER BY ${orderOf(query, 'r.')} LIMIT ${int(scanned)}
  )
  SELECT u.id, u.created_at, u.fits FROM (
    SELECT f.id, f.created_at, 1 AS fits FROM (
      SELECT id, created_at FROM scanned WHERE fits = 1 ORDER BY ${orderOf(query)} LIMIT ${int(query.limit + 1)}
    ) AS f
    UNION ALL SELECT l.id, l.created_at, 0 AS fits FROM (
      SELECT id, created_at FROM scanned ORDER BY ${orderOf(query)} LIMIT 1 OFFSET ${int(scanned - 1)}
    ) AS l
  ) AS u ORDER BY ${orderOf(query, 'u.')}`;
};
