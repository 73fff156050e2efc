import { createHash } from 'node:crypto';
import { lastCronTime, nextCronTime } from '../model/cron-times.js';
import { type ScheduleSpec, specIn } from '../model/schedule-spec.js';
import { isFinal } from '../model/run.js';
import type { LockedSchedule, ScheduleRecord } from '../model/schedule-store.js';

/*
 * A schedule's plan: its times, and when each is due. With jitter, a time is due slightly later, but before the next
 * time. Everything is computed from the spec, so the result is the same in every process. Times are epoch ms.
 */

/** The first time of the plan after `after`. */
export function timeAfter(spec: ScheduleSpec, after: number): number | undefined {
  const { timing, startAt, endAt } = spec;
  const from = startAt === null ? after : Math.max(after, startAt - 1);
  const next = 'cron' in timing ? nextCronTime(timing, from) : intervalTime(timing, from + 1, Math.ceil);
  return next === undefined || (endAt !== null && next > endAt) ? undefined : next;
}

/** The last time of the plan up to and including `until`. */
export function timeUpTo(spec: ScheduleSpec, until: number): number | undefined {
  const { timing, startAt, endAt } = spec;
  const to = endAt === null ? until : Math.min(until, endAt);
  const last = 'cron' in timing ? lastCronTime(timing, to) : intervalTime(timing, to, Math.floor);
  return last === undefined || (startAt !== null && last < startAt) ? undefined : last;
}

const intervalTime = ({ every, from }: { every: number; from: number }, at: number, round: (n: number) => number) =>
  from + round((at - from) / every) * every;

/** When `time` of the plan is due. `key` names the schedule. */
export function dueAt(spec: ScheduleSpec, key: string, time: number): number {
  if (spec.jitter === 0) return time;
  const next = timeAfter({ ...spec, endAt: null }, time);
  const room = Math.min(spec.jitter, (next ?? Number.POSITIVE_INFINITY) - time);
  return time + Math.floor(fractionOf(`${key}@${time}`) * room);
}

/** When the first time after `now` is due; null if there is none. */
export function firstDue(spec: ScheduleSpec, key: string, now: number): number | null {
  const first = timeAfter(spec, now);
  return first === undefined ? null : dueAt(spec, key, first);
}

/** At most `count` due times after `now`, in order. */
export function nextTimes(spec: ScheduleSpec, key: string, now: number, count: number): Date[] {
  const times: Date[] = [];
  let at: number | null = now;
  while (times.length < count) {
    at = firstDue(spec, key, at);
    if (at === null) break;
    times.push(new Date(at));
  }
  return times;
}

/** The next due time after `now`; null if there is none. */
export function nextDue(spec: ScheduleSpec, key: string, now: number): number | null {
  // By its jitter, the previous time may be due only after `now`.
  const before = spec.jitter === 0 ? undefined : timeUpTo(spec, now);
  if (before !== undefined && dueAt(spec, key, before) > now) return dueAt(spec, key, before);
  return firstDue(spec, key, now);
}

/** The last time that is due at `now`. */
export function lastDue(spec: ScheduleSpec, key: string, now: number): number | undefined {
  const last = timeUpTo(spec, now);
  return last === undefined || dueAt(spec, key, last) <= now ? last : timeUpTo(spec, last - 1);
}

/** A uniformly distributed number from 0 (inclusive) to 1 (exclusive). */
const fractionOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;

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
  // A pause with a next time ends with it.
  const paused = schedule.paused && (schedule.nextAt === null || schedule.nextAt > now);
  const due = paused ? { times: [], nextAt: schedule.nextAt } : dueTimes(schedule, spec, now, atMost);
  const { times, bufferedAt } = admitted(spec, due.times, running, schedule.bufferedAt);
  const known = due.times.length + Number(schedule.bufferedAt !== null);
  return {
    spec,
    times,
    cancels: running && times.length > 0 && spec.overlap === 'cancel-previous' ? schedule.lastRunId : null,
    dropped: known - times.length - Number(bufferedAt !== null),
    schedule: { ...schedule, paused, nextAt: due.nextAt, bufferedAt, firedAt: times.at(-1) ?? schedule.firedAt },
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
