import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Scope } from '../../sql/tables.js';
import type { ListRuns } from '../model/run-insight.js';
import { BLOCK_REASONS, FINAL_STATUSES, isFinal, type RunReason, type RunStatus } from '../model/run.js';
import { endedColumn } from '../tables/run.sql.js';
import { beginsWith, endedIn, fits } from './listing-filters.sql.js';

/** The ids of runs that match a filter, read by its index. */
export interface Source {
  ids: Statement;
  /** Often many runs match it, so that the first page is quicker read in order. */
  broad?: true;
  /** Its first runs are in the same state, so that they say nothing about the others. */
  byState?: true;
}

/** The indexes that the filters of a query can use. */
export function sourcesOf(scope: Scope, query: ListRuns): Source[] {
  const { tables } = scope;
  const { namespace, status = [], attributes = [], parentId, idPrefix } = query;
  const runs = (condition: Statement): Source => ({
    ids: sql`SELECT s.id FROM ${tables.runs} AS s WHERE ${condition}`,
  });
  const sources: Source[] = attributes.map((filter) => ({
    ids: sql`SELECT a.run_id AS id FROM ${tables.attributes} AS a WHERE a.namespace = ${namespace} AND ${fits(filter)}`,
  }));
  if (parentId !== undefined) sources.push(runs(sql`s.parent_id = ${parentId}`));
  if (status.length === 1 && status[0] === 'running') sources.push(runs(raw('s.owner IS NOT NULL')));
  if (idPrefix !== undefined && idPrefix !== '') sources.push(runs(beginsWith('s', idPrefix)));
  const ended = query.order === 'ended' ? [] : endings(query);
  if (ended.length > 0) sources.push({ ids: endedAs(scope, query, ended), byState: true });
  if (!scope.dialect.hasPartialIndexes) return [...sources, ...sourcesByReason(scope, query)];
  if (query.workflow !== undefined)
    sources.push({ ids: dueOrNot(scope, query, query.workflow), broad: true, byState: true });
  const reasons = reasonsOf(query);
  if (reasons && reasons.every((reason) => BLOCK_REASONS.some((known) => known === reason)))
    sources.push(runs(sql`s.namespace = ${namespace} AND ${raw(`s.reason IS NOT NULL AND s.status = 'suspended'`)}`));
  return sources;
}

/** Whether no run matches that has not ended, whatever its status. */
export const saysEnded = ({ endedFrom, endedBefore, order }: ListRuns): boolean =>
  endedFrom !== undefined || endedBefore !== undefined || order === 'ended';

/** How the runs that match have ended; none if the filter does not say that they have. */
export const endings = (query: ListRuns): readonly RunStatus[] => {
  const { status } = query;
  if (!saysEnded(query) && !(status && status.length > 0 && status.every(isFinal))) return [];
  return FINAL_STATUSES.filter((one) => !status || status.includes(one));
};

const endedAs = ({ tables, dialect }: Scope, query: ListRuns, statuses: readonly RunStatus[]): Statement => sql`
  SELECT s.id FROM ${tables.runs} AS s ${dialect.forceIndex(id(`${tables.prefix}_runs_finished`))}
  WHERE s.namespace = ${query.namespace} AND s.${raw(endedColumn(dialect))} IN (${join(statuses)})
    AND ${join([raw('s.finished_at IS NOT NULL'), ...endedIn(query, 's')], ' AND ')}`;

/** PostgreSQL: runs with and without a due time are in different indexes. */
function dueOrNot({ tables }: Scope, { namespace, version }: ListRuns, workflow: string): Statement {
  const ofVersion = version === undefined ? raw('') : sql`AND s.version = ${version}`;
  const half = (condition: string) => sql`SELECT s.id FROM ${tables.runs} AS s
    WHERE s.namespace = ${namespace} AND s.workflow = ${workflow} ${ofVersion} AND ${raw(condition)}`;
  return sql`${half('s.wake_at IS NOT NULL')} UNION ALL ${half('s.wake_at IS NULL')}`;
}

/** MySQL family: the index of due runs has all runs, by workflow and version, and that of blocked runs by reason. */
function sourcesByReason({ tables, dialect }: Scope, query: ListRuns): Source[] {
  const { namespace, workflow, version } = query;
  const by = (suffix: string, condition: Statement) => sql`
    SELECT s.id FROM ${tables.runs} AS s ${dialect.forceIndex(id(`${tables.prefix}_runs_${suffix}`))}
    WHERE s.namespace = ${namespace} AND ${condition}`;
  const ofVersion = version === undefined ? raw('') : sql` AND s.version = ${version}`;
  const reasons = reasonsOf(query);
  const sources: Source[] = [];
  if (workflow !== undefined)
    sources.push({ ids: by('due', sql`s.workflow = ${workflow}${ofVersion}`), broad: true, byState: true });
  if (reasons && reasons.length > 0) sources.push({ ids: by('blocked', sql`s.reason IN (${join(reasons)})`) });
  return sources;
}

/** The reasons that a run may have; undefined: any, or none. */
const reasonsOf = ({ reason, blocked }: ListRuns): readonly RunReason[] | undefined => {
  if (!blocked) return reason;
  return reason ? BLOCK_REASONS.filter((known) => reason.includes(known)) : BLOCK_REASONS;
};
