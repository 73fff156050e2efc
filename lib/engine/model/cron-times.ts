import { Cron } from 'croner';

export interface CronTiming {
  cron: string;
  timeZone: string;
}

/** Patterns are parsed once: a schedule asks for its next time over and over. */
const parsed = new Map<string, Cron>();
const KEPT = 1_000;

/** The first time after `after`, epoch ms; undefined when there is none. */
export function nextCronTime(timing: CronTiming, after: number): number | undefined {
  // Whole seconds, and the library leaves out the one it is given.
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

/** Why it is no pattern; undefined when it is one. */
export function cronProblem(cron: unknown, timeZone: string): string | undefined {
  // A single word would be taken for a date.
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
  // Lists and ranges of hours and minutes are fixed times too, as in other crons: once a day, whatever clocks do.
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
