import { stepIdOf, type StepAnswer } from '../protocol/step.js';
import type { Transaction } from '../protocol/transaction.js';
import type { Clock } from '../time/clock.js';
import type { NodeIdentity, NodeRoster } from './node-roster.js';
import type { ListRuns, RunCatalog } from './run-catalog.js';
import { isFinal, type BlockReason, type ClaimedRun, type NewRun, type RunRecord } from './run.js';
import type { Alongside, ClaimRuns, RunClaim, RunStore, RunWrite } from './run-store.js';
import type { StepRecord } from './step-record.js';
import type { StrandedRuns } from './stranded-sweep.js';

interface HeldRun extends RunRecord {
  owner: string | null;
  epoch: number;
  settled: number;
  crashes: number;
}

const SUSPECT_AFTER = 3;

/** Runs, their histories and the nodes in maps: the engine's storage for tests and throw-away processes. */
export class InMemoryRunStore implements RunStore, RunCatalog, NodeRoster, StrandedRuns {
  private readonly runs = new Map<string, HeldRun>();
  private readonly steps_ = new Map<string, Map<number, StepRecord>>();
  private readonly nodes = new Map<string, number>();
  private readonly runListeners = new Set<(lost?: readonly string[]) => void>();
  private readonly finishedListeners = new Set<(ids?: readonly string[]) => void>();

  constructor(private readonly clock: Clock) {}

  async create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]> {
    if (!tx) queueMicrotask(() => this.announceDue());
    return runs.map((run) => {
      const existing = this.runs.get(run.id);
      if (existing) return { created: false, run: { ...existing } };
      const held = this.newRun(run);
      this.runs.set(run.id, held);
      return { created: true, run: { ...held } };
    });
  }

  async find(ids: readonly string[]): Promise<RunRecord[]> {
    return ids.flatMap((id) => this.runs.get(id) ?? []).map((run) => ({ ...run }));
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return this.histories([runId]);
  }

  async list({ namespace, status, workflow, blocked, limit, before }: ListRuns): Promise<RunRecord[]> {
    return [...this.runs.values()]
      .filter((run) => run.namespace === namespace && (!status || status.includes(run.status)))
      .filter((run) => (!workflow || run.workflow === workflow) && (!blocked || run.reason !== null))
      .sort((a, b) => newestFirst(a, b))
      .filter((run) => !before || newestFirst(before, run) < 0)
      .slice(0, limit)
      .map((run) => ({ ...run }));
  }

  async cancel(
    id: string,
    alongside: (stepIds: readonly string[], tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    const run = this.runs.get(id);
    if (!run || isFinal(run.status)) return false;
    const open = this.history(id).filter(({ kind, settled }) => kind === 'remote' && settled === null);
    await alongside(
      open.map(({ seq }) => stepIdOf(id, seq)),
      {},
    );
    const ended = { status: 'cancelled', owner: null, wakeAt: null, reason: null } as const;
    Object.assign(run, ended, { epoch: run.epoch + 1, finishedAt: this.clock.now() });
    for (const listener of this.runListeners) listener([id]);
    for (const listener of this.finishedListeners) listener([id]);
    return true;
  }

  announceDue(): void {
    for (const listener of this.runListeners) listener();
  }

  onRuns(listener: (lost?: readonly string[]) => void): () => void {
    this.runListeners.add(listener);
    return () => void this.runListeners.delete(listener);
  }

  onFinished(listener: (ids?: readonly string[]) => void): () => void {
    this.finishedListeners.add(listener);
    return () => void this.finishedListeners.delete(listener);
  }

  async claim({ nodeId, namespace, workflows, limit, which, afterId = '' }: ClaimRuns): Promise<ClaimedRun[]> {
    const known = new Set(workflows.map(({ name, version }) => `${version}:${name}`));
    const now = this.clock.now();
    if (!this.lives(nodeId)) return [];
    const wanted = {
      due: (run: HeldRun) => isDue(run, now) && run.crashes < SUSPECT_AFTER,
      suspect: (run: HeldRun) => isDue(run, now) && run.crashes >= SUSPECT_AFTER,
      blocked: (run: HeldRun) =>
        run.status === 'suspended' && run.reason !== null && run.owner === null && run.id > afterId,
    }[which];
    const order = which === 'blocked' ? byId : (a: HeldRun, b: HeldRun) => a.wakeAt! - b.wakeAt!;
    return [...this.runs.values()]
      .filter((run) => run.namespace === namespace && known.has(`${run.version}:${run.workflow}`) && wanted(run))
      .sort(order)
      .slice(0, limit)
      .map((run) => this.take(run, nodeId));
  }

  async histories(runIds: readonly string[]): Promise<StepRecord[]> {
    return runIds.flatMap((id) => this.history(id)).map((step) => ({ ...step }));
  }

  async commit(writes: readonly RunWrite[], alongside: Alongside, tx: Transaction = {}): Promise<readonly RunWrite[]> {
    const holds = ({ runId, epoch }: RunWrite) =>
      this.runs.get(runId)?.epoch === epoch && this.runs.get(runId)?.owner !== null;
    const accepted = writes.filter(holds);
    await alongside(accepted, tx);
    for (const write of accepted) this.apply(write);
    const finished = accepted.filter(({ transition }) => transition && transition.status !== 'suspended');
    if (finished.length > 0)
      for (const listener of this.finishedListeners) listener(finished.map(({ runId }) => runId));
    return writes.filter((write) => !accepted.includes(write));
  }

  async settleUnowned(
    namespace: string,
    answers: readonly StepAnswer[],
    alongside: (stepIds: readonly string[], tx: Transaction) => Promise<void>,
  ): Promise<string[]> {
    const settled = answers.filter(({ runId }) => {
      const run = this.runs.get(runId);
      return run?.namespace === namespace && run.owner === null;
    });
    const stepIds = settled.map(({ stepId }) => stepId);
    if (stepIds.length > 0) await alongside(stepIds, {});
    for (const answer of settled) this.settleOne(this.runs.get(answer.runId)!, answer);
    return stepIds;
  }

  async awaited(): ReturnType<StrandedRuns['awaited']> {
    const parked = [...this.runs.values()].filter(({ status }) => status === 'suspended');
    const asked = parked.flatMap(({ id }) => this.history(id)).filter(isAsked);
    return { steps: asked.map(({ runId, seq }) => ({ runId, stepId: stepIdOf(runId, seq) })), next: undefined };
  }

  async wake(runIds: readonly string[]): Promise<void> {
    for (const id of runIds) {
      const run = this.runs.get(id);
      if (run?.status === 'suspended' && run.reason === null) run.wakeAt = this.clock.now();
    }
  }

  async owned(nodeId: string): Promise<RunClaim[]> {
    const held = [...this.runs.values()].filter(({ owner }) => owner === nodeId);
    return held.map(({ id, epoch }) => ({ runId: id, epoch }));
  }

  async release(runs: readonly RunClaim[], crashed: boolean): Promise<void> {
    for (const { runId, epoch } of runs) {
      const run = this.runs.get(runId);
      if (run?.epoch === epoch && run.owner !== null) this.setFree(run, crashed);
    }
    if (runs.length > 0) this.announceDue();
  }

  async beat({ id }: NodeIdentity, leaseMs: number): Promise<number> {
    const now = this.clock.now();
    this.nodes.set(id, now + leaseMs);
    return now;
  }

  async reap(limit: number): Promise<number> {
    const orphans = [...this.runs.values()].filter(({ owner }) => owner !== null && !this.lives(owner)).slice(0, limit);
    for (const run of orphans) this.setFree(run, true);
    if (orphans.length < limit) for (const id of this.nodes.keys()) if (!this.lives(id)) this.nodes.delete(id);
    return orphans.length;
  }

  async leave(nodeId: string): Promise<void> {
    this.nodes.delete(nodeId);
  }

  private lives(nodeId: string): boolean {
    return (this.nodes.get(nodeId) ?? 0) > this.clock.now();
  }

  private newRun({ delayMs, priority: _, ...run }: NewRun): HeldRun {
    const createdAt = this.clock.now();
    const open = {
      reason: null,
      reasonDetail: null,
      output: null,
      error: null,
      startedAt: null,
      finishedAt: null,
    } as const;
    return {
      ...run,
      ...open,
      status: 'pending',
      wakeAt: createdAt + delayMs,
      createdAt,
      owner: null,
      epoch: 0,
      settled: 0,
      crashes: 0,
    };
  }

  private take(run: HeldRun, owner: string): ClaimedRun {
    const taken = {
      owner,
      epoch: run.epoch + 1,
      status: 'running',
      wakeAt: null,
      reason: null,
      reasonDetail: null,
    } as const;
    Object.assign(run, taken, { startedAt: run.startedAt ?? this.clock.now() });
    const { id, workflow, version, input, epoch, crashes } = run;
    return { id, workflow, version, input, epoch, crashes };
  }

  private setFree(run: HeldRun, crashed: boolean): void {
    const settled = Math.max(0, ...this.history(run.id).map((step) => step.settled ?? 0));
    const free = { owner: null, epoch: run.epoch + 1, status: 'suspended', wakeAt: this.clock.now(), settled } as const;
    Object.assign(run, free, { crashes: run.crashes + (crashed ? 1 : 0) });
  }

  private apply({ runId, steps, transition, clearCrashes }: RunWrite): void {
    const run = this.runs.get(runId)!;
    const history = this.steps_.get(runId) ?? new Map<number, StepRecord>();
    this.steps_.set(runId, history);
    for (const step of steps) history.set(step.seq, { ...step });
    if (clearCrashes) run.crashes = 0;
    if (!transition) return;
    const finishedAt = this.clock.now();
    if (transition.status === 'completed') Object.assign(run, { ...transition, finishedAt, owner: null });
    else if (transition.status === 'failed') {
      Object.assign(run, { status: 'failed', error: JSON.stringify(transition.error), finishedAt, owner: null });
    } else this.suspend(run, transition.wakeAt, transition.settled, transition.reason, transition.detail);
  }

  private suspend(run: HeldRun, wakeAt: number | null, settled: number, reason?: BlockReason, detail?: string): void {
    const parked = { status: 'suspended', owner: null, wakeAt, settled, crashes: 0 } as const;
    Object.assign(run, parked, { reason: reason ?? null, reasonDetail: detail ?? null });
  }

  private settleOne(run: HeldRun, answer: StepAnswer): void {
    const step = this.steps_.get(run.id)?.get(answer.seq);
    if (isFinal(run.status) || step?.kind !== 'remote' || step.status !== 'pending' || step.wakeAt !== null) return;
    const { output, error, startedAt } = answer;
    const finishedAt = this.clock.now();
    if (answer.status === 'completed')
      Object.assign(step, { status: 'completed', output, settled: ++run.settled, startedAt, finishedAt });
    else Object.assign(step, { status: 'answered', error, startedAt });
    if (run.reason === null) run.wakeAt = Math.min(run.wakeAt ?? finishedAt, finishedAt);
  }

  private history(runId: string): StepRecord[] {
    return [...(this.steps_.get(runId)?.values() ?? [])];
  }
}

const isAsked = ({ kind, status, wakeAt }: StepRecord): boolean =>
  kind === 'remote' && status === 'pending' && wakeAt === null;

const isDue = (run: HeldRun, now: number): boolean => run.owner === null && run.wakeAt !== null && run.wakeAt <= now;

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const newestFirst = (a: { createdAt: number; id: string }, b: { createdAt: number; id: string }): number =>
  b.createdAt - a.createdAt || byId(b, a);
