import type { Transaction } from '../../protocol/transaction.js';
import type { RunStatus } from './run.js';

/** A schedule as the table holds it. Times are epoch ms. */
export interface ScheduleRecord {
  id: string;
  namespace: string;
  workflow: string;
  /** Whether it comes from a decorator: each start of an engine overwrites it with the declaration. */
  declared: boolean;
  /** JSON text of its `ScheduleSpec`. */
  spec: string;
  /** JSON text; null for none. */
  input: string | null;
  paused: boolean;
  /** When the next of its times is due; null while it is paused or will not fire again. */
  nextAt: number | null;
  /** The last of its times for which a run began. */
  firedAt: number | null;
  lastRunId: string | null;
  /** The time of a firing that waits for the previous run to end. */
  bufferedAt: number | null;
  createdAt: number;
}

/** A schedule whose row is locked. */
export interface LockedSchedule extends ScheduleRecord {
  /** The status of its last run; null if there is none, or it was deleted. */
  lastStatus: RunStatus | null;
}

/**
 * Which schedules to lock: by `ids`, in their order, waiting for locks; or the first due ones of these workflows,
 * skipping schedules that another process has locked.
 */
export type ScheduleChoice = { namespace: string } & (
  { ids: readonly string[] } | { due: { workflows: readonly string[]; except: readonly string[]; limit: number } }
);

export interface ListSchedules {
  namespace: string;
  ids?: readonly string[];
  workflows?: readonly string[];
  /** Only schedules from decorators. */
  declared?: true;
  /** The last id of the previous page. */
  afterId?: string;
  limit?: number;
}

export interface LookAtSchedules {
  namespace: string;
  workflows: readonly string[];
  except: readonly string[];
}

/** The facts that decide how long the runner of schedules sleeps. */
export interface ScheduleView {
  /** The earliest `nextAt`. */
  at: number | null;
  /** Firings that wait for a run to end, and whether it has ended. */
  buffered: readonly { id: string; runId: string | null; over: boolean }[];
}

export type MakeSchedules = (now: number) => readonly ScheduleRecord[] | Promise<readonly ScheduleRecord[]>;

/** Returns the changed schedules; schedules that it omits stay unchanged. */
export type RewriteSchedules = (
  schedules: readonly LockedSchedule[],
  now: number,
  tx: Transaction,
) => Promise<readonly ScheduleRecord[]>;

/**
 * Whether sleeping engines must read the schedules again: not if a schedule has only moved to its next time, which each
 * engine computes itself.
 */
export function changesPlans(before: readonly ScheduleRecord[], after: readonly ScheduleRecord[]): boolean {
  const known = new Map(before.map((schedule) => [schedule.id, schedule]));
  return after.some((schedule) => {
    const isOther = (field: keyof ScheduleRecord) => known.get(schedule.id)?.[field] !== schedule[field];
    // The awaited run may be in another process, whose engine must know about the buffered firing.
    const waits = schedule.bufferedAt !== null && (isOther('bufferedAt') || isOther('lastRunId'));
    return waits || isOther('spec') || isOther('paused') || isOther('workflow');
  });
}

/**
 * Stores schedules. A change holds the schedule's lock, so each of its times is handled once. With the commit, engines
 * are notified of new and deleted schedules and of changes for which {@link changesPlans} is true.
 */
export interface ScheduleStore {
  /**
   * Inserts the schedules whose (namespace, id) is free and returns how many; existing ones stay unchanged. `make`
   * receives the time of the storage's clock.
   */
  insert(make: MakeSchedules, tx?: Transaction): Promise<number>;
  /** Lists schedules in the order of their ids. */
  list(query: ListSchedules): Promise<ScheduleRecord[]>;
  /** Up to `limit` schedules that should have fired `olderThanMs` ago or earlier, the latest first. */
  late(namespace: string, olderThanMs: number, limit: number): Promise<ScheduleRecord[]>;
  remove(namespace: string, ids: readonly string[], tx?: Transaction): Promise<number>;
  /**
   * Locks schedules and calls `rewrite` with them in that transaction. `rewrite` returns the changed ones and may run
   * again after a deadlock; nothing is written if it throws. Returns how many schedules were locked.
   */
  change(which: ScheduleChoice, rewrite: RewriteSchedules, tx?: Transaction): Promise<number>;
  /** One read. */
  look(what: LookAtSchedules): Promise<ScheduleView>;
  onChanged(listener: () => void): () => void;
}
