import { countSettled } from '../endings/control.sql.js';
import * as removal from '../endings/removal.sql.js';
import { isFinal } from '../model/run.js';
import type { ForkOutcome, ForkRun, RestartRun, RunLives } from '../model/run-lives.js';
import type { GivingUp } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import type { StepKind } from '../model/step-record.js';
import { stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type Notifier, tellWithCommit } from '../../sql/notifier.js';
import { inTransaction, type SqlExecutor, type SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import { forkRefusal } from './forking.js';
import * as statements from './run-lives.sql.js';
import { type LastRow, lockOld, type OldRow, selectLast } from './sql-id-reuse.js';

interface ForkableRow {
  seq: number | string;
  kind: StepKind;
  name: string;
  settled: number | string | null;
  output: string | null;
}

/** New lives and forks of runs, in tables. */
export class SqlRunLives implements RunLives {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  restart(request: RestartRun, givingUp: GivingUp, tx?: Transaction): ReturnType<RunLives['restart']> {
    return inTransaction(this.db, tx, (own) => this.restartIn(own, request, givingUp));
  }

  fork(request: ForkRun, tx?: Transaction): Promise<ForkOutcome> {
    return inTransaction(this.db, tx, (own) => this.forkIn(own, request));
  }

  private async restartIn(
    tx: SqlTransaction,
    request: RestartRun,
    givingUp: GivingUp,
  ): ReturnType<RunLives['restart']> {
    const { scope } = this;
    const ids = [request.id];
    const [old] = (await tx.run<OldRow>(lockOld(scope, ids))).rows;
    if (!old) return 'missing';
    if (old.erased_at !== null) return 'erased';
    if (!isFinal(old.status)) return old.status;
    const [last] = (await tx.run<LastRow>(selectLast(scope, ids))).rows;
    const open = await tx.run<{ run_id: string; seq: number | string }>(removal.selectOpenSteps(scope, ids, true));
    const stepIds = open.rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq)));
    if (stepIds.length > 0) await tx.run(removal.deleteWaits(scope, stepIds));
    const { rows: children } = await tx.run<{ id: string }>(removal.selectChildren(scope, ids, true));
    const left = children.map(({ id }) => id).sort();
    if (left.length > 0) await tx.run(removal.orphanRuns(scope, left));
    for (const statement of removal.deleteLives(scope, ids)) await tx.run(statement);
    await tx.run(statements.rebegin(scope, request, Math.max(Number(old.first_seq), Number(last?.seq ?? -1) + 1)));
    if (stepIds.length > 0) await givingUp({ ...NO_ENDINGS, withdrawn: stepIds }, tx);
    await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return 'restarted';
  }

  private async isThere(tx: SqlTransaction, { source, from, id }: ForkRun): Promise<'repeated' | 'taken'> {
    type Row = { forked_from: string | null; forked_seq: number | string | null };
    const { rows } = await tx.run<Row>(statements.selectFork(this.scope, id));
    const isSame = rows.some((row) => row.forked_from === source && Number(row.forked_seq) === from);
    return isSame ? 'repeated' : 'taken';
  }

  /** Locks the source, so that its history does not change meanwhile. */
  private async forkIn(tx: SqlTransaction, request: ForkRun): Promise<ForkOutcome> {
    const { scope } = this;
    const [source] = (await tx.run<OldRow>(lockOld(scope, [request.source]))).rows;
    if (!source) return 'missing';
    if (source.erased_at !== null) return 'erased';
    const marks = await tx.run(statements.selectMark(scope, request.source));
    if (marks.rows.length > 0) return { why: 'erasing' };
    const { rows } = await tx.run<ForkableRow>(statements.selectForkable(scope, request.source));
    const steps = rows.map((row) => ({
      ...row,
      seq: Number(row.seq),
      settled: row.settled === null ? null : Number(row.settled),
    }));
    const refusal = forkRefusal(steps, { from: request.from, firstSeq: Number(source.first_seq) });
    if (refusal) return refusal;
    const { affected } = await tx.run(statements.insertFork(scope, request));
    if (affected === 0) return this.isThere(tx, request);
    await tx.run(statements.copySteps(scope, request));
    for (const statement of statements.copyNotes(scope, request)) await tx.run(statement);
    await tx.run(countSettled(scope, [request.id]));
    await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return 'forked';
  }
}
