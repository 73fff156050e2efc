import type { NodeLoad } from '../engine/model/node-record.js';
import type { SampleStore, StoredSample } from '../engine/model/sample-store.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { KnownOptions } from '../options/known-options.js';
import { checkedLimit, type Count } from './questions.js';

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
  const [begin, end] = [timeOf('from', from) ?? now - HOUR_MS, timeOf('until', until) ?? now + 1];
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

function timeOf(argument: string, time: Date | undefined): number | undefined {
  if (time === undefined) return undefined;
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.getTime();
  throw new InvalidArgumentError(argument, time, 'a valid Date');
}

/** A number to draw. */
export const drawn = (count: Count): number => (typeof count === 'number' ? count : count.atLeast);
