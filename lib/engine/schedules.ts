import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { HoldStore } from '../acts/holds.js';
import { InvalidArgumentError } from '../core/errors.js';
import type { KnownOptions } from '../core/options.js';
import { type Duration, toMs } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import { isFinal, type RunStatus } from './run.js';

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

export interface ListedSchedule extends ScheduleRecord {
  /** The status of its last run; null if there is none, or it was deleted. */
  lastStatus: RunStatus | null;
}

/** A schedule whose row is locked. */
export type LockedSchedule = ListedSchedule;

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
  list(query: ListSchedules): Promise<ListedSchedule[]>;
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

/** What happens with times that passed while no process could fire them. */
export type MissedPolicy = 'skip' | 'once' | 'all';

/** What happens at a time when the previous run has not ended. */
export type OverlapPolicy = 'skip' | 'allow' | 'buffer-one' | 'cancel-previous';

/** When a schedule fires, and how: either `cron` or `every`. */
export interface ScheduleOptions {
  /**
   * Five fields (minute, hour, day of month, month, day of week), six with seconds in front, or `@hourly`, `@daily`,
   * `@weekly`, `@monthly`, `@yearly`. `L`, `W` and `#` are supported.
   *
   * At clock changes, a fixed local time that does not exist on that day (`30 2 * * *`) fires at the first time after
   * the gap, and one that occurs twice fires the first time. Patterns with `*` or a step in the hours or minutes are
   * intervals: they continue by elapsed time.
   */
  cron?: string;
  /** A fixed interval, at least `'1s'`, counted from 1970 or from `from`: the same times in every process. */
  every?: Duration;
  /** With `every`: one of its times; all other times, also earlier ones, are whole intervals away from it. */
  from?: Date;
  /** The IANA time zone of `cron`, such as `'Europe/Berlin'`. Default `'UTC'`. */
  timeZone?: string;
  /**
   * The longest delay of a firing, so that not all schedules fire at the full hour; it always fires before the next
   * time. The delay is computed from id and time, so it is the same in every process. Default 0.
   */
  jitter?: Duration;
  /** Times before it are ignored. */
  startAt?: Date;
  /** Times after it are ignored. */
  endAt?: Date;
  /**
   * For times that passed while no process could fire them: `'once'` fires the last of them, `'all'` each of them in
   * order, `'skip'` drops those more than a minute late. Default `'once'`.
   */
  missed?: MissedPolicy;
  /**
   * For a time at which the previous run has not ended: `'skip'` drops it, `'allow'` starts another run in parallel,
   * `'buffer-one'` starts one run after the previous one, `'cancel-previous'` cancels the previous one. Default
   * `'skip'`.
   */
  overlap?: OverlapPolicy;
  /** The priority of its runs, as in `start`. Default 0. */
  priority?: number;
}

/** A schedule declared by `@Workflow`. */
export interface DeclaredSchedule extends ScheduleOptions {
  /**
   * The id of the schedule. Default: the workflow's name; if it declares several, each needs one. Under another id it
   * goes on as it was, paused, held or not, if its times and its input are the same.
   */
  id?: string;
  /** The input of its runs. Default null. */
  input?: unknown;
}

export const SCHEDULE_OPTIONS = {
  cron: true,
  every: true,
  from: true,
  timeZone: true,
  jitter: true,
  startAt: true,
  endAt: true,
  missed: true,
  overlap: true,
  priority: true,
} satisfies KnownOptions<ScheduleOptions>;

export const DECLARED_SCHEDULE = {
  ...SCHEDULE_OPTIONS,
  id: true,
  input: true,
} satisfies KnownOptions<DeclaredSchedule>;

/** The stored form of the options, with all defaults filled in; times are epoch ms. */
export interface ScheduleSpec {
  timing: CronTiming | IntervalTiming;
  /** Ms. */
  jitter: number;
  startAt: number | null;
  endAt: number | null;
  missed: MissedPolicy;
  overlap: OverlapPolicy;
  priority: number;
}

export interface IntervalTiming {
  /** Ms. */
  every: number;
  from: number;
}

export const MISSED_POLICIES: readonly MissedPolicy[] = ['skip', 'once', 'all'];
export const OVERLAP_POLICIES: readonly OverlapPolicy[] = ['skip', 'allow', 'buffer-one', 'cancel-previous'];

const SHORTEST_INTERVAL_MS = 1_000;

/** `what` names the schedule in errors. @throws InvalidArgumentError that names the option and the expected value. */
export function scheduleSpecOf(options: ScheduleOptions, what: string): ScheduleSpec {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError(what, options, `{ cron: '0 9 * * *', … } or { every: '15m', … }`);
  }
  const { missed = 'once', overlap = 'skip', priority = 0, jitter = 0 } = options;
  oneOf(missed, MISSED_POLICIES, `${what}: missed`);
  oneOf(overlap, OVERLAP_POLICIES, `${what}: overlap`);
  if (!Number.isInteger(priority) || Math.abs(priority) > 1_000)
    throw new InvalidArgumentError(`${what}: priority`, priority, 'a whole number from -1000 to 1000');
  const startAt = timeOf(options.startAt, `${what}: startAt`);
  const endAt = timeOf(options.endAt, `${what}: endAt`);
  if (startAt !== null && endAt !== null && endAt < startAt)
    throw new InvalidArgumentError(`${what}: endAt`, options.endAt, 'a Date after startAt');
  return {
    timing: timingOf(options, what),
    jitter: msOf(jitter, `${what}: jitter`, 0),
    startAt,
    endAt,
    missed,
    overlap,
    priority,
  };
}

/** The text to store; equal specs have equal texts. */
export const specText = (spec: ScheduleSpec): string => JSON.stringify(spec);

export const specIn = (text: string): ScheduleSpec => JSON.parse(text) as ScheduleSpec;

/** Whether both fire at the same times. */
export function sameTimes(a: ScheduleSpec, b: ScheduleSpec): boolean {
  const times = ({ timing, jitter, startAt, endAt }: ScheduleSpec) => JSON.stringify([timing, jitter, startAt, endAt]);
  return times(a) === times(b);
}

/** Converts a spec back to options, for display. */
export function optionsOf({ timing, jitter, startAt, endAt, missed, overlap, priority }: ScheduleSpec) {
  const when = 'cron' in timing ? timing : { every: timing.every, from: new Date(timing.from) };
  const bounds = {
    ...(startAt !== null && { startAt: new Date(startAt) }),
    ...(endAt !== null && { endAt: new Date(endAt) }),
  };
  return { ...when, jitter, ...bounds, missed, overlap, priority } satisfies ScheduleOptions;
}

function timingOf({ cron, every, from, timeZone }: ScheduleOptions, what: string): CronTiming | IntervalTiming {
  if ((cron === undefined) === (every === undefined)) {
    const [given, expected] =
      cron === undefined ? [cron, 'a pattern, or pass every instead'] : [cron, 'either cron or every, not both'];
    throw new InvalidArgumentError(`${what}: cron`, given, expected);
  }
  if (timeZone !== undefined && !isZone(timeZone))
    throw new InvalidArgumentError(`${what}: timeZone`, timeZone, `an IANA time zone like 'Europe/Berlin' or 'UTC'`);
  if (every !== undefined) {
    if (timeZone !== undefined)
      throw new InvalidArgumentError(`${what}: timeZone`, timeZone, 'it only with cron; for every use from');
    const ms = msOf(every, `${what}: every`, SHORTEST_INTERVAL_MS);
    return { every: ms, from: timeOf(from, `${what}: from`) ?? 0 };
  }
  if (from !== undefined)
    throw new InvalidArgumentError(`${what}: from`, from, 'it only with every; with cron use startAt');
  const problem = cronProblem(cron, timeZone ?? 'UTC');
  if (problem !== undefined)
    throw new InvalidArgumentError(`${what}: cron`, cron, `a pattern like '0 9 * * 1-5' (${problem})`);
  return { cron: String(cron), timeZone: timeZone ?? 'UTC' };
}

function msOf(duration: Duration, what: string, least: number): number {
  const expected = `milliseconds, at least ${least}, or a string like '90s', '15m', '6h', '1d'`;
  try {
    const ms = toMs(duration);
    if (ms >= least && Number.isSafeInteger(ms)) return ms;
  } catch {
    // The error below names the option.
  }
  throw new InvalidArgumentError(what, duration, expected);
}

function timeOf(date: Date | undefined, what: string): number | null {
  if (date === undefined) return null;
  if (date instanceof Date && !Number.isNaN(date.getTime())) return date.getTime();
  throw new InvalidArgumentError(what, date, "a valid Date, such as new Date('2026-01-31T09:00:00Z')");
}

function oneOf(value: string, allowed: readonly string[], what: string): void {
  if (!allowed.includes(value))
    throw new InvalidArgumentError(what, value, `one of ${allowed.map((one) => `'${one}'`).join(', ')}`);
}

interface CronTiming {
  cron: string;
  timeZone: string;
}

/** A cache of parsed patterns, because a schedule computes its next time again and again. */
const parsed = new Map<string, Cron>();
const KEPT = 1_000;

/** The first time after `after`, epoch ms; undefined when there is none. */
function nextCronTime(timing: CronTiming, after: number): number | undefined {
  // The library works in whole seconds and excludes the given one.
  return patternOf(timing)
    .nextRun(new Date(Math.floor(after / 1_000) * 1_000))
    ?.getTime();
}

/** The last time up to and including `until`. */
function lastCronTime(timing: CronTiming, until: number): number | undefined {
  return patternOf(timing)
    .previousRuns(1, new Date((Math.floor(until / 1_000) + 1) * 1_000))[0]
    ?.getTime();
}

/** Returns why the pattern is invalid; undefined if it is valid. */
function cronProblem(cron: unknown, timeZone: string): string | undefined {
  // The library would read a single word as a date.
  if (typeof cron !== 'string' || !/^@\w+$|\s/.test(cron.trim())) return 'five fields, or six with seconds in front';
  try {
    return nextCronTime({ cron, timeZone }, 0) === undefined ? 'there is no such day' : undefined;
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '');
  }
}

function isZone(timeZone: unknown): boolean {
  try {
    return typeof timeZone === 'string' && new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions() !== undefined;
  } catch {
    return false;
  }
}

function patternOf({ cron, timeZone }: CronTiming): Cron {
  const key = `${timeZone} ${cron}`;
  const known = parsed.get(key);
  if (known) return known;
  // As in other crons, lists and ranges of hours and minutes are fixed times: once a day, also when clocks change.
  const pattern = new Cron(cron, {
    timezone: timeZone,
    paused: true,
    mode: '5-or-6-parts',
    fixedTimeRule: 'no-wildcard',
  });
  if (parsed.size >= KEPT) parsed.clear();
  parsed.set(key, pattern);
  return pattern;
}

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

/**
 * The run that has not ended, because of which a time that has come began no run: it was dropped, or waits. Null if there
 * is none.
 */
export function heldUpBy({ lastStatus, ...schedule }: ListedSchedule, now: number): string | null {
  const { paused: isPaused, lastRunId, firedAt, createdAt } = schedule;
  const spec = specIn(schedule.spec);
  const waits = spec.overlap === 'skip' || spec.overlap === 'buffer-one';
  if (isPaused || !waits || lastStatus === null || isFinal(lastStatus)) return null;
  const next = timeAfter(spec, firedAt ?? createdAt);
  return next !== undefined && dueAt(spec, jitterKeyOf(schedule), next) <= now ? lastRunId : null;
}

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
