import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DatabaseError } from '../core/errors.js';
import { EventLoopWatch, type LoopPulse, type Loops } from '../core/loops.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { type Duration, toMs, within } from '../core/time.js';
import { type DurableNode, listNodes } from '../engine/nodes.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE, type DurableSettings } from './options.js';
import { PRESENCE_LEASE_MS } from './presence.js';
import { ProcessRuntime, type RuntimeParts, type RuntimeState, type Vitals } from './runtime.js';
import type { Storage } from './storage.providers.js';

export interface ReadinessOptions {
  /** How long the database may take to answer. Default `'3s'`. */
  timeout?: Duration;
}

const READINESS_OPTIONS = { timeout: true } satisfies KnownOptions<ReadinessOptions>;

/**
 * For probes: whether this process lives, whether it can work, and what there is to know.
 *
 * @example
 * \@Get('live')
 * live(\@Res({ passthrough: true }) response: Response) {
 *   const liveness = this.health.liveness();
 *   response.status(liveness.ok ? 200 : 503);
 *   return liveness;
 * }
 */
@Injectable()
export class DurableHealth implements BeforeApplicationShutdown {
  readonly #eventLoop = new EventLoopWatch();
  readonly #settings: DurableSettings;
  readonly #storage: Storage;
  readonly #runtime: ProcessRuntime;
  readonly #check: ReadinessCheck;

  constructor(
    @Inject(DURABLE_SETTINGS) settings: DurableSettings,
    @Inject(DURABLE_STORAGE) storage: Storage,
    @Inject(ProcessRuntime) runtime: ProcessRuntime,
  ) {
    this.#settings = settings;
    this.#storage = storage;
    this.#runtime = runtime;
    this.#check = new ReadinessCheck({ storage, vitals: () => runtime.vitals });
  }

  /**
   * Whether this process still works: its loops tick, and its event loop is not blocked for so long that leases expire.
   * Never asks the database, so an outage of it ends no process. The first call begins to watch the event loop. A process
   * that is starting or stopping is alive.
   */
  liveness(): Liveness {
    this.#eventLoop.start();
    const { state, loops } = this.#runtime.vitals;
    const leaseMs = shortestLease(this.#settings);
    const blockedMs = this.#eventLoop.longestWithin(leaseMs);
    return livenessOf({ loops: state === 'running' ? loops : {}, blockedMs, leaseMs });
  }

  /**
   * Whether this process can do its work now: it has started and does not stop, the database answers in time, its tables
   * have all migrations, and the process is signed in. Never throws for what it finds.
   */
  async readiness(options: ReadinessOptions = {}): Promise<Readiness> {
    const { timeout = '3s' } = checkedOptions(options, READINESS_OPTIONS, 'DurableHealth.readiness');
    return this.#check.ask(toMs(timeout, 'timeout'));
  }

  /** What is known of this process and of the work that waits: to look at, and not for probes. Each read is bounded. */
  async report(): Promise<HealthReport> {
    const liveness = this.liveness();
    const readiness = await this.readiness();
    const { vitals, parts } = this.#runtime;
    return reportOn({ ...parts, settings: this.#settings, storage: this.#storage, vitals, liveness, readiness });
  }

  beforeApplicationShutdown(): void {
    this.#eventLoop.stop();
  }
}

/** The shortest of the leases that this process renews. */
function shortestLease({ engine, worker }: DurableSettings): number {
  const leases = [engine ? engine.nodeLeaseMs : PRESENCE_LEASE_MS, worker ? worker.leaseMs : PRESENCE_LEASE_MS];
  return Math.min(...leases);
}

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

async function reportOn(parts: ReportParts): Promise<HealthReport> {
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

/** Whether this process works, as far as it can know that by itself. */
export interface Liveness {
  ok: boolean;
  /** Why not, for people; empty if it is ok. */
  problems: string[];
  /** How long the event loop was blocked without a break, at most, within the last lease; in ms. */
  blockedMs: number;
}

export interface Watched {
  loops: Loops;
  blockedMs: number;
  /** The shortest lease that this process has to renew. */
  leaseMs: number;
}

/** A nap may take this many times as long as it should. */
const LATE_FACTOR = 5;
/** A tick that takes longer than this, while others end, waits for something that never comes. */
const STUCK_MS = 300_000;

/**
 * Judges loops without asking the database. A tick that waits for it is none of this process's faults, however long that
 * takes: unless ticks of other loops succeed meanwhile.
 */
export function livenessOf({ loops, blockedMs, leaseMs }: Watched): Liveness {
  const pulses = Object.entries(loops).map(([name, { pulse }]) => ({ name, pulse }));
  const succeeds = (pulse: LoopPulse) => !pulse.failed && pulse.tickingMs === undefined;
  const lastSuccessMs = Math.min(...pulses.filter(({ pulse }) => succeeds(pulse)).map(({ pulse }) => pulse.agoMs));
  const problems = pulses.flatMap(({ name, pulse }) => problemOf(name, pulse, { leaseMs, lastSuccessMs }) ?? []);
  if (blockedMs > leaseMs / 3)
    problems.unshift(`the event loop was blocked for ${seconds(blockedMs)}, longer than a third of the shortest lease`);
  return { ok: problems.length === 0, problems, blockedMs: Math.round(blockedMs) };
}

function problemOf(
  name: string,
  { running, tickingMs, agoMs, napMs }: LoopPulse,
  { leaseMs, lastSuccessMs }: { leaseMs: number; lastSuccessMs: number },
): string | undefined {
  if (!running) return `the loop "${name}" has stopped`;
  if (tickingMs === undefined) {
    // A process that gets little time is slow, and not dead.
    const isLate = agoMs > Math.max(LATE_FACTOR * napMs, leaseMs);
    return isLate
      ? `the loop "${name}" has not ticked for ${seconds(agoMs)}, and should every ${seconds(napMs)}`
      : undefined;
  }
  const isStuck = tickingMs > Math.max(LATE_FACTOR * napMs, STUCK_MS) && lastSuccessMs < tickingMs / 2;
  return isStuck ? `the loop "${name}" has been in one tick for ${seconds(tickingMs)}, while others go on` : undefined;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Whether this process can do its work now. */
export interface Readiness {
  ok: boolean;
  /** Why not, for people; empty if it is ok. Contains nothing of your data, and no address. */
  problems: string[];
  state: RuntimeState;
  /** Whether the database has answered; null if it was not asked. */
  database: boolean | null;
  /** Whether the tables have all migrations of this version; null if that is unknown. */
  schema: boolean | null;
  /** Whether other processes see this one as alive; null if that is unknown, or if it has no role to sign in with. */
  signedIn: boolean | null;
}

export interface ReadinessParts {
  storage: { pending: Storage['pending']; engine: { roster: Pick<Storage['engine']['roster'], 'living'> } };
  vitals: () => Vitals;
}

type Seen = Pick<Readiness, 'schema' | 'signedIn'> & { pending: readonly string[] };

/** Looks that were not answered in time may still wait for a connection: no more are added to these. */
const MOST_UNANSWERED = 3;

/** One look at the database, shared by all who ask at the same time; each waits for it as long as it has said. */
export class ReadinessCheck {
  /** Until it is answered, or whoever began it waits no longer. */
  private look: Promise<Seen> | undefined;
  private unanswered = 0;

  constructor(private readonly parts: ReadinessParts) {}

  async ask(timeoutMs: number): Promise<Readiness> {
    const { state } = this.parts.vitals();
    if (state !== 'running') return notReady(state, `the runtime is ${STATES[state]}`, null);
    const shared = this.look;
    if (!shared && this.unanswered >= MOST_UNANSWERED)
      return notReady(state, `the database has not answered the last ${MOST_UNANSWERED} looks`, false);
    const look = shared ?? this.begin();
    const late = new DatabaseError(`no answer within ${timeoutMs / 1_000} s`, true);
    try {
      return this.judged(state, await within(timeoutMs, look, () => late));
    } catch (error) {
      const reason = error === late ? late.message : nameOf(error);
      return notReady(state, `the database does not answer (${reason})`, false);
    } finally {
      if (!shared) this.end(look);
    }
  }

  private begin(): Promise<Seen> {
    const look = this.counted();
    const end = () => this.end(look);
    look.then(end, end);
    this.look = look;
    return look;
  }

  private end(look: Promise<Seen>): void {
    if (this.look === look) this.look = undefined;
  }

  private judged(state: RuntimeState, { pending, ...seen }: Seen): Readiness {
    const problems = [
      ...(pending.length > 0 ? [`the tables lack ${pending.join(', ')}`] : []),
      ...(seen.signedIn === false ? ['this process is not signed in: its heartbeat is late'] : []),
    ];
    return { ok: problems.length === 0, problems, state, database: true, ...seen };
  }

  private async counted(): Promise<Seen> {
    this.unanswered++;
    try {
      return await this.seen();
    } finally {
      this.unanswered--;
    }
  }

  private async seen(): Promise<Seen> {
    const { storage, vitals } = this.parts;
    const { node } = vitals();
    const pending = await storage.pending();
    const hasRole = node !== undefined && node.roles !== '';
    const signedIn =
      hasRole && pending.length === 0 ? (await storage.engine.roster.living([node.id])).length > 0 : null;
    return { pending, schema: pending.length === 0, signedIn };
  }
}

const STATES: Record<Exclude<RuntimeState, 'running'>, string> = {
  'not started': 'not started',
  starting: 'still starting',
  ending: 'ending',
  stopped: 'stopped',
};

/** The messages of drivers name hosts and users: whoever may ask for the health of an app may not see them. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');

const notReady = (state: RuntimeState, problem: string, database: boolean | null): Readiness => ({
  ok: false,
  problems: [problem],
  state,
  database,
  schema: null,
  signedIn: null,
});

export interface ListNodesOptions {
  /** Also processes that have ended within the last day, of these the last 500. Default false. */
  ended?: boolean;
}

const LIST_OPTIONS = { ended: true } satisfies KnownOptions<ListNodesOptions>;

/**
 * The processes that use these tables, in all namespaces, with what they serve. Clients, which only start and inspect
 * runs, and workers in other languages sign in nowhere. A `DbTransport` with handlers does, if it may.
 *
 * @example
 * const nodes = await app.get(DurableNodes).list();
 * const workers = nodes.filter(({ roles }) => roles.includes('worker'));
 */
@Injectable()
export class DurableNodes {
  private readonly storage: Pick<Storage, 'engine'>;

  constructor(@Inject(DURABLE_STORAGE) storage: Storage) {
    this.storage = storage;
  }

  /** Those that started first come first. At most 2,000. @throws DatabaseError */
  async list(options: ListNodesOptions = {}): Promise<DurableNode[]> {
    const { ended = false } = checkedOptions(options, LIST_OPTIONS, 'DurableNodes.list');
    return listNodes(this.storage.engine.roster, ended);
  }
}
