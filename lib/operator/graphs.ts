import { MINUTE_MS } from '../engine/model/sample-store.js';
import type { Sample, SamplesPage } from './samples.js';

export interface GraphLine {
  name: string;
  /** One per minute; null where no process wrote a sample. */
  values: (number | null)[];
}

/** What processes counted in the last hour, minute by minute, for lines in a graph. */
export interface Graphs {
  /** The minute of the first value. */
  from: Date;
  /** Runs that ended, by status. */
  ended: GraphLine[];
  /** How long the oldest task of a group waited, in ms; the groups with the longest first, at most six. */
  queueAges: GraphLine[];
  /** How long the oldest undelivered event waited, in ms, by destination; the longest first, at most six. */
  relayLags: GraphLine[];
  /** Events that were delivered, by destination; those with the most first, at most six. */
  delivered: GraphLine[];
  /** Channels that stood still, by destination; those with the most first, at most six. */
  standing: GraphLine[];
  /** Whether all samples of the hour were read; if not, its first minutes are missing. */
  complete: boolean;
}

const MINUTES = 60;
const MOST_LINES = 6;

/** From when on samples are needed at this time. */
export const graphsBegin = (now: number): number => now - (now % MINUTE_MS) - (MINUTES - 1) * MINUTE_MS;

/** The samples of the hour before `now`, of all processes together. */
export function graphsOf({ samples, complete }: SamplesPage, now: number): Graphs {
  const from = graphsBegin(now);
  const minutes: Sample[][] = Array.from({ length: MINUTES }, () => []);
  for (const sample of samples) minutes[Math.floor((sample.at.getTime() - from) / MINUTE_MS)]?.push(sample);
  const fleet = (look: (of: NonNullable<Sample['fleet']>) => Record<string, number> | undefined) =>
    linesOf(
      minutes.map((of) =>
        of.flatMap((one) => {
          const found = one.fleet && look(one.fleet);
          return found ? [found] : [];
        }),
      ),
    );
  return {
    from: new Date(from),
    ended: linesOf(minutes.map((of) => of.map(({ counts }) => summed(counts, 'run.', 'kind')))).filter(
      ({ name }) => name !== 'blocked',
    ),
    queueAges: fleet(({ queues }) => queues && valuesOf(queues, ({ ageMs }) => ageMs)).slice(0, MOST_LINES),
    relayLags: fleet(({ outboxLagMs }) => outboxLagMs).slice(0, MOST_LINES),
    delivered: linesOf(minutes.map((of) => of.map(({ counts }) => summed(counts, 'outbox.delivered ', 'name')))).slice(
      0,
      MOST_LINES,
    ),
    standing: fleet(({ outbox }) => outbox && valuesOf(outbox, ({ blocked }) => blocked)).slice(0, MOST_LINES),
    complete,
  };
}

const valuesOf = <T>(of: Readonly<Record<string, T>>, value: (one: T) => number): Record<string, number> =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, value(one)]));

/** The counts that begin so, by the rest of their kind (`run.completed order`) or by their name. */
function summed(counts: Readonly<Record<string, number>>, prefix: string, by: 'kind' | 'name'): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, count] of Object.entries(counts)) {
    if (!key.startsWith(prefix)) continue;
    const rest = key.slice(prefix.length);
    const name = by === 'kind' ? rest.split(' ', 1)[0]! : rest;
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/** A line per name, the highest first. Where there are samples, a name that none of them has is 0. */
function linesOf(minutes: readonly Record<string, number>[][]): GraphLine[] {
  const names = [...new Set(minutes.flat().flatMap((sums) => Object.keys(sums)))];
  const most = ({ values }: GraphLine) => Math.max(...values.map((value) => value ?? 0));
  return names
    .map((name) => ({
      name,
      values: minutes.map((of) => (of.length === 0 ? null : of.reduce((sum, one) => sum + (one[name] ?? 0), 0))),
    }))
    .sort((a, b) => most(b) - most(a) || (a.name < b.name ? -1 : 1));
}
