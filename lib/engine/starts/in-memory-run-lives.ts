import { lastSettled } from '../endings/in-memory-run-dependencies.js';
import { NOTIFIES, isFinal } from '../model/run.js';
import type { ForkOutcome, ForkRun, RestartRun, RunLives } from '../model/run-lives.js';
import type { GivingUp } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import { forkRefusal, sharedSteps } from './forking.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { stepIdOf } from '../../protocol/step.js';
import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';

/** New lives and forks of runs, in memory. */
export class InMemoryRunLives implements RunLives {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

  restart(request: RestartRun, givingUp: GivingUp, tx?: Transaction): ReturnType<RunLives['restart']> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(() => this.restartAlone(request, givingUp, own)));
  }

  fork(request: ForkRun, tx?: Transaction): Promise<ForkOutcome> {
    return inMemoryTransaction(tx, (own) => this.tables.exclusively(async () => this.forkAlone(request, own)));
  }

  private async restartAlone(
    { id, input, version, context }: RestartRun,
    givingUp: GivingUp,
    tx: Transaction,
  ): ReturnType<RunLives['restart']> {
    const run = this.tables.runs.get(id);
    if (!run) return 'missing';
    if (run.erasedAt !== null) return 'erased';
    if (!isFinal(run.status)) return run.status;
    const history = this.tables.history(id);
    const open = history.filter(({ settled, kind }) => settled === null && kind !== 'marker');
    const withdrawn = open.map(({ seq }) => stepIdOf(id, seq));
    if (withdrawn.length > 0) await givingUp({ ...NO_ENDINGS, withdrawn }, tx);
    const last = Math.max(-1, ...history.map(({ seq }) => seq));
    this.forgetLife(id);
    Object.assign(run, begun(run, this.clock.now()), {
      input: input ?? run.input,
      version: version ?? run.version,
      epoch: run.epoch + 1,
      firstSeq: Math.max(run.firstSeq, last + 1),
      continuedAt: this.clock.now(),
      forkedFrom: null,
      forkedSeq: null,
      ...(context !== undefined && { context }),
    });
    tx.afterCommit(() => this.tables.tellDue());
    return 'restarted';
  }

  private forgetLife(id: string): void {
    const { runs, steps, attempts, logs, waits, limiterEntries, signals, channels } = this.tables;
    for (const byRun of [steps, attempts, logs]) byRun.delete(id);
    for (const [key, { runId }] of [...waits]) if (runId === id) waits.delete(key);
    for (const [key, { runId }] of [...limiterEntries]) if (runId === id) limiterEntries.delete(key);
    for (const child of runs.values())
      if (child.parentId === id)
        Object.assign(child, {
          parentId: null,
          parentSeq: null,
          parentClose: null,
          notifies: child.notifies & ~NOTIFIES.parent,
        });
    for (let i = signals.length - 1; i >= 0; i--) {
      const { addressed, target, channel } = signals[i]!;
      if (addressed !== 'run' || target !== id) continue;
      channels.delete(channel);
      signals.splice(i, 1);
    }
  }

  private forkAlone({ source, from, id, input, context }: ForkRun, tx: Transaction): ForkOutcome {
    const { runs, steps, attempts, attributes } = this.tables;
    const run = runs.get(source);
    if (!run) return 'missing';
    if (run.erasedAt !== null) return 'erased';
    if ([...this.tables.erasures.values()].some(({ runId }) => runId === source)) return { why: 'erasing' };
    const refusal = forkRefusal(this.tables.history(source), { from, firstSeq: run.firstSeq });
    if (refusal) return refusal;
    const other = runs.get(id);
    if (other) return other.forkedFrom === source && other.forkedSeq === from ? 'repeated' : 'taken';
    const alone = { parentId: null, parentSeq: null, parentClose: null, scheduleId: null };
    const own = { id, epoch: 1, continuedAt: null, input: input ?? run.input, forkedFrom: source, forkedSeq: from };
    const notifies = run.limiter ? NOTIFIES.limiter : 0;
    runs.set(id, { ...run, ...begun(run, this.clock.now()), ...alone, ...own, ...(context && { context }), notifies });
    steps.set(id, new Map(sharedSteps(this.tables.history(source), from, id).map((step) => [step.seq, step])));
    const shared = (attempts.get(source) ?? []).filter(({ seq }) => seq >= 0 && seq < from);
    attempts.set(
      id,
      shared.map((attempt) => ({ ...attempt, runId: id })),
    );
    attributes.set(id, new Map(attributes.get(source)));
    runs.get(id)!.settled = lastSettled(this.tables.history(id));
    tx.afterCommit(() => this.tables.tellDue());
    return 'forked';
  }
}

/** The row of a run that begins now. */
const begun = ({ limiter, timeoutMs }: HeldRun, now: number): Partial<HeldRun> & Pick<HeldRun, 'status'> => ({
  status: 'pending',
  owner: null,
  createdAt: now,
  wakeAt: now,
  deadline: timeoutMs === null ? null : now + timeoutMs,
  startedAt: null,
  finishedAt: null,
  output: null,
  error: null,
  closing: null,
  reason: null,
  reasonDetail: null,
  resume: null,
  customStatus: null,
  turn: null,
  settled: 0,
  crashes: 0,
  unwinds: false,
  blockers: 0,
  precondition: limiter ? 'limiter' : null,
});
