import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { type Duration, toMs } from '../../time/duration.js';
import { cronProblem, type CronTiming, isZone } from './cron-times.js';
import type { KnownOptions } from '../../options/known-options.js';

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
  /** The id of the schedule. Default: the workflow's name, with `-1`, `-2` … if it declares several. */
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
