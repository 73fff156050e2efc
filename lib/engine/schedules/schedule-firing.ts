import { isFinal } from '../model/run.js';
import { type ScheduleSpec, specIn } from '../model/schedule-spec.js';
import type { LockedSchedule, ScheduleRecord } from '../model/schedule-store.js';
import { dueAt, lastDue, nextDue, timeAfter, timeUpTo } from './schedule-times.js';

export interface Firing {
  spec: ScheduleSpec;
  /** The times for which a run is started, in order. */
  times: readonly number[];
  /** The id of the run that is cancelled before. */
  cancels: string | null;
  /** How many due times start no run. */
  dropped: number;
  /** The schedule afterwards, except its last run. */
  schedule: ScheduleRecord;
}

/** With `missed: 'skip'`, a later time counts as missed. Engines check schedules at least every 30 s. */
const MISSED_AFTER_MS = 60_000;

/** The name of a schedule for the computation of its jitter. */
export const jitterKeyOf = ({ namespace, id }: { namespace: string; id: string }): string => `${namespace}/${id}`;

/** Computes the times that a schedule fires at `now`, at most `atMost`; the others remain due. */
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

/** The due times to handle, and when the next one after them is due. */
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
  // A time is due before the next time, so the time that is due at `nextAt` is the last one up to then.
  let time = timeUpTo(spec, nextAt) ?? timeAfter(spec, nextAt);
  while (time !== undefined && times.length < atMost && dueAt(spec, key, time) <= now) {
    times.push(time);
    time = timeAfter(spec, time);
  }
  return { times, nextAt: time === undefined ? null : dueAt(spec, key, time) };
}

/** The times that start a run, depending on whether the last run is still running, and the time to buffer. */
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
