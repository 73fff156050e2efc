import type { Clock } from '../../time/clock.js';
import type { Activation } from '../activation/activation.js';
import type { ResidentRuns } from './resident-runs.js';
import type { ClaimedRun } from '../model/run.js';
import { LookBack } from './look-back.js';
import type { ClaimRuns, RunClaim, RunStore } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowRegistry } from '../model/workflow-registry.js';

export interface RunClaimerOptions {
  nodeId: string;
  namespace: string;
  batchSize: number;
  /** What time goes by. The first tells how much has passed. */
  clocks: readonly [Clock, ...Clock[]];
  /** A claim that was answered later than this is none: the process may have been taken for dead meanwhile. */
  leaseMs: number;
}

/** Takes runs that are due and hands them over to be played: new, woken, timed and orphaned ones are one query. */
export class RunClaimer {
  /** Workflows whose blocked runs have not all been tried, and after which run of the first to go on. */
  private untried: { name: string; version: number }[] | undefined;
  private lastBlocked = '';
  private turn = 0;
  private claimingSuspect = false;
  /** How often a claim may still find none before there are no more: the next one's row may just be locked. */
  private suspectTries = 0;
  private readonly lookBack: LookBack;
  /** When the claims under way were asked for. */
  private readonly asked = new Set<{ at: number }>();

  constructor(
    private readonly store: RunStore,
    private readonly workflows: WorkflowRegistry,
    private readonly residents: ResidentRuns,
    private readonly activate: (run: ClaimedRun, history: readonly StepRecord[]) => Activation | undefined,
    /** Of runs behind a precondition: those that may be played now; the others are parked. */
    private readonly admit: (runs: readonly ClaimedRun[]) => Promise<ClaimedRun[]>,
    private readonly options: RunClaimerOptions,
  ) {
    this.lookBack = new LookBack(options.clocks);
  }

  /** In ms; infinite where everything has been looked at. */
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

  /** One run at a time of those whose owners keep dying: so it is known which one kills them. */
  get expectsSuspects(): boolean {
    return this.suspectTries > 0;
  }

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

  /** Claims whose runs may still come. What has not come for a lease never will. */
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
   * Each process tries each blocked run once, after its start: it may bring the code that fits. One workflow after the
   * other, since only within one the last of a page says where the next begins.
   */
  private async claimBlocked(limit: number): Promise<ClaimedRun[]> {
    this.untried ??= this.served;
    while (limit > 0) {
      const [workflow] = this.untried;
      if (!workflow) return [];
      const request = { which: 'blocked', workflows: [workflow], limit, afterId: this.lastBlocked } as const;
      const runs = await this.claim(request);
      this.lastBlocked = runs.at(-1)?.id ?? '';
      if (runs.length > 0) return runs;
      this.untried.shift();
    }
    return [];
  }

  /** Another one first each time: a claim may be full before it comes to the last. */
  private inTurn(): { name: string; version: number }[] {
    const all = this.served;
    const first = this.turn++ % Math.max(1, all.length);
    return [...all.slice(first), ...all.slice(0, first)];
  }

  private get served(): { name: string; version: number }[] {
    return this.workflows.all().map(({ name, version }) => ({ name, version }));
  }

  private claim(request: Pick<ClaimRuns, 'which' | 'limit'> & Partial<ClaimRuns>): Promise<ClaimedRun[]> {
    const { nodeId, namespace } = this.options;
    const { workflows = this.served } = request;
    return workflows.length === 0
      ? Promise.resolve([])
      : this.store.claim({ nodeId, namespace, ...request, workflows });
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
    for (const run of runs) this.activate(run, histories.get(run.id) ?? []);
  }

  /** What would share its number with an older claim is given back, which raises the number. */
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

  /** Runs that cannot be played now are given back: this process lives, so nobody else would ever take them. */
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

/** One that is being ended, or is late, waits for nothing any more. */
const isConditional = ({ precondition, closing }: ClaimedRun): boolean => precondition !== null && closing === null;
