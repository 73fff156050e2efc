import { DatabaseError } from '../errors/database-errors.js';
import { within } from '../time/sleep.js';
import type { DurableSettings } from './durable-options.js';
import type { Liveness } from './liveness.js';
import type { RuntimeParts, RuntimeState, Vitals } from './process-runtime.js';
import type { Readiness } from './readiness.js';
import type { Storage } from './storage.providers.js';

/** Something that waits, and since when its oldest does. */
interface Waiting {
  since: Date;
  ageMs: number;
}

/**
 * What is known of this process and of what all processes have to do. It fails no probe: that work waits is a reason to
 * start processes, and not to end one. What could not be read is null, and `problems` says why.
 */
export interface HealthReport {
  state: RuntimeState;
  /** Null before the start. */
  node: { id: string; namespace: string; roles: string[] } | null;
  liveness: Liveness;
  readiness: Readiness;
  /** Whether notifications arrive, or work is found by polling alone. */
  notifications: 'listening' | 'polling';
  /** How long ago each loop has ticked, and whether it failed. */
  loops: { name: string; agoMs: number; failed: boolean }[];
  /** How many runs are in the memory of this process, and how many remote steps it runs. */
  load: { residents: number; steps: number };
  /** Due runs that no process has claimed, by workflow. */
  dueRuns: (Waiting & { workflow: string; version: number })[] | null;
  /** Tasks that no worker has claimed, of up to 100 groups, by group and step; `count` is counted up to a limit. */
  tasks: (Waiting & { group: string; name: string; count: number })[] | null;
  /** Undelivered events by destination, in up to 100 channels of each, and counted up to 1,000 in each. */
  outbox: { destination: string; channels: number; pending: number; standing: number }[] | null;
  /** Due calls that no process has claimed, by handler, and abandoned ones, counted up to 100. */
  effects: { unclaimed: (Waiting & { handler: string })[]; abandoned: number } | null;
  /** What could not be read. */
  problems: string[];
}

export interface ReportParts extends Pick<RuntimeParts, 'engine' | 'workers'> {
  settings: Pick<DurableSettings, 'namespace'>;
  storage: Storage;
  vitals: Vitals;
  liveness: Liveness;
  readiness: Readiness;
}

/** Each of the reads may take this long. */
const READ_MS = 5_000;
const MOST_CHANNELS = 100;
const MOST_EVENTS = 1_000;
const MOST_ABANDONED = 100;

export async function reportOn(parts: ReportParts): Promise<HealthReport> {
  const { storage, vitals, liveness, readiness, engine, workers } = parts;
  const { node, state } = vitals;
  const problems: string[] = [];
  const read = readingInto(problems, readiness.database === true);
  return {
    state,
    node: node ? { id: node.id, namespace: node.namespace, roles: node.roles.split(',').filter(Boolean) } : null,
    liveness,
    readiness,
    notifications: storage.notifier.live ? 'listening' : 'polling',
    loops: Object.entries(vitals.loops).map(([name, { pulse }]) => ({
      name,
      agoMs: Math.round(pulse.agoMs),
      failed: pulse.failed,
    })),
    load: {
      residents: engine?.engine.residents.size ?? 0,
      steps: workers.reduce((sum, { running }) => sum + running, 0),
    },
    dueRuns: await read('due runs', () => dueRuns(parts)),
    tasks: await read('tasks', () => waitingTasks(storage)),
    outbox: await read('the outbox', () => undelivered(storage)),
    effects: await read('effects', () => waitingCalls(storage)),
    problems,
  };
}

/** Reads nothing from a database that has not answered a moment ago. */
const readingInto =
  (problems: string[], answers: boolean) =>
  async <T>(what: string, ask: () => Promise<T>): Promise<T | null> => {
    if (!answers) return null;
    try {
      return await within(READ_MS, ask(), () => new DatabaseError('no answer', true));
    } catch (error) {
      problems.push(`${what} could not be read (${error instanceof Error ? error.name : 'unknown error'})`);
      return null;
    }
  };

const waiting = ({ clock }: Storage, since: number): Waiting => ({
  since: new Date(since),
  ageMs: Math.max(0, clock.now() - since),
});

async function dueRuns({ storage, settings }: ReportParts) {
  const runs = await storage.engine.unfinished.overdue(settings.namespace, 0);
  return runs.map(({ since, ...run }) => ({ ...run, ...waiting(storage, since) }));
}

async function waitingTasks(storage: Storage) {
  const { tasks } = await storage.source.waiting({ olderThanMs: 0, cursor: undefined });
  return tasks
    .filter(({ isClaimed }) => !isClaimed)
    .map(({ name, group, count, since }) => ({ name, group, count, ...waiting(storage, since) }));
}

async function undelivered({ outbox }: Storage) {
  if (!outbox) return [];
  const { destinations, deadLetters } = outbox.relay;
  const found: NonNullable<HealthReport['outbox']> = [];
  // One after the other: one connection at a time.
  for (const { name: destination } of await destinations.known()) {
    const channels = await deadLetters.lag(destination, MOST_CHANNELS, MOST_EVENTS);
    const standing = await deadLetters.standing(destination, MOST_CHANNELS);
    const pending = channels.reduce((sum, channel) => sum + channel.pending, 0);
    found.push({ destination, channels: channels.length, pending, standing: standing.length });
  }
  return found;
}

async function waitingCalls(storage: Storage) {
  if (!storage.effects) return { unclaimed: [], abandoned: 0 };
  const { insight } = storage.effects;
  const unclaimed = await insight.unclaimed(0);
  const abandoned = await insight.listAbandoned(MOST_ABANDONED);
  return {
    unclaimed: unclaimed.map(({ handler, since }) => ({ handler, ...waiting(storage, since) })),
    abandoned: abandoned.length,
  };
}
