import { type Clock, stopwatch } from '../core/time.js';
import { byFamily } from '../sql/dialects.js';
import type { SqlExecutor } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import {
  type AttributeFilter,
  isListed,
  type ListedRuns,
  type ListedSteps,
  type ListPosition,
  type ListRuns,
  type ListSteps,
  MOST_SCANNED,
  positionIn,
  type WaitsFor,
} from './insight.js';
import {
  BLOCK_REASONS,
  FINAL_STATUSES,
  holdAttribute,
  isFinal,
  type RunReason,
  type RunRecord,
  type RunStatus,
} from './run.js';
import { LINE_COUNT_SEQ, type StepRecord } from './step.js';
import * as runs from './tables.sql.js';
import { endedColumn } from './tables.sql.js';

type Int = number | string;

interface PositionRow {
  id: string;
  listed_at: Int;
  fits: Int;
}

/** Of how many runs the steps are read at once. */
const RUNS_AT_FIRST = 20;
const MOST_RUNS_AT_ONCE = 1_000;
/** By their outcomes, so that what is open is not counted. */
const MOST_STEPS_AT_ONCE = 20_000;
/** How many runs each scan reads; the next scan follows if the page is not full. */
const SCANS = [500, 2_000, MOST_SCANNED - 2_500] as const;
/** Before it returns an empty page, it scans on for so long, as far as it comes, and so many runs. */
const PATIENCE_MS = 100;
const MOST_FOR_EMPTY = 100_000;

/** Lists pages of runs, with any filter; each page reads a bounded number of rows. */
export class SqlRunListing {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: Scope,
    private readonly clock: Clock = stopwatch,
  ) {}

  async list(query: ListRuns): Promise<ListedRuns> {
    const { page, next, lookedAt } = await this.positions(query);
    const columns = query.payloads === false ? runs.COLUMNS_WITHOUT_PAYLOADS : runs.RUN_COLUMNS;
    const rows = await this.rowsAt(query, page, columns);
    return { runs: rows.map(({ run }) => run), next, lookedAt };
  }

  /** The steps of one part of the runs after the other: of few first, since a run may have very many. */
  async steps({ limit, past, ...wanted }: ListSteps): Promise<ListedSteps> {
    let began = this.clock.now();
    const until = began + PATIENCE_MS;
    const steps: StepOfRun[] = [];
    let [from, lookedAt]: [ListPosition | undefined, number] = [past, 0];
    // The page before may have ended within a run.
    let begun = past && past.seq !== null ? { ...past, seq: past.seq } : undefined;
    for (let part = RUNS_AT_FIRST; ; part = Math.min(part * 8, MOST_RUNS_AT_ONCE)) {
      const found = await this.positions({ ...wanted.runs, limit: part, ...(from && { past: from }) });
      const listed = await this.rowsAt(wanted.runs, [...(begun ? [begun] : []), ...found.page], WITH_OUTCOMES);
      const taken = inOneLook(listed);
      steps.push(...(await this.stepsOf(taken, { ...wanted, begun, limit: limit + 1 - steps.length })));
      lookedAt += taken.length;
      from = taken.length < listed.length ? positionIn(wanted.runs, taken.at(-1)!.run) : found.next;
      begun = undefined;
      const now = this.clock.now();
      // The next part takes at least as long.
      const isOver = steps.length > limit || !from || now + (now - began) >= until;
      if (isOver) return { ...pageOfSteps(steps, { limit, from, runs: wanted.runs }), lookedAt };
      began = now;
    }
  }

  private async stepsOf(taken: readonly ListedRow[], query: SelectSteps): Promise<StepOfRun[]> {
    if (taken.length === 0) return [];
    const byId = new Map(taken.map(({ run }) => [run.id, run]));
    const { rows } = await this.db.run<runs.StepRow>(selectSteps(this.scope, query, [...byId.keys()]));
    return rows.map((row) => ({ run: byId.get(row.run_id)!, step: runs.stepOf(row) }));
  }

  /** Runs that were changed or deleted in between are omitted. */
  private async rowsAt(query: ListRuns, page: readonly ListPosition[], columns: Statement): Promise<ListedRow[]> {
    if (page.length === 0) return [];
    const ids = page.map(({ id }) => id);
    const { rows } = await this.db.run<OutcomesRow>(runs.selectRuns(this.scope, ids, columns));
    const byId = new Map(rows.map((row) => [row.id, { run: runs.runOf(row), outcomes: Number(row.settled ?? 0) }]));
    return ids.flatMap((id) => byId.get(id) ?? []).filter(({ run }) => isListed(run, query));
  }

  private async positions(query: ListRuns) {
    const { positions, scannedTo, lookedAt } = await this.found(query);
    const page = positions.slice(0, query.limit);
    return { page, next: positions.length > query.limit ? page.at(-1) : scannedTo, lookedAt };
  }

  private async found(query: ListRuns): Promise<Found> {
    // What has ended waits for nothing.
    if (saysEnded(query) && (endings(query).length === 0 || query.waitsFor)) return NOTHING;
    const sources = sourcesOf(this.scope, query);
    const narrow = await this.fewest(sources.filter(({ broad }) => !broad));
    if (narrow) return this.fromSource(query, narrow);
    const first = await this.scan(query, NOTHING, SCANS[0]);
    if (!isShort(first, query)) return first;
    const broad = await this.fewest(sources.filter(({ broad }) => broad));
    return broad ? this.fromSource(query, broad, first.lookedAt) : this.inOrder(query, first);
  }

  /** The source with the fewest runs; undefined if all have more than one page may read. */
  private async fewest(sources: readonly Source[]): Promise<Narrow | undefined> {
    let fewest: Narrow | undefined;
    for (const source of sources) {
      const { rows } = await this.db.run<{ found: Int }>(countSource(source));
      const found = Number(rows[0]?.found);
      if (found <= Math.min(fewest?.found ?? MOST_SCANNED, MOST_SCANNED)) fewest = { source, found };
    }
    return fewest;
  }

  private async fromSource(query: ListRuns, { source, found }: Narrow, before = 0): Promise<Found> {
    const { rows } = await this.db.run<PositionRow>(pageOfSource(this.scope, query, source));
    return { positions: rows.map(positionOf), scannedTo: undefined, lookedAt: before + found };
  }

  private async inOrder(query: ListRuns, first: Found): Promise<Found> {
    const from = this.clock.now();
    const until = from + PATIENCE_MS;
    let found = first;
    for (const scan of SCANS.slice(1))
      if (isShort(found, query) && !(query.waitsFor && this.clock.now() >= until))
        found = await this.scan(query, found, scan);
    while (found.scannedTo && found.positions.length === 0 && found.lookedAt < MOST_FOR_EMPTY) {
      const now = this.clock.now();
      const inTime = Math.floor((found.lookedAt / Math.max(1, now - from)) * (until - now));
      if (inTime < SCANS[0]) break;
      found = await this.scan(query, found, Math.min(MOST_SCANNED, inTime));
    }
    return found;
  }

  /** Adds what the next `scan` runs have. */
  private async scan(query: ListRuns, { positions, scannedTo, lookedAt }: Found, scan: number): Promise<Found> {
    const rest = { ...query, limit: query.limit - positions.length, ...(scannedTo && { past: scannedTo }) };
    const { rows } = await this.db.run<PositionRow>(pageOfOrder(this.scope, rest, scan));
    const fitting = rows.filter(({ fits }) => Number(fits) === 1).map(positionOf);
    const last = rows.find(({ fits }) => Number(fits) === 0);
    const scanned = Number(last?.listed_at ?? 0);
    return {
      positions: [...positions, ...fitting],
      // If there may be more.
      scannedTo: last && scanned === scan ? unpacked(last.id) : undefined,
      lookedAt: lookedAt + scanned,
    };
  }
}

interface Found {
  /** One more than the page size, if there are more. */
  positions: ListPosition[];
  /** Where the next page continues if this page is not full. */
  scannedTo: ListPosition | undefined;
  lookedAt: number;
}

const NOTHING: Found = { positions: [], scannedTo: undefined, lookedAt: 0 };

interface OutcomesRow extends runs.RunRow {
  settled?: Int;
}

/** A run, and how many outcomes its steps have had. */
interface ListedRow {
  run: RunRecord;
  outcomes: number;
}

const WITH_OUTCOMES = sql`${runs.COLUMNS_WITHOUT_PAYLOADS}, settled`;

/** The first runs, with as many steps as one statement may read; at least one. */
function inOneLook(listed: readonly ListedRow[]): readonly ListedRow[] {
  let sum = 0;
  const end = listed.findIndex(({ outcomes }, n) => (sum += outcomes) > MOST_STEPS_AT_ONCE && n > 0);
  return end === -1 ? listed : listed.slice(0, end);
}

interface StepOfRun {
  run: RunRecord;
  step: StepRecord;
}

function pageOfSteps(
  found: readonly StepOfRun[],
  { limit, from, runs: query }: { limit: number; from: ListPosition | undefined; runs: ListRuns },
): Pick<ListedSteps, 'steps' | 'next'> {
  const steps = found.slice(0, limit).map(({ run, step }) => ({ ...step, workflow: run.workflow }));
  if (found.length <= limit) return { steps, next: from && { ...from, seq: null } };
  const { run, step } = found[limit - 1]!;
  return { steps, next: { ...positionIn(query, run), seq: step.seq } };
}

/** A source, and how many runs it has. */
interface Narrow {
  source: Source;
  found: number;
}

/** Whether the page has room, and there may be more. */
const isShort = ({ positions, scannedTo }: Found, { limit }: ListRuns): boolean =>
  scannedTo !== undefined && positions.length <= limit;

const positionOf = ({ id, listed_at }: PositionRow): ListPosition => ({ id, at: Number(listed_at) });

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
    SELECT r.id, ${at}, ${fits} FROM ${tables.runs} AS r ${dialect.forceIndex(indexOf(tables.runs, 'listing'))}
    WHERE ${rangeOf(query)} ORDER BY ${orderOf(query, 'r.created_at', 'r.id')} LIMIT ${int(scanned)}`;
  const ids = sql`SELECT e.id FROM (${endedInOrder(scope, query, scanned)}) AS e ORDER BY ${orderOf(query, 'e.finished_at', 'e.id')}`;
  return sql`SELECT r.id, ${at}, ${fits} FROM ${runsOf(scope, { ids }, scanned)}`;
};

/** The next `most` of each way to end, by the index alone, in which each has its own part. */
function endedInOrder({ tables, dialect }: Scope, query: ListRuns, most: number): Statement {
  const parts = endings(query).map((status) => {
    const as = sql`r.${raw(endedColumn(dialect))} = ${raw(`'${status}'`)}`;
    return sql`(
      SELECT r.id, r.finished_at FROM ${tables.runs} AS r ${dialect.forceIndex(indexOf(tables.runs, 'finished'))}
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

interface SelectSteps extends Omit<ListSteps, 'past'> {
  /** Of this run, those after a position. */
  begun: { id: string; seq: number } | undefined;
}

/** The steps of these runs that match, in the order of the runs. */
export const selectSteps = (scope: Scope, query: SelectSteps, runIds: readonly string[]): Statement => {
  const { tables, dialect } = scope;
  const { name, kind, status, worker, olderThanMs, youngerThanMs, begun, limit } = query;
  const listed = runIds.map((id, n) => ({ listed_id: id, n }));
  const asked = raw('COALESCE(s.asked_at, s.created_at)');
  const conditions = [
    kind ? oneOf('s.kind', kind) : raw(`s.kind <> 'marker'`),
    ...(kind ? [sql`s.seq <> ${int(LINE_COUNT_SEQ)}`] : []),
    ...(begun ? [sql`(s.run_id <> ${begun.id} OR s.seq > ${int(begun.seq)})`] : []),
    ...(name === undefined ? [] : [sql`s.name = ${name}`]),
    ...(status ? [oneOf('s.status', status)] : []),
    ...(worker === undefined ? [] : [sql`s.worker = ${worker}`]),
    ...(olderThanMs === undefined ? [] : [sql`${asked} <= ${nowOf(scope)} - ${int(olderThanMs)}`]),
    ...(youngerThanMs === undefined ? [] : [sql`${asked} > ${nowOf(scope)} - ${int(youngerThanMs)}`]),
  ];
  const joined = raw(byFamily(dialect, { postgres: () => 'JOIN', mysql: () => 'STRAIGHT_JOIN' }));
  return sql`
  SELECT ${runs.STEP_FACTS} FROM ${dialect.rows(listed, { listed_id: 'key', n: 'int' })} AS o
  ${joined} ${tables.steps} AS s ${dialect.forceIndex(id('PRIMARY'))} ON s.run_id = o.listed_id
  WHERE ${join(conditions, ' AND ')} ORDER BY o.n, s.seq LIMIT ${int(limit)}`;
};

/** The column of the time by which a list is ordered. */
export const timeOf = ({ order }: ListRuns): 'finished_at' | 'created_at' =>
  order === 'ended' ? 'finished_at' : 'created_at';

const SET_BACK_MS = 60_000;

/**
 * The part of the order's index that is read: every row in it is looked at, so no other column may be in here. No run
 * ended before it was created, but for clocks that a failover set back: for these there is a minute. The first condition of a position is redundant, but an index can use it.
 */
export const rangeOf = (query: ListRuns): Statement => {
  const { past, createdFrom, endedBefore, order = 'newest' } = query;
  const [than, orLike] = order === 'oldest' ? [raw('>'), raw('>=')] : [raw('<'), raw('<=')];
  const at = raw(`r.${timeOf(query)}`);
  const conditions = [
    ...(past ? [sql`${at} ${orLike} ${past.at} AND (${at} ${than} ${past.at} OR r.id ${than} ${past.id})`] : []),
    ...(order === 'ended' ? [raw('r.finished_at IS NOT NULL'), ...endedIn(query, 'r')] : createdIn(query)),
    ...(order === 'ended' && createdFrom !== undefined ? [sql`${at} >= ${createdFrom - SET_BACK_MS}`] : []),
    ...(order !== 'ended' && endedBefore !== undefined ? [sql`${at} < ${endedBefore + SET_BACK_MS}`] : []),
  ];
  return conditions.length === 0 ? raw('1 = 1') : join(conditions, ' AND ');
};

const createdIn = ({ createdFrom, createdBefore }: ListRuns): Statement[] => [
  ...(createdFrom === undefined ? [] : [sql`r.created_at >= ${createdFrom}`]),
  ...(createdBefore === undefined ? [] : [sql`r.created_at < ${createdBefore}`]),
];

export const endedIn = ({ endedFrom, endedBefore }: ListRuns, alias: string): Statement[] => [
  ...(endedFrom === undefined ? [] : [sql`${raw(alias)}.finished_at >= ${endedFrom}`]),
  ...(endedBefore === undefined ? [] : [sql`${raw(alias)}.finished_at < ${endedBefore}`]),
];

export const beginsWith = (alias: string, prefix: string): Statement => {
  const end = after(prefix);
  const from = sql`${raw(alias)}.id >= ${prefix}`;
  return end === undefined ? from : sql`${from} AND ${raw(alias)}.id < ${end}`;
};

/** The first text, by its code points as all keys are ordered, that is after all that begin with `prefix`. */
function after(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = last.codePointAt(0)! + 1;
    // Surrogates are no characters.
    if (next <= 0x10ffff) return points.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return undefined;
}

export const filterOf = (scope: Scope, query: ListRuns): Statement => {
  const { tables } = scope;
  const { namespace, status, reason, blocked, workflow, version, attributes = [], parentId, scheduleId } = query;
  const { waitsFor, idPrefix, order } = query;
  // Not EXISTS: PostgreSQL may then read all runs with the attribute, before it looks at the first of a page.
  const has = (filter: AttributeFilter) =>
    sql`(SELECT 1 FROM ${tables.attributes} AS a WHERE a.run_id = r.id AND ${fits(filter)} LIMIT 1) = 1`;
  const conditions = [
    sql`r.namespace = ${namespace}`,
    ...(order === 'ended' ? createdIn(query) : endedIn(query, 'r')),
    ...(status ? [oneOf('r.status', status)] : []),
    ...(reason ? [oneOf('r.reason', reason)] : []),
    ...(blocked ? [oneOf('r.reason', BLOCK_REASONS)] : []),
    ...(workflow === undefined ? [] : [sql`r.workflow = ${workflow}`]),
    ...(version === undefined ? [] : [sql`r.version = ${version}`]),
    ...(parentId === undefined ? [] : [sql`r.parent_id = ${parentId}`]),
    ...(scheduleId === undefined ? [] : [sql`r.schedule_id = ${scheduleId}`]),
    ...(idPrefix === undefined ? [] : [beginsWith('r', idPrefix)]),
    ...attributes.map(has),
    ...(waitsFor ? [waits(scope, waitsFor)] : []),
  ];
  return join(conditions, ' AND ');
};

const oneOf = (column: string, values: readonly string[]): Statement =>
  values.length === 0 ? raw('1 = 0') : sql`${raw(column)} IN (${join(values)})`;

const OPEN: Readonly<Partial<Record<WaitsFor, string>>> = {
  task: `s.kind = 'remote' AND s.wake_at IS NULL`,
  retry: `s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL`,
  timer: `s.kind = 'sleep'`,
  signal: `s.kind = 'signal'`,
  child: `s.kind = 'child'`,
};

/** By its steps without an outcome, if it has not ended. */
function waits({ tables, dialect }: Scope, waitsFor: readonly WaitsFor[]): Statement {
  const ofRun = dialect.forceIndex(indexOf(tables.limiterEntries, 'run'));
  const steps = waitsFor.flatMap((one) => OPEN[one] ?? []).map((kind) => `(${kind})`);
  const conditions = [
    ...(waitsFor.includes('run') ? [raw(`r.reason = 'waiting_for_runs'`)] : []),
    ...(waitsFor.includes('limiter')
      ? [
          sql`(SELECT 1 FROM ${tables.limiterEntries} AS e ${ofRun} WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1`,
        ]
      : []),
    ...(steps.length > 0
      ? [
          sql`(SELECT 1 FROM ${tables.steps} AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND (${raw(steps.join(' OR '))}) LIMIT 1) = 1`,
        ]
      : []),
  ];
  return conditions.length === 0 ? raw('1 = 0') : sql`r.finished_at IS NULL AND (${join(conditions, ' OR ')})`;
}

export function fits({ name, compare }: AttributeFilter): Statement {
  const conditions = compare.map(({ how, value }) => {
    const { type, text, number } = holdAttribute(value);
    const column = raw(type === 'text' ? 'a.text_value' : 'a.number_value');
    return sql`a.type = ${type} AND ${column} ${raw(how)} ${text ?? number}`;
  });
  return join([sql`a.name = ${name}`, ...conditions], ' AND ');
}

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
  SELECT s.id FROM ${tables.runs} AS s ${dialect.forceIndex(indexOf(tables.runs, 'finished'))}
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
    SELECT s.id FROM ${tables.runs} AS s ${dialect.forceIndex(indexOf(tables.runs, suffix))}
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
