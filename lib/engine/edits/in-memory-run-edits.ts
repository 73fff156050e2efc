import { stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { resumeInMemory } from '../endings/in-memory-run-resumption.js';
import type { Resumption } from '../endings/resumption.js';
import { notesOf, untaken } from '../model/left-signals.js';
import type { GivingUp } from '../model/run-control.js';
import { childOf, type EditableRun, isSame, type RunEdits } from '../model/run-edits.js';
import { NO_ENDINGS } from '../model/run-store.js';
import type { RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { carriedBy, type MemoryTables } from '../tables/memory-tables.js';
import { freeRun } from '../tables/in-memory-run-states.js';

/** What operators change in runs, in memory. */
export class InMemoryRunEdits implements RunEdits {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

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
    const claim = { ...run, ...carriedBy(run), since: run.continuedAt ?? run.createdAt };
    return { run: { ...run }, claim, steps: steps.sort((a, b) => a.seq - b.seq) };
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
