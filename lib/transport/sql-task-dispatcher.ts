import { byFamily } from '../sql/dialects/dialect.js';
import { workerOf } from '../protocol/claim-mark.js';
import type { CommitRiders, Ridden } from '../sql/commit-riders.js';
import type { AnswerCursor, TaskDispatcher, TaskHolder } from '../engine/model/task-dispatcher.js';
import type { StepAnswer, StepTask } from '../protocol/step.js';
import { OncePerCommit, type Transaction } from '../protocol/transaction.js';
import { inParts } from '../sql/in-parts.js';
import type { Notifier } from '../sql/notifier.js';
import { connectionOf, inTransaction, type SqlConnection, type SqlExecutor } from '../sql/sql-executor.js';
import { raw, type Statement } from '../sql/dialects/statement.js';
import type { Scope, SqlNow, Tables } from '../sql/tables.js';
import { type Clock, systemClock } from '../time/clock.js';
import { answersIn, senderOf, taskHint, withdrawnHint } from './hints.js';
import type { HolderRow } from './task-claims.js';
import * as results from './result.sql.js';
import * as statements from './task.sql.js';

export interface SqlTransportOptions {
  /** Default: the database's clock. */
  now?: SqlNow;
  /** Used only to time the rounds of reading. */
  clock?: Clock;
}

interface Cursor extends results.AnswerPosition {
  /** When this round of reading started at the first answer, by this process's clock. */
  beganAt: number;
  /** Whether this round has reached the last answer. */
  atEnd: boolean;
}

/** How often reading restarts at the first answer. */
const ROUND_MS = 1_000;
/** An answer may become visible this long after its stamp without waiting for the next round. */
const LATE_COMMIT_MS = 100;
const START: results.AnswerPosition = { createdAt: 0, stepId: '' };

/**
 * Tasks and answers as rows of the two tables.
 *
 * An answer is stamped before it becomes visible, and foreign workers stamp with their own clocks, so some appear
 * before the cursor of a reader. A reader at the end therefore restarts at the first answer once a second, and its
 * callers drop answers that they have already seen.
 */
export class SqlTaskDispatcher implements TaskDispatcher, CommitRiders {
  private readonly scope: Scope;
  private readonly clock: Clock;
  private readonly dispatchedIn = new OncePerCommit<StepTask>((tasks) => this.wake(tasks));
  private readonly withdrawn = new OncePerCommit<string>((stepIds) =>
    this.notifier.local('withdrawn', withdrawnHint(stepIds)),
  );

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    { now = () => db.dialect.now, clock = systemClock }: SqlTransportOptions = {},
  ) {
    this.scope = { tables, dialect: db.dialect, now };
    this.clock = clock;
  }

  /** If the database has notifications, the writing statement notifies workers of other processes. */
  async dispatch(tasks: readonly StepTask[], tx?: Transaction): Promise<void> {
    const latest = latestAttempts(tasks);
    if (latest.length === 0) return;
    const connection = connectionOf(this.db, tx);
    await byFamily(connection.dialect, {
      postgres: async () => {
        const { rows } = await inParts<{ since: number | string | null }, StepTask>(connection, latest, (some) =>
          statements.upsertTasksPostgres(this.scope, some, senderOf(this.notifier)),
        );
        // Also notifies of rows from an earlier commit whose response was lost.
        if (tx) return this.dispatchedIn.add(tx, latest);
        const written = rows.flatMap(({ since }) => (since === null ? [] : Number(since)));
        if (written.length > 0) this.wake(latest, Math.min(...written));
      },
      mysql: async () => {
        await inParts(connection, latest, (some) => statements.upsertTasksMysql(this.scope, some));
        this.dispatchedIn.add(tx, latest);
      },
    });
  }

  readonly dispatchedAt = raw('(SELECT since FROM asked)');

  parts({ tasks, takes }: Ridden): Statement[] {
    const { scope } = this;
    const latest = latestAttempts(tasks);
    return [
      ...(takes.length > 0 ? [results.takePart(scope, takes)] : []),
      ...(latest.length > 0 ? statements.dispatchParts(scope, latest, senderOf(this.notifier), 'passed') : []),
    ];
  }

  dispatched(tasks: readonly StepTask[], since?: number): void {
    this.wake(tasks, since);
  }

  /** Notifies workers of this process. */
  private wake(tasks: readonly StepTask[], since?: number): void {
    if (!this.notifier.hears('tasks')) return;
    this.notifier.local('tasks', taskHint([...new Set(tasks.map(({ group }) => group))], since));
  }

  async peek(limit: number, cursor?: AnswerCursor): Promise<{ answers: StepAnswer[]; cursor: AnswerCursor }> {
    const from = this.positionAfter(cursor as Cursor | undefined);
    const { rows } = await this.db.run<results.AnswerRow & { at: number | string }>(
      results.selectAnswers(this.scope, limit, from),
    );
    const answers = rows.map(results.answerOf);
    const last = rows.at(-1);
    if (!last) return { answers, cursor: { ...from, atEnd: true } satisfies Cursor };
    const { createdAt, stepId } = results.answerOf(last);
    const atEnd = rows.length < limit;
    const newest = Number(last.at) - LATE_COMMIT_MS;
    const position = atEnd && createdAt > newest ? { createdAt: newest, stepId: '' } : { createdAt, stepId };
    return { answers, cursor: { ...position, beganAt: from.beganAt, atEnd } satisfies Cursor };
  }

  async take(stepIds: readonly string[], tx?: Transaction): Promise<void> {
    if (stepIds.length === 0) return;
    await inParts(connectionOf(this.db, tx), stepIds, (some) => results.deleteAnswers(this.scope, some));
  }

  /** If the database has notifications, workers of other processes are notified with the commit. */
  async withdraw(stepIds: readonly string[], tx?: Transaction): Promise<StepAnswer[]> {
    if (stepIds.length === 0) return [];
    return inTransaction(this.db, tx, (own) => {
      this.withdrawn.add(own, stepIds);
      return this.withdrawOn(own, stepIds);
    });
  }

  /** Tasks first: a concurrent report deletes its task before, so its answer is visible by then. */
  private async withdrawOn(connection: SqlConnection, stepIds: readonly string[]): Promise<StepAnswer[]> {
    const { scope } = this;
    await inParts(connection, stepIds, (some) => statements.deleteTasks(scope, some));
    const taken = (select: typeof results.lockAnswers) =>
      inParts<results.AnswerRow, string>(connection, stepIds, (some) => select(scope, some));
    const { rows } = await byFamily(connection.dialect, {
      postgres: () => taken(results.takeAnswersPostgres),
      mysql: async () => {
        const locked = await taken(results.lockAnswers);
        if (locked.rows.length > 0) await taken(results.deleteAnswers);
        return locked;
      },
    });
    const notification = this.notifier.statement('withdrawn', withdrawnHint(stepIds));
    if (notification) await connection.run(notification);
    return rows.map(results.answerOf);
  }

  async lost(stepIds: readonly string[]): Promise<string[]> {
    if (stepIds.length === 0) return [];
    const { rows } = await this.db.run<{ step_id: string }>(statements.selectAlive(this.scope, stepIds));
    const alive = new Set(rows.map(({ step_id }) => step_id));
    return stepIds.filter((stepId) => !alive.has(stepId));
  }

  async holders(stepIds: readonly string[]): Promise<TaskHolder[]> {
    if (stepIds.length === 0) return [];
    const { rows } = await this.db.run<HolderRow>(statements.selectHolders(this.scope, stepIds));
    return rows.map(({ step_id: stepId, attempt, claimed_by }) => ({
      stepId,
      attempt: Number(attempt),
      worker: claimed_by === null ? null : workerOf(claimed_by),
    }));
  }

  onAnswers(listener: (answers?: readonly StepAnswer[]) => void): () => void {
    return this.notifier.subscribe('results', (payload) => {
      const hint = answersIn(payload, senderOf(this.notifier));
      if (hint !== 'ours') listener(hint);
    });
  }

  /** The next position, or the first answer when a new round is due. */
  private positionAfter(cursor: Cursor | undefined): Cursor {
    const now = this.clock.now();
    const roundDue = !cursor || (cursor.atEnd && Math.abs(now - cursor.beganAt) >= ROUND_MS);
    return roundDue ? { ...START, beganAt: now, atEnd: false } : cursor;
  }
}

/** One statement cannot write a row twice. */
function latestAttempts(tasks: readonly StepTask[]): StepTask[] {
  if (new Set(tasks.map(({ stepId }) => stepId)).size === tasks.length) return [...tasks];
  const latest = new Map<string, StepTask>();
  for (const task of tasks) if ((latest.get(task.stepId)?.attempt ?? -1) < task.attempt) latest.set(task.stepId, task);
  return [...latest.values()];
}
