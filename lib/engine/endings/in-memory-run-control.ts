import { stepIdOf } from '../../protocol/step.js';
import { afterCommit, inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import { parseWireError } from '../../protocol/wire-error.js';
import type { Clock } from '../../time/clock.js';
import { reopenInMemory, resumeInMemory } from './in-memory-run-resumption.js';
import type { Resumption } from './resumption.js';
import { NO_ENDINGS } from '../model/run-store.js';
import { endingsOf, tellEnded } from './in-memory-run-endings.js';
import { lastSettled, settleLastAnswers } from './in-memory-run-dependencies.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { type CloseOutcome, type GivingUp, outputsIn, type RunControl, TERMINATED } from '../model/run-control.js';
import { BLOCK_REASONS, isFinal } from '../model/run.js';
import { leaving, notesOf, untaken } from '../model/left-signals.js';

type How = 'cancelled' | 'terminated';

/** Changes runs from outside of their code, in memory. */
export class InMemoryRunControl implements RunControl {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

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
    const due = { wakeAt: now, crashes: 0 };
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
    const open = { owner: null, reason: null, reasonDetail: null, wakeAt: this.clock.now(), crashes: 0 };
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
      finishedAt: now,
    };
    Object.assign(run, { ...over, status: 'cancelled', epoch: run.epoch + 1, error });
    tellEnded(this.tables, [run.id], now);
    return 'ended';
  }
}
