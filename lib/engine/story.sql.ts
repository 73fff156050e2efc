import { type Moment, type MomentQuery, STAGE, WHAT } from '../core/protocol.js';
import { amongKeys, amongNumbers, byFamily, padded } from '../sql/dialects.js';
import { type Identifier, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { momentOf, type MomentRow, nextMoments, rowsOfRuns, type Scope, TablesAdapter } from '../sql/tables.js';
import { PUBLISHED } from './erasure.js';
import type { AttemptRecord } from './insight.js';
import { attemptOf, type AttemptRow } from './insight.sql.js';
import { positionIn, type StepRecord } from './step.js';
import {
  type ChildrenQuery,
  LOWEST_SEQ,
  MOST_TAKEN,
  type RunTimes,
  type SignalInStory,
  type StepKey,
  type StoryReads,
} from './story.js';
import { numberOrNull, type RunRow, STEP_FACTS, stepOf, type StepRow } from './tables.sql.js';

type Int = number | string;

/** The last thing that a run has recorded: a run that is blocked now recorded nothing since. */
const lastRecorded = ({ tables }: Scope): Statement => sql`GREATEST(COALESCE(r.started_at, r.created_at),
    COALESCE((SELECT MAX(GREATEST(s.created_at, COALESCE(s.started_at, 0), COALESCE(s.finished_at, 0))) FROM ${tables.steps} AS s WHERE s.run_id = r.id), 0),
    COALESCE((SELECT MAX(a.finished_at) FROM ${tables.attempts} AS a WHERE a.run_id = r.id), 0))`;

interface TimesRow extends Pick<
  RunRow,
  'id' | 'namespace' | 'schedule_id' | 'created_at' | 'started_at' | 'finished_at' | 'erased_at'
> {
  blocked_at: Int | null;
}

const TIMES = raw(
  ['id', 'namespace', 'schedule_id', 'created_at', 'started_at', 'finished_at', 'erased_at', 'status', 'reason']
    .map((column) => `b.${column}`)
    .join(', '),
);

/** The inner query limits, so that only runs that are told of are asked what they recorded last. */
const timesOf = (scope: Scope, inner: Statement): Statement => sql`
  SELECT r.id, r.namespace, r.schedule_id, r.created_at, r.started_at, r.finished_at, r.erased_at,
    CASE WHEN r.status = 'suspended' AND r.reason IS NOT NULL THEN ${lastRecorded(scope)} END AS blocked_at
  FROM (SELECT ${TIMES} FROM ${inner}) AS r ORDER BY r.id`;

export const selectStoryRuns = (scope: Scope, runIds: readonly string[]): Statement =>
  timesOf(scope, sql`${scope.tables.runs} AS b WHERE b.id ${amongKeys(scope.dialect, runIds)}`);

export const selectStoryChildren = (scope: Scope, { limit, ...query }: ChildrenQuery): Statement =>
  timesOf(scope, sql`${firstOfEach(scope, { limit, ...query })} ORDER BY b.id LIMIT ${int(limit)}`);

/**
 * Children as `b`. MySQL and MariaDB read the first ones of each parent by the index: among those of all, they would walk
 * the runs in the order of ids. PostgreSQL would do that once for each parent.
 */
const firstOfEach = ({ tables, dialect }: Scope, { namespace, parentIds, limit }: ChildrenQuery): Statement => {
  const index = indexOf(tables.runs, 'parent');
  const first = (parent: string | null) => sql`(
    SELECT ${TIMES} FROM ${tables.runs} AS b FORCE INDEX (${index})
    WHERE b.parent_id = ${parent} AND b.namespace = ${namespace} ORDER BY b.id LIMIT ${int(limit)})`;
  return byFamily(dialect, {
    postgres: () =>
      sql`${tables.runs} AS b WHERE b.parent_id ${amongKeys(dialect, parentIds)} AND b.namespace = ${namespace}`,
    mysql: () => sql`(${join(padded<string | null>([...new Set(parentIds)], null).map(first), ' UNION ALL ')}) AS b`,
  });
};

const timesIn = (row: TimesRow): RunTimes => ({
  id: row.id,
  namespace: row.namespace,
  scheduleId: row.schedule_id,
  createdAt: Number(row.created_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
  erasedAt: numberOrNull(row.erased_at),
  blockedAt: numberOrNull(row.blocked_at),
});

/** The stage of a step: see `stageOf`. */
const stageIn = (alias: string): Statement =>
  raw(`CASE WHEN ${alias}.seq >= 0 THEN ${alias}.seq ELSE ${STAGE.last} + ${alias}.seq END`);

export interface TakenSignal {
  run: number;
  channel: string;
  position: number;
}

export function selectStoryMoments(
  { tables, dialect }: Scope,
  { runIds, ...next }: MomentQuery,
  taken: readonly TakenSignal[],
): Statement {
  const what = (name: keyof typeof WHAT) => int(WHAT[name]);
  // Otherwise PostgreSQL, which does not know how few the runs are, would join them with the whole table.
  const ours = amongKeys(dialect, runIds);
  const steps = (at: string, name: 'asked' | 'ended', where: string) =>
    sql`SELECT s.${raw(at)} AS moment, f.run, ${stageIn('s')} AS stage, ${what(name)} AS what, 0 AS item
    FROM ${tables.steps} AS s JOIN f ON f.run_id = s.run_id WHERE s.run_id ${ours} AND s.seq > ${int(LOWEST_SEQ)} ${raw(where)}`;
  const ended = raw('COALESCE(a.finished_at, a.started_at, a.asked_at)');
  const branches = [
    steps('created_at', 'asked', ''),
    steps('finished_at', 'ended', `AND s.finished_at IS NOT NULL AND s.kind <> 'marker'`),
    sql`SELECT ${ended} AS moment, f.run, ${stageIn('a')} AS stage, ${what('attempted')} AS what, a.attempt AS item
    FROM ${tables.attempts} AS a JOIN f ON f.run_id = a.run_id WHERE a.run_id ${ours} AND ${ended} IS NOT NULL`,
    sql`SELECT g.created_at AS moment, f.run, ${int(STAGE.first)} AS stage, ${what('signal')} AS what, g.id AS item
    FROM ${tables.signals} AS g JOIN f ON f.run_id = g.target WHERE g.target ${ours} AND g.addressed = 'run'`,
    ...(taken.length > 0 ? [takenBranch({ tables, dialect }, taken)] : []),
  ];
  const among = rowsOfRuns(dialect, runIds);
  return nextMoments(dialect, { among, branches: join(branches, ' UNION ALL '), items: 'bigint', ...next });
}

const takenBranch = ({ tables, dialect }: Pick<Scope, 'tables' | 'dialect'>, taken: readonly TakenSignal[]) => sql`
  SELECT g.created_at AS moment, t.run, ${int(STAGE.first)} AS stage, ${int(WHAT.signal)} AS what, g.id AS item
  FROM ${dialect.rows(taken, { run: 'int', channel: 'key', position: 'int' })} AS t
  JOIN ${tables.signals} AS g ON g.channel = t.channel AND g.position = t.position
  WHERE g.channel ${amongKeys(dialect, [...new Set(taken.map(({ channel }) => channel))])}
    AND g.position ${amongNumbers(dialect, [...new Set(taken.map(({ position }) => position))])} AND g.addressed <> 'run'`;

export const selectTakenRefs = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT s.run_id, s.ref FROM ${tables.steps} AS s
  WHERE s.run_id ${amongKeys(dialect, runIds)} AND s.kind = 'signal' AND s.ref IS NOT NULL
  ORDER BY s.run_id, s.seq LIMIT ${int(MOST_TAKEN)}`;

/** These positions as rows `k`, joined with a table. The redundant conditions make PostgreSQL use its index. */
const atKeys = ({ dialect }: Scope, keys: readonly StepKey[], alias: string, table: Identifier): Statement => {
  const rows = keys.map(({ runId, seq }) => ({ of_run: runId, at_seq: seq }));
  const seqs = keys.map(({ seq }) => seq);
  const row = raw(alias);
  return sql`FROM ${dialect.rows(rows, { of_run: 'key', at_seq: 'int' })} AS k
  JOIN ${table} AS ${row} ON ${row}.run_id = k.of_run AND ${row}.seq = k.at_seq
  WHERE ${row}.run_id ${amongKeys(dialect, [...new Set(keys.map(({ runId }) => runId))])}
    AND ${row}.seq >= ${int(Math.min(...seqs))} AND ${row}.seq <= ${int(Math.max(...seqs))}`;
};

/** Without `payloads`, only outputs that the engine has written itself. */
export const selectStorySteps = (scope: Scope, keys: readonly StepKey[], payloads: boolean): Statement => {
  const own = raw(
    `CASE WHEN (s.kind = 'marker' AND s.ref = '${PUBLISHED}') OR (s.kind = 'signal' AND s.settled IS NULL) THEN s.output END`,
  );
  return sql`
  SELECT ${STEP_FACTS}, ${payloads ? raw('s.output') : own} AS output ${atKeys(scope, keys, 's', scope.tables.steps)}`;
};

/** Also the other attempts at these positions. */
export const selectStoryAttempts = (scope: Scope, keys: readonly StepKey[]): Statement => sql`
  SELECT a.run_id, a.seq, a.attempt, a.outcome, a.asked_at, a.started_at, a.finished_at, a.worker, a.error
  ${atKeys(scope, keys, 'a', scope.tables.attempts)}`;

export const selectStorySignals = (
  { tables, dialect }: Scope,
  ids: readonly string[],
  payloads: boolean,
): Statement => sql`
  SELECT g.id, g.name, g.addressed, g.target, ${raw(payloads ? 'g.payload' : 'NULL')} AS payload FROM ${tables.signals} AS g
  WHERE g.id ${amongNumbers(dialect, ids)}`;

/** Reads what runs did, from tables. */
export class SqlStory extends TablesAdapter implements StoryReads {
  async runs(runIds: readonly string[]): Promise<RunTimes[]> {
    if (runIds.length === 0) return [];
    return (await this.db.run<TimesRow>(selectStoryRuns(this.scope, runIds))).rows.map(timesIn);
  }

  async children(query: ChildrenQuery): Promise<RunTimes[]> {
    if (query.parentIds.length === 0) return [];
    return (await this.db.run<TimesRow>(selectStoryChildren(this.scope, query))).rows.map(timesIn);
  }

  async moments(query: MomentQuery): Promise<Moment[]> {
    const refs = await this.db.run<{ run_id: string; ref: string }>(selectTakenRefs(this.scope, query.runIds));
    const index = new Map(query.runIds.map((id, run) => [id, run]));
    const taken = refs.rows.flatMap(({ run_id: id, ref }) =>
      positionIn(ref).map((position) => ({ ...position, run: index.get(id)! })),
    );
    const { rows } = await this.db.run<MomentRow>(selectStoryMoments(this.scope, query, taken));
    return rows.map(momentOf);
  }

  async steps(keys: readonly StepKey[], payloads: boolean): Promise<StepRecord[]> {
    if (keys.length === 0) return [];
    return (await this.db.run<StepRow>(selectStorySteps(this.scope, keys, payloads))).rows.map(stepOf);
  }

  async attempts(keys: readonly StepKey[]): Promise<AttemptRecord[]> {
    if (keys.length === 0) return [];
    return (await this.db.run<AttemptRow>(selectStoryAttempts(this.scope, keys))).rows.map(attemptOf);
  }

  async signals(ids: readonly string[], payloads: boolean): Promise<SignalInStory[]> {
    if (ids.length === 0) return [];
    type Row = Omit<SignalInStory, 'id'> & { id: Int };
    const { rows } = await this.db.run<Row>(selectStorySignals(this.scope, ids, payloads));
    return rows.map(({ id, name, addressed, target, payload }) => ({
      id: String(id),
      name,
      addressed,
      target,
      payload,
    }));
  }
}
