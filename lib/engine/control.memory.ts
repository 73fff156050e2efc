import { stepIdOf } from '../core/protocol.js';
import { afterCommit, inMemoryTransaction, type Transaction } from '../core/transaction.js';
import { parseWireError } from '../core/wire-error.js';
import {
  childOf,
  type CloseOutcome,
  type EditableRun,
  foundWithout,
  type GivingUp,
  isConcerned,
  isSame,
  outputsIn,
  planResumption,
  type PurgeRuns,
  reopenExhausted,
  type ResumableRun,
  type Resumption,
  type ResumptionRefusal,
  type RunControl,
  type RunEdits,
  type RunRemoval,
  TERMINATED,
} from './control.js';
import { endingsOf, lastSettled, settleLastAnswers, tellEnded } from './endings.memory.js';
import { BLOCK_REASONS, isFinal, NOTIFIES, type RunRecord } from './run.js';
import { NO_ENDINGS } from './runs.js';
import { leaving, notesOf, untaken } from './signals.js';
import type { StepRecord } from './step.js';
import { claimedOf, freeRun, type HeldRun, InMemoryAdapter, keepAttempts, type MemoryTables } from './tables.memory.js';

type How = 'cancelled' | 'terminated';

/** Changes runs from outside of their code, in memory. */
export class InMemoryRunControl extends InMemoryAdapter implements RunControl {
  close(id: string, how: How, givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(() => this.closeAlone(id, how, givingUp, own)));
  }

  async openChildren(parentId: string): ReturnType<RunControl['openChildren']> {
    return [...this.tables.runs.values()]
      .filter(({ parentId: parent, status }) => parent === parentId && !isFinal(status))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({ id, parentClose }) =>
        parentClose === 'cancel' || parentClose === 'terminate' ? [{ id, close: parentClose }] : [],
      );
  }

  retry(id: string, givingUp: GivingUp, tx?: Transaction): ReturnType<RunControl['retry']> {
    return inMemoryTransaction(tx, (own) =>
      this.tables.exclusively(async () => {
        const outcome = await this.retryAlone(id, givingUp, own);
        if (outcome === 'retried') afterCommit(own, () => this.tables.tellDue());
        return outcome;
      }),
    );
  }

  private async retryAlone(id: string, givingUp: GivingUp, tx: Transaction): ReturnType<RunControl['retry']> {
    const run = this.tables.runs.get(id);
    if (!run) return 'missing';
    if (run.erasedAt !== null) return 'erased';
    const now = this.clock.now();
    const leave = ({ answers, withdrawn }: Resumption) => givingUp({ ...NO_ENDINGS, answers, withdrawn }, tx);
    if (run.status === 'failed') return (await resumeInMemory(this.tables, run, now, leave)) ?? 'retried';
    const due = { wakeAt: now, crashes: 0, crashed: [] };
    if (run.status === 'compensation_failed') {
      const { cause } = parseWireError(run.error);
      const history = this.tables.steps.get(id);
      for (const { seq, status } of this.tables.history(id)) if (seq < 0 && status === 'failed') history?.delete(seq);
      const error = cause ? JSON.stringify(cause) : null;
      const closing = run.closing ?? 'failed';
      const settled = lastSettled(this.tables.history(id));
      Object.assign(run, { ...due, status: 'compensating', closing, error, finishedAt: null, settled });
      return 'retried';
    }
    if (run.status !== 'suspended' || !BLOCK_REASONS.some((reason) => reason === run.reason)) return 'not-stuck';
    reopenInMemory(this.tables, run, now);
    Object.assign(run, due);
    return 'retried';
  }

  private tell(id: string, outcome: 'ended' | 'closing', limiters: readonly string[]): void {
    this.tables.tellFreed(limiters);
    this.tables.tellDue([id]);
    this.tables.tellDue();
    if (outcome === 'ended') this.tables.tellFinished([id]);
  }

  private async closeAlone(id: string, how: How, givingUp: GivingUp, tx: Transaction): Promise<CloseOutcome> {
    const run = this.tables.runs.get(id);
    if (!run) return 'missing';
    if (isFinal(run.status)) return 'over';
    if (run.closing !== null && (how === 'cancelled' || run.closing === 'terminated')) return 'underway';
    const unwinds = run.unwinds && (how === 'cancelled' || (await this.openChildren(id)).length > 0);
    const error = how === 'terminated' ? JSON.stringify(TERMINATED) : null;
    const endings = unwinds
      ? { answers: [], limiters: [] }
      : endingsOf(this.tables, [{ run, status: 'cancelled', output: null, error }]);
    const open = this.tables.history(id).filter(({ settled }) => settled === null);
    const asked = open.filter(({ kind }) => kind === 'remote' || kind === 'signal');
    const withdrawn = asked.map(({ seq }) => stepIdOf(id, seq));
    const given = untaken(open);
    const limiters = withdrawn.flatMap((stepId) => this.tables.limiterEntries.get(stepId)?.limitRequest.limiter ?? []);
    const answers = [...endings.answers, ...notesOf(given)];
    const told = { answers, limiters: [...endings.limiters, ...limiters], withdrawn };
    const { namespace, workflow } = run;
    const ended = unwinds ? {} : { ended: { runId: id, namespace, workflow, status: 'cancelled' as const } };
    const answered = await givingUp({ ...told, ...ended }, tx);
    tx.afterCommit(() => this.tell(id, unwinds ? 'closing' : 'ended', told.limiters));
    for (const stepId of withdrawn) this.tables.limiterEntries.delete(stepId);
    for (const step of leaving(given).steps) this.tables.steps.get(id)!.set(step.seq, step);
    for (const [key, { runId }] of [...this.tables.waits]) if (runId === id) this.tables.waits.delete(key);
    settleLastAnswers(this.tables, [run], unwinds && how === 'cancelled' ? answered : outputsIn(answered));
    if (unwinds) return this.beginClosing(run, how);
    return this.end(run, error);
  }

  private beginClosing(run: HeldRun, closing: 'cancelled' | 'terminated'): CloseOutcome {
    const settled = lastSettled(this.tables.history(run.id));
    const open = { owner: null, reason: null, reasonDetail: null, wakeAt: this.clock.now(), crashes: 0, crashed: [] };
    Object.assign(run, { ...open, status: 'compensating', closing, epoch: run.epoch + 1, settled });
    return 'closing';
  }

  private end(run: HeldRun, error: string | null): CloseOutcome {
    const now = this.clock.now();
    const over = {
      owner: null,
      turn: null,
      reason: null,
      reasonDetail: null,
      wakeAt: null,
      closing: null,
      finishedAt: Math.max(now, run.startedAt ?? run.createdAt),
    };
    Object.assign(run, { ...over, status: 'cancelled', epoch: run.epoch + 1, error });
    tellEnded(this.tables, [run.id], now);
    return 'ended';
  }
}

/** Lets a failed run go on, or returns why it cannot; then it changes nothing. The child `left` stays as it is. */
async function resumeInMemory(
  tables: MemoryTables,
  run: HeldRun,
  now: number,
  givingUp: (plan: Resumption) => Promise<unknown>,
  left: string | null = null,
): Promise<ResumptionRefusal | undefined> {
  const resumed = resumptionInMemory(tables, run, now, left);
  if ('refusal' in resumed) return resumed.refusal;
  if (resumed.plan.withdrawn.length > 0) await givingUp(resumed.plan);
  applyResumption(tables, resumed.plan, now);
  return undefined;
}

function resumptionInMemory(
  tables: MemoryTables,
  root: HeldRun,
  now: number,
  left: string | null,
): { plan: Resumption } | { refusal: ResumptionRefusal } {
  const found = foundWithout(left);
  for (;;) {
    const planned = planResumption(resumable(tables, root), found, now);
    if (!('needs' in planned)) return planned;
    for (const id of planned.needs) {
      const run = tables.runs.get(id);
      found.set(id, run && resumable(tables, run));
    }
  }
}

const resumable = (tables: MemoryTables, run: HeldRun): ResumableRun => ({
  ...run,
  steps: tables.history(run.id).filter(isConcerned),
});

/** For a blocked run: its steps that have used all their attempts get fresh ones. */
function reopenInMemory(tables: MemoryTables, run: HeldRun, now: number): void {
  const again = reopenExhausted(resumable(tables, run), now);
  if (!again) return;
  for (const step of again.steps) tables.steps.get(run.id)!.set(step.seq, step);
  run.resume = again.resume;
}

function applyResumption(tables: MemoryTables, plan: Resumption, now: number): void {
  for (const { runId, ...attempt } of plan.attempts) keepAttempts(tables, runId, [attempt]);
  for (const { runId, seq } of plan.forgotten) tables.steps.get(runId)?.delete(seq);
  for (const { runId, after } of plan.markers)
    for (const { seq, kind } of tables.history(runId))
      if (kind === 'marker' && seq >= after) tables.steps.get(runId)!.delete(seq);
  for (const step of plan.steps) tables.steps.get(step.runId)!.set(step.seq, step);
  for (const { id, resume } of plan.runs) {
    const run = tables.runs.get(id)!;
    const how = run.limiter
      ? ({ status: 'pending', precondition: 'limiter' } as const)
      : ({ status: 'suspended', precondition: null } as const);
    const deadline = run.timeoutMs === null ? null : now + run.timeoutMs;
    const open = {
      closing: null,
      error: null,
      finishedAt: null,
      crashes: 0,
      crashed: [],
      wakeAt: now,
      deadline,
      resume,
    };
    Object.assign(run, { ...how, ...open, settled: lastSettled(tables.history(id)) });
  }
}

export class InMemoryRunRemoval extends InMemoryAdapter implements RunRemoval {
  delete(ids: readonly string[], givingUp: GivingUp, tx?: Transaction): Promise<string[]> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(() => this.deleteAll(ids, givingUp, own)));
  }

  purge(request: PurgeRuns, givingUp: GivingUp): Promise<number> {
    return inMemoryTransaction(undefined, (tx) => this.tables.exclusively(() => this.purgeSome(request, givingUp, tx)));
  }

  private async deleteAll(ids: readonly string[], givingUp: GivingUp, tx: Transaction): Promise<string[]> {
    const going = new Set<string>();
    const next = [...ids];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const run = this.tables.runs.get(id);
      if (!run || !isFinal(run.status) || going.has(id)) continue;
      going.add(id);
      next.push(...this.childrenOf(id).map((child) => child.id));
    }
    await this.remove(going, givingUp, tx);
    return [...going];
  }

  private async purgeSome(request: PurgeRuns, givingUp: GivingUp, tx: Transaction): Promise<number> {
    const { namespace, status, olderThanMs, limit } = request;
    const before = this.clock.now() - olderThanMs;
    const ended = [...this.tables.runs.values()]
      .filter((run) => run.namespace === namespace && status.includes(run.status))
      .filter((run) => run.finishedAt !== null && run.finishedAt <= before && !this.isWanted(run))
      .sort((a, b) => a.finishedAt! - b.finishedAt! || (a.id < b.id ? -1 : 1));
    const going = new Set(ended.slice(0, limit).map(({ id }) => id));
    await this.remove(going, givingUp, tx);
    return going.size;
  }

  async tidy(limit: number): Promise<number> {
    const now = this.clock.now();
    const expired = [...this.tables.startKeys].filter(([, { expiresAt }]) => expiresAt !== null && expiresAt <= now);
    for (const [key] of expired.slice(0, limit)) this.tables.startKeys.delete(key);
    return Math.min(limit, expired.length);
  }

  private isWanted({ id, parentId }: HeldRun): boolean {
    const parent = parentId === null ? undefined : this.tables.runs.get(parentId);
    return (parent !== undefined && !isFinal(parent.status)) || (this.tables.dependencies.get(id)?.size ?? 0) > 0;
  }

  private childrenOf(id: string): HeldRun[] {
    return [...this.tables.runs.values()].filter(({ parentId }) => parentId === id);
  }

  private async remove(going: ReadonlySet<string>, givingUp: GivingUp, tx: Transaction): Promise<void> {
    if (going.size === 0) return;
    const open = [...going].flatMap((id) => this.tables.history(id)).filter(({ settled }) => settled === null);
    await givingUp({ ...NO_ENDINGS, withdrawn: open.map(({ runId, seq }) => stepIdOf(runId, seq)) }, tx);
    forgetRuns(this.tables, going);
  }
}

/** Deletes ended runs whose tasks were withdrawn. */
export function forgetRuns(tables: MemoryTables, going: ReadonlySet<string>): void {
  forgetLives(tables, going);
  const { runs, attributes, dependencies, startKeys } = tables;
  for (const id of going) {
    // Dependencies on runs that did not complete stay: their waiters must notice that the run is gone.
    if (runs.get(id)?.status === 'completed') dependencies.delete(id);
    for (const byRun of [runs, attributes]) byRun.delete(id);
    for (const waiting of dependencies.values()) waiting.delete(id);
  }
  for (const [key, { runId }] of startKeys) if (going.has(runId)) startKeys.delete(key);
}

/** Deletes what belongs to the present lives of ended runs; their children have no parent any more. */
export function forgetLives(tables: MemoryTables, going: ReadonlySet<string>): void {
  const { runs, steps, attempts, logs, waits, limiterEntries, signals, channels } = tables;
  const alone = { parentId: null, parentSeq: null, parentClose: null };
  for (const run of runs.values())
    if (!going.has(run.id) && going.has(run.parentId ?? ''))
      Object.assign(run, { ...alone, notifies: run.notifies & ~NOTIFIES.parent });
  for (const id of going) for (const byRun of [steps, attempts, logs]) byRun.delete(id);
  for (const [key, { runId }] of waits) if (going.has(runId)) waits.delete(key);
  for (const [key, { runId }] of limiterEntries) if (going.has(runId)) limiterEntries.delete(key);
  for (let i = signals.length - 1; i >= 0; i--) {
    const { addressed, target, channel } = signals[i]!;
    if (addressed !== 'run' || !going.has(target)) continue;
    channels.delete(channel);
    signals.splice(i, 1);
  }
}

/** What operators change in runs, in memory. */
export class InMemoryRunEdits extends InMemoryAdapter implements RunEdits {
  async lock(ids: readonly string[]): Promise<RunRecord[]> {
    const inOrder = [...new Set(ids)].sort();
    return inOrder.flatMap((id) => this.tables.runs.get(id) ?? []).map((run) => ({ ...run }));
  }

  async open(id: string): Promise<EditableRun | undefined> {
    return this.read(id);
  }

  private read(id: string): EditableRun | undefined {
    const run = this.tables.runs.get(id);
    if (!run) return undefined;
    const steps = this.tables.history(id).map((step) => ({ ...step }));
    return { run: { ...run }, claim: claimedOf(run), steps: steps.sort((a, b) => a.seq - b.seq) };
  }

  rewrite(found: EditableRun, step: StepRecord, givingUp: GivingUp, tx: Transaction): ReturnType<RunEdits['rewrite']> {
    return this.tables.exclusively(async () => {
      const { runId } = step;
      const run = this.tables.runs.get(runId);
      const now = this.read(runId);
      if (!run || !now || !isSame(now, found)) return false;
      const at = this.clock.now();
      const leave = ({ answers, withdrawn }: Resumption) => givingUp({ ...NO_ENDINGS, answers, withdrawn }, tx);
      const before = found.steps.find(({ seq }) => seq === step.seq);
      const left = childOf(before);
      const refusal = run.status === 'failed' ? await resumeInMemory(this.tables, run, at, leave, left) : undefined;
      if (refusal) return refusal;
      const history = this.tables.steps.get(runId) ?? new Map<number, StepRecord>();
      this.tables.steps.set(runId, history.set(step.seq, { ...step }));
      freeRun(this.tables, run, at);
      const freed = step.settled === null || !before ? [] : await this.giveUp(before, givingUp, tx);
      tx.afterCommit(() => {
        this.tables.tellFreed(freed);
        this.tables.tellDue([runId]);
        this.tables.tellDue();
      });
      return true;
    });
  }

  private async giveUp(before: StepRecord, givingUp: GivingUp, tx: Transaction): Promise<string[]> {
    const stepId = stepIdOf(before.runId, before.seq);
    const limiters = [this.tables.limiterEntries.get(stepId)?.limitRequest.limiter ?? []].flat();
    this.tables.limiterEntries.delete(stepId);
    for (const [key, wait] of [...this.tables.waits]) if (wait.stepId === stepId) this.tables.waits.delete(key);
    await givingUp({ answers: notesOf(untaken([before])), limiters, withdrawn: [stepId] }, tx);
    return limiters;
  }
}
