import { compare } from '../core/protocol.js';
import { amongKeys, byFamily, inlineText, orderKey } from '../sql/dialects.js';
import type { SqlExecutor } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { type Scope, TablesAdapter } from '../sql/tables.js';
import {
  type BlockedRuns,
  type Counted,
  type FleetInsight,
  type LimiterInUse,
  type ListRuns,
  MOST_LISTED,
  MOST_SCANNED,
  mostFirst,
  type RunCounts,
  type UntakenSignals,
  type UntakenSignalsPage,
  type WaitCursor,
  type WaitsQuery,
} from './insight.js';
import { readLimitRequest } from './limits.js';
import { countSource, filterOf, rangeOf, runsOf, type Source, sourcesOf } from './listing.sql.js';
import { BLOCK_REASONS, type BlockReason, FINAL_STATUSES, type RunStatus } from './run.js';
import { channelWanted, type StoredWait, waitInSight } from './signals.js';
import { endedColumn, numberOrNull } from './tables.sql.js';

/** Counts in tables: by an index of the filter, or among the newest runs. */
export class SqlFleetInsight extends TablesAdapter implements FleetInsight {
  async counts(query: ListRuns, atMost: number): Promise<RunCounts> {
    const { status } = query;
    if (status && isBare(query) && status.every((one) => INDEXED_STATUSES.includes(one)))
      return this.byIndex(query, status, atMost);
    const source = await this.fewest(sourcesOf(this.scope, query), atMost);
    const limit = source ? atMost : MOST_SCANNED;
    const rows = source
      ? await this.rows<StatusRow>(countSourceByStatus(this.scope, query, source, limit))
      : await this.rows<StatusRow>(countNewestByStatus(this.scope, query));
    const lookedAt = rows.reduce((sum, { runs }) => sum + Number(runs), 0);
    const more = lookedAt > limit;
    const found = rows.filter(({ fits }) => Number(fits) === 1).map((row) => statusOf(row, atMost, more));
    if (!more || !isBare(query)) return { byStatus: found, lookedAt, more };
    const indexed = INDEXED_STATUSES.filter((one) => !status || status.includes(one));
    const counted = indexed.length > 0 ? await this.byIndex(query, indexed, atMost) : { byStatus: [] };
    const others = found.filter((one) => !INDEXED_STATUSES.includes(one.status));
    return { byStatus: [...others, ...counted.byStatus], lookedAt, more };
  }

  async blocked(namespace: string, atMost: number): Promise<BlockedRuns[]> {
    const found: BlockedRuns[] = [];
    for (const { reason } of blockedWindows(this.scope)) {
      let window: BlockedWindow | undefined = reason ? { reason } : {};
      while (window) {
        const rows: BlockedRow[] = await this.rows(countBlocked(this.scope, namespace, window, atMost));
        const { whole, after, more } = wholeOf(rows, atMost);
        found.push(...whole.map((row) => blockedOf(row, atMost, more)));
        window = after && { ...window, after };
      }
    }
    return found.sort(mostFirst);
  }

  async limiters({
    namespace,
    after,
    limit,
    atMost,
    named,
  }: Parameters<FleetInsight['limiters']>[0]): ReturnType<FleetInsight['limiters']> {
    const found = await this.rows<{ limiter: string }>(selectLimitersInUse(this.scope, after, limit));
    const keys = found.map(({ limiter }) => limiter);
    const next = keys.length < limit ? undefined : keys.at(-1);
    if (keys.length === 0) return { limiters: [], next };
    const rows = await this.rows<LimiterUseRow>(selectLimiterUse(this.scope, namespace, keys, atMost));
    // Without limits: its last entry ended meanwhile.
    const used = rows.filter(({ limits }) => limits !== null);
    if (used.length === 0) return { limiters: [], next };
    const names = used.map(({ limiter }) => limiter);
    const users = await this.rows<LimiterUserRow>(selectLimiterUsers(this.scope, names, named));
    const limiters = used.map((row) => limiterOf(row, users, atMost));
    return { limiters: limiters.sort((a, b) => (a.limiter < b.limiter ? -1 : 1)), next };
  }

  async untakenSignals({
    namespace,
    scan,
    limit,
    ...wanted
  }: Parameters<FleetInsight['untakenSignals']>[0]): Promise<UntakenSignalsPage> {
    const channel = channelWanted(namespace, wanted);
    const select = selectUntaken(this.scope, namespace, scan, { ...wanted, channel });
    const rows = await this.rows<UntakenRow>(select);
    const looked = rows.filter(({ channel }) => channel === null).map(({ signals }) => Number(signals));
    const untaken = rows.filter(({ channel }) => channel !== null).sort(oldestFirst);
    const shown = untaken.slice(0, limit);
    const listening = await this.listening(shown.map(({ channel }) => String(channel)));
    return {
      signals: shown.map((row) => untakenOf(row, listening)),
      lookedAt: looked.reduce((sum, count) => sum + Math.min(count, scan), 0),
      more: untaken.length > shown.length || looked.some((count) => count > scan),
    };
  }

  async signalWaits({ namespace, limit, after, ...source }: WaitsQuery): ReturnType<FleetInsight['signalWaits']> {
    const rows = await this.rows<SignalWaitRow>(selectSignalWaits(this.scope, source, after, limit));
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      waits: rows.flatMap(storedWait).flatMap((wait) => waitInSight(wait, namespace)),
      next: last && { channel: last.channel, stepId: last.step_id },
    };
  }

  /** Each of the statuses, up to the end or a limit of its own. */
  private async byIndex({ namespace }: ListRuns, statuses: readonly RunStatus[], atMost: number): Promise<RunCounts> {
    if (statuses.length === 0) return { byStatus: [], lookedAt: 0, more: false };
    const rows = await this.rows<StatusRow>(countIndexed(this.scope, namespace, statuses, atMost));
    const byStatus = rows.map((row) => statusOf(row, atMost, false)).filter(({ count }) => count > 0);
    const lookedAt = byStatus.reduce((sum, { count }) => sum + count, 0);
    return { byStatus, lookedAt, more: byStatus.some(({ more }) => more) };
  }

  /** The filter with the fewest runs, of those with an index; none if its first runs would not tell of the others. */
  private async fewest(sources: readonly Source[], atMost: number): Promise<Source | undefined> {
    let fewest: { source: Source; found: number } | undefined;
    for (const source of sources) {
      const [row] = await this.rows<{ found: number | string }>(countSource(source));
      const found = Number(row?.found);
      if (source.byState && found > atMost) continue;
      if (!fewest || found < fewest.found) fewest = { source, found };
    }
    return fewest?.source;
  }

  private async listening(channels: readonly string[]): Promise<Map<string, number>> {
    if (channels.length === 0) return new Map();
    type Row = { channel: string; waits: number | string };
    const rows = await this.rows<Row>(countListening(this.scope, channels));
    return new Map(rows.map(({ channel, waits }) => [channel, Number(waits)]));
  }

  private async rows<Row>(statement: Parameters<SqlExecutor['run']>[0]): Promise<Row[]> {
    return (await this.db.run<Row>(statement)).rows;
  }
}

/** Whether all runs of a status match, which have an index of their own. */
const isBare = ({ namespace: _, status: _status, limit: _limit, order: _order, past: _past, ...filters }: ListRuns) =>
  Object.values(filters).every((filter) => filter === undefined);

/** The workflows and versions that a window has all runs of, or one that fills it; and where the next window begins. */
function wholeOf(rows: readonly BlockedRow[], atMost: number) {
  const isFull = rows.reduce((sum, { runs }) => sum + Number(runs), 0) > atMost;
  const last = rows.at(-1);
  if (!isFull || !last) return { whole: rows, after: undefined, more: false };
  const isLast = (row: BlockedRow) => row.workflow === last.workflow && Number(row.version) === Number(last.version);
  const others = rows.filter((row) => !isLast(row));
  const whole = others.length === 0 ? rows : others;
  const { workflow, version } = whole.at(-1)!;
  return { whole, after: { workflow, version: Number(version) }, more: others.length === 0 };
}

const blockedOf = ({ workflow, version, reason, runs }: BlockedRow, atMost: number, more: boolean): BlockedRuns => {
  const count = Math.min(Number(runs), atMost);
  return { workflow, version: Number(version), reason: reason as BlockReason, count, more };
};

const statusOf = ({ status, runs }: StatusRow, atMost: number, more: boolean) => {
  const count = Number(runs);
  return { status: status as RunStatus, count: Math.min(count, atMost), more: more || count > atMost };
};

const capped = (value: number | string, atMost: number): Counted => ({
  count: Math.min(Number(value), atMost),
  more: Number(value) > atMost,
});

function limiterOf(row: LimiterUseRow, users: readonly LimiterUserRow[], atMost: number): LimiterInUse {
  const { name, key, limits } = readLimitRequest(row.limits);
  const usersOf = (granted: boolean) =>
    users
      .filter((user) => user.limiter === row.limiter && (Number(user.granted) === 1) === granted)
      .map(({ holder, run_id: runId, queued_at: since }) => ({ holder, runId, since: Number(since) }));
  return {
    limiter: row.limiter,
    name,
    key,
    limits,
    holding: capped(row.holding, atMost),
    waiting: capped(row.waiting, atMost),
    since: numberOrNull(row.since),
    openAt: numberOrNull(row.open_at),
    holders: usersOf(true),
    line: usersOf(false),
  };
}

const untakenOf = (row: UntakenRow, listening: Map<string, number>): UntakenSignals => ({
  name: String(row.name),
  addressed: row.addressed,
  target: String(row.target),
  count: Number(row.signals),
  since: Number(row.since),
  listening: listening.get(String(row.channel)) ?? 0,
});

function storedWait({ run_id: runId, name: step, output: recorded, channel, ...row }: SignalWaitRow): StoredWait[] {
  const { workflow, namespace, since } = row;
  if (step === null || workflow === null || namespace === null) return [];
  const times = { since: Number(since), deadline: numberOrNull(row.deadline) };
  return [{ runId, workflow, namespace, seq: Number(row.seq), step, ...times, channel, recorded }];
}

const oldestFirst = (a: UntakenRow, b: UntakenRow): number =>
  Number(a.since) - Number(b.since) ||
  compare(String(a.name), String(b.name)) ||
  compare(String(a.target), String(b.target));

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
    FROM ${scope.tables.runs} AS r ${scope.dialect.forceIndex(indexOf(scope.tables.runs, 'listing'))}
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
  const index = dialect.forceIndex(indexOf(tables.runs, 'finished'));
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
    FROM ${tables.runs} AS r ${dialect.forceIndex(indexOf(tables.runs, 'blocked'))}
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
      SELECT e.limiter FROM ${tables.limiterEntries} AS e FORCE INDEX (${indexOf(tables.limiterEntries, 'queue')})
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
  { tables, dialect }: Scope,
  namespace: string,
  limiters: readonly string[],
  atMost: number,
): Statement => {
  const holder = raw(orderKey(dialect, 'e.holder'));
  const entries = (limiter: string) => sql`FROM ${tables.limiterEntries} AS e WHERE e.limiter = ${limiter}`;
  const counted = (limiter: string, granted: 0 | 1) => sql`
      (SELECT count(*) FROM (SELECT e.holder ${entries(limiter)} AND e.granted = ${int(granted)} LIMIT ${int(atMost + 1)}) AS c)`;
  const use = (limiter: string) => sql`(
    SELECT l.limiter, l.open_at, ${counted(limiter, 1)} AS holding, ${counted(limiter, 0)} AS waiting,
      (SELECT e.queued_at ${entries(limiter)} AND e.granted = 0 ORDER BY e.turn, e.queued_at, ${holder} LIMIT 1) AS since,
      (SELECT e.limits ${entries(limiter)} ORDER BY e.granted, e.turn, e.queued_at, ${holder} LIMIT 1) AS limits
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
export const selectLimiterUsers = (
  { tables, dialect }: Scope,
  limiters: readonly string[],
  named: number,
): Statement => {
  const first = (limiter: string, granted: 0 | 1) => sql`(
    SELECT e.limiter, e.holder, e.run_id, e.granted, e.turn, e.queued_at FROM ${tables.limiterEntries} AS e
    WHERE e.limiter = ${limiter} AND e.granted = ${int(granted)}
    ORDER BY e.turn, e.queued_at, ${raw(orderKey(dialect, 'e.holder'))} LIMIT ${int(named)})`;
  const all = limiters.flatMap((limiter) => [first(limiter, 1), first(limiter, 0)]);
  return sql`
  SELECT p.limiter, p.holder, p.run_id, p.granted, p.queued_at FROM (${join(all, ' UNION ALL ')}) AS p
  ORDER BY p.limiter, p.granted, p.turn, p.queued_at, ${raw(orderKey(dialect, 'p.holder'))}`;
};

export interface UntakenRow {
  channel: string | null;
  name: string | null;
  addressed: 'run' | 'key';
  target: string | null;
  signals: Int;
  since: Int | null;
}

/** Which signals are looked at: those of a channel, or to a run, or the newest. */
export interface SignalSource {
  channel?: string | undefined;
  run?: string | undefined;
  /** Of those that were looked at. */
  name?: string | undefined;
  key?: string | undefined;
}

/** Of these signals, those that nobody has taken, by name and target. A row without a channel counts all. */
export const selectUntaken = (scope: Scope, namespace: string, scan: number, source: SignalSource = {}): Statement => {
  const { name, key } = source;
  const isNamed = name === undefined ? sql`` : sql` AND n.name = ${name}`;
  const isTo = key === undefined ? sql`` : sql` AND n.addressed = 'key' AND n.target = ${key}`;
  return sql`
  WITH looked AS (${join(probesOf(scope, namespace, scan, source), ' UNION ALL ')})
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL${isNamed}${isTo} GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed`;
};

function probesOf({ tables, dialect }: Scope, namespace: string, scan: number, { channel, run }: SignalSource) {
  const probe = (index: string, where: Statement, order: string) => sql`(
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM ${tables.signals} AS s ${dialect.forceIndex(indexOf(tables.signals, index))}
      WHERE ${where} ${raw(order)} LIMIT ${int(scan + 1)})`;
  // Those that have no position yet were sent a moment ago, or nobody has ever waited for them.
  if (channel !== undefined)
    return [
      probe('order', sql`s.channel = ${channel} AND s.position IS NOT NULL`, 'ORDER BY s.position DESC'),
      probe('unfiled', sql`s.channel = ${channel} AND s.position IS NULL`, 'ORDER BY s.id DESC'),
    ];
  if (run !== undefined)
    return [probe('target', sql`s.target = ${run} AND s.addressed = 'run' AND s.namespace = ${namespace}`, '')];
  return (['run', 'key'] as const).map((addressed) => {
    const where = sql`s.namespace = ${namespace} AND s.addressed = ${raw(`'${addressed}'`)}`;
    return probe('age', where, 'ORDER BY s.created_at DESC, s.id DESC');
  });
}

export const countListening = ({ tables, dialect }: Scope, channels: readonly string[]): Statement => sql`
  SELECT w.channel, count(*) AS waits FROM ${tables.waits} AS w WHERE w.channel ${amongKeys(dialect, channels)} GROUP BY w.channel`;

export interface SignalWaitRow {
  channel: string;
  step_id: string;
  run_id: string;
  seq: Int;
  deadline: Int | null;
  /** This and what follows: null if the run is being deleted. */
  name: string | null;
  output: string | null;
  since: Int | null;
  namespace: string | null;
  workflow: string | null;
}

/** A page of waits in the order of channels, which are hashes, with the steps and runs that wait. */
export const selectSignalWaits = (
  scope: Scope,
  source: { channel?: string | undefined; run?: string | undefined },
  after: WaitCursor | undefined,
  limit: number,
): Statement => {
  const { tables } = scope;
  return sql`
  SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (${waitsOf(scope, source, after, limit)}) AS w
  LEFT JOIN ${tables.steps} AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN ${tables.runs} AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id`;
};

const WAIT = raw('w.channel, w.step_id, w.run_id, w.seq, w.deadline');

function waitsOf(
  { tables, dialect }: Scope,
  { channel, run }: { channel?: string | undefined; run?: string | undefined },
  after: WaitCursor | undefined,
  limit: number,
): Statement {
  const [from, step] = [after?.channel ?? '', after?.stepId ?? ''];
  const end = sql`ORDER BY w.channel, w.step_id LIMIT ${int(limit)}`;
  // Otherwise MariaDB goes through all steps in the order of their ids, or sorts the channel.
  const waits = sql`${tables.waits} AS w ${dialect.forceIndex(id('PRIMARY'))}`;
  const ofChannel = (one: string) =>
    sql`SELECT ${WAIT} FROM ${waits} WHERE w.channel = ${one} AND w.step_id > ${step} ORDER BY w.step_id LIMIT ${int(limit)}`;
  // There are few of a run: they are found by its open steps.
  if (run !== undefined)
    return sql`
    SELECT ${WAIT} FROM (
      SELECT s.run_id, s.seq FROM ${tables.steps} AS s
      WHERE s.run_id = ${run} AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT ${int(MOST_LISTED)}
    ) AS o JOIN ${tables.waits} AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
    WHERE w.channel > ${from} OR (w.channel = ${from} AND w.step_id > ${step}) ${end}`;
  if (channel !== undefined) return ofChannel(channel);
  // Two ranges of the key: of a condition with both, not every database makes one.
  return sql`
    SELECT ${WAIT} FROM (
      (${ofChannel(from)}) UNION ALL
      (SELECT ${WAIT} FROM ${waits} WHERE w.channel > ${from} ${end})
    ) AS w ${end}`;
}
