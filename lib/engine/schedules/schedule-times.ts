import { createHash } from 'node:crypto';
import { lastCronTime, nextCronTime } from '../model/cron-times.js';
import type { ScheduleSpec } from '../model/schedule-spec.js';

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
