import { stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type Notifier, tellWithCommit } from '../../sql/notifier.js';
import { connectionOf, type SqlExecutor, type SqlTransaction, sqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import { deleteWaits } from '../endings/control.sql.js';
import { deletePermits, selectPermits } from '../endings/ending.sql.js';
import { resumeRun } from '../endings/sql-run-resumption.js';
import { notesOf, untaken } from '../model/left-signals.js';
import type { GivingUp } from '../model/run-control.js';
import { childOf, type EditableRun, type RunEdits } from '../model/run-edits.js';
import type { RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { type ClaimedRow, claimedOf, freeRun, type RunRow, runOf } from '../tables/run.sql.js';
import { stepOf, type StepRow, upsertSteps } from '../tables/step.sql.js';
import { lockRuns, selectEditable, selectSteps } from './edit.sql.js';

/** What operators change in runs, in tables. */
export class SqlRunEdits implements RunEdits {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async lock(ids: readonly string[], tx: Transaction): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    return (await sqlTransaction(tx).run<RunRow>(lockRuns(this.scope, ids))).rows.map(runOf);
  }

  async open(id: string, tx?: Transaction): Promise<EditableRun | undefined> {
    const connection = connectionOf(this.db, tx);
    const isLocked = tx !== undefined;
    const { rows } = await connection.run<RunRow & ClaimedRow>(selectEditable(this.scope, id, isLocked));
    const [row] = rows;
    if (!row) return undefined;
    const steps = (await connection.run<StepRow>(selectSteps(this.scope, id, isLocked))).rows.map(stepOf);
    return { run: runOf(row), claim: claimedOf(row), steps };
  }

  async rewrite(
    { run, steps }: EditableRun,
    step: StepRecord,
    givingUp: GivingUp,
    tx: Transaction,
  ): ReturnType<RunEdits['rewrite']> {
    const own = sqlTransaction(tx);
    const { runId, seq } = step;
    const before = steps.find((other) => other.seq === seq);
    const left = childOf(before);
    const refusal = run.status === 'failed' ? await resumeRun(own, this.scope, runId, givingUp, left) : undefined;
    if (refusal) return refusal;
    await own.run(upsertSteps(this.scope, [step]));
    await own.run(freeRun(this.scope, runId));
    const freed = step.settled === null || !before ? [] : await this.giveUp(own, before, givingUp);
    await tellWithCommit(own, this.notifier, 'runs', JSON.stringify({ lost: [runId] }));
    await tellWithCommit(own, this.notifier, 'runs', '{}');
    if (freed.length > 0) await tellWithCommit(own, this.notifier, 'limiters', JSON.stringify(freed));
    return true;
  }

  /** Returns the limiters that have a permit more. */
  private async giveUp(tx: SqlTransaction, before: StepRecord, givingUp: GivingUp): Promise<string[]> {
    const ids = [stepIdOf(before.runId, before.seq)];
    const permits = (await tx.run<{ limiter: string }>(selectPermits(this.scope, ids))).rows;
    if (permits.length > 0) await tx.run(deletePermits(this.scope, ids));
    if (before.kind === 'signal') await tx.run(deleteWaits(this.scope, ids));
    const limiters = permits.map(({ limiter }) => limiter);
    await givingUp({ answers: notesOf(untaken([before])), limiters, withdrawn: ids }, tx);
    return limiters;
  }
}
