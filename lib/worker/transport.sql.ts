import { type Dispatched, type EndedTask, type StepAnswer, type StepTask, workerOf } from '../core/protocol.js';
import { type Clock, stopwatch } from '../core/time.js';
import { afterCommit, OncePerCommit, type Transaction } from '../core/transaction.js';
import {
  type AcceptOutcome,
  type AcceptTask,
  type AnswerCursor,
  type AnswerWriter,
  type HandedBack,
  HandOver,
  type TaskDispatcher,
  type TaskHolder,
  type DeadWorker,
} from '../engine/tasks.js';
import { byFamily, columnRows, type Columns, keyList, planned } from '../sql/dialects.js';
import {
  type CommitRiders,
  connectionOf,
  inTransaction,
  ownSessionsOr,
  type Ridden,
  type Ride,
  type SqlConnection,
  type SqlExecutor,
  type SqlSessions,
  sqlTransaction,
} from '../sql/executor.js';
import { type Notifier, tellWithCommit } from '../sql/notifier.js';
import { raw, sql, type Statement } from '../sql/statement.js';
import { inParts, nowOf, onceNow, type Scope, type SqlNow, type Tables } from '../sql/tables.js';
import {
  type AnswerClaims,
  answerHint,
  answersIn,
  ClaimMarks,
  claimOf,
  type HolderRow,
  isSent,
  type Reported,
  reporterOf,
  senderOf,
  stillHeld,
  taskHint,
  tasksIn,
  withdrawnHint,
  withdrawnIn,
} from './claims.js';
import { Credits, LONGEST_SENT } from './credits.js';
import { insertAnswers, MysqlAnswerClaims, MysqlTaskClaims } from './leases.mysql.sql.js';
import { ANSWER_FIELDS, fitsNotification, PostgresAnswerClaims, PostgresTaskClaims } from './leases.postgres.sql.js';
import type {
  AnswerLeases,
  Claim,
  ClaimedTask,
  ClaimRequest,
  Credit,
  LeasedAnswer,
  TaskReport,
  TaskSource,
} from './task-source.js';
import type {
  GroupInSight,
  GroupsQuery,
  StoredTasksPage,
  TaskAttempt,
  TasksQuery,
  WaitingPage,
  WaitingQuery,
} from './waiting-tasks.js';
import * as results from './tasks.sql.js';
import {
  answerOf,
  type AnswerRow,
  type ClaimedRow,
  deleteTasks,
  selectHolders,
  type TaskClaims,
  tell,
} from './tasks.sql.js';
import { groupsInSight, listTasks, unclaimedOf, waitingTasks } from './waiting-tasks.sql.js';

export interface SqlTransportOptions {
  /** Default: the database's clock. */
  now?: SqlNow;
  /** Times the rounds of reading, which find what was committed late. Default: {@link stopwatch}. */
  elapsed?: Clock;
  /** Shared by both sides of one process. Default: workers claim every task. */
  handOver?: HandOver;
}

interface Cursor extends results.AnswerPosition {
  /** When this round of reading started at the first answer, by the stopwatch. */
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
  private readonly elapsed: Clock;
  private readonly dispatchedIn = new OncePerCommit<StepTask>((tasks) => this.wake(tasks));
  private readonly withdrawn = new OncePerCommit<string>((stepIds) =>
    this.notifier.local('withdrawn', withdrawnHint(stepIds)),
  );

  private readonly db: SqlSessions;
  private readonly handOver: HandOver;
  private readonly credits = new Credits();

  constructor(
    db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    { now = () => db.dialect.now, elapsed = stopwatch, handOver = new HandOver() }: SqlTransportOptions = {},
  ) {
    this.handOver = handOver;
    this.db = ownSessionsOr(db);
    this.scope = { tables, dialect: db.dialect, now };
    this.elapsed = elapsed;
  }

  /** If the database has notifications, the writing statement notifies workers of other processes. */
  async dispatch(tasks: readonly StepTask[], tx?: Transaction): Promise<void> {
    const latest = latestAttempts(tasks);
    if (latest.length === 0) return;
    const connection = connectionOf(this.db, tx);
    const marks = this.handOver.marksOf(latest, LONGEST_SENT);
    const { since, claimed } = await byFamily(connection.dialect, {
      postgres: () => this.writePostgres(connection, latest, marks),
      mysql: () => this.writeMysql(connection, latest, marks),
    });
    if (marks.size > 0) afterCommit(tx, () => this.handOver.begin([...marks.keys()], claimed));
    const others = latest.filter((task) => !marks.has(task));
    // Also notifies of rows from an earlier commit whose response was lost.
    if (tx) this.dispatchedIn.add(tx, others);
    else if (since !== undefined) this.wake(others, since);
  }

  private async writePostgres(
    connection: SqlConnection,
    tasks: readonly StepTask[],
    marks: results.Marks,
  ): Promise<Dispatched> {
    const { rows } = await inParts<{ told: string }, StepTask>(connection, tasks, (some) =>
      results.upsertTasksPostgres(this.scope, some, senderOf(this.notifier), marks),
    );
    return results.together(rows.map(({ told }) => results.dispatchedIn(told)));
  }

  /** The statement does not tell which rows it has written. */
  private async writeMysql(
    connection: SqlConnection,
    tasks: readonly StepTask[],
    marks: results.Marks,
  ): Promise<Dispatched> {
    await inParts(connection, tasks, (some) => results.upsertTasksMysql(this.scope, some, marks));
    if (marks.size === 0) return { since: 0 };
    const claims = [...marks].map(([{ stepId }, claimedBy]) => ({ stepId, claimedBy, claimedAt: 0 }));
    const stepIds = claims.map(({ stepId }) => stepId);
    const { rows } = await inParts<HolderRow, string>(connection, stepIds, (some) => selectHolders(this.scope, some));
    const at = Math.min(...rows.map(({ claimed_at }) => Number(claimed_at ?? 0)));
    return { since: 0, claimed: { count: stillHeld(claims, rows).length, at } };
  }

  offer(tasks: readonly StepTask[], at: number): () => void {
    return this.handOver.offer(tasks, at, this.credits.accept);
  }

  ride({ tasks, takes, ends, as }: Ridden): Ride {
    const { scope, handOver } = this;
    const latest = latestAttempts(tasks);
    const some = ends.length > 0;
    const ending = {
      locks: some ? [results.lockEndsPart(scope, ends, as)] : [],
      unheld: some ? results.UNHELD : undefined,
    };
    const ended = some ? [results.endPart(scope, stepIdsOf(ends), as)] : [];
    const gone = [...ended, ...(takes.length > 0 ? [results.takePart(scope, takes, as)] : [])];
    if (latest.length === 0) return { ...ending, parts: gone, told: undefined, read: () => ({}) };
    const marks = handOver.marksOf(latest, LONGEST_SENT);
    const how = { sender: senderOf(this.notifier), of: 'passed', marks, as } as const;
    return {
      ...ending,
      parts: [...gone, ...results.dispatchParts(scope, latest, how)],
      told: raw('(SELECT told FROM asked)'),
      read: (told) => results.dispatchedIn(told as string),
    };
  }

  dispatched(tasks: readonly StepTask[], how: Dispatched = {}): void {
    this.wake(this.handOver.begin(tasks, how.claimed), how.since);
  }

  /** Notifies workers of this process. */
  private wake(tasks: readonly StepTask[], since?: number): void {
    if (tasks.length === 0 || !this.notifier.hears('tasks')) return;
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

  onHandedBack(accept: AcceptOutcome): () => void {
    return this.handOver.receive(accept);
  }

  async end(tasks: readonly EndedTask[], tx: Transaction): Promise<readonly string[]> {
    const connection = connectionOf(this.db, tx);
    const stepIds = stepIdsOf(tasks);
    const { rows } = await inParts<HolderRow, string>(connection, stepIds, (some) =>
      results.lockHolders(this.scope, some),
    );
    const held = new Set(stillHeld(tasks, rows));
    const unheld = tasks.filter((task) => !held.has(task));
    if (unheld.length === 0) await inParts(connection, stepIds, (some) => deleteTasks(this.scope, some));
    return stepIdsOf(unheld);
  }

  async free(dead: readonly DeadWorker[]): Promise<boolean> {
    const [names, groups] = [new Map(dead.map((one) => [one.id, one])), new Set(dead.flatMap((one) => one.groups))];
    if (groups.size === 0) return true;
    const isTheirs = ({ claimed_by, claimed_at }: HolderRow) =>
      Number(claimed_at) <= (names.get(workerOf(claimed_by ?? ''))?.expiresAt ?? 0);
    const { rows } = await this.db.run<HolderRow>(results.selectClaimed(this.scope, [...groups]));
    const theirs = rows.filter(isTheirs).map(({ step_id }) => step_id);
    if (theirs.length === 0) return true;
    return this.db.transaction(async (tx) => {
      const { rows: locked } = await inParts<HolderRow, string>(tx, theirs, (some) =>
        results.lockHolders(this.scope, some),
      );
      const stepIds = locked.filter(isTheirs).map(({ step_id }) => step_id);
      if (stepIds.length > 0) {
        await inParts(tx, stepIds, (some) => results.endLeases(this.scope, some));
        await tellWithCommit(tx, this.notifier, 'tasks', taskHint([...groups], 0));
      }
      return locked.length === theirs.length;
    });
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
    await inParts(connection, stepIds, (some) => results.deleteTasks(scope, some));
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
    const { rows } = await this.db.run<{ step_id: string }>(results.selectAlive(this.scope, stepIds));
    const alive = new Set(rows.map(({ step_id }) => step_id));
    return stepIds.filter((stepId) => !alive.has(stepId));
  }

  async holders(stepIds: readonly string[]): Promise<TaskHolder[]> {
    if (stepIds.length === 0) return [];
    const { rows } = await this.db.run<HolderRow>(results.selectHolders(this.scope, stepIds));
    return rows.map(({ step_id: stepId, attempt, claimed_by }) => ({
      stepId,
      attempt: Number(attempt),
      worker: claimed_by === null ? null : workerOf(claimed_by),
    }));
  }

  onAnswers(listener: (answers?: readonly StepAnswer[]) => void): () => void {
    return this.notifier.subscribe('results', (payload) => {
      const hint = answersIn(payload, senderOf(this.notifier));
      if (hint === 'ours') return;
      const { answers, credit } = hint;
      if (answers) this.credits.grant(answers, credit);
      else this.credits.clear();
      listener(answers);
    });
  }

  /** The next position, or the first answer when a new round is due. */
  private positionAfter(cursor: Cursor | undefined): Cursor {
    const now = this.elapsed.now();
    const roundDue = !cursor || (cursor.atEnd && Math.abs(now - cursor.beganAt) >= ROUND_MS);
    return roundDue ? { ...START, beganAt: now, atEnd: false } : cursor;
  }
}

const stepIdsOf = (tasks: readonly Pick<StepTask, 'stepId'>[]): string[] => tasks.map(({ stepId }) => stepId);

/** One statement cannot write a row twice. */
function latestAttempts(tasks: readonly StepTask[]): StepTask[] {
  if (new Set(tasks.map(({ stepId }) => stepId)).size === tasks.length) return [...tasks];
  const latest = new Map<string, StepTask>();
  for (const task of tasks) if ((latest.get(task.stepId)?.attempt ?? -1) < task.attempt) latest.set(task.stepId, task);
  return [...latest.values()];
}

/** How long a watermark may hide rows below it: late commits, expired leases. */
const FORGET_MS = 1_000;

/**
 * How far each group has been claimed. The index of a busy queue starts with deleted rows that cannot be cleaned up
 * yet; a claim that starts at the last claimed row skips them. This is only an optimisation: all marks are cleared once
 * a second, and a notification of older tasks lowers the mark at once.
 */
export class Watermarks {
  private readonly marks = new Map<string, number>();
  private forgotAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly elapsed: Clock) {}

  of(group: string): number {
    const now = this.elapsed.now();
    if (Math.abs(now - this.forgotAt) >= FORGET_MS) {
      this.marks.clear();
      this.forgotAt = now;
    }
    return this.marks.get(group) ?? 0;
  }

  raise(group: string, createdAt: number): void {
    this.marks.set(group, Math.max(createdAt, this.marks.get(group) ?? 0));
  }

  /** Without groups: lowers all marks; without a time: clears them. */
  lower(groups: readonly string[] | undefined, since = 0): void {
    for (const group of groups ?? [...this.marks.keys()]) {
      const mark = this.marks.get(group);
      if (mark !== undefined && mark > since) this.marks.set(group, since);
    }
  }
}

/** Claims tasks of the tasks table and writes answers to the results table. */
export class SqlTaskSource implements TaskSource {
  private readonly scope: Scope;
  private readonly claims: TaskClaims;
  private readonly marks = new ClaimMarks();
  private readonly watermarks: Watermarks;
  private readonly own: SqlSessions;
  private readonly handOver: HandOver;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    { now = () => db.dialect.now, elapsed = stopwatch, handOver = new HandOver() }: SqlTransportOptions = {},
  ) {
    this.handOver = handOver;
    this.scope = { tables, dialect: db.dialect, now };
    this.own = ownSessionsOr(db);
    this.claims = byFamily<TaskClaims>(db.dialect, {
      postgres: () => new PostgresTaskClaims(this.own, this.scope, tables.tasks),
      mysql: () => new MysqlTaskClaims(this.own, this.scope, tables.tasks),
    });
    this.watermarks = new Watermarks(elapsed);
  }

  get live(): boolean {
    return this.notifier.live;
  }

  async claim(request: ClaimRequest): Promise<ClaimedTask[]> {
    if (request.groups.length === 0 || request.names.length === 0 || request.limit <= 0) return [];
    const groups = request.groups.map(({ group, limit }) => ({ group, limit, since: this.watermarks.of(group) }));
    const rows = await this.claims.claim({ ...request, groups }, this.marks.next(request.workerId));
    // At most now: tasks of a low priority have a future `created_at`, and later tasks may be before it.
    for (const { grp, created_at, claimed_at } of rows)
      this.watermarks.raise(grp, Math.min(Number(created_at), Number(claimed_at)));
    return rows.sort((a, b) => Number(a.created_at) - Number(b.created_at)).map(taskOf);
  }

  async extend(claims: readonly Claim[]): Promise<Claim[]> {
    return claims.length === 0 ? [] : this.claims.extend(claims);
  }

  async lostClaims(claims: readonly Claim[]): Promise<Claim[]> {
    if (claims.length === 0) return [];
    const stepIds = claims.map(({ stepId }) => stepId);
    const { rows } = await this.own.run<HolderRow>(selectHolders(this.scope, stepIds));
    const held = new Set(stillHeld(claims, rows));
    return claims.filter((claim) => !held.has(claim));
  }

  async report(reports: readonly TaskReport[], credit?: Credit): Promise<boolean[]> {
    if (reports.length === 0) return [];
    const reported = await this.claims.report(reports, { sender: senderOf(this.notifier), credit });
    const { held } = reported;
    if (this.notifier.hears('results')) this.tell(reports, reported);
    return reports.map(({ claim }) => held === 'all' || held.has(claim.stepId));
  }

  async release(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const groups = [...new Set(await this.claims.release(claims))];
    // If the groups are unknown, any group may have free tasks.
    const hint = groups.length > 0 ? taskHint(groups, 0) : '{}';
    this.notifier.local('tasks', hint);
    const statement = groups.length > 0 ? this.notifier.statement('tasks', hint) : undefined;
    // Other workers also find them by polling.
    if (statement) await this.own.run(statement).catch(() => {});
  }

  groups(query: GroupsQuery): Promise<GroupInSight[]> {
    return groupsInSight(this.db, this.scope, query);
  }

  list(query: TasksQuery): Promise<StoredTasksPage> {
    return listTasks(this.db, this.scope, query);
  }

  waiting(query: WaitingQuery): Promise<WaitingPage> {
    return waitingTasks(this.db, this.scope, query);
  }

  stillWaiting(tasks: readonly TaskAttempt[]): Promise<TaskAttempt[]> {
    return unclaimedOf(this.db, this.scope, tasks);
  }

  onTasks(listener: (groups?: readonly string[], sent?: readonly ClaimedTask[]) => void): () => void {
    return this.notifier.subscribe('tasks', (payload) => {
      const hint = tasksIn(payload, senderOf(this.notifier));
      if (hint === 'ours') return;
      this.watermarks.lower(hint.groups, hint.since);
      listener(hint.groups, hint.sent);
    });
  }

  async sentTo(workerId: string, groups: readonly string[], withinMs: number): Promise<Claim[]> {
    if (groups.length === 0) return [];
    const { rows } = await this.own.run<HolderRow>(results.selectClaimed(this.scope, groups, withinMs));
    return rows.flatMap(({ step_id, claimed_by, claimed_at }) => {
      if (claimed_by === null || !isSent(claimed_by) || workerOf(claimed_by) !== workerId) return [];
      return [claimOf({ step_id, claimed_by, claimed_at: claimed_at ?? 0 })];
    });
  }

  onOffers(accept: AcceptTask): () => void {
    return this.handOver.serve(accept);
  }

  handBack(outcome: HandedBack): boolean {
    return this.handOver.handBack(outcome);
  }

  onWithdrawn(listener: (stepIds?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('withdrawn', (payload) => listener(withdrawnIn(payload)));
  }

  /** Collectors of this process need not read what it has just written. */
  private tell(reports: readonly TaskReport[], { held, written, at }: Reported): void {
    if (written === 0) return;
    const counting = held === 'all' ? reports : reports.filter(({ claim }) => held.has(claim.stepId));
    const answers = written === counting.length ? counting.map((report) => answerOfReport(report, at)) : undefined;
    this.notifier.local('results', answerHint(answers));
  }
}

function taskOf(row: ClaimedRow): ClaimedTask {
  const loss = lossOf(row);
  return {
    ...loss,
    stepId: row.step_id,
    runId: row.run_id,
    seq: Number(row.seq),
    name: row.name,
    group: row.grp,
    input: row.input,
    attempt: Number(row.attempt),
    // What its first worker took is no waiting.
    waitedMs: loss.reclaimed ? undefined : Math.max(0, Number(row.claimed_at) - Number(row.created_at)),
    claim: claimOf(row),
  };
}

function lossOf({ step_id, lost }: ClaimedRow): Pick<ClaimedTask, 'reclaimed' | 'lostBy'> {
  const holder = lost === null ? undefined : (JSON.parse(lost) as Record<string, string>)[step_id];
  if (holder === undefined) return { reclaimed: false };
  return { reclaimed: true, ...(holder !== '' && { lostBy: workerOf(holder) }) };
}

const answerOfReport = (report: TaskReport, createdAt: number): StepAnswer => {
  const { claim, runId, seq, status, output, error, startedAt } = report;
  return { stepId: claim.stepId, runId, seq, status, output, error, startedAt, createdAt, by: reporterOf(report) };
};

export interface WrittenRow {
  step_id: string;
  created_at: number | string;
}

const ARRAYS: Columns<StepAnswer> = {
  step_id: ['text', ({ stepId }) => stepId],
  run_id: ['text', ({ runId }) => runId],
  seq: ['bigint', ({ seq }) => seq],
  status: ['text', ({ status }) => status],
  output: ['text', ({ output }) => output, 'nullable'],
  error: ['text', ({ error }) => error, 'nullable'],
  started_at: ['bigint', ({ startedAt }) => startedAt, 'nullable'],
};

/**
 * PostgreSQL: removes the tasks, writes the answers of steps that have none and notifies, all in one statement. Tasks
 * come first, as in a worker's report, so that the two never deadlock.
 */
export const answerSteps = (scope: Scope, answers: readonly StepAnswer[], sender: string): Statement => {
  const { tables } = scope;
  const told = fitsNotification(answers)
    ? sql`(SELECT json_agg(${raw(`json_build_array(${ANSWER_FIELDS.join(', ')})`)}) FROM written)`
    : sql`NULL`;
  const payload = sql`json_build_object('from', CAST(${sender} AS text), 'answers', ${told})`;
  return sql`
  WITH clock AS MATERIALIZED (SELECT ${nowOf(scope)} AS at), given AS MATERIALIZED (
    SELECT listed.* FROM ${columnRows(answers, ARRAYS)} AS listed CROSS JOIN ${planned}
  ), gone AS (
    DELETE FROM ${tables.tasks} WHERE step_id = ANY (ARRAY(SELECT step_id FROM given)) RETURNING step_id
  ), written AS (
    INSERT INTO ${tables.results} (step_id, run_id, seq, status, output, error, started_at, created_at)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock) FROM given
    WHERE (SELECT count(*) FROM gone) >= 0
    ON CONFLICT (step_id) DO NOTHING
    RETURNING ${raw(ANSWER_FIELDS.join(', '))}
  )
  SELECT step_id, created_at, (SELECT CASE WHEN EXISTS (SELECT FROM written) THEN (${tell(scope, 'results', payload)}) END) AS told
  FROM written`;
};

/** MySQL and MariaDB: the rows that {@link insertAnswers} has written with this mark. */
export const selectMarked = ({ tables }: Scope, stepIds: readonly string[], mark: string): Statement => sql`
  SELECT step_id, created_at FROM ${tables.results} WHERE step_id IN ${keyList(stepIds)} AND claimed_by = ${mark}`;

/** Writes answers that do not come from workers, as rows next to theirs. */
export class SqlAnswerWriter implements AnswerWriter {
  private readonly scope: Scope;
  private readonly marks = new ClaimMarks();
  private readonly written = new OncePerCommit<StepAnswer>((answers) => this.tell(answers));

  private readonly db: SqlSessions;

  constructor(
    db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.db = ownSessionsOr(db);
    this.scope = { tables, dialect: db.dialect, now };
  }

  /** If the database has notifications, the writing statement notifies other processes. */
  async answer(answers: readonly StepAnswer[], tx?: Transaction): Promise<string[]> {
    const first = firstOfEach(answers);
    if (first.length === 0) return [];
    const rows = await this.write(first, tx && sqlTransaction(tx));
    const times = new Map(rows.map(({ step_id, created_at }) => [step_id, Number(created_at)]));
    // With the rows' timestamps: both copies of an answer must be equal.
    const written = first.flatMap((answer) => {
      const createdAt = times.get(answer.stepId);
      return createdAt === undefined ? [] : [{ ...answer, createdAt }];
    });
    this.written.add(tx, written);
    return written.map(({ stepId }) => stepId);
  }

  private tell(answers: readonly StepAnswer[]): void {
    if (this.notifier.hears('results')) this.notifier.local('results', answerHint(answers));
  }

  private write(answers: readonly StepAnswer[], tx?: SqlConnection): Promise<WrittenRow[]> {
    return byFamily(this.db.dialect, {
      postgres: async () => {
        const statement = answerSteps(this.scope, answers, senderOf(this.notifier));
        return (await (tx ?? this.db).run<WrittenRow>(statement)).rows;
      },
      mysql: () =>
        tx ? this.writeOnMysql(tx, answers) : this.db.transaction((own) => this.writeOnMysql(own, answers)),
    });
  }

  private async writeOnMysql(tx: SqlConnection, answers: readonly StepAnswer[]): Promise<WrittenRow[]> {
    const stepIds = answers.map(({ stepId }) => stepId);
    const mark = this.marks.next(senderOf(this.notifier));
    await inParts(tx, stepIds, (some) => deleteTasks(this.scope, some));
    const { affected } = await inParts(tx, answers, (some) =>
      insertAnswers(this.scope, some, onceNow(this.scope), mark),
    );
    if (affected === 0) return [];
    const select = (some: readonly string[]) => selectMarked(this.scope, some, mark);
    return (await inParts<WrittenRow, string>(tx, stepIds, select)).rows;
  }
}

/** Sorted in the order in which all writers lock. */
function firstOfEach(answers: readonly StepAnswer[]): StepAnswer[] {
  const byStep = new Map<string, StepAnswer>();
  for (const answer of answers) if (!byStep.has(answer.stepId)) byStep.set(answer.stepId, answer);
  return [...byStep.values()].sort((a, b) => (a.stepId < b.stepId ? -1 : 1));
}

/** Leases on rows of the results table. */
export class SqlAnswerLeases implements AnswerLeases {
  private readonly claims: AnswerClaims<AnswerRow>;
  private readonly marks = new ClaimMarks();

  constructor(db: SqlExecutor, tables: Tables, { now = () => db.dialect.now }: SqlTransportOptions = {}) {
    const scope = { tables, dialect: db.dialect, now };
    const own = ownSessionsOr(db);
    this.claims = byFamily<AnswerClaims<AnswerRow>>(db.dialect, {
      postgres: () => new PostgresAnswerClaims(own, scope, tables.results),
      mysql: () => new MysqlAnswerClaims(own, scope, tables.results),
    });
  }

  async lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]> {
    if (stepIds.length === 0) return [];
    const claimedBy = this.marks.next(collectorId);
    const rows = await this.claims.lease(stepIds, claimedBy, leaseMs);
    return rows.map((row) => ({
      ...answerOf(row),
      claim: { stepId: row.step_id, claimedBy, claimedAt: Number(row.claimed_at) },
    }));
  }

  async extend(claims: readonly Claim[]): Promise<Claim[]> {
    return claims.length === 0 ? [] : this.claims.extend(claims);
  }

  async settle(claims: readonly Claim[]): Promise<void> {
    if (claims.length > 0) await this.claims.settle(claims);
  }

  async release(claims: readonly Claim[]): Promise<void> {
    if (claims.length > 0) await this.claims.release(claims);
  }
}
