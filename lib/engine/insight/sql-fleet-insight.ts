import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import type {
  BlockedRuns,
  Counted,
  FleetInsight,
  LimiterInUse,
  RunCounts,
  UntakenSignals,
  UntakenSignalsPage,
  WaitsQuery,
} from '../model/fleet-insight.js';
import { readLimitRequest } from '../model/limiter.js';
import { channelWanted } from '../model/mailbox.js';
import { type ListRuns, MOST_SCANNED } from '../model/run-insight.js';
import { type BlockReason, type RunStatus } from '../model/run.js';
import { numberOrNull } from '../tables/run.sql.js';
import * as fleet from './fleet.sql.js';
import { countSource } from './listing.sql.js';
import { type Source, sourcesOf } from './listing-sources.sql.js';
import {
  countListening,
  selectSignalWaits,
  selectUntaken,
  type SignalWaitRow,
  type UntakenRow,
} from './signals-in-sight.sql.js';
import { type StoredWait, waitInSight } from './waits-in-sight.js';

/** Counts in tables: by an index of the filter, or among the newest runs. */
export class SqlFleetInsight implements FleetInsight {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async counts(query: ListRuns, atMost: number): Promise<RunCounts> {
    const { status } = query;
    if (status && isBare(query) && status.every((one) => fleet.INDEXED_STATUSES.includes(one)))
      return this.byIndex(query, status, atMost);
    const source = await this.fewest(sourcesOf(this.scope, query), atMost);
    const limit = source ? atMost : MOST_SCANNED;
    const rows = source
      ? await this.rows<fleet.StatusRow>(fleet.countSourceByStatus(this.scope, query, source, limit))
      : await this.rows<fleet.StatusRow>(fleet.countNewestByStatus(this.scope, query));
    const lookedAt = rows.reduce((sum, { runs }) => sum + Number(runs), 0);
    const more = lookedAt > limit;
    const found = rows.filter(({ fits }) => Number(fits) === 1).map((row) => statusOf(row, atMost, more));
    if (!more || !isBare(query)) return { byStatus: found, lookedAt, more };
    const indexed = fleet.INDEXED_STATUSES.filter((one) => !status || status.includes(one));
    const counted = indexed.length > 0 ? await this.byIndex(query, indexed, atMost) : { byStatus: [] };
    const others = found.filter((one) => !fleet.INDEXED_STATUSES.includes(one.status));
    return { byStatus: [...others, ...counted.byStatus], lookedAt, more };
  }

  async blocked(namespace: string, atMost: number): Promise<BlockedRuns[]> {
    const found: BlockedRuns[] = [];
    for (const { reason } of fleet.blockedWindows(this.scope)) {
      let window: fleet.BlockedWindow | undefined = reason ? { reason } : {};
      while (window) {
        const rows: fleet.BlockedRow[] = await this.rows(fleet.countBlocked(this.scope, namespace, window, atMost));
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
    const found = await this.rows<{ limiter: string }>(fleet.selectLimitersInUse(this.scope, after, limit));
    const keys = found.map(({ limiter }) => limiter);
    const next = keys.length < limit ? undefined : keys.at(-1);
    if (keys.length === 0) return { limiters: [], next };
    const rows = await this.rows<fleet.LimiterUseRow>(fleet.selectLimiterUse(this.scope, namespace, keys, atMost));
    // Without limits: its last entry ended meanwhile.
    const used = rows.filter(({ limits }) => limits !== null);
    if (used.length === 0) return { limiters: [], next };
    const names = used.map(({ limiter }) => limiter);
    const users = await this.rows<fleet.LimiterUserRow>(fleet.selectLimiterUsers(this.scope, names, named));
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
    const rows = await this.rows<fleet.StatusRow>(fleet.countIndexed(this.scope, namespace, statuses, atMost));
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
function wholeOf(rows: readonly fleet.BlockedRow[], atMost: number) {
  const isFull = rows.reduce((sum, { runs }) => sum + Number(runs), 0) > atMost;
  const last = rows.at(-1);
  if (!isFull || !last) return { whole: rows, after: undefined, more: false };
  const isLast = (row: fleet.BlockedRow) =>
    row.workflow === last.workflow && Number(row.version) === Number(last.version);
  const others = rows.filter((row) => !isLast(row));
  const whole = others.length === 0 ? rows : others;
  const { workflow, version } = whole.at(-1)!;
  return { whole, after: { workflow, version: Number(version) }, more: others.length === 0 };
}

const blockedOf = (
  { workflow, version, reason, runs }: fleet.BlockedRow,
  atMost: number,
  more: boolean,
): BlockedRuns => {
  const count = Math.min(Number(runs), atMost);
  return { workflow, version: Number(version), reason: reason as BlockReason, count, more };
};

const statusOf = ({ status, runs }: fleet.StatusRow, atMost: number, more: boolean) => {
  const count = Number(runs);
  return { status: status as RunStatus, count: Math.min(count, atMost), more: more || count > atMost };
};

const capped = (value: number | string, atMost: number): Counted => ({
  count: Math.min(Number(value), atMost),
  more: Number(value) > atMost,
});

function limiterOf(row: fleet.LimiterUseRow, users: readonly fleet.LimiterUserRow[], atMost: number): LimiterInUse {
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

const mostFirst = (a: BlockedRuns, b: BlockedRuns): number =>
  b.count - a.count || inText(a.workflow, b.workflow) || a.version - b.version || inText(a.reason, b.reason);

const oldestFirst = (a: UntakenRow, b: UntakenRow): number =>
  Number(a.since) - Number(b.since) ||
  inText(String(a.name), String(b.name)) ||
  inText(String(a.target), String(b.target));

const inText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
