import type { Clock } from '../time/clock.js';
import type { TaskSource } from './task-source.js';
import type { TaskAttempt, UnservedTasks, WaitingCursor, WaitingTasks } from './waiting-tasks.js';

/** How long tasks have waited when they are first noticed. */
const NOTICED_AFTER_MS = 15_000;
/** For this long after a claim was seen, somebody serves these tasks. */
const SERVED_FOR_MS = 300_000;

/** The most kinds of tasks that are watched from one look to the next. */
const MOST_NOTICED = 1_000;

/** The oldest task of one name in one group, which nobody had claimed at that time. */
interface Noticed {
  tasks: WaitingTasks;
  at: number;
}

export interface UnclaimedTasksOptions {
  source: Pick<TaskSource, 'waiting' | 'stillWaiting'>;
  /** Only these groups. Default: all. */
  groups?: () => readonly string[];
  clock: Clock;
}

/** The tasks of one name in one group. */
export const keyOfTasks = ({ group, name }: Pick<UnservedTasks, 'group' | 'name'>): string =>
  JSON.stringify([group, name]);

/**
 * Finds tasks that nobody begins, by the tasks themselves: workers in other languages sign in nowhere. Workers claim the
 * oldest task first, so tasks are reported when one look has noticed the oldest one, and the next look finds it still
 * unclaimed. If it is gone, somebody serves these tasks, or it was withdrawn, and the next one is watched. While older
 * tasks of the same group are being claimed, it is not the turn of these.
 */
export class UnclaimedTasks {
  private cursor: WaitingCursor | undefined;
  private readonly noticed = new Map<string, Noticed>();
  private readonly claimedAt = new Map<string, number>();
  private readonly groupClaimedAt = new Map<string, number>();

  constructor(private readonly options: UnclaimedTasksOptions) {}

  /** Tasks that have waited for `olderThanMs`, at this look and at an earlier one. */
  async look(olderThanMs: number): Promise<UnservedTasks[]> {
    const { source, groups, clock } = this.options;
    const now = clock.now();
    const earlier = new Map(this.noticed);
    const still = await source.stillWaiting([...earlier.values()].map(({ tasks }) => tasks.oldest));
    this.forget(still, now);
    const query = { olderThanMs: NOTICED_AFTER_MS, cursor: this.cursor, ...(groups && { groups: groups() }) };
    const { tasks, cursor } = await source.waiting(query);
    this.cursor = cursor;
    for (const one of tasks) this.notice(one, now);
    const first = oldestByGroup(tasks);
    const isTheirTurn = ({ tasks: { group, since } }: Noticed) =>
      !this.groupClaimedAt.has(group) || since <= (first.get(group) ?? since);
    const due = [...this.noticed].filter(([, noticed]) => isTheirTurn(noticed));
    return due.flatMap(([key]) => this.report(key, earlier.get(key), olderThanMs));
  }

  /** Whether a claim of such tasks was seen a short while ago. */
  wasClaimed(tasks: Pick<UnservedTasks, 'group' | 'name'>): boolean {
    return this.claimedAt.has(keyOfTasks(tasks));
  }

  /** What is reported makes room for others. */
  private report(key: string, earlier: Noticed | undefined, olderThanMs: number): UnservedTasks[] {
    const { tasks, at } = this.noticed.get(key)!;
    const isSame = earlier?.tasks.oldest.stepId === tasks.oldest.stepId;
    if (!isSame || tasks.waitedMs + (this.options.clock.now() - at) < olderThanMs) return [];
    this.noticed.delete(key);
    return [reportOf(tasks)];
  }

  private forget(still: readonly TaskAttempt[], now: number): void {
    const waiting = new Set(still.map(({ stepId }) => stepId));
    for (const [key, { tasks }] of this.noticed) {
      if (waiting.has(tasks.oldest.stepId)) continue;
      this.noticed.delete(key);
      this.groupClaimedAt.set(tasks.group, now);
    }
    for (const claims of [this.claimedAt, this.groupClaimedAt])
      for (const [key, at] of claims) if (now - at >= SERVED_FOR_MS) claims.delete(key);
  }

  private notice(tasks: WaitingTasks, now: number): void {
    const key = keyOfTasks(tasks);
    if (tasks.isClaimed) {
      this.claimedAt.set(key, now);
      this.groupClaimedAt.set(tasks.group, now);
    }
    if (this.claimedAt.has(key)) return void this.noticed.delete(key);
    const known = this.noticed.get(key)?.tasks.oldest.stepId;
    const isNew = known === undefined && this.noticed.size < MOST_NOTICED;
    if (isNew || known === tasks.oldest.stepId) this.noticed.set(key, { tasks, at: now });
  }
}

/** Since when the oldest task of each group waits, of those that were read. */
function oldestByGroup(tasks: readonly WaitingTasks[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { group, since } of tasks) first.set(group, Math.min(since, first.get(group) ?? since));
  return first;
}

const reportOf = ({ name, group, count, since, oldest }: WaitingTasks): UnservedTasks => ({
  name,
  group,
  count,
  since,
  runId: oldest.runId,
});
