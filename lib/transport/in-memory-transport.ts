import type { AnswerCursor, TaskDispatcher } from '../engine/task-dispatcher.js';
import type { StepAnswer, StepTask } from '../protocol/step.js';
import type { Clock } from '../time/clock.js';
import type { Claim, ClaimedTask, ClaimRequest, TaskReport, TaskSource, UnservedTasks } from '../worker/task-source.js';
import type { AnswerLeases, LeasedAnswer } from './answer-leases.js';
import { ClaimMarks } from './claim-marks.js';
import { Listeners } from './listeners.js';

/** A row of either map: who holds it since when. */
interface Held {
  claimedBy?: string | undefined;
  claimedAt?: number | undefined;
  createdAt: number;
}

type TaskRow = StepTask & Held;
type AnswerRow = StepAnswer & Held;

interface Cursor {
  createdAt: number;
  stepId: string;
}

/** The same protocol in two maps, for tests and for apps of a single process. Transactions are not waited for. */
export class InMemoryTransport implements TaskDispatcher, TaskSource, AnswerLeases {
  readonly live = true;
  private readonly tasks = new Map<string, TaskRow>();
  private readonly answers = new Map<string, AnswerRow>();
  private readonly marks = new ClaimMarks();
  private readonly stamped = new Map<string, number>();
  private stampedAt = 0;
  private readonly taskListeners = new Listeners<[groups?: readonly string[]]>();
  private readonly answerListeners = new Listeners<[answers?: readonly StepAnswer[]]>();

  constructor(private readonly clock: Clock) {}

  async dispatch(tasks: readonly StepTask[]): Promise<void> {
    const groups = new Set<string>();
    for (const { stepId, runId, seq, name, group, input, attempt } of tasks) {
      const there = this.tasks.get(stepId);
      if (there && there.attempt >= attempt) continue;
      this.tasks.delete(stepId);
      this.tasks.set(stepId, { stepId, runId, seq, name, group, input, attempt, createdAt: this.clock.now() });
      groups.add(group);
    }
    if (groups.size > 0) queueMicrotask(() => this.taskListeners.tell([...groups]));
  }

  announce(): void {
    // Whoever dispatched was heard at once: nothing here waits for a commit.
  }

  async peek(limit: number, cursor?: AnswerCursor): Promise<{ answers: StepAnswer[]; cursor: AnswerCursor }> {
    const after = cursor as Cursor | undefined;
    const rows = [...this.answers.values()].sort(byAge).filter((row) => !after || isAfter(row, after));
    const answers = rows.slice(0, limit).map(answerOf);
    const last = answers.at(-1);
    return {
      answers,
      cursor: last ? { createdAt: last.createdAt, stepId: last.stepId } : (cursor ?? { createdAt: 0, stepId: '' }),
    };
  }

  async take(stepIds: readonly string[]): Promise<void> {
    for (const stepId of stepIds) this.answers.delete(stepId);
  }

  async withdraw(stepIds: readonly string[]): Promise<void> {
    for (const stepId of stepIds) {
      this.tasks.delete(stepId);
      this.answers.delete(stepId);
    }
  }

  async lost(stepIds: readonly string[]): Promise<string[]> {
    return stepIds.filter((stepId) => !this.tasks.has(stepId) && !this.answers.has(stepId));
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
    const claimedBy = this.marks.next(workerId);
    return found.slice(0, limit).map((row) => {
      const reclaimed = row.claimedAt !== undefined;
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

  async report(reports: readonly TaskReport[]): Promise<boolean[]> {
    const written: StepAnswer[] = [];
    const held = reports.map(({ claim, runId, seq, status, output, error, startedAt }) => {
      const { stepId } = claim;
      if (!isHeld(this.tasks.get(stepId), claim)) return false;
      this.tasks.delete(stepId);
      if (this.answers.has(stepId)) return true;
      const answer = { stepId, runId, seq, status, output, error, startedAt, createdAt: this.stamp(stepId) };
      this.answers.set(stepId, { ...answer });
      written.push(answer);
      return true;
    });
    if (written.length > 0) queueMicrotask(() => this.answerListeners.tell(written));
    return held;
  }

  /** Memory is fast enough to answer two attempts of a step within one millisecond; they must not look the same. */
  private stamp(stepId: string): number {
    const now = this.clock.now();
    if (this.stampedAt !== now) this.stamped.clear();
    this.stampedAt = now;
    const times = this.stamped.get(stepId) ?? 0;
    this.stamped.set(stepId, times + 1);
    return now + times;
  }

  async release(claims: readonly Claim[]): Promise<void> {
    const groups = new Set<string>();
    for (const claim of claims) {
      const row = this.heldBy(claim);
      if (row) Object.assign(row, { claimedBy: undefined, claimedAt: undefined });
      if (row && 'group' in row) groups.add(row.group);
    }
    if (groups.size > 0) queueMicrotask(() => this.taskListeners.tell([...groups]));
  }

  async unserved(groups: readonly string[], names: readonly string[], olderThanMs: number): Promise<UnservedTasks[]> {
    const before = this.clock.now() - olderThanMs;
    const found = new Map<string, UnservedTasks>();
    for (const { name, group, createdAt, claimedAt } of this.tasks.values()) {
      if (claimedAt !== undefined || createdAt >= before || !groups.includes(group) || names.includes(name)) continue;
      const key = JSON.stringify([name, group]);
      const { count, since } = found.get(key) ?? { count: 0, since: createdAt };
      found.set(key, { name, group, count: count + 1, since: Math.min(since, createdAt) });
    }
    return [...found.values()];
  }

  onTasks(listener: (groups?: readonly string[]) => void): () => void {
    return this.taskListeners.add(listener);
  }

  async lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]> {
    const now = this.clock.now();
    const claimedBy = this.marks.next(collectorId);
    return stepIds.flatMap((stepId) => {
      const row = this.answers.get(stepId);
      if (!row || !isFree(row, now - leaseMs)) return [];
      Object.assign(row, { claimedBy, claimedAt: now });
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

const byAge = (a: Held & { stepId: string }, b: Held & { stepId: string }): number =>
  a.createdAt - b.createdAt || (a.stepId < b.stepId ? -1 : 1);

const isAfter = (row: AnswerRow, { createdAt, stepId }: Cursor): boolean =>
  row.createdAt > createdAt || (row.createdAt === createdAt && row.stepId > stepId);

const isFree = ({ claimedAt }: Held, oldestLease: number): boolean =>
  claimedAt === undefined || claimedAt < oldestLease;

const isHeld = (row: Held | undefined, { claimedBy, claimedAt }: Claim): boolean =>
  row?.claimedBy === claimedBy && row.claimedAt !== undefined && row.claimedAt >= claimedAt;

const answerOf = ({ stepId, runId, seq, status, output, error, startedAt, createdAt }: AnswerRow): StepAnswer => ({
  stepId,
  runId,
  seq,
  status,
  output,
  error,
  startedAt,
  createdAt,
});
