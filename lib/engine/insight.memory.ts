import { compare, stepIdOf } from '../core/protocol.js';
import type { Clock } from '../core/time.js';
import type { OverdueRuns, UnfinishedPage, UnfinishedRuns, VersionsPage } from './control.js';
import {
  type AttemptRecord,
  type AttributeFilter,
  type BlockedRuns,
  type Counted,
  type FleetInsight,
  isListed,
  type LimiterInSight,
  type LimiterInUse,
  type ListedRuns,
  type ListedSteps,
  type ListPosition,
  type ListRuns,
  type ListSteps,
  MOST_ATTEMPTS,
  MOST_LINES,
  mostFirst,
  positionIn,
  type RunCounts,
  type RunInsight,
  type RunSurroundings,
  type StepReads,
  type TaskInSight,
  type UntakenSignals,
  type UntakenSignalsPage,
  type WaitCursor,
  type WaitsFor,
  type WaitsQuery,
} from './insight.js';
import {
  type AttributeValue,
  BLOCK_REASONS,
  type BlockReason,
  type ClaimedRun,
  holdAttribute,
  isFinal,
  type ParentClose,
  type RunRecord,
  type RunStatus,
} from './run.js';
import type { LogLine, SignalWait } from './runs.js';
import { channelWanted, type StoredWait, waitInSight } from './signals.js';
import { isPosition, type StepRecord } from './step.js';
import { claimedOf, type HeldRun, type HeldSignal, type LimiterEntry, type MemoryTables } from './tables.memory.js';

/** Reads the tasks of these steps from the transport. */
export type TasksOf = (stepIds: readonly string[]) => TaskInSight[];

/** Reads data about runs for people, from memory. */
export class InMemoryRunInsight implements RunInsight {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
    private readonly tasksOf: TasksOf,
  ) {}

  async attempts(runId: string, seqs?: readonly number[]): Promise<AttemptRecord[]> {
    const held = this.tables.attempts.get(runId) ?? [];
    const attempts = held.filter(({ seq }) => !seqs || seqs.includes(seq));
    return attempts.sort((a, b) => a.seq - b.seq || a.attempt - b.attempt).slice(0, MOST_ATTEMPTS);
  }

  async logs(runId: string, seq?: number): Promise<LogLine[]> {
    const lines = (this.tables.logs.get(runId) ?? []).filter((line) => seq === undefined || line.seq === seq);
    return lines.slice(0, MOST_LINES).map((line) => ({ ...line }));
  }

  async attributes(runIds: readonly string[]): ReturnType<RunInsight['attributes']> {
    return [...new Set(runIds)].sort().flatMap((runId) => {
      const held = [...(this.tables.attributes.get(runId) ?? [])].map(([name, value]) => ({ runId, name, value }));
      return held.sort((a, b) => compare(a.name, b.name));
    });
  }

  async children(runId: string, limit: number): Promise<(RunRecord & { parentClose: ParentClose | null })[]> {
    return [...this.tables.runs.values()]
      .filter(({ parentId }) => parentId === runId)
      .sort((a, b) => a.createdAt - b.createdAt || compare(a.id, b.id))
      .slice(0, limit)
      .map((run) => ({ ...run }));
  }

  async surroundings({ id }: RunRecord): Promise<RunSurroundings> {
    const { waits } = this.tables;
    return {
      tasks: this.tasks(id),
      signals: [...waits.values()]
        .filter(({ runId }) => runId === id)
        .map(({ seq, channel, deadline }) => ({ seq, channel, deadline }))
        .sort((a, b) => a.seq - b.seq || compare(a.channel, b.channel)),
      after: this.awaited(id),
      limiters: this.limiters(id),
    };
  }

  async withoutPayloads(runIds: readonly string[]): Promise<RunRecord[]> {
    const found = [...new Set(runIds)].flatMap((id) => this.tables.runs.get(id) ?? []);
    return found.map((run) => ({ ...run, ...NO_PAYLOADS }));
  }

  private tasks(runId: string): TaskInSight[] {
    const open = this.tables.history(runId).filter(({ kind, settled }) => kind === 'remote' && settled === null);
    return this.tasksOf(open.map(({ seq }) => stepIdOf(runId, seq))).sort((a, b) => a.seq - b.seq);
  }

  private awaited(runId: string): RunSurroundings['after'] {
    return [...this.tables.dependencies]
      .filter(([, waiting]) => waiting.has(runId))
      .map(([id]) => ({ id, status: this.tables.runs.get(id)?.status ?? null }))
      .sort((a, b) => compare(a.id, b.id));
  }

  private limiters(runId: string): LimiterInSight[] {
    const entries = [...this.tables.limiterEntries.values()];
    const ours = entries.filter((entry) => entry.runId === runId).sort(byTurn);
    return ours.map((entry) => {
      const { holder, granted, limitRequest } = entry;
      const others = entries.filter((other) => other.limitRequest.limiter === limitRequest.limiter);
      const waiting = others.filter((other) => !other.granted);
      const ahead = granted ? 0 : waiting.filter((other) => byTurn(other, entry) < 0).length;
      const { name, key, limits, limiter } = limitRequest;
      const openAt = this.tables.limiters.get(limiter)?.openAt ?? null;
      return { holder, name, key, granted, limits, ahead, holding: others.length - waiting.length, openAt };
    });
  }
}

const byTurn = (a: LimiterEntry, b: LimiterEntry): number =>
  a.turn - b.turn || a.queuedAt - b.queuedAt || compare(a.holder, b.holder);

/** Reads runs that have not ended, from memory. */
export class InMemoryUnfinishedRuns implements UnfinishedRuns {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {}

  async overdue(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    const before = this.clock.now() - olderThanMs;
    const found = new Map<string, OverdueRuns>();
    for (const run of this.tables.runs.values()) {
      const { workflow, version } = run;
      // One that waits for its turn is due at its deadline, too.
      const since = Math.min(run.wakeAt ?? Infinity, run.turn === null ? Infinity : run.createdAt);
      if (run.namespace !== namespace || since > before) continue;
      const key = JSON.stringify([workflow, version]);
      found.set(key, { workflow, version, since: Math.min(since, found.get(key)?.since ?? since) });
    }
    return [...found.values()];
  }

  async page({ namespace, afterId, scan }: Parameters<UnfinishedRuns['page']>[0]): Promise<UnfinishedPage> {
    const scanned = [...this.tables.runs.values()]
      .filter(({ id }) => id > afterId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, scan);
    const runs = scanned.filter((run) => run.namespace === namespace && !isFinal(run.status)).map(claimedOf);
    return { runs, next: scanned.length < scan ? undefined : scanned.at(-1)?.id };
  }

  async versions(query: Parameters<UnfinishedRuns['versions']>[0]): Promise<VersionsPage> {
    const { runs, next } = await this.page(query);
    const found = new Map<string, VersionsPage['versions'][number]>();
    for (const { workflow, version } of runs) {
      const key = JSON.stringify([workflow, version]);
      found.set(key, { workflow, version, runs: (found.get(key)?.runs ?? 0) + 1 });
    }
    return { versions: [...found.values()], next };
  }
}

/** A page of runs; scans all runs in memory. */
export function listMemory(tables: MemoryTables, query: ListRuns): ListedRuns {
  const { order = 'newest', past, limit, payloads = true } = query;
  const inOrder = order === 'oldest' ? oldestFirst : (a: ListPosition, b: ListPosition) => oldestFirst(b, a);
  const positionOf = (run: RunRecord) => positionIn(query, run);
  const found = [...tables.runs.values()]
    .filter((run) => isListed(run, query) && hasAttributes(tables, run, query) && waits(tables, run, query))
    .filter((run) => !past || inOrder(past, positionOf(run)) < 0)
    .sort((a, b) => inOrder(positionOf(a), positionOf(b)));
  const runs = found.slice(0, limit).map((run) => ({ ...run, ...(!payloads && NO_PAYLOADS) }));
  const last = runs.at(-1);
  const next = last && found.length > limit ? positionOf(last) : undefined;
  return { runs, next, lookedAt: tables.runs.size };
}

/** In place of what is not read elsewhere. */
const NO_PAYLOADS = { input: null, output: null } as const;

function waits(tables: MemoryTables, { id, finishedAt, reason }: HeldRun, { waitsFor }: ListRuns): boolean {
  if (!waitsFor) return true;
  if (finishedAt !== null) return false;
  const queued = () => [...tables.limiterEntries.values()].some(({ runId, granted }) => runId === id && !granted);
  if (waitsFor.includes('run') && reason === 'waiting_for_runs') return true;
  if (waitsFor.includes('limiter') && queued()) return true;
  return tables.history(id).some((step) => waitsFor.some((one) => one === waitOf(step)));
}

function waitOf({ kind, settled, status, wakeAt }: StepRecord): WaitsFor | undefined {
  if (settled !== null || status === 'answered' || kind === 'marker') return undefined;
  if (kind === 'sleep') return 'timer';
  if (kind === 'signal' || kind === 'child') return kind;
  if (wakeAt !== null) return 'retry';
  return kind === 'remote' ? 'task' : undefined;
}

const hasAttributes = (tables: MemoryTables, { id }: HeldRun, { attributes = [] }: ListRuns): boolean =>
  attributes.every((filter) => fits(tables.attributes.get(id)?.get(filter.name), filter));

function fits(value: AttributeValue | undefined, { compare }: AttributeFilter): boolean {
  if (value === undefined) return false;
  const held = holdAttribute(value);
  return compare.every(({ how, value: other }) => {
    const asked = holdAttribute(other);
    if (held.type !== asked.type) return false;
    if (held.type === 'text') return how === '=' && held.text === asked.text;
    const difference = (held.number ?? 0) - (asked.number ?? 0);
    switch (how) {
      case '=':
        return difference === 0;
      case '>':
        return difference > 0;
      case '>=':
        return difference >= 0;
      case '<':
        return difference < 0;
      case '<=':
        return difference <= 0;
    }
  });
}

const oldestFirst = (a: ListPosition, b: ListPosition): number =>
  a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

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
    const signals = [...untaken.values()].map((some) => this.untakenOf(some)).sort(longestFirst);
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

const longestFirst = (a: UntakenSignals, b: UntakenSignals): number =>
  a.since - b.since || compare(a.name, b.name) || compare(a.target, b.target);

const inOrder = (a: WaitCursor, b: WaitCursor): number => compare(a.channel, b.channel) || compare(a.stepId, b.stepId);

/** Reads the history of one run from memory. */
export class InMemoryStepReads implements StepReads {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

  async claimed(runId: string): Promise<ClaimedRun | undefined> {
    const run = this.tables.runs.get(runId);
    return run && claimedOf(run);
  }

  async firstSeq(runId: string): Promise<number | undefined> {
    return this.tables.runs.get(runId)?.firstSeq;
  }

  async lastSettled(runId: string): Promise<number> {
    return this.tables.history(runId).reduce((most, { settled }) => Math.max(most, settled ?? 0), 0);
  }

  async page({ runId, after, limit, payloads = false }: Parameters<StepReads['page']>[0]): Promise<StepRecord[]> {
    const steps = this.tables.history(runId).filter(({ seq }) => seq > after);
    const page = steps.sort((a, b) => a.seq - b.seq).slice(0, limit);
    return page.map((step) => (payloads ? { ...step } : factsOf(step)));
  }

  async settledAfter({ runId, settled, limit }: Parameters<StepReads['settledAfter']>[0]): Promise<StepRecord[]> {
    const later = this.tables.history(runId).filter((step) => (step.settled ?? 0) > settled);
    return later
      .sort((a, b) => a.settled! - b.settled!)
      .slice(0, limit)
      .map(factsOf);
  }

  async open(runId: string, limit: number): Promise<StepRecord[]> {
    const open = this.tables.history(runId).filter(({ settled, kind }) => settled === null && kind !== 'marker');
    return open
      .sort((a, b) => askedAt(b) - askedAt(a) || b.seq - a.seq)
      .slice(0, limit)
      .map(({ input: _input, ...step }) => step);
  }

  async list({ runs, limit, past, ...wanted }: ListSteps): Promise<ListedSteps> {
    const last = past && past.seq !== null ? this.tables.runs.get(past.id) : undefined;
    const begun = last && isListed(last, runs) ? last : undefined;
    const listed = listMemory(this.tables, { ...runs, limit: Infinity, ...(past && { past }) });
    const isLeft = ({ runId, seq }: StepRecord) => runId !== begun?.id || seq > past!.seq!;
    const now = this.clock.now();
    const found = [...(begun ? [begun] : []), ...listed.runs].flatMap((run) => {
      const steps = this.tables.history(run.id).sort((a, b) => a.seq - b.seq);
      const isMeant = (step: StepRecord) => isLeft(step) && isListedStep(step, wanted, now);
      return steps.filter(isMeant).map((step) => ({ run, step }));
    });
    const page = found.slice(0, limit);
    const end = page.at(-1);
    return {
      steps: page.map(({ run, step }) => ({ ...factsOf(step), workflow: run.workflow })),
      next: end && found.length > limit ? { ...positionIn(runs, end.run), seq: end.step.seq } : undefined,
      lookedAt: listed.runs.length + (begun ? 1 : 0),
    };
  }

  async lineCounts({ runId, from, to }: Parameters<StepReads['lineCounts']>[0]): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for (const { seq } of (this.tables.logs.get(runId) ?? []).slice(0, MOST_LINES))
      if (seq !== null && seq >= from && seq <= to) counts.set(seq, (counts.get(seq) ?? 0) + 1);
    return counts;
  }
}

const askedAt = (step: StepRecord): number => step.askedAt ?? step.createdAt;

const factsOf = ({ input: _input, ...step }: StepRecord): StepRecord => ({ ...step, output: null });

function isListedStep(step: StepRecord, wanted: Omit<ListSteps, 'runs' | 'limit' | 'past'>, now: number): boolean {
  const { name, kind, status, worker, olderThanMs = -Infinity, youngerThanMs = Infinity } = wanted;
  const age = now - askedAt(step);
  return (
    isPosition(step) &&
    (kind?.includes(step.kind) ?? step.kind !== 'marker') &&
    (name === undefined || step.name === name) &&
    (status?.includes(step.status) ?? true) &&
    (worker === undefined || step.worker === worker) &&
    age >= olderThanMs &&
    age < youngerThanMs
  );
}
