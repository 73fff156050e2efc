import type { BeginOfRun, Telemetry } from '../../core/telemetry.js';
import { type Clock, stopwatch, type SynchronizedClock } from '../../core/time.js';
import {
  type Beat,
  type Elsewhere,
  type EndedEngines,
  type NodeIdentity,
  type NodeRoster,
  WriterWatch,
} from '../nodes.js';
import { type ClaimedRun, NOTIFIES } from '../run.js';
import { type ClaimRuns, type RunClaim, type RunStore, SUSPECT_AFTER } from '../runs.js';
import type { StepRecord } from '../step.js';
import type { DeadWorker } from '../tasks.js';
import type { WorkflowRegistry } from '../workflow.js';
import type { Activation } from './activation.js';
import { keyOf } from './recorder.js';
import type { ResidentRuns } from './residency.js';

export interface RunClaimerOptions {
  nodeId: string;
  namespace: string;
  batchSize: number;
  /** The clocks of {@link LookBack}. The first one also measures how long claims take. */
  clocks: readonly [Clock, ...Clock[]];
  /** A claim that took longer than this is invalid: other nodes may have considered this process dead. */
  leaseMs: number;
  /** Hears of claims, and of runs that are played from now on. Default: nobody does. */
  telemetry?: Telemetry;
}

interface Untried {
  name: string;
  version: number;
  last: string;
  /** When it is looked at again, and for the last time. */
  againAt?: number;
}

/** After this time blocked runs are looked for a second time, before all count as tried. */
const LOOK_AGAIN_MS = 500;
/** Of more, the first ones are tried again, which is of no use, and does no harm. */
const MOST_OWN_BLOCKED = 1_000;

/** Claims due runs and activates them: new, woken, timed and orphaned runs are found by one query. */
export class RunClaimer {
  /** Workflows whose blocked runs have not all been tried, and the last tried run of each. */
  private untried: Untried[] | undefined;
  /** The epochs of the claims under which this process has blocked runs, by run. */
  private readonly ownBlocked = new Map<string, number>();
  private turn = 0;
  private claimingSuspect = false;
  /** How many more claims for suspects to try without a result: the row of the next suspect may be locked. */
  private suspectTries = 0;
  private readonly lookBack: LookBack;
  /** The start times of the claims in progress. */
  private readonly asked = new Set<{ at: number }>();

  constructor(
    private readonly ports: { store: RunStore; roster: Pick<NodeRoster, 'living'> },
    private readonly workflows: WorkflowRegistry,
    private readonly residents: ResidentRuns,
    private readonly activate: (run: ClaimedRun, history: readonly StepRecord[]) => Activation | undefined,
    /** Returns which of these runs with a precondition may be played now; the others are parked. */
    private readonly admit: (runs: readonly ClaimedRun[]) => Promise<ClaimedRun[]>,
    private readonly options: RunClaimerOptions,
  ) {
    this.lookBack = new LookBack(options.clocks);
  }

  /** In ms; infinite if the last look was a full one. */
  get nextWithinMs(): number {
    return this.lookBack.nextWithinMs;
  }

  async tick(): Promise<'busy' | 'active' | 'idle'> {
    const limit = Math.min(this.options.batchSize, this.residents.room);
    if (limit === 0) return 'idle';
    const runs = await this.take(() => this.claimDue(limit));
    const blocked = await this.take(() => this.claimBlocked(limit - runs.length));
    if (runs.length >= limit || blocked.length > 0) return 'busy';
    return runs.length > 0 ? 'active' : 'idle';
  }

  private async claimDue(limit: number): Promise<ClaimedRun[]> {
    const workflows = this.inTurn();
    for (;;) {
      const dueWithinMs = this.lookBack.next(workflows.length);
      const runs = await this.claim({ which: 'due', limit, workflows, ...(dueWithinMs && { dueWithinMs }) });
      if (!this.lookBack.learn(runs.length, limit)) return runs;
    }
  }

  get expectsSuspects(): boolean {
    return this.suspectTries > 0;
  }

  /** Claims one suspect run at a time, so that a crash can be attributed to it. */
  async claimSuspect(): Promise<void> {
    if (this.claimingSuspect || this.residents.hasSuspect || this.residents.room === 0) return;
    this.claimingSuspect = true;
    try {
      const runs = await this.take(() => this.claim({ which: 'suspect', limit: 1 }));
      this.suspectTries = runs.length > 0 ? 2 : Math.max(0, this.suspectTries - 1);
    } finally {
      this.claimingSuspect = false;
    }
  }

  /** The claims whose runs may still arrive; not after one lease. */
  get underWay(): readonly object[] {
    return [...this.asked].filter((asking) => !this.isLate(asking));
  }

  private async take(claim: () => Promise<ClaimedRun[]>): Promise<ClaimedRun[]> {
    const asking = { at: this.options.clocks[0].now() };
    this.asked.add(asking);
    try {
      const runs = await claim();
      await this.begin(runs, () => this.isLate(asking));
      return runs;
    } finally {
      this.asked.delete(asking);
    }
  }

  private isLate({ at }: { at: number }): boolean {
    return this.options.clocks[0].now() - at >= this.options.leaseMs;
  }

  /** This process has blocked the run itself: to try it again at once with the same code would end as it did. */
  blocked({ id: runId, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>): void {
    this.ownBlocked.delete(runId);
    this.ownBlocked.set(runId, epoch);
    for (const id of this.ownBlocked.keys()) {
      if (this.ownBlocked.size <= MOST_OWN_BLOCKED) return;
      this.ownBlocked.delete(id);
    }
  }

  /** The claims under which it has blocked runs, or may do so while it looks for blocked ones of this workflow. */
  private ownOf({ name, version }: { name: string; version: number }): { runId: string; epoch: number }[] {
    const blocked = [...this.ownBlocked].map(([runId, epoch]) => ({ runId, epoch }));
    const here = this.residents.all().filter(({ run }) => run.workflow === name && run.version === version);
    return [...blocked, ...here.slice(-MOST_OWN_BLOCKED).map(({ run: { id: runId, epoch } }) => ({ runId, epoch }))];
  }

  /** Another process has ended: runs that it blocked after this one had tried them may fit the code of this one. */
  tryBlockedAgain(): void {
    this.untried = undefined;
  }

  /**
   * Each process tries each blocked run once after its start, since it may have matching code, and once after each end of
   * another process; not those that it has blocked itself, unless others have played them since. One workflow after the
   * other, since runs are ordered by id only within one workflow.
   */
  private async claimBlocked(limit: number): Promise<ClaimedRun[]> {
    const untried = (this.untried ??= this.all.map((workflow): Untried => ({ ...workflow, last: '' })));
    const now = this.options.clocks[0].now();
    while (limit > 0) {
      const workflow = untried.find((one) => !this.isHeld(one) && now >= (one.againAt ?? now));
      if (!workflow) return [];
      const { last: afterId, name, version } = workflow;
      const one = { name, version };
      const without = this.ownOf(one);
      const runs = await this.claim({ which: 'blocked', workflows: [one], limit, afterId, without });
      workflow.last = runs.at(-1)?.id ?? afterId;
      if (runs.length > 0) return runs.map((run) => ({ ...run, wasBlocked: true }));
      // A claim skips rows that are locked at that moment.
      if (workflow.againAt === undefined) workflow.againAt = now + LOOK_AGAIN_MS;
      else untried.splice(untried.indexOf(workflow), 1);
    }
    return [];
  }

  /** Starts with another workflow each time, since the limit of a claim may be reached before the last one. */
  private inTurn(): { name: string; version: number }[] {
    const all = this.served;
    const first = this.turn++ % Math.max(1, all.length);
    return [...all.slice(first), ...all.slice(0, first)];
  }

  private get all(): { name: string; version: number }[] {
    return this.workflows.all().map(({ name, version }) => ({ name, version }));
  }

  private get served(): { name: string; version: number }[] {
    return this.all.filter((workflow) => !this.isHeld(workflow));
  }

  private isHeld({ name }: { name: string }): boolean {
    return this.residents.isHeld(name);
  }

  private async claim(request: Pick<ClaimRuns, 'which' | 'limit'> & Partial<ClaimRuns>): Promise<ClaimedRun[]> {
    const { nodeId, namespace, clocks, telemetry } = this.options;
    const { workflows = this.served } = request;
    if (workflows.length === 0) return [];
    const askedAt = clocks[0].now();
    const runs = await this.ports.store.claim({ nodeId, namespace, ...request, workflows });
    if (telemetry?.hears('claim.made'))
      telemetry.emit('claim.made', { what: 'runs', count: runs.length, durationMs: clocks[0].now() - askedAt });
    return runs;
  }

  private enter(run: ClaimedRun, history: readonly StepRecord[]): void {
    this.activate(run, history);
    const { telemetry, clocks } = this.options;
    if (!telemetry?.hears('run.entered')) return;
    const { id: runId, workflow, version, since } = run;
    const how = beginOf(run, history);
    const begins = how && { how, delayMs: Math.max(0, clocks.at(-1)!.now() - since) };
    telemetry.emit('run.entered', { runId, workflow, version, ...begins });
  }

  private async begin(all: readonly ClaimedRun[], isLate: () => boolean): Promise<void> {
    const claimed = await this.withoutRepeated(all);
    if (claimed.length === 0) return;
    const admitted = claimed.some(isConditional) ? await this.admitted(claimed) : claimed;
    const runs = await this.judged(admitted);
    // A run at its first epoch has no history: nothing to read.
    const ids = runs.filter(({ epoch }) => epoch > 1).map(({ id }) => id);
    const histories = new Map<string, StepRecord[]>(ids.map((id) => [id, []]));
    for (const step of await this.historiesOf(ids, runs)) histories.get(step.runId)?.push(step);
    if (isLate()) return this.release(runs);
    // They were asked for before this process knew of a hold.
    const held = runs.filter(({ workflow: name }) => this.isHeld({ name }));
    for (const run of runs) if (!held.includes(run)) this.enter(run, histories.get(run.id) ?? []);
    if (held.length > 0) await this.release(held);
  }

  /** Releases runs whose epoch an older claim also has; the release raises the epoch. */
  private async withoutRepeated(claimed: readonly ClaimedRun[]): Promise<readonly ClaimedRun[]> {
    const repeated = claimed.filter((run) => this.residents.isRepeated(run));
    if (repeated.length === 0) return claimed;
    for (const { id } of repeated) this.residents.get(id)?.drop();
    await this.orGiveBack(claimed, () => this.release(repeated));
    return claimed.filter((run) => !repeated.includes(run));
  }

  private async admitted(claimed: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    const passed = await this.orGiveBack(claimed, () => this.admit(claimed.filter(isConditional)));
    return [...claimed.filter((run) => !isConditional(run)), ...passed];
  }

  /** A process that is back does not count, although it may not have said so yet. Asked only for suspects. */
  private async judged(runs: readonly ClaimedRun[]): Promise<readonly ClaimedRun[]> {
    const listed = runs.flatMap(({ crashes, crashed = [] }) => (crashes >= SUSPECT_AFTER ? crashed : []));
    if (listed.length === 0) return runs;
    const back = new Set(await this.orGiveBack(runs, () => this.ports.roster.living([...new Set(listed)])));
    const isBack = (owner: string) => back.has(owner);
    return runs.map((run) => ({ ...run, crashes: run.crashes - (run.crashed ?? []).filter(isBack).length }));
  }

  private historiesOf(ids: readonly string[], runs: readonly ClaimedRun[]): Promise<StepRecord[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.orGiveBack(runs, () => this.ports.store.histories(ids));
  }

  /** Releases the runs if `work` fails: while this process lives, no other one would claim them. */
  private async orGiveBack<T>(runs: readonly ClaimedRun[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.release(runs).catch(() => undefined);
      throw error;
    }
  }

  /** Nothing of them was played. If the claims were lost meanwhile, their runs count this process as ended. */
  private release(runs: readonly ClaimedRun[]): Promise<void> {
    const { nodeId: owner } = this.options;
    this.residents.mayBlame(runs.map(({ id }) => id));
    return this.ports.store.release(
      runs.map(({ id: runId, epoch }) => ({ runId, epoch, owner })),
      false,
    );
  }
}

/** Whether the run must still wait for its precondition; a closing run does not wait. */
const isConditional = ({ precondition, closing }: ClaimedRun): boolean => precondition !== null && closing === null;

/** The time range of a quick look: transactions that start runs are seldom open for longer. */
const QUICK_MS = 2_000;
/** For this long after a look that claimed everything, quick looks are sufficient. */
const GOOD_FOR_MS = 1_000;
/** The same after a look that found nothing: then there is time for a full look. */
const GOOD_FOR_WHEN_QUIET_MS = 100;

/**
 * The time range in which claims look for due runs. While a transaction keeps an old snapshot open, the index begins
 * with entries of all runs claimed since, and each claim would scan them. So most claims only look at runs that became
 * due recently. Runs that appeared after their due time, or were locked, are found by full looks: at least one per
 * second, and one whenever a quick look finds nothing.
 */
export class LookBack {
  /** The time on each clock at the start of the last look that claimed everything; undefined if there was none. */
  private tookAllAt: readonly number[] | undefined;
  private began: readonly number[] = [];
  private withinMs: number | undefined;
  private found = true;
  private served = 0;

  /** @param clocks the largest passed time on any of them counts: a test may stop one of them. */
  constructor(private readonly clocks: readonly Clock[]) {}

  /** Begins a look and returns its range in ms; undefined for all due runs. `served`: the number of workflows. */
  next(served: number): number | undefined {
    // A new workflow may have old due runs.
    if (served !== this.served) this.tookAllAt = undefined;
    this.served = served;
    this.began = this.clocks.map((clock) => clock.now());
    this.withinMs = this.isFresh ? QUICK_MS : undefined;
    return this.withinMs;
  }

  /** Stores the result. Returns whether a full look is due at once: a quick one found nothing, the last is too old. */
  learn(taken: number, limit: number): boolean {
    this.found = taken > 0;
    // A full look without runs proves nothing: a node with an expired lease gets no runs.
    if (this.withinMs === undefined) this.tookAllAt = this.found && taken < limit ? this.began : undefined;
    return this.withinMs !== undefined && !this.found && !this.isFresh;
  }

  /** The longest nap before the next look, in ms: the wake-up may be for a run outside of the last range. */
  get nextWithinMs(): number {
    if (this.withinMs === undefined) return Infinity;
    return this.found ? GOOD_FOR_MS : GOOD_FOR_WHEN_QUIET_MS;
  }

  private get isFresh(): boolean {
    const { tookAllAt, clocks } = this;
    if (!tookAllAt) return false;
    const ages = clocks.map((clock, i) => Math.abs(clock.now() - tookAllAt[i]!));
    return Math.max(...ages) < (this.found ? GOOD_FOR_MS : GOOD_FOR_WHEN_QUIET_MS);
  }
}

export interface HeartbeatOptions {
  node: NodeIdentity;
  leaseMs: number;
  /** Called with the number of runs of dead processes that were released. */
  onReaped: (runs: number) => void;
  /** See `TaskDispatcher.free`. */
  free?: (dead: readonly DeadWorker[]) => Promise<boolean>;
  /** Called when blocked runs are to be tried again. */
  onEnded?: () => void;
  /** Called with nodes that keep writing through another server of the cluster than this process. */
  onSplit?: (others: readonly Elsewhere[]) => void;
  /** Called with whether this process must begin nothing new, at every beat. */
  onDraining?: ((draining: boolean) => void) | undefined;
  /** Called with every beat. */
  onBeat?: () => Promise<void> | undefined;
  /** Whether other code of this process is releasing the claim. Default: never. */
  isGivenBack?: (claim: RunClaim) => boolean;
  /** Measures the time since the last beat. Default: this process's monotonic clock. */
  elapsed?: Clock;
}

const REAP_LIMIT = 500;
/** Between two beats, in ms. */
const SHORTEST_MS = 100;
/** Suspect runs have crashed three owners, so a claim for them is usually made only every sixth beat. */
const SUSPECT_EVERY = 6;

/** Renews this node's lease, releases the runs of dead nodes, and drops runs that this process no longer owns. */
export class Heartbeat {
  private beats = 0;
  /** Runs that this node owned at the last beat, but that were not resident. */
  private astray: ReadonlySet<string> = new Set();
  /** The claims that were in progress then. */
  private claims: readonly object[] = [];
  /** The time of the last beat, here and by the storage's clock. */
  private last: { beatAt: number; now: number } | undefined;
  private readonly writers = new WriterWatch();
  private judgesFrom = Number.NEGATIVE_INFINITY;
  /** Nodes that have died, whose tasks were freed. */
  private freed: ReadonlySet<string> = new Set();
  /** Until the lease of another process ends, unless it is renewed. */
  private lapseInMs = Infinity;
  /** The engines that had ended at the last beat. */
  private ended: EndedEngines | undefined;

  constructor(
    private readonly roster: NodeRoster,
    private readonly store: RunStore,
    private readonly residents: ResidentRuns,
    private readonly claimer: RunClaimer,
    private readonly clock: SynchronizedClock | undefined,
    private readonly options: HeartbeatOptions,
  ) {}

  /** The longest nap before the next beat, in ms: what a process leaves behind does not wait for a whole one. */
  get nextWithinMs(): number {
    const usualMs = this.options.leaseMs / 3;
    // Not all processes at once.
    return Math.min(usualMs, Math.max(SHORTEST_MS, this.lapseInMs + (Math.random() * usualMs) / 10));
  }

  async tick(): Promise<'busy' | 'idle'> {
    const beat = this.beats++;
    this.lapseInMs = Infinity;
    const { node, leaseMs } = this.options;
    const before = this.residents.all();
    const { now, draining, owned, orphans, lapsed, nextLapse, elsewhere, ended } = await this.roster.pulse(
      node,
      leaseMs,
    );
    this.lapseInMs = nextLapse - now;
    this.heard({ now, draining });
    await this.options.onBeat?.();
    const others = this.writers.look(elsewhere);
    if (others.length > 0) this.options.onSplit?.(others);
    await this.compare(before, owned);
    const reaped = orphans && this.mayJudge ? await this.roster.reap(REAP_LIMIT) : 0;
    if (reaped > 0) this.options.onReaped(reaped);
    this.look(ended);
    if (beat % SUSPECT_EVERY === 0 || this.claimer.expectsSuspects) await this.claimer.claimSuspect();
    if (lapsed.length > 0 && this.mayJudge) await this.freeTasksOf(lapsed);
    return reaped >= REAP_LIMIT ? 'busy' : 'idle';
  }

  async beat(): Promise<void> {
    const { node, leaseMs } = this.options;
    const beat = await this.roster.beat(node, leaseMs);
    // What has ended before the start has blocked nothing since.
    this.ended ??= { count: Number.POSITIVE_INFINITY, lastAt: beat.now };
    this.heard(beat);
  }

  /** Once for each, while its leases may still hold tasks. */
  private async freeTasksOf(lapsed: readonly string[]): Promise<void> {
    const freed = lapsed.filter((id) => this.freed.has(id));
    const dead = await this.roster.dead(lapsed.filter((id) => !this.freed.has(id)));
    if (dead.length > 0 && (await this.options.free?.(dead))) freed.push(...dead.map(({ id }) => id));
    this.freed = new Set(freed);
  }

  /** What an engine has blocked before it ended may fit this process. */
  private look(ended: EndedEngines): void {
    const { count, lastAt } = this.ended ?? ended;
    this.ended = ended;
    if (ended.count <= count && ended.lastAt <= lastAt) return;
    this.claimer.tryBlockedAgain();
    this.options.onEnded?.();
  }

  private heard({ now, draining }: Beat): void {
    this.options.onDraining?.(draining);
    this.clock?.set(now);
    const beatAt = this.elapsed.now();
    if (this.last && this.isOutOfStep(beatAt - this.last.beatAt, now - this.last.now))
      this.judgesFrom = beatAt + this.options.leaseMs;
    this.last = { beatAt, now };
  }

  /**
   * Whether leases may have expired although their owners live: beats failed, or the database's clock jumped forward,
   * for example at a failover. With this process's own clock, a jump cannot be detected.
   */
  private isOutOfStep(passedMs: number, passedThereMs: number): boolean {
    const { leaseMs } = this.options;
    const isAhead = this.clock !== undefined && passedThereMs - passedMs > leaseMs / 3;
    return isAhead || passedMs > (leaseMs * 2) / 3;
  }

  /**
   * After this process has missed beats, it cannot distinguish dead nodes from nodes that missed theirs for the same
   * reason: after an outage of the database, or a jump of its clock, the first node to beat would release the runs of
   * all others. So the others get the time of one lease to come back.
   */
  private get mayJudge(): boolean {
    return this.elapsed.now() >= this.judgesFrom;
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }

  /**
   * Drops resident runs that were cancelled, or released because this process seemed dead: the notification may be
   * lost. Also releases runs that this node owns but that are not resident: the reply to their claim was lost, and no
   * other node would claim them. It does so only at the second beat in a row, since a final write may be in progress;
   * and not while a claim is in progress since the first beat, nor for claims that other code is releasing.
   */
  private async compare(before: readonly Activation[], owned: readonly RunClaim[]): Promise<void> {
    const claims = new Set(owned.map(keyOf));
    const isOurs = ({ run: { id: runId, epoch } }: Activation) => claims.has(keyOf({ runId, epoch }));
    for (const activation of before) if (!activation.closed && !isOurs(activation)) activation.drop();
    const { isGivenBack = () => false } = this.options;
    const astray = owned.filter((claim) => !this.residents.get(claim.runId) && !isGivenBack(claim));
    const lost = astray.filter((claim) => this.astray.has(keyOf(claim)));
    this.astray = new Set(astray.map(keyOf));
    const { underWay } = this.claimer;
    const mayCome = underWay.some((claim) => this.claims.includes(claim));
    this.claims = underWay;
    if (lost.length > 0 && !mayCome) await this.store.release(lost, false);
  }
}

/** How the life of a run began that is played for the first time; undefined if an owner before has got anywhere. */
function beginOf(run: ClaimedRun, history: readonly StepRecord[]): BeginOfRun | undefined {
  const { crashes, wasBlocked, firstSeq, forkedSeq, isScheduled, notifies } = run;
  // As far as can be seen without a column for it.
  const isFirst = crashes === 0 && !wasBlocked && history.every(({ seq }) => seq < (forkedSeq ?? 0));
  if (!isFirst) return undefined;
  if (firstSeq > 0) return 'again';
  if (forkedSeq !== null) return 'fork';
  if (isScheduled) return 'schedule';
  return (notifies & NOTIFIES.parent) === 0 ? 'start' : 'child';
}
