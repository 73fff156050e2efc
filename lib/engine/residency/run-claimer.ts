import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import type { Activation } from '../activation/activation.js';
import type { ResidentRuns } from './resident-runs.js';
import type { ClaimedRun } from '../model/run.js';
import { LookBack } from './look-back.js';
import { beginOf } from './run-begin.js';
import type { ClaimRuns, RunClaim, RunStore } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowRegistry } from '../model/workflow-registry.js';

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

/** Claims due runs and activates them: new, woken, timed and orphaned runs are found by one query. */
export class RunClaimer {
  /** Workflows whose blocked runs have not all been tried, and the last tried run of each. */
  private untried: { name: string; version: number; last: string }[] | undefined;
  private turn = 0;
  private claimingSuspect = false;
  /** How many more claims for suspects to try without a result: the row of the next suspect may be locked. */
  private suspectTries = 0;
  private readonly lookBack: LookBack;
  /** The start times of the claims in progress. */
  private readonly asked = new Set<{ at: number }>();

  constructor(
    private readonly store: RunStore,
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

  /**
   * Each process tries each blocked run once after its start, since it may have matching code. One workflow after the
   * other, since runs are ordered by id only within one workflow.
   */
  private async claimBlocked(limit: number): Promise<ClaimedRun[]> {
    this.untried ??= this.all.map((workflow) => ({ ...workflow, last: '' }));
    while (limit > 0) {
      const workflow = this.untried.find((one) => !this.isHeld(one));
      if (!workflow) return [];
      const { last: afterId, ...one } = workflow;
      const runs = await this.claim({ which: 'blocked', workflows: [one], limit, afterId });
      workflow.last = runs.at(-1)?.id ?? '';
      if (runs.length > 0) return runs.map((run) => ({ ...run, wasBlocked: true }));
      this.untried.splice(this.untried.indexOf(workflow), 1);
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
    const runs = await this.store.claim({ nodeId, namespace, ...request, workflows });
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
    const runs = claimed.some(isConditional) ? await this.admitted(claimed) : claimed;
    // A run at its first epoch has no history: nothing to read.
    const ids = runs.filter(({ epoch }) => epoch > 1).map(({ id }) => id);
    const histories = new Map<string, StepRecord[]>(ids.map((id) => [id, []]));
    for (const step of await this.historiesOf(ids, runs)) histories.get(step.runId)?.push(step);
    if (isLate()) return this.store.release(this.claimsOf(runs), false);
    // They were asked for before this process knew of a hold.
    const held = runs.filter(({ workflow: name }) => this.isHeld({ name }));
    for (const run of runs) if (!held.includes(run)) this.enter(run, histories.get(run.id) ?? []);
    if (held.length > 0) await this.store.release(this.claimsOf(held), false);
  }

  /** Releases runs whose epoch an older claim also has; the release raises the epoch. */
  private async withoutRepeated(claimed: readonly ClaimedRun[]): Promise<readonly ClaimedRun[]> {
    const repeated = claimed.filter((run) => this.residents.isRepeated(run));
    if (repeated.length === 0) return claimed;
    for (const { id } of repeated) this.residents.get(id)?.drop();
    await this.orGiveBack(claimed, () => this.store.release(this.claimsOf(repeated), false));
    return claimed.filter((run) => !repeated.includes(run));
  }

  private async admitted(claimed: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    const passed = await this.orGiveBack(claimed, () => this.admit(claimed.filter(isConditional)));
    return [...claimed.filter((run) => !isConditional(run)), ...passed];
  }

  private historiesOf(ids: readonly string[], runs: readonly ClaimedRun[]): Promise<StepRecord[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.orGiveBack(runs, () => this.store.histories(ids));
  }

  /** Releases the runs if `work` fails: while this process lives, no other one would claim them. */
  private async orGiveBack<T>(runs: readonly ClaimedRun[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.store.release(this.claimsOf(runs), false).catch(() => undefined);
      throw error;
    }
  }

  private claimsOf(runs: readonly ClaimedRun[]): RunClaim[] {
    return runs.map(({ id, epoch }) => ({ runId: id, epoch, owner: this.options.nodeId }));
  }
}

/** Whether the run must still wait for its precondition; a closing run does not wait. */
const isConditional = ({ precondition, closing }: ClaimedRun): boolean => precondition !== null && closing === null;
