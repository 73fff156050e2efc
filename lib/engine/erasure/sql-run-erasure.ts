import * as statements from './erasure.sql.js';
import { deleteWaits, selectOpenSteps } from '../endings/removal.sql.js';
import { deleteSignals } from '../signals/signal-removal.sql.js';
import {
  type ErasedRows,
  type Erasure,
  type ErasureReads,
  type Mark,
  type MarkedRun,
  NO_ROWS,
  type PublishedStep,
  type RunErasure,
  type RunsHaving,
} from '../model/run-erasure.js';
import type { GivingUp } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import { positionIn } from '../model/step-record.js';
import { stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { inParts } from '../../sql/in-parts.js';
import { connectionOf, type SqlConnection, type SqlExecutor, type SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';

interface RunKey {
  id: string;
}

interface RowKey {
  id: string | number;
}

const START: Mark = { runId: '', seq: null };
/** The most children that one call of `follow` marks. */
const MOST_FOLLOWED = 1_000;

export class SqlRunErasure implements RunErasure, ErasureReads {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async having(query: RunsHaving): Promise<string[]> {
    const { rows } = await this.db.run<{ run_id: string }>(statements.selectHaving(this.scope, query));
    return rows.map(({ run_id: runId }) => runId);
  }

  async published(runIds: readonly string[], after: Mark = START, limit: number): Promise<PublishedStep[]> {
    const found = statements.selectPublished(this.scope, runIds, after, limit);
    const { rows } = await this.db.run<statements.PublishedRow>(found);
    return rows.map(({ run_id: runId, seq, output }) => ({ runId, seq: Number(seq), output }));
  }

  async mark(erasure: Erasure, runIds: readonly string[], tx?: Transaction): Promise<void> {
    const ids = [...new Set(runIds)].sort();
    await inParts(connectionOf(this.db, tx), ids, (some) => statements.insertMarks(this.scope, erasure, some));
  }

  follow(runIds: readonly string[]): Promise<number> {
    return this.db.transaction((tx) => this.followIn(tx, runIds));
  }

  async marked({
    namespace,
    erasureId,
    after = START,
    limit,
  }: Parameters<RunErasure['marked']>[0]): Promise<MarkedRun[]> {
    const found = statements.selectMarks(this.scope, namespace, erasureId, after, limit);
    const { rows } = await this.db.run<statements.MarkRow>(found);
    return rows.map((row) => ({
      runId: row.run_id,
      seq: statements.seqOf(row),
      erasureId: row.erasure_id,
      discards: Number(row.discards) === 1,
      scheduleId: row.schedule_id,
      state: Number(row.found) === 0 ? 'missing' : row.finished_at === null ? 'open' : 'ended',
    }));
  }

  blank(marks: readonly Mark[], givingUp: GivingUp): Promise<ErasedRows> {
    return this.db.transaction((tx) => this.blankIn(tx, marks, givingUp));
  }

  sweep(runIds: readonly string[], limit: number): Promise<ErasedRows> {
    return this.db.transaction(async (tx) => {
      const ids = await idsOf(tx.run<RunKey>(statements.lockErased(this.scope, runIds)));
      if (ids.length === 0) return NO_ROWS;
      const { steps, taken } = await this.sweepSteps(tx, ids, limit);
      const attempts = await this.sweepAttempts(tx, ids, limit);
      const lines = await idsOf(tx.run<RowKey>(statements.selectLines(this.scope, ids, limit)));
      const logs = lines.length === 0 ? 0 : (await tx.run(statements.deleteLines(this.scope, lines))).affected;
      const sent = await idsOf(tx.run<RowKey>(statements.selectSent(this.scope, ids, limit)));
      const going = [...new Set([...sent, ...taken])];
      const signals = going.length === 0 ? 0 : (await tx.run(deleteSignals(this.scope, going))).affected;
      return { ...NO_ROWS, steps, attempts, logs, signals };
    });
  }

  /** Reads before it deletes: whatever begins in between begins after the erasure. */
  async unmark<M extends MarkedRun>(marks: readonly M[]): Promise<M[]> {
    if (marks.length === 0) return [];
    const ids = [...new Set(marks.map(({ runId }) => runId))];
    const anew = new Set(await idsOf(this.db.run<RunKey>(statements.selectUnerased(this.scope, ids))));
    const over = marks.filter(({ runId }) => !anew.has(runId));
    if (over.length > 0) await this.db.run(statements.deleteMarks(this.scope, over));
    return marks.filter(({ runId }) => anew.has(runId));
  }

  private async followIn(tx: SqlConnection, runIds: readonly string[]): Promise<number> {
    const { scope } = this;
    const children = await tx.run<statements.FollowedRow>(
      statements.selectUnmarkedChildren(scope, runIds, MOST_FOLLOWED),
    );
    const parents = await tx.run<statements.FollowedRow>(statements.selectUnmarkedParents(scope, runIds));
    const found = [...children.rows, ...parents.rows].sort((a, b) => compare(a.run_id, b.run_id));
    if (found.length > 0) await inParts(tx, found, (some) => statements.insertFollowed(scope, some));
    return found.length;
  }

  private async blankIn(tx: SqlTransaction, marks: readonly Mark[], givingUp: GivingUp): Promise<ErasedRows> {
    const { scope } = this;
    const asked = [...new Set(marks.map(({ runId }) => runId))];
    const ended = new Set(await idsOf(tx.run<RunKey>(statements.lockEnded(scope, asked))));
    const there = marks.filter(({ runId }) => ended.has(runId));
    const ids = there.filter(({ seq }) => seq === null).map(({ runId }) => runId);
    const lone = there.flatMap(({ runId, seq }) => (seq === null ? [] : [{ run_id: runId, seq }]));
    const steps = lone.length === 0 ? 0 : await this.blankAlone(tx, lone);
    if (ids.length === 0) return { ...NO_ROWS, steps };
    // A run may have begun children until it ended.
    while ((await this.followIn(tx, ids)) >= MOST_FOLLOWED);
    await this.withdraw(tx, ids, givingUp);
    const runs = (await tx.run(statements.blankRuns(scope, ids))).affected;
    const attributes = (await tx.run(statements.deleteAttributesOf(scope, ids))).affected;
    await tx.run(statements.deleteEntriesOf(scope, ids));
    return { ...NO_ROWS, runs, steps, attributes };
  }

  private async blankAlone(tx: SqlConnection, keys: readonly statements.StepKeyRow[]): Promise<number> {
    const { affected } = await tx.run(statements.blankSteps(this.scope, keys));
    await tx.run(statements.blankAttemptsAt(this.scope, keys));
    const runIds = [...new Set(keys.map(({ run_id: runId }) => runId))];
    await tx.run(statements.noteErased(this.scope, runIds));
    return affected;
  }

  /** Tasks and answers of steps that nobody waits for any more, and waits for signals. */
  private async withdraw(tx: SqlTransaction, runIds: readonly string[], givingUp: GivingUp): Promise<void> {
    const { rows } = await tx.run<statements.StepKeyRow>(selectOpenSteps(this.scope, runIds));
    const withdrawn = rows.map(({ run_id: runId, seq }) => stepIdOf(runId, Number(seq))).sort();
    if (withdrawn.length === 0) return;
    await givingUp({ ...NO_ENDINGS, withdrawn }, tx);
    await tx.run(deleteWaits(this.scope, withdrawn));
  }

  /** Returns the ids of the signals that these steps took, too. */
  private async sweepSteps(
    tx: SqlConnection,
    runIds: readonly string[],
    limit: number,
  ): Promise<{ steps: number; taken: (string | number)[] }> {
    const { rows } = await tx.run<statements.StepKeyRow>(statements.selectSteps(this.scope, runIds, limit));
    if (rows.length === 0) return { steps: 0, taken: [] };
    const positions = rows.flatMap(({ run_id, taken }) => positionIn(taken).map((at) => ({ ...at, run_id })));
    const taken =
      positions.length === 0 ? [] : await idsOf(tx.run<RowKey>(statements.selectTaken(this.scope, positions)));
    const steps = (await inParts(tx, rows, (some) => statements.blankSteps(this.scope, some))).affected;
    return { steps, taken };
  }

  private async sweepAttempts(tx: SqlConnection, runIds: readonly string[], limit: number): Promise<number> {
    const { rows } = await tx.run<statements.StepKeyRow>(statements.selectAttempts(this.scope, runIds, limit));
    return rows.length === 0 ? 0 : (await tx.run(statements.blankAttemptsAt(this.scope, rows))).affected;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const idsOf = async <Id>(found: Promise<{ rows: { id: Id }[] }>): Promise<Id[]> =>
  (await found).rows.map(({ id }) => id);
