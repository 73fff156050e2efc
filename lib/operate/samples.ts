import { checkedLimit, checkedTime, type KnownOptions } from '../core/options.js';
import { MINUTE_MS, type NodeLoad, type SampleStore, type StoredSample } from '../engine/nodes.js';
import type { Count } from './operator-parts.js';

/** How much waits in the whole fleet. A value that could not be looked up in time is not there: a gap, and no zero. */
export interface FleetSample {
  /** Blocked runs. */
  blocked?: number;
  /** How long the longest due run waits to be taken, beyond 30 s, in ms. */
  dueAgeMs?: number;
  /** Of up to 100 groups: tasks that wait, counted up to 1,000, and how long the oldest does. */
  queues?: Record<string, { waiting: number; ageMs: number }>;
  /** Channels that stand still, by destination, and dead letters. */
  outbox?: Record<string, { blocked: number; dead: number }>;
  /** How long the oldest undelivered event waits, by destination, in ms. */
  outboxLagMs?: Record<string, number>;
  abandonedEffects?: number;
  lateSchedules?: number;
}

/** What a process has counted in a minute. */
export interface Sample {
  /** The minute in which it was written; it counts the sixty seconds before. */
  at: Date;
  node: string;
  /** By kind and name: `run.completed order`, `step.failed charge`. At most 200 names; the rest are `other`. */
  counts: Record<string, number>;
  load: NodeLoad | null;
  /** Only in the sample of one engine of the namespace. */
  fleet?: FleetSample;
}

export interface SamplesOptions {
  /** Default: an hour ago. */
  from?: Date;
  /** Default: now. */
  until?: Date;
  /** The most samples, from 1 to 10,000. Default 1,000. */
  limit?: number;
}

export const SAMPLES_OPTIONS = { from: true, until: true, limit: true } satisfies KnownOptions<SamplesOptions>;

export interface SamplesPage {
  /** By time and process. */
  samples: Sample[];
  /** Whether these are all of the range; if not, ask again from the time of the last one. */
  complete: boolean;
}

const HOUR_MS = 3_600_000;
/** Samples of one answer. */
const MOST = 10_000;

/** @throws InvalidArgumentError */
export async function samplesOf(
  store: Pick<SampleStore, 'range'>,
  namespace: string,
  now: number,
  { from, until, limit = 1_000 }: SamplesOptions,
): Promise<SamplesPage> {
  const begin = from === undefined ? now - HOUR_MS : checkedTime('from', from);
  const end = until === undefined ? now + 1 : checkedTime('until', until);
  const most = checkedLimit(limit, MOST);
  const found = await store.range({ namespace, from: begin, until: end, limit: most + 1 });
  return { samples: found.slice(0, most).map(sampleOf), complete: found.length <= most };
}

/** The newest samples since then, of whole minutes. Without a namespace: of all. */
export async function lastSamples(
  store: Pick<SampleStore, 'range'>,
  namespace: string | undefined,
  from: number,
  now: number,
): Promise<SamplesPage> {
  const found = await store.range({
    ...(namespace !== undefined && { namespace }),
    from,
    until: now + 1,
    limit: MOST + 1,
    keep: 'last',
  });
  if (found.length <= MOST) return { samples: found.map(sampleOf), complete: true };
  // Of the first minute, some processes are missing: it would look as if less had happened.
  const whole = found.filter(({ minute }) => minute > found[0]!.minute);
  return { samples: whole.map(sampleOf), complete: false };
}

function sampleOf({ minute, node, body }: StoredSample): Sample {
  const { counts = {}, load = null, fleet } = JSON.parse(body) as Partial<Sample>;
  return { at: new Date(minute), node, counts, load, ...(fleet && { fleet }) };
}

/** A number to draw. */
export const drawn = (count: Count): number => (typeof count === 'number' ? count : count.atLeast);

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

/** The mean of the last five whole minutes, of all namespaces, which share their groups. */
export interface PerMinute {
  /** Attempts that engines have dispatched. */
  in: number;
  /**
   * Attempts that workers of processes with this module have ended. Not those of workers in other languages, and not
   * what was answered from outside, or was withdrawn.
   */
  out: number;
}

const FLOW_MINUTES = 5;

type Flows = (group: string) => PerMinute | null;

/** What comes into groups and leaves them, as processes have counted. Read once a minute. */
export class GroupFlow {
  private known: { end: number; flows: Promise<Flows> } | undefined;

  constructor(
    private readonly store: Pick<SampleStore, 'range'>,
    private readonly now: () => number,
  ) {}

  /** Each process writes a row in every minute: those of whole minutes are of all processes. */
  of(): Promise<Flows> {
    const end = this.now() - (this.now() % MINUTE_MS);
    if (this.known?.end !== end) {
      const flows = this.read(end);
      this.known = { end, flows };
      flows.catch(() => (this.known = undefined));
    }
    return this.known.flows;
  }

  private async read(end: number): Promise<Flows> {
    const { samples } = await lastSamples(this.store, undefined, end - FLOW_MINUTES * MINUTE_MS, end - 1);
    const minutes = new Set(samples.map(({ at }) => at.getTime())).size;
    const sums = new Map<string, number>();
    for (const { counts } of samples)
      for (const [key, count] of Object.entries(counts))
        if (key.startsWith('group.')) sums.set(key, (sums.get(key) ?? 0) + count);
    // Of many names some are counted as one: then a group without a count of its own may be among them.
    const isCut = sums.has('group.in other') || sums.has('group.out other');
    const mean = (key: string) => (sums.get(key) ?? 0) / minutes;
    return (group) => {
      const [into, out] = [`group.in ${group}`, `group.out ${group}`];
      if (minutes === 0 || (isCut && !(sums.has(into) && sums.has(out)))) return null;
      return { in: mean(into), out: mean(out) };
    };
  }
}
