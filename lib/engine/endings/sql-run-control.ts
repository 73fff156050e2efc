import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { parseWireError } from '../../protocol/wire-error.js';
import { type Notifier, tellWithCommit } from '../../sql/notifier.js';
import { inTransaction, type SqlConnection, type SqlExecutor, type SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import * as controls from './control.sql.js';
import { deletePermits, selectPermits } from './ending.sql.js';
import { type CloseOutcome, type GivingUp, outputsIn, type RunControl, TERMINATED } from '../model/run-control.js';
import { BLOCK_REASONS, type Closing, isFinal, type RunReason, type RunStatus } from '../model/run.js';
import { notesOf } from '../model/left-signals.js';
import { reopenInTables, resumeRun } from './sql-run-resumption.js';
import { settleLastAnswers, tellEndings } from './sql-run-endings.js';

interface LockedRow {
  id: string;
  namespace: string;
  workflow: string;
  status: RunStatus;
  reason: RunReason | null;
  closing: Closing | null;
  notifies: number | string;
  unwinds: number | string;
  error: string | null;
  erased_at: number | string | null;
}

/** The open requests of a closed run. */
interface GivenUp {
  stepIds: string[];
  limiters: string[];
  /** Notes of the delivered signals that it did not take. */
  notes: StepAnswer[];
}

type How = 'cancelled' | 'terminated';

/** A transaction, and whether the caller passed it. */
interface At {
  tx: SqlTransaction;
  joined: boolean;
}

/** Changes runs from outside of their code, in tables. */
export class SqlRunControl implements RunControl {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  close(id: string, how: How, givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome> {
    const joined = tx !== undefined;
    return inTransaction(this.db, tx, (own) => this.closeIn({ tx: own, joined }, id, how, givingUp));
  }

  async openChildren(parentId: string): ReturnType<RunControl['openChildren']> {
    return (await this.childrenOf(this.db, parentId)).map(({ id, parent_close: close }) => ({ id, close }));
  }

  retry(id: string, givingUp: GivingUp, tx?: Transaction): ReturnType<RunControl['retry']> {
    return inTransaction(this.db, tx, async (own) => {
      const outcome = await this.retryIn(own, id, givingUp);
      if (outcome === 'retried')
        own.afterCommit(() => {
          this.notifier.local('runs', '{}');
          this.notifier.publish('runs', '{}');
        });
      return outcome;
    });
  }

  private async closeIn(at: At, id: string, how: How, givingUp: GivingUp): Promise<CloseOutcome> {
    const { tx } = at;
    const run = await this.lock(tx, id);
    if (!run) return 'missing';
    if (isFinal(run.status)) return 'over';
    if (run.closing !== null && (how === 'cancelled' || run.closing === 'terminated')) return 'underway';
    const withdrawn = await this.giveUpAsked(at, id);
    if (await this.mustUnwind(at, run, how)) {
      await tx.run(controls.beginClosing(this.scope, id, how));
      const { limiters, stepIds, notes } = withdrawn;
      const answered = await givingUp({ answers: notes, limiters, withdrawn: stepIds }, tx);
      await settleLastAnswers(tx, this.scope, [id], how === 'cancelled' ? answered : outputsIn(answered));
      await this.tell(tx, ['runs', lostHint(id)], ['runs', '{}']);
      await this.tellFreed(tx, withdrawn.limiters);
      return 'closing';
    }
    const error = how === 'terminated' ? JSON.stringify(TERMINATED) : null;
    await tx.run(controls.endCancelled(this.scope, id, error));
    const { answers, limiters, woken } = await tellEndings(tx, this.scope, [{ id, notifies: Number(run.notifies) }]);
    const told = { answers: [...answers, ...withdrawn.notes], limiters: [...limiters, ...withdrawn.limiters] };
    const { namespace, workflow } = run;
    const ended = { runId: id, namespace, workflow, status: 'cancelled' } as const;
    const answered = await givingUp({ ...told, withdrawn: withdrawn.stepIds, ended }, tx);
    await settleLastAnswers(tx, this.scope, [id], outputsIn(answered));
    await this.tell(tx, ['runs', lostHint(id)], ['done', JSON.stringify([id])]);
    if (woken) await this.tell(tx, ['runs', '{}']);
    await this.tellFreed(tx, told.limiters);
    return 'ended';
  }

  private async mustUnwind({ tx, joined }: At, { id, unwinds }: LockedRow, how: How): Promise<boolean> {
    if (Number(unwinds) === 0) return false;
    return how === 'cancelled' || (await this.childrenOf(tx, id, joined)).length > 0;
  }

  /** Ends waits for signals and permits; the caller's ports withdraw tasks and answers. */
  private async giveUpAsked({ tx, joined }: At, id: string): Promise<GivenUp> {
    const { rows } = await tx.run<controls.OpenRow>(controls.selectOpen(this.scope, id, joined));
    const of = (wanted: string) =>
      rows.filter(({ kind }) => kind === wanted).map(({ seq }) => stepIdOf(id, Number(seq)));
    const [remote, waiting] = [of('remote'), of('signal')];
    if (waiting.length > 0) await tx.run(controls.deleteWaits(this.scope, waiting));
    const given = { stepIds: [...remote, ...waiting], notes: await this.leaveGiven(tx, id, rows) };
    if (remote.length === 0) return { ...given, limiters: [] };
    const permits = await tx.run<{ limiter: string }>(selectPermits(this.scope, remote));
    if (permits.rows.length > 0) await tx.run(deletePermits(this.scope, remote));
    return { ...given, limiters: permits.rows.map(({ limiter }) => limiter) };
  }

  /** Removes delivered signals that its code has not taken, and returns notes of them. */
  private async leaveGiven(tx: SqlConnection, runId: string, open: readonly controls.OpenRow[]): Promise<StepAnswer[]> {
    const notesAt = new Map(
      open.flatMap(({ seq, given }) =>
        notesOf([{ runId, seq: Number(seq), output: given }]).map((note) => [Number(seq), note] as const),
      ),
    );
    if (notesAt.size > 0) await tx.run(controls.forgetGiven(this.scope, runId, [...notesAt.keys()]));
    return [...notesAt.values()];
  }

  private async retryIn(tx: SqlTransaction, id: string, givingUp: GivingUp): ReturnType<RunControl['retry']> {
    const run = await this.lock(tx, id);
    if (!run) return 'missing';
    if (run.erased_at !== null) return 'erased';
    if (run.status === 'compensation_failed') {
      const { cause } = parseWireError(run.error);
      await tx.run(controls.forgetFailedUndoing(this.scope, id));
      await tx.run(controls.compensateAgain(this.scope, id, cause ? JSON.stringify(cause) : null));
      return 'retried';
    }
    if (run.status === 'failed') return (await resumeRun(tx, this.scope, id, givingUp)) ?? 'retried';
    if (run.status !== 'suspended' || !BLOCK_REASONS.some((reason) => reason === run.reason)) return 'not-stuck';
    await reopenInTables(tx, this.scope, id);
    await tx.run(controls.unblock(this.scope, id));
    return 'retried';
  }

  private async lock(tx: SqlConnection, id: string): Promise<LockedRow | undefined> {
    return (await tx.run<LockedRow>(controls.lockRun(this.scope, id))).rows[0];
  }

  private async childrenOf(
    connection: SqlConnection,
    parentId: string,
    joined = false,
  ): Promise<{ id: string; parent_close: 'cancel' | 'terminate' }[]> {
    type Row = { id: string; parent_close: 'cancel' | 'terminate' };
    return (await connection.run<Row>(controls.selectOpenChildren(this.scope, parentId, joined))).rows;
  }

  /** Notifies engines of other processes, too: this process may have none. */
  private async tellFreed(tx: SqlTransaction, limiters: readonly string[]): Promise<void> {
    if (limiters.length > 0) await this.tell(tx, ['limiters', JSON.stringify(limiters)]);
  }

  private async tell(tx: SqlTransaction, ...hints: [topic: string, payload: string][]): Promise<void> {
    for (const [topic, payload] of hints) await tellWithCommit(tx, this.notifier, topic, payload);
  }
}

const lostHint = (id: string): string => JSON.stringify({ lost: [id] });
