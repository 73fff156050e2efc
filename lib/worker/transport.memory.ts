import {
  claimedFrom,
  compare,
  type Dispatched,
  type EndedTask,
  type StepAnswer,
  type StepTask,
  workerOf,
} from '../core/protocol.js';
import { type Clock, real } from '../core/time.js';
import { afterCommit, type Transaction } from '../core/transaction.js';
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
import { byName, ClaimMarks, Listeners, reporterOf, type WaitingTask } from './claims.js';
import {
  type AnswerLeases,
  type Claim,
  type ClaimedTask,
  type ClaimRequest,
  type LeasedAnswer,
  type TaskReport,
  type TaskSource,
} from './task-source.js';
import {
  type GroupInSight,
  type GroupsQuery,
  LAPSED_MS,
  type StoredTask,
  type StoredTasksPage,
  type TaskAttempt,
  type TaskPosition,
  type TasksQuery,
  type WaitingPage,
  type WaitingQuery,
  type WaitingTasks,
} from './waiting-tasks.js';

/** The common columns of both tables: the holder and the time of its claim. */
interface Held {
  claimedBy?: string | undefined;
  claimedAt?: number | undefined;
  createdAt: number;
}

type TaskRow = StepTask & Held;
type AnswerRow = StepAnswer & Held;

/** Both tables, by step id. */
export interface TransportRows {
  tasks: Map<string, TaskRow>;
  answers: Map<string, AnswerRow>;
}

/** A task that has failed, and of which no further attempt was asked for yet. */
export interface DeadTask {
  readonly task: Omit<StepTask, 'input'>;
  /** JSON, as the worker wrote it. */
  readonly error: string | null;
}

const MOST_DEAD = 1_000;

interface Cursor {
  /** The number of the last answer that was read. */
  read: number;
}

/** The same protocol in two maps, for tests and apps of a single process. Rows are visible before the commit. */
export class InMemoryTransport implements TaskDispatcher, AnswerWriter, TaskSource, AnswerLeases {
  readonly live = true;
  private readonly tasks: Map<string, TaskRow>;
  private readonly answers: Map<string, AnswerRow>;
  private readonly marks = new ClaimMarks();
  private readonly handOver = new HandOver();
  private readonly stamped = new Set<string>();
  private stampedAt = 0;
  private readonly failed = new Map<string, DeadTask>();
  private readonly numbers = new WeakMap<AnswerRow, number>();
  private numbered = 0;
  private readonly taskListeners = new Listeners<[groups?: readonly string[]]>();
  private readonly withdrawalListeners = new Listeners<[stepIds?: readonly string[]]>();
  private readonly answerListeners = new Listeners<[answers?: readonly StepAnswer[]]>();

  constructor(
    private readonly clock: Clock,
    rows: TransportRows = { tasks: new Map(), answers: new Map() },
    /** False where a commit is stored later than it is told of, so that a step must not begin with it. */
    private readonly handsOver = true,
  ) {
    this.tasks = rows.tasks;
    this.answers = rows.answers;
  }

  /** How many tasks there are, claimed or not. */
  size(): number {
    return this.tasks.size;
  }

  /** Tasks whose last attempt has failed, the last thousand of them, without their inputs: for tests. */
  get dead(): readonly DeadTask[] {
    return [...this.failed.values()];
  }

  async dispatch(tasks: readonly StepTask[], tx?: Transaction): Promise<void> {
    const groups = new Set<string>();
    const marks = this.handOver.marksOf(tasks);
    const handed: StepTask[] = [];
    const now = this.clock.now();
    for (const task of tasks) {
      const { stepId, runId, seq, name, group, input, attempt, priority = 0 } = task;
      const there = this.tasks.get(stepId);
      if (there && there.attempt >= attempt) {
        // An earlier try of the same commit has written it.
        if (there.claimedBy !== undefined && there.claimedBy === marks.get(task)) handed.push(task);
        continue;
      }
      this.tasks.delete(stepId);
      this.failed.delete(stepId);
      // Claims are ordered by age.
      const createdAt = now - priority * 1_000;
      const claimedBy = marks.get(task);
      const claim = claimedBy === undefined ? {} : { claimedBy, claimedAt: now };
      this.tasks.set(stepId, { stepId, runId, seq, name, group, input, attempt, createdAt, ...claim });
      if (claimedBy === undefined) groups.add(group);
      else handed.push(task);
    }
    const claimed = { count: handed.length, at: now };
    if (handed.length > 0) afterCommit(tx, () => this.handOver.begin(handed, claimed));
    if (groups.size > 0) afterCommit(tx, () => this.wake(groups));
  }

  private wake(groups: Iterable<string>): void {
    real.queueMicrotask(() => this.taskListeners.tell([...groups]));
  }

  offer(tasks: readonly StepTask[], at: number): (() => void) | undefined {
    return this.handsOver ? this.handOver.offer(tasks, at) : undefined;
  }

  dispatched(tasks: readonly StepTask[], { claimed }: Dispatched = {}): void {
    const others = this.handOver.begin(tasks, claimed);
    if (others.length > 0) this.wake(new Set(others.map(({ group }) => group)));
  }

  onOffers(accept: AcceptTask): () => void {
    return this.handOver.serve(accept);
  }

  onHandedBack(accept: AcceptOutcome): () => void {
    return this.handOver.receive(accept);
  }

  handBack(outcome: HandedBack): boolean {
    return this.handsOver && this.handOver.handBack(outcome);
  }

  async end(tasks: readonly EndedTask[]): Promise<readonly string[]> {
    const unheld = tasks.filter((task) => !isHeld(this.tasks.get(task.stepId), task));
    if (unheld.length === 0) for (const { stepId } of tasks) this.tasks.delete(stepId);
    return unheld.map(({ stepId }) => stepId);
  }

  async peek(limit: number, cursor?: AnswerCursor): Promise<{ answers: StepAnswer[]; cursor: AnswerCursor }> {
    const { read } = (cursor ?? { read: 0 }) as Cursor;
    const rows = [...this.answers.values()].filter((row) => this.numberOf(row) > read).slice(0, limit);
    const last = rows.at(-1);
    return { answers: rows.map(answerOf), cursor: { read: last ? this.numberOf(last) : read } satisfies Cursor };
  }

  /** Numbers answers by arrival: ids do not order answers of the same millisecond. */
  private numberOf(row: AnswerRow): number {
    const known = this.numbers.get(row) ?? ++this.numbered;
    this.numbers.set(row, known);
    return known;
  }

  async take(stepIds: readonly string[]): Promise<void> {
    for (const stepId of stepIds) this.answers.delete(stepId);
  }

  async withdraw(stepIds: readonly string[], tx?: Transaction): Promise<StepAnswer[]> {
    const answered = stepIds.flatMap((stepId) => this.answers.get(stepId) ?? []).map(answerOf);
    for (const stepId of stepIds) {
      this.tasks.delete(stepId);
      this.answers.delete(stepId);
      this.failed.delete(stepId);
    }
    afterCommit(tx, () => this.withdrawalListeners.tell(stepIds));
    return answered;
  }

  async free(dead: readonly DeadWorker[]): Promise<boolean> {
    const [names, served] = [new Map(dead.map((one) => [one.id, one])), new Set(dead.flatMap(({ groups }) => groups))];
    const isTheirs = ({ claimedBy = '', claimedAt = 0, group }: TaskRow) =>
      served.has(group) && claimedAt <= (names.get(workerOf(claimedBy))?.expiresAt ?? -1);
    const theirs = [...this.tasks.values()].filter(isTheirs);
    for (const row of theirs) row.claimedAt = 0;
    const groups = new Set(theirs.map(({ group }) => group));
    if (groups.size > 0) real.queueMicrotask(() => this.taskListeners.tell([...groups]));
    return true;
  }

  async lost(stepIds: readonly string[]): Promise<string[]> {
    return stepIds.filter((stepId) => !this.tasks.has(stepId) && !this.answers.has(stepId));
  }

  async holders(stepIds: readonly string[]): Promise<TaskHolder[]> {
    return this.tasksOf(stepIds).map(({ stepId, attempt, claimedBy }) => ({
      stepId,
      attempt,
      worker: claimedBy === null ? null : workerOf(claimedBy),
    }));
  }

  /** The tasks of these steps, for display. */
  tasksOf(stepIds: readonly string[]) {
    return stepIds.flatMap((id) => {
      const row = this.tasks.get(id);
      if (!row) return [];
      const { stepId, seq, name, group, attempt, claimedBy = null, claimedAt = null, createdAt } = row;
      return [{ stepId, seq, name, group, attempt, claimedBy, claimedAt, createdAt }];
    });
  }

  onAnswers(listener: (answers?: readonly StepAnswer[]) => void): () => void {
    return this.answerListeners.add(listener);
  }

  async claim({ workerId, groups, names, limit, leaseMs }: ClaimRequest): Promise<ClaimedTask[]> {
    const now = this.clock.now();
    const found = groups.flatMap((quota) => {
      const inGroup = (row: TaskRow) =>
        row.group === quota.group && names.includes(row.name) && isFree(row, now - leaseMs);
      return [...this.tasks.values()]
        .filter(inGroup)
        .sort((a, b) => a.createdAt - b.createdAt)
        .slice(0, quota.limit);
    });
    const claimedBy = claimedFrom(this.marks.next(workerId), now);
    return found.slice(0, limit).map((row) => {
      const reclaimed = row.claimedAt !== undefined;
      const lostBy = reclaimed && row.claimedBy !== undefined ? { lostBy: workerOf(row.claimedBy) } : {};
      if (reclaimed) row.attempt++;
      Object.assign(row, { claimedBy, claimedAt: now });
      const { stepId, runId, seq, name, group, input, attempt } = row;
      return {
        stepId,
        runId,
        seq,
        name,
        group,
        input,
        attempt,
        reclaimed,
        waitedMs: reclaimed ? undefined : Math.max(0, now - row.createdAt),
        ...lostBy,
        claim: { stepId, claimedBy, claimedAt: now },
      };
    });
  }

  async extend(claims: readonly Claim[]): Promise<Claim[]> {
    const now = this.clock.now();
    return claims.flatMap((claim) => {
      const row = this.heldBy(claim);
      if (!row) return [];
      row.claimedAt = now;
      return [{ ...claim, claimedAt: now }];
    });
  }

  async lostClaims(claims: readonly Claim[]): Promise<Claim[]> {
    return claims.filter((claim) => !isHeld(this.tasks.get(claim.stepId), claim));
  }

  async report(reports: readonly TaskReport[]): Promise<boolean[]> {
    const written: StepAnswer[] = [];
    const held = reports.map((report) => {
      const { claim, runId, seq, status, output, error, startedAt } = report;
      const { stepId } = claim;
      const task = this.tasks.get(stepId);
      if (!task || !isHeld(task, claim)) return false;
      this.tasks.delete(stepId);
      if (status === 'failed') this.keepDead(task, error);
      if (this.answers.has(stepId)) return true;
      const by = reporterOf(report);
      const answer = { stepId, runId, seq, status, output, error, startedAt, createdAt: this.stamp(stepId), by };
      this.answers.set(stepId, { ...answer });
      written.push(answer);
      return true;
    });
    if (written.length > 0) real.queueMicrotask(() => this.answerListeners.tell(written));
    return held;
  }

  private keepDead({ stepId, runId, seq, name, group, attempt }: StepTask, error: string | null): void {
    this.failed.set(stepId, { task: { stepId, runId, seq, name, group, attempt }, error });
    const [oldest] = this.failed.keys();
    if (this.failed.size > MOST_DEAD) this.failed.delete(oldest!);
  }

  async answer(answers: readonly StepAnswer[], tx?: Transaction): Promise<string[]> {
    const written: StepAnswer[] = [];
    for (const answer of answers) {
      if (this.answers.has(answer.stepId)) continue;
      this.tasks.delete(answer.stepId);
      this.answers.set(answer.stepId, { ...answer, createdAt: this.stamp(answer.stepId) });
      written.push(answer);
    }
    if (written.length > 0) afterCommit(tx, () => real.queueMicrotask(() => this.answerListeners.tell()));
    return written.map(({ stepId }) => stepId);
  }

  /**
   * Two attempts of a step may be answered within one millisecond; they need different stamps. Stamps never decrease,
   * otherwise a reader that continues from a stamp would miss answers.
   */
  private stamp(stepId: string): number {
    const now = Math.max(this.clock.now(), this.stampedAt ?? 0);
    const at = now === this.stampedAt && this.stamped.has(stepId) ? now + 1 : now;
    if (this.stampedAt !== at) this.stamped.clear();
    this.stampedAt = at;
    this.stamped.add(stepId);
    return at;
  }

  async release(claims: readonly Claim[]): Promise<void> {
    const groups = new Set<string>();
    for (const claim of claims) {
      const row = this.heldBy(claim);
      if (row) Object.assign(row, { claimedBy: undefined, claimedAt: undefined });
      if (row && 'group' in row) groups.add(row.group);
    }
    if (groups.size > 0) real.queueMicrotask(() => this.taskListeners.tell([...groups]));
  }

  async waiting(query: WaitingQuery): Promise<WaitingPage> {
    return { tasks: waitingIn([...this.tasks.values()], query, this.clock.now()), cursor: {} };
  }

  async stillWaiting(tasks: readonly TaskAttempt[]): Promise<TaskAttempt[]> {
    const now = this.clock.now();
    return tasks.filter(({ stepId, attempt }) => {
      const row = this.tasks.get(stepId);
      return row?.attempt === attempt && !isClaimed(row, now);
    });
  }

  async groups(query: GroupsQuery): Promise<GroupInSight[]> {
    return groupsOf([...this.tasks.values()], query, this.clock.now());
  }

  async list(query: TasksQuery): Promise<StoredTasksPage> {
    return listedOf([...this.tasks.values()], query, this.clock.now());
  }

  onTasks(listener: (groups?: readonly string[]) => void): () => void {
    return this.taskListeners.add(listener);
  }

  onWithdrawn(listener: (stepIds?: readonly string[]) => void): () => void {
    return this.withdrawalListeners.add(listener);
  }

  async lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]> {
    const now = this.clock.now();
    const claimedBy = this.marks.next(collectorId);
    return stepIds.flatMap((stepId) => {
      const row = this.answers.get(stepId);
      if (!row || !isFree(row, now - leaseMs)) return [];
      // As in SQL, where both are in one column.
      Object.assign(row, { claimedBy, claimedAt: now, by: undefined });
      return [{ ...answerOf(row), claim: { stepId, claimedBy, claimedAt: now } }];
    });
  }

  async settle(claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) if (isHeld(this.answers.get(claim.stepId), claim)) this.answers.delete(claim.stepId);
  }

  private heldBy(claim: Claim): TaskRow | AnswerRow | undefined {
    return [this.tasks.get(claim.stepId), this.answers.get(claim.stepId)].find((row) => isHeld(row, claim));
  }
}

const isFree = ({ claimedAt }: Held, oldestLease: number): boolean =>
  claimedAt === undefined || claimedAt < oldestLease;

const isHeld = (row: Held | undefined, { claimedBy, claimedAt }: Claim): boolean =>
  row?.claimedBy === claimedBy && row.claimedAt !== undefined && row.claimedAt >= claimedAt;

const answerOf = ({ stepId, runId, seq, status, output, error, startedAt, createdAt, by }: AnswerRow): StepAnswer => ({
  stepId,
  runId,
  seq,
  status,
  output,
  error,
  startedAt,
  createdAt,
  ...(by && { by }),
});

/* What is read to see how tasks stand, for tasks in maps. */

interface HeldTask {
  group: string;
  claimedAt?: number | undefined;
  createdAt: number;
}

/** A page of the groups of these tasks. */
export function groupsOf(
  tasks: readonly HeldTask[],
  { after, limit, atMost, also = [], groups: named }: GroupsQuery,
  now: number,
): GroupInSight[] {
  const groups = [...new Set([...tasks.map(({ group }) => group), ...also])].filter((group) => group > after).sort();
  return (named ?? groups.slice(0, limit)).map((group) => {
    const all = tasks.filter((task) => task.group === group);
    return groupInSight(group, all, atMost, now - LAPSED_MS);
  });
}

function groupInSight(group: string, all: readonly HeldTask[], atMost: number, before: number): GroupInSight {
  const tasks = [...all].sort((a, b) => a.createdAt - b.createdAt).slice(0, atMost + 1);
  const waiting = tasks.filter(({ claimedAt }) => claimedAt === undefined);
  const lapsed = tasks.filter(({ claimedAt }) => claimedAt !== undefined && claimedAt <= before).length;
  const inHand = tasks.length - waiting.length - lapsed;
  return {
    group,
    waiting: waiting.length,
    since: waiting[0]?.createdAt ?? null,
    inHand,
    lapsed,
    more: tasks.length > atMost,
  };
}

const comesFirst = (a: TaskPosition, b: TaskPosition): number =>
  compare(a.group, b.group) || a.createdAt - b.createdAt || compare(a.stepId, b.stepId);

function listedOf(rows: readonly TaskRow[], { limit, after, ...wanted }: TasksQuery, now: number): StoredTasksPage {
  const { group, name, status, worker, olderThanMs } = wanted;
  const tasks = rows
    .map((row): StoredTask => {
      const { stepId, runId, seq, name, group, attempt, createdAt, claimedBy, claimedAt = null } = row;
      const standing = claimedAt === null ? 'waiting' : claimedAt <= now - LAPSED_MS ? 'lapsed' : 'inHand';
      const holder = claimedBy === undefined ? null : workerOf(claimedBy);
      return { stepId, runId, seq, name, group, attempt, createdAt, claimedAt, worker: holder, status: standing };
    })
    .filter((task) => (group === undefined || task.group === group) && (name === undefined || task.name === name))
    .filter((task) => (!status || task.status === status) && (worker === undefined || task.worker === worker))
    .filter((task) => task.createdAt <= now - olderThanMs || olderThanMs === 0)
    .filter((task) => !after || comesFirst(after, task) < 0)
    .sort(comesFirst);
  const page = tasks.slice(0, limit);
  return { tasks: page, next: tasks.length > limit ? page.at(-1) : undefined };
}

type Row = HeldTask & Omit<WaitingTask, 'waitedMs' | 'isClaimed'>;

/** Those of these tasks that have waited for long, by name. */
function waitingIn(tasks: readonly Row[], { olderThanMs, groups }: WaitingQuery, now: number): WaitingTasks[] {
  const asked = tasks.filter((task) => groups?.includes(task.group) ?? true);
  const old = asked.filter(({ createdAt }) => createdAt <= now - olderThanMs);
  return byName(old.map((task) => ({ ...task, waitedMs: now - task.createdAt, isClaimed: isClaimed(task, now) })));
}

/** A worker has it, and lives as far as one can know. */
const isClaimed = ({ claimedAt }: Pick<HeldTask, 'claimedAt'>, now: number): boolean =>
  claimedAt !== undefined && claimedAt > now - LAPSED_MS;
