import type { HoldStore } from '../../holds/hold-store.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type ScheduleSpec, specIn } from '../model/schedule-spec.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import { firstDue, jitterKeyOf } from './schedule-times.js';

/**
 * The schedule without its next time, so that nothing has to be checked when it would fire. With `until`, its next time
 * is the first one after that: it then fires, and is no longer paused. A buffered firing is dropped.
 */
export const paused = (schedule: ScheduleRecord, until?: Date): ScheduleRecord => ({
  ...schedule,
  paused: true,
  nextAt: until === undefined ? null : firstDue(specIn(schedule.spec), jitterKeyOf(schedule), until.getTime()),
  bufferedAt: null,
});

/** The schedule with its next time from now on: those that passed meanwhile are skipped. */
export const resumed = (schedule: ScheduleRecord, now: number): ScheduleRecord =>
  schedule.paused
    ? { ...schedule, paused: false, nextAt: firstDue(specIn(schedule.spec), jitterKeyOf(schedule), now) }
    : schedule;

/** Until when each of these paused schedules is held, epoch ms; those that are held until they are lifted have none. */
export async function endsOfHolds(
  holds: Pick<HoldStore, 'list'>,
  schedules: readonly ScheduleRecord[],
  tx: Transaction,
): Promise<ReadonlyMap<string, number>> {
  const held = schedules.find(({ paused: isPaused }) => isPaused);
  const found = held ? await holds.list(held.namespace, tx) : [];
  return new Map(found.flatMap(({ kind, name, until }) => (kind === 'schedule' && until ? [[name, +until]] : [])));
}

/** The next time of another plan. Of a schedule that is held until a time: the first one after it; of a paused one: none. */
export function replanned(
  schedule: ScheduleRecord,
  spec: ScheduleSpec,
  now: number,
  ends: ReadonlyMap<string, number>,
): number | null {
  const until = ends.get(schedule.id);
  // Once its end has passed, a hold does not exist any more, and the time after it is still to come.
  if (schedule.paused && until === undefined && schedule.nextAt === null) return null;
  return firstDue(spec, jitterKeyOf(schedule), Math.max(now, until ?? now));
}
