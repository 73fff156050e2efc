import { workerOf } from '../protocol/claim-mark.js';
import type { StepAnswer } from '../protocol/step.js';
import { byFamily } from '../sql/dialects/dialect.js';
import type { Notifier } from '../sql/notifier.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Scope, Tables } from '../sql/tables.js';
import { type Clock, systemClock } from '../time/clock.js';
import {
  ClaimMarks,
  claimOf,
  type HolderRow,
  type Reported,
  reporterOf,
  stillHeld,
  type TaskClaims,
} from './task-claims.js';
import { answerHint, senderOf, taskHint, tasksIn, withdrawnIn } from './hints.js';
import { MysqlTaskClaims } from './sql-claims-mysql.js';
import { PostgresTaskClaims } from './sql-claims-postgres.js';
import type { SqlTransportOptions } from './sql-task-dispatcher.js';
import { type ClaimedRow, selectHolders } from './task.sql.js';
import { groupsInSight } from './sql-groups.js';
import { unclaimedOf, waitingTasks } from './sql-waiting-tasks.js';
import type {
  Claim,
  ClaimedTask,
  ClaimRequest,
  GroupInSight,
  GroupsQuery,
  TaskReport,
  TaskSource,
} from '../worker/task-source.js';
import type { TaskAttempt, WaitingPage, WaitingQuery } from '../worker/waiting-tasks.js';

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

  constructor(private readonly clock: Clock) {}

  of(group: string): number {
    const now = this.clock.now();
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

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    { now = () => db.dialect.now, clock = systemClock }: SqlTransportOptions = {},
  ) {
    this.scope = { tables, dialect: db.dialect, now };
    this.claims = byFamily<TaskClaims>(db.dialect, {
      postgres: () => new PostgresTaskClaims(db, this.scope, tables.tasks),
      mysql: () => new MysqlTaskClaims(db, this.scope, tables.tasks),
    });
    this.watermarks = new Watermarks(clock);
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
    const { rows } = await this.db.run<HolderRow>(selectHolders(this.scope, stepIds));
    const held = new Set(stillHeld(claims, rows));
    return claims.filter((claim) => !held.has(claim));
  }

  async report(reports: readonly TaskReport[]): Promise<boolean[]> {
    if (reports.length === 0) return [];
    const reported = await this.claims.report(reports, senderOf(this.notifier));
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
    if (statement) await this.db.run(statement).catch(() => {});
  }

  groups(query: GroupsQuery): Promise<GroupInSight[]> {
    return groupsInSight(this.db, this.scope, query);
  }

  waiting(query: WaitingQuery): Promise<WaitingPage> {
    return waitingTasks(this.db, this.scope, query);
  }

  stillWaiting(tasks: readonly TaskAttempt[]): Promise<TaskAttempt[]> {
    return unclaimedOf(this.db, this.scope, tasks);
  }

  onTasks(listener: (groups?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('tasks', (payload) => {
      const hint = tasksIn(payload, senderOf(this.notifier));
      if (hint === 'ours') return;
      this.watermarks.lower(hint.groups, hint.since);
      listener(hint.groups);
    });
  }

  onWithdrawn(listener: (stepIds?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('withdrawn', (payload) => listener(withdrawnIn(payload)));
  }

  /** Collectors of this process need not read what it has just written. */
  private tell(reports: readonly TaskReport[], { held, written, at }: Reported): void {
    if (written === 0) return;
    const counting = held === 'all' ? reports : reports.filter(({ claim }) => held.has(claim.stepId));
    const answers = written === counting.length ? counting.map((report) => answerOf(report, at)) : undefined;
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

const answerOf = (report: TaskReport, createdAt: number): StepAnswer => ({
  ...answerWithout(report, createdAt),
  by: reporterOf(report),
});

const answerWithout = (
  { claim, runId, seq, status, output, error, startedAt }: TaskReport,
  createdAt: number,
): StepAnswer => ({
  stepId: claim.stepId,
  runId,
  seq,
  status,
  output,
  error,
  startedAt,
  createdAt,
});
