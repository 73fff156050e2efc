import type {
  BlockedRuns,
  Counted,
  FleetInsight,
  LimiterInUse,
  RunCounts,
  UntakenSignals,
  UntakenSignalsPage,
  WaitCursor,
  WaitsQuery,
} from '../model/fleet-insight.js';
import type { ListRuns } from '../model/run-insight.js';
import { BLOCK_REASONS, type BlockReason, type RunStatus } from '../model/run.js';
import type { HeldSignal, LimiterEntry, MemoryTables } from '../tables/memory-tables.js';
import { channelWanted } from '../model/mailbox.js';
import type { SignalWait } from '../model/run-store.js';
import { listMemory } from './in-memory-run-listing.js';
import { type StoredWait, waitInSight } from './waits-in-sight.js';

/** Counts in memory, where everything is looked at. */
export class InMemoryFleetInsight implements FleetInsight {
  constructor(private readonly tables: MemoryTables) {}

  async counts({ past: _, ...query }: ListRuns, atMost: number): Promise<RunCounts> {
    const { runs } = listMemory(this.tables, { ...query, limit: Number.MAX_SAFE_INTEGER });
    const byStatus = grouped(runs, ({ status }) => status);
    return {
      byStatus: [...byStatus].map(([status, some]) => ({ status: status as RunStatus, ...capped(some, atMost) })),
      lookedAt: this.tables.runs.size,
      more: false,
    };
  }

  async blocked(namespace: string, atMost: number): Promise<BlockedRuns[]> {
    const runs = [...this.tables.runs.values()].filter(
      (run) =>
        run.namespace === namespace &&
        run.status === 'suspended' &&
        BLOCK_REASONS.some((known) => known === run.reason),
    );
    const alike = grouped(runs, ({ workflow, version, reason }) => JSON.stringify([workflow, version, reason]));
    return [...alike.values()]
      .map((some) => {
        const { workflow, version, reason } = some[0]!;
        return { workflow, version, reason: reason as BlockReason, ...capped(some, atMost) };
      })
      .sort(mostFirst);
  }

  async limiters({
    namespace,
    after,
    limit,
    atMost,
    named,
  }: Parameters<FleetInsight['limiters']>[0]): ReturnType<FleetInsight['limiters']> {
    const used = grouped(this.tables.limiterEntries.values(), ({ limitRequest }) => limitRequest.limiter);
    const keys = [...used.keys()].filter((key) => key > after).sort(compare);
    const page = keys.slice(0, limit);
    const ours = page.map((key) => used.get(key)!).filter(([entry]) => entry?.limitRequest.namespace === namespace);
    return {
      limiters: ours.map((entries) => this.limiterOf(entries, atMost, named)),
      next: page.length < limit ? undefined : page.at(-1),
    };
  }

  async untakenSignals({
    namespace,
    scan,
    limit,
    ...wanted
  }: Parameters<FleetInsight['untakenSignals']>[0]): Promise<UntakenSignalsPage> {
    const { name, run, key } = wanted;
    const channel = channelWanted(namespace, wanted);
    const all = [...this.tables.signals].reverse().filter((signal) => signal.namespace === namespace);
    const isTo = ({ addressed, target }: HeldSignal) => run === undefined || (addressed === 'run' && target === run);
    const ours = all.filter((signal) => (channel === undefined ? isTo(signal) : signal.channel === channel));
    const newest = (addressed: 'run' | 'key') => ours.filter((signal) => signal.addressed === addressed);
    const looked = [newest('run'), newest('key')];
    const read = looked.flatMap((some) => some.slice(0, scan));
    const isMeant = (signal: HeldSignal) =>
      (name === undefined || signal.name === name) &&
      (key === undefined || (signal.addressed === 'key' && signal.target === key));
    const untaken = grouped(
      read.filter((signal) => signal.takenBy === null && isMeant(signal)),
      ({ channel }) => channel,
    );
    const signals = [...untaken.values()].map((some) => this.untakenOf(some)).sort(oldestFirst);
    return {
      signals: signals.slice(0, limit),
      lookedAt: read.length,
      more: signals.length > limit || looked.some((some) => some.length > scan),
    };
  }

  async signalWaits({ namespace, run, channel, after, limit }: WaitsQuery): ReturnType<FleetInsight['signalWaits']> {
    const isNext = (wait: SignalWait) => !after || inOrder(wait, after) > 0;
    const waits = [...this.tables.waits.values()]
      .filter((wait) => (run ?? wait.runId) === wait.runId && (run || (channel ?? wait.channel) === wait.channel))
      .filter(isNext)
      .sort(inOrder)
      .slice(0, limit);
    const last = waits.length < limit ? undefined : waits.at(-1);
    return {
      waits: waits.flatMap((wait) => this.storedWait(wait).flatMap((stored) => waitInSight(stored, namespace))),
      next: last && { channel: last.channel, stepId: last.stepId },
    };
  }

  private storedWait({ runId, seq, deadline, channel }: SignalWait): StoredWait[] {
    const [run, step] = [this.tables.runs.get(runId), this.tables.steps.get(runId)?.get(seq)];
    if (!run || !step) return [];
    const { name, askedAt, createdAt, output: recorded } = step;
    const { workflow, namespace } = run;
    return [{ runId, workflow, namespace, seq, step: name, since: askedAt ?? createdAt, deadline, channel, recorded }];
  }

  private limiterOf(entries: readonly LimiterEntry[], atMost: number, named: number): LimiterInUse {
    const holding = entries.filter(({ granted }) => granted).sort(byTurn);
    const queue = entries.filter(({ granted }) => !granted).sort(byTurn);
    const { name, key, limits, limiter } = (queue[0] ?? entries[0]!).limitRequest;
    return {
      limiter,
      name,
      key,
      limits,
      holding: capped(holding, atMost),
      waiting: capped(queue, atMost),
      since: queue[0]?.queuedAt ?? null,
      openAt: this.tables.limiters.get(limiter)?.openAt ?? null,
      holders: holding.slice(0, named).map(userOf),
      line: queue.slice(0, named).map(userOf),
    };
  }

  private untakenOf(signals: readonly HeldSignal[]): UntakenSignals {
    const { channel, name, addressed, target } = signals[0]!;
    const listening = [...this.tables.waits.values()].filter((wait) => wait.channel === channel).length;
    const since = Math.min(...signals.map(({ createdAt }) => createdAt));
    return { name, addressed, target, count: signals.length, since, listening };
  }
}

const userOf = ({ holder, runId, queuedAt: since }: LimiterEntry) => ({ holder, runId, since });

const capped = (found: readonly unknown[], atMost: number): Counted => ({
  count: Math.min(found.length, atMost),
  more: found.length > atMost,
});

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const mostFirst = (a: BlockedRuns, b: BlockedRuns): number =>
  b.count - a.count || compare(a.workflow, b.workflow) || a.version - b.version || compare(a.reason, b.reason);

const oldestFirst = (a: UntakenSignals, b: UntakenSignals): number =>
  a.since - b.since || compare(a.name, b.name) || compare(a.target, b.target);

const inOrder = (a: WaitCursor, b: WaitCursor): number => compare(a.channel, b.channel) || compare(a.stepId, b.stepId);

const byTurn = (a: LimiterEntry, b: LimiterEntry): number =>
  a.turn - b.turn || a.queuedAt - b.queuedAt || compare(a.holder, b.holder);
