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
} from '../model/fleet-insight.js';
import { readLimitRequest } from '../model/limiter.js';
import { type ListRuns, MOST_SCANNED } from '../model/run-insight.js';
import { type BlockReason, isFinal, type RunStatus } from '../model/run.js';
import { numberOrNull } from '../tables/run.sql.js';
import * as fleet from './fleet.sql.js';
import { countSource, type Source, sourcesOf } from './listing.sql.js';

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
    const source = await this.fewest(sourcesOf(this.scope, query));
    const limit = source ? atMost : MOST_SCANNED;
    const rows = source
      ? await this.rows<fleet.StatusRow>(fleet.countSourceByStatus(this.scope, query, source, limit))
      : await this.rows<fleet.StatusRow>(fleet.countNewestByStatus(this.scope, query));
    const lookedAt = rows.reduce((sum, { runs }) => sum + Number(runs), 0);
    const more = lookedAt > limit;
    const found = rows.filter(({ fits }) => Number(fits) === 1).map((row) => statusOf(row, atMost, more));
    if (!more || !isBare(query)) return { byStatus: found, lookedAt, more };
    const ended = await this.rows<fleet.StatusRow>(fleet.countEnded(this.scope, query.namespace, atMost));
    const counted = ended.map((row) => statusOf(row, atMost, false)).filter(({ status }) => isAsked(query, status));
    const others = found.filter(({ status }) => !isFinal(status) && status !== 'running');
    return { byStatus: [...others, ...counted.filter(({ count }) => count > 0)], lookedAt, more };
  }

  async blocked(namespace: string, atMost: number): Promise<BlockedRuns[]> {
    const rows = await this.rows<fleet.BlockedRow>(fleet.countBlocked(this.scope, namespace, atMost));
    const more = rows.reduce((sum, { runs }) => sum + Number(runs), 0) > atMost;
    return rows
      .map(({ workflow, version, reason, runs }) => {
        const counted = { count: Math.min(Number(runs), atMost), more };
        return { workflow, version: Number(version), reason: reason as BlockReason, ...counted };
      })
      .sort(mostFirst);
  }

  async limiters({
    namespace,
    after,
    limit,
    atMost,
  }: Parameters<FleetInsight['limiters']>[0]): ReturnType<FleetInsight['limiters']> {
    const used = await this.rows<{ limiter: string }>(fleet.selectLimitersInUse(this.scope, after, limit));
    const keys = used.map(({ limiter }) => limiter);
    const next = keys.length < limit ? undefined : keys.at(-1);
    if (keys.length === 0) return { limiters: [], next };
    const rows = await this.rows<fleet.LimiterUseRow>(fleet.selectLimiterUse(this.scope, namespace, keys, atMost));
    // Without limits: its last entry ended meanwhile.
    const limiters = rows.filter(({ limits }) => limits !== null).map((row) => limiterOf(row, atMost));
    return { limiters: limiters.sort((a, b) => (a.limiter < b.limiter ? -1 : 1)), next };
  }

  async untakenSignals({
    namespace,
    scan,
    limit,
  }: Parameters<FleetInsight['untakenSignals']>[0]): Promise<UntakenSignalsPage> {
    const rows = await this.rows<fleet.UntakenRow>(fleet.selectUntaken(this.scope, namespace, scan));
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

  /** The filter with the fewest runs, of those with an index. */
  private async fewest(sources: readonly Source[]): Promise<Source | undefined> {
    let fewest: { source: Source; found: number } | undefined;
    for (const source of sources) {
      const [row] = await this.rows<{ found: number | string }>(countSource(source));
      const found = Number(row?.found);
      if (!fewest || found < fewest.found) fewest = { source, found };
    }
    return fewest?.source;
  }

  private async listening(channels: readonly string[]): Promise<Map<string, number>> {
    if (channels.length === 0) return new Map();
    type Row = { channel: string; waits: number | string };
    const rows = await this.rows<Row>(fleet.countListening(this.scope, channels));
    return new Map(rows.map(({ channel, waits }) => [channel, Number(waits)]));
  }

  private async rows<Row>(statement: Parameters<SqlExecutor['run']>[0]): Promise<Row[]> {
    return (await this.db.run<Row>(statement)).rows;
  }
}

/** Whether all runs of a status match, which have an index of their own. */
const isBare = ({ namespace: _, status: _status, limit: _limit, order: _order, past: _past, ...filters }: ListRuns) =>
  Object.values(filters).every((filter) => filter === undefined);

const isAsked = ({ status: asked }: ListRuns, status: RunStatus): boolean => !asked || asked.includes(status);

const statusOf = ({ status, runs }: fleet.StatusRow, atMost: number, more: boolean) => {
  const count = Number(runs);
  return { status: status as RunStatus, count: Math.min(count, atMost), more: more || count > atMost };
};

const capped = (value: number | string, atMost: number): Counted => ({
  count: Math.min(Number(value), atMost),
  more: Number(value) > atMost,
});

function limiterOf(row: fleet.LimiterUseRow, atMost: number): LimiterInUse {
  const { name, key, limits } = readLimitRequest(row.limits);
  return {
    limiter: row.limiter,
    name,
    key,
    limits,
    holding: capped(row.holding, atMost),
    waiting: capped(row.waiting, atMost),
    since: numberOrNull(row.since),
    openAt: numberOrNull(row.open_at),
  };
}

const untakenOf = (row: fleet.UntakenRow, listening: Map<string, number>): UntakenSignals => ({
  name: String(row.name),
  addressed: row.addressed,
  target: String(row.target),
  count: Number(row.signals),
  since: Number(row.since),
  listening: listening.get(String(row.channel)) ?? 0,
});

const mostFirst = (a: BlockedRuns, b: BlockedRuns): number =>
  b.count - a.count || inText(a.workflow, b.workflow) || a.version - b.version || inText(a.reason, b.reason);

const oldestFirst = (a: fleet.UntakenRow, b: fleet.UntakenRow): number =>
  Number(a.since) - Number(b.since) ||
  inText(String(a.name), String(b.name)) ||
  inText(String(a.target), String(b.target));

const inText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
