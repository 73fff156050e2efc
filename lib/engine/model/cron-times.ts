import { Cron } from 'croner';

export interface CronTiming {
  cron: string;
  timeZone: string;
}

/** A cache of parsed patterns, because a schedule computes its next time again and again. */
const parsed = new Map<string, Cron>();
const KEPT = 1_000;

/** The first time after `after`, epoch ms; undefined when there is none. */
export function nextCronTime(timing: CronTiming, after: number): number | undefined {
  // The library works in whole seconds and excludes the given one.
  return patternOf(timing)
    .nextRun(new Date(Math.floor(after / 1_000) * 1_000))
    ?.getTime();
}

/** The last time up to and including `until`. */
export function lastCronTime(timing: CronTiming, until: number): number | undefined {
  return patternOf(timing)
    .previousRuns(1, new Date((Math.floor(until / 1_000) + 1) * 1_000))[0]
    ?.getTime();
}

/** Returns why the pattern is invalid; undefined if it is valid. */
export function cronProblem(cron: unknown, timeZone: string): string | undefined {
  // The library would read a single word as a date.
  if (typeof cron !== 'string' || !/^@\w+$|\s/.test(cron.trim())) return 'five fields, or six with seconds in front';
  try {
    return nextCronTime({ cron, timeZone }, 0) === undefined ? 'there is no such day' : undefined;
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '');
  }
}

export function isZone(timeZone: unknown): boolean {
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
