import type { Transaction } from '../../protocol/transaction.js';
import type { RunStatus } from './run.js';

/** A schedule as the table holds it. Times are epoch ms. */
export interface ScheduleRecord {
  id: string;
  namespace: string;
  workflow: string;
  /** It comes from a decorator: what the code says replaces it at each start. */
  declared: boolean;
  /** JSON text of when and how it fires. */
  spec: string;
  /** JSON text; null for none. */
  input: string | null;
  paused: boolean;
  /** When the next of its times is due; null while it is paused or will not fire again. */
  nextAt: number | null;
  /** The last of its times for which a run began. */
  firedAt: number | null;
  lastRunId: string | null;
  /** The time of a firing that waits for the run before to end. */
  bufferedAt: number | null;
  createdAt: number;
}

/** One that is held under its lock. */
export interface LockedSchedule extends ScheduleRecord {
  /** Of its last run; null when there is none, or no longer. */
  lastStatus: RunStatus | null;
}

/**
 * Which schedules to lock: those of these ids, in their order, waiting for whoever holds one; or the first that are due
 * of these workflows, leaving those that another process holds to it.
 */
export type ScheduleChoice = { namespace: string } & (
  { ids: readonly string[] } | { due: { workflows: readonly string[]; except: readonly string[]; limit: number } }
);

export interface ListSchedules {
  namespace: string;
  ids?: readonly string[];
  workflows?: readonly string[];
  /** Only those from decorators. */
  declared?: true;
  /** Where the last page ended. */
  afterId?: string;
  limit?: number;
}

export interface LookAtSchedules {
  namespace: string;
  workflows: readonly string[];
  except: readonly string[];
}

/** What has to be known to sleep until something is to be done. */
export interface ScheduleView {
  /** The earliest `nextAt`. */
  at: number | null;
  /** Firings that wait for a run to end, and whether it has. */
  buffered: readonly { id: string; runId: string | null; over: boolean }[];
}

export type MakeSchedules = (now: number) => readonly ScheduleRecord[] | Promise<readonly ScheduleRecord[]>;

/** What schedules become; those that it leaves out stay as they are. */
export type RewriteSchedules = (
  schedules: readonly LockedSchedule[],
  now: number,
  tx: Transaction,
) => Promise<readonly ScheduleRecord[]>;

/**
 * Whether engines that sleep until the next time have to look again: not where a schedule has only gone on to its next
 * time, which each of them finds by itself.
 */
export function changesPlans(before: readonly ScheduleRecord[], after: readonly ScheduleRecord[]): boolean {
  const known = new Map(before.map((schedule) => [schedule.id, schedule]));
  return after.some((schedule) => {
    const isOther = (field: keyof ScheduleRecord) => known.get(schedule.id)?.[field] !== schedule[field];
    // A firing waits for a run to end, perhaps in another process, which has to know that somebody waits for it.
    const waits = schedule.bufferedAt !== null && (isOther('bufferedAt') || isOther('lastRunId'));
    return waits || isOther('spec') || isOther('paused') || isOther('workflow');
  });
}

/**
 * Schedules. Whoever changes one holds its lock, so each of its times is dealt with once. Engines hear with the commit of
 * what {@link changesPlans}, what is new and what is gone.
 */
export interface ScheduleStore {
  /**
   * Adds those whose (namespace, id) is free and leaves others as they are; returns how many. `make` is given the
   * storage's clock.
   */
  insert(make: MakeSchedules, tx?: Transaction): Promise<number>;
  /** By id. */
  list(query: ListSchedules): Promise<ScheduleRecord[]>;
  remove(namespace: string, ids: readonly string[], tx?: Transaction): Promise<number>;
  /**
   * Locks schedules and hands them to `rewrite` in that transaction, which returns those that become something else and
   * may run again after a deadlock. Nothing is written when it throws. Returns how many were locked.
   */
  change(which: ScheduleChoice, rewrite: RewriteSchedules, tx?: Transaction): Promise<number>;
  /** One read. */
  look(what: LookAtSchedules): Promise<ScheduleView>;
  onChanged(listener: () => void): () => void;
}
