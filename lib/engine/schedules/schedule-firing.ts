import { isFinal } from '../model/run.js';
import { type ScheduleSpec, specIn } from '../model/schedule-spec.js';
import type { LockedSchedule, ScheduleRecord } from '../model/schedule-store.js';
import { dueAt, lastDue, nextDue, timeAfter, timeUpTo } from './schedule-times.js';

/** What becomes of a schedule at a moment. */
export interface Firing {
  spec: ScheduleSpec;
  /** The times for which a run begins, in order. */
  times: readonly number[];
  /** The run that is cancelled before. */
  cancels: string | null;
  /** How many of its times came and began no run. */
  dropped: number;
  /** How it stands afterwards, but for its last run. */
  schedule: ScheduleRecord;
}

/** With `missed: 'skip'`: later than this a time was missed. Engines look every 30 s at the least. */
const MISSED_AFTER_MS = 60_000;

/** What names a schedule where its jitter is computed. */
export const jitterKeyOf = ({ namespace, id }: { namespace: string; id: string }): string => `${namespace}/${id}`;

/** Which of its times a schedule fires at `now`, at most `atMost` of them: the rest is due still. */
export function firingAt({ lastStatus, ...schedule }: LockedSchedule, now: number, atMost: number): Firing {
  const spec = specIn(schedule.spec);
  const running = lastStatus !== null && !isFinal(lastStatus);
  const due = schedule.paused ? { times: [], nextAt: null } : dueTimes(schedule, spec, now, atMost);
  const { times, bufferedAt } = admitted(spec, due.times, running, schedule.bufferedAt);
  const known = due.times.length + Number(schedule.bufferedAt !== null);
  return {
    spec,
    times,
    cancels: running && times.length > 0 && spec.overlap === 'cancel-previous' ? schedule.lastRunId : null,
    dropped: known - times.length - Number(bufferedAt !== null),
    schedule: { ...schedule, nextAt: due.nextAt, bufferedAt, firedAt: times.at(-1) ?? schedule.firedAt },
  };
}

/** Which times of those that are due are dealt with, and when the next is due after them. */
function dueTimes(
  schedule: ScheduleRecord,
  spec: ScheduleSpec,
  now: number,
  atMost: number,
): { times: number[]; nextAt: number | null } {
  const { nextAt } = schedule;
  if (nextAt === null || nextAt > now) return { times: [], nextAt };
  const key = jitterKeyOf(schedule);
  if (spec.missed === 'all' && spec.overlap !== 'cancel-previous') return everyTime(spec, key, nextAt, now, atMost);
  const last = lastDue(spec, key, now);
  const counts = last !== undefined && (spec.missed !== 'skip' || now - dueAt(spec, key, last) <= MISSED_AFTER_MS);
  return { times: counts ? [last] : [], nextAt: nextDue(spec, key, now) };
}

function everyTime(spec: ScheduleSpec, key: string, nextAt: number, now: number, atMost: number) {
  const times: number[] = [];
  // A time is due before the next one comes, so the last one by then is the one that is due then.
  let time = timeUpTo(spec, nextAt) ?? timeAfter(spec, nextAt);
  while (time !== undefined && times.length < atMost && dueAt(spec, key, time) <= now) {
    times.push(time);
    time = timeAfter(spec, time);
  }
  return { times, nextAt: time === undefined ? null : dueAt(spec, key, time) };
}

/** Which of these times begin a run, given whether one is running, and which one waits for it. */
function admitted(
  { overlap }: ScheduleSpec,
  due: readonly number[],
  running: boolean,
  buffered: number | null,
): { times: number[]; bufferedAt: number | null } {
  switch (overlap) {
    case 'allow':
      return { times: [...due], bufferedAt: null };
    case 'cancel-previous':
      return { times: due.slice(-1), bufferedAt: null };
    case 'skip':
      return { times: running ? [] : due.slice(0, 1), bufferedAt: null };
    case 'buffer-one': {
      const waiting = buffered === null ? due : [buffered, ...due];
      const begins = running ? 0 : 1;
      return { times: waiting.slice(0, begins), bufferedAt: waiting[begins] ?? null };
    }
  }
}
