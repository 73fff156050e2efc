import { isDeepStrictEqual } from 'node:util';
import type { KnownOptions } from '../core/options.js';
import { stepIdOf, type StepTask } from '../core/protocol.js';
import { NonDeterminismError } from '../core/run-errors.js';
import type { WorkflowClient } from '../engine/client/client.js';
import { type RecordedHistory, replaysWith } from '../engine/play/replay.js';
import type { EngineStorage } from '../engine/storage.js';
import type { WorkflowRunStatus } from '../engine/views.js';
import { type MemoryBackend, memoryBackend, type MemoryBackendOptions, stateOf } from '../memory-backend.js';
import {
  createClient,
  createEngine,
  createWaiter,
  createWorkers,
  inputsByReplay,
  replayPartsOf,
} from '../nest/engine.providers.js';
import { nodeName } from '../nest/options.js';
import { createEffectRunner } from '../nest/outbox.providers.js';
import type { RuntimeParts } from '../nest/runtime.js';
import { createStorage } from '../nest/storage.providers.js';
import {
  AppTimekeeper,
  continueHistory,
  endOf,
  ManualWorkflowClock,
  type StepSpies,
  unservedText,
  World,
} from './world.js';

/** Starts the run to explore and simulates outside events; returns the run whose result is compared. */
export type StartRun = (client: WorkflowClient) => Promise<{ id: string } | string>;

/** What somebody does to a run. May return another run, whose result is compared then, such as a fork. */
export type ExploredAct = (client: WorkflowClient, id: string) => Promise<{ id: string } | string | void>;

export interface ExploreOptions {
  /**
   * What operators do, one after the other, each when nothing moves any more and no time would change that: for example
   * `retry` of the run that has failed. The process may die before, during and after each of them.
   */
  acts?: readonly ExploredAct[];
  /**
   * With a recorded history: the position at which the exploration begins. This step, and all that ended after it, are
   * done again. Default: all recorded outcomes are kept.
   */
  from?: number;
  /** Throws when an interrupted run ended differently. Default: status, output and error (not its stack) must be equal. */
  same?: (run: WorkflowRunStatus, undisturbed: WorkflowRunStatus, point: CrashPoint) => void;
}

export const EXPLORE_OPTIONS = { acts: true, from: true, same: true } satisfies KnownOptions<ExploreOptions>;

export interface Exploration {
  /** The number of writes of the undisturbed run. */
  writes: number;
  /** The number of crashes that were tried: two for each write. */
  crashes: number;
  undisturbed: WorkflowRunStatus;
}

/** A run ended differently after a crash; the message names the crash and the difference. */
export class CrashPointError extends Error {
  override readonly name = 'CrashPointError';

  constructor(
    readonly point: CrashPoint,
    what: string,
    options?: ErrorOptions,
  ) {
    super(`If its process dies just ${point.when} write ${point.write}, ${what}`, options);
  }
}

/** The run to explore, and what is still to be done to it. */
interface Story {
  id: string;
  acts: ExploredAct[];
}

type Life = {
  client: WorkflowClient;
  world: World;
  timekeeper: AppTimekeeper;
  process: MortalProcess;
  stop(): Promise<void>;
};

/** Runs an app's workflows repeatedly, each time with a crash at another write, after which a new process continues. */
export class CrashExplorer {
  constructor(
    private readonly parts: RuntimeParts,
    private readonly spies: StepSpies,
    private readonly standIn: Pick<MemoryBackendOptions, 'transaction'> = {},
  ) {}

  /** @throws CrashPointError for the first crash that makes a difference; Error when a run waits for outside events */
  async explore(
    start: StartRun | RecordedHistory,
    { same = areSame, from, acts = [] }: ExploreOptions,
  ): Promise<Exploration> {
    const beginning = typeof start === 'function' ? byClient(start) : this.byHistory(start, from);
    const whole = { ...beginning, acts };
    const { run: undisturbed, writes } = await this.undisturbed(whole);
    for (let write = 1; write <= writes; write++) {
      for (const when of ['before', 'after'] as const) {
        const point = { write, when };
        same(await this.interrupted(whole, point), undisturbed, point);
      }
    }
    return { writes, crashes: 2 * writes, undisturbed };
  }

  private byHistory(history: RecordedHistory, from: number | undefined): Omit<Beginning, 'acts'> {
    const { namespace } = this.parts.settings;
    const startsAt = endOf(history);
    return {
      startsAt,
      begin: (_, backend) => {
        continueHistory(stateOf(backend).tables, history, { namespace, now: startsAt, from });
        return Promise.resolve(history.run.id);
      },
    };
  }

  private async undisturbed({ begin, startsAt, acts }: Beginning): Promise<{ run: WorkflowRunStatus; writes: number }> {
    const clock = new ManualWorkflowClock(startsAt);
    const backend = memoryBackend({ clock, ...this.standIn });
    const life = await this.begin(backend, clock);
    try {
      const story = { id: await begin(life.client, backend), acts: [...acts] };
      await toTheEnd(life, clock, story);
      return { run: await life.client.getStatus(story.id), writes: life.process.writes };
    } finally {
      await life.stop();
    }
  }

  private async interrupted({ begin, startsAt, acts }: Beginning, point: CrashPoint): Promise<WorkflowRunStatus> {
    const clock = new ManualWorkflowClock(startsAt);
    const backend = memoryBackend({ clock, ...this.standIn });
    const first = await this.begin(backend, clock, point);
    const story = { id: await begin(first.client, backend), acts: [...acts] };
    await toTheEnd(first, clock, story);
    if (!first.process.dead) first.process.kill();
    const stopped = first.stop();
    first.process.rest();
    await stopped.catch(() => undefined);
    releaseAll(backend);
    let recorded = recordedIn(backend);
    const again: string[] = [];
    this.spies.onExecution = ({ stepId }, name) => {
      if (stepId !== undefined && recorded.has(stepId)) again.push(`"${name}" (${stepId})`);
    };
    const second = await this.begin(backend, clock);
    try {
      // An operator may have a recorded failure tried again.
      await toTheEnd(second, clock, story, () => (recorded = recordedIn(backend)));
      if (again.length > 0) throw new CrashPointError(point, `recorded steps are executed again: ${again.join(', ')}`);
      return await second.client.getStatus(story.id);
    } catch (error) {
      if (error instanceof CrashPointError) throw error;
      throw new CrashPointError(point, `its run does not end: ${(error as Error).message}`, { cause: error });
    } finally {
      this.spies.onExecution = () => {};
      await second.stop();
    }
  }

  /** Starts a process on this backend, with this app's code. */
  private async begin(backend: MemoryBackend, clock: ManualWorkflowClock, point?: CrashPoint): Promise<Life> {
    const { telemetry, workflows, remoteSteps, steps, effects } = this.parts;
    // Code that parts from its own history would make a difference at any crash: it is found before the first one.
    const settings = { ...this.parts.settings, backend, clock, determinism: 'error' as const };
    const process = new MortalProcess(backend, point);
    const storage = createStorage({ ...settings, backend: process.backend }, undefined, telemetry);
    const node = nodeName(settings);
    const engine = createEngine({
      settings,
      storage,
      telemetry,
      workflows,
      remoteSteps,
      node,
      effectRules: effects.rules,
    });
    const workers = createWorkers(steps, { settings, storage, telemetry, workerId: node.id });
    const outside = createStorage(settings, undefined, telemetry);
    const waiter = createWaiter(outside, telemetry);
    const replaying = { settings, storage: outside, workflows, remoteSteps, effectRules: effects.rules };
    const recompute = inputsByReplay(replaying);
    const replay = replaysWith(workflows, replayPartsOf(replaying));
    const client = createClient({ settings, storage: outside, workflows, waiter, recompute, replay });
    const state = stateOf(backend);
    const writes = () => process.writes;
    const stopped = () => process.dead;
    const world = new World({ state, clock, workflows, steps, engine, workers, writes, stopped });
    await engine?.start();
    for (const worker of workers) worker.start();
    const runner = createEffectRunner(settings, storage, telemetry, effects);
    const calls = settings.effects ? { ...effects, runner } : undefined;
    const timekeeper = new AppTimekeeper({ world, state, clock, effects: calls, outbox: undefined });
    const stop = async () => {
      await waiter.stop();
      await Promise.all([runner.stop(), engine?.stop(), ...workers.map((worker) => worker.stop())]);
    };
    return { client, world, timekeeper, process, stop };
  }
}

/** How the run to explore comes to be, in a storage of its own. */
interface Beginning {
  /** The time then, epoch ms. Default: that of every testing app. */
  startsAt?: number;
  acts: readonly ExploredAct[];
  begin: (client: WorkflowClient, backend: MemoryBackend) => Promise<string>;
}

const byClient = (start: StartRun): Omit<Beginning, 'acts'> => ({ begin: async (client) => idOf(await start(client)) });

/**
 * Moves the clock from one due time to the next, and does what there is to be done when nothing is due, until every run
 * has ended or the process has died.
 */
async function toTheEnd(
  { client, world, timekeeper, process }: Life,
  clock: ManualWorkflowClock,
  story: Story,
  onAct: () => void = () => {},
): Promise<void> {
  for (;;) {
    await Promise.race([timekeeper.drain(), process.died]);
    if (process.dead) return;
    const unfinished = world.unfinished();
    const due = unfinished === undefined ? undefined : timekeeper.nextDue();
    const act = story.acts[0];
    if (due !== undefined) clock.turnTo(due);
    else if (act) {
      story.acts.shift();
      const other = await act(client, story.id);
      if (other) story.id = idOf(other);
      onAct();
    } else if (unfinished === undefined) return;
    else throw await reasonOf(client, unfinished, world.unserved(unfinished));
  }
}

async function reasonOf(client: WorkflowClient, id: string, unserved: StepTask | undefined): Promise<Error> {
  const { reason, reasonDetail, mismatch } = await client.getStatus(id);
  if (reason === 'non_determinism' && mismatch)
    return new NonDeterminismError(id, mismatch.seq, mismatch.recorded, mismatch.asked, NOT_DETERMINISTIC);
  if (reason !== null) return new Error(`run "${id}" is blocked (${reason}): ${reasonDetail}`);
  return new Error(`run "${id}" waits for ${unserved ? unservedText(unserved) : 'something from outside'}`);
}

const NOT_DETERMINISTIC =
  'its code is not deterministic. Between steps use ctx.now(), ctx.random() and ctx.uuid(), and put everything else that may differ into ctx.step';

/** Releases the dead process's claims at once, as expired leases would. */
function releaseAll(backend: MemoryBackend): void {
  const { tables, rows } = stateOf(backend);
  tables.nodes.clear();
  for (const task of rows.tasks.values()) if (task.claimedAt !== undefined) task.claimedAt = Number.NEGATIVE_INFINITY;
}

/** The ids of the recorded steps. The answer of a failed attempt is none: another attempt may follow. */
function recordedIn(backend: MemoryBackend): Set<string> {
  const { tables, rows } = stateOf(backend);
  const steps = [...tables.steps.values()].flatMap((history) => [...history.values()]);
  const settled = steps.filter((step) => step.settled !== null).map(({ runId, seq }) => stepIdOf(runId, seq));
  const answered = [...rows.answers.values()].filter(({ status }) => status === 'completed');
  return new Set([...settled, ...answered.map(({ stepId }) => stepId)]);
}

const idOf = (started: { id: string } | string): string => (typeof started === 'string' ? started : started.id);

function areSame(run: WorkflowRunStatus, undisturbed: WorkflowRunStatus, point: CrashPoint): void {
  const [is, was] = [run, undisturbed].map(({ status, output, error }) => ({ status, output, error: told(error) }));
  if (isDeepStrictEqual(is, was)) return;
  throw new CrashPointError(
    point,
    `its run ends as ${JSON.stringify(is)}, without the crash as ${JSON.stringify(was)}`,
  );
}

/** Without stacks: they tell through which callbacks the code came there. */
const told = (error: WorkflowRunStatus['error']): object | null =>
  error && { ...error, stack: undefined, ...(error.cause && { cause: told(error.cause) }) };

/** Called in place of each call of a port. */
export type Around = (name: string, call: () => unknown) => unknown;

/** The same ports, with `around` called in place of each of their methods. */
export function intercepted<Ports extends object>(ports: Ports, around: Around): Ports {
  const entries = Object.entries(ports).map(([name, port]) => [name, interceptedPort(port as object, around)]);
  return Object.fromEntries(entries) as Ports;
}

export function interceptedPort<Port extends object>(port: Port, around: Around): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function' || typeof name === 'symbol') return method;
      return (...args: unknown[]) =>
        around(name, () => (method as (...given: unknown[]) => unknown).apply(target, args));
    },
  });
}

/** When a process dies: at its n-th recorded write, counted from 1. */
export interface CrashPoint {
  write: number;
  /** `before`: the write is not done. `after`: it is done, but the process does not receive the result. */
  when: 'before' | 'after';
}

/** The recorded writes: of a run's engine, for runs without an owner, of a worker, and of an effect call. */
const WRITES = new Set(['commit', 'settleUnowned', 'report', 'settle']);

/** The backend of one process that can die: after that, its calls neither reach the backend nor return. */
export class MortalProcess {
  writes = 0;
  dead = false;
  readonly died: Promise<void>;
  readonly backend: MemoryBackend;
  private die!: () => void;
  private atRest = false;
  private readonly waiting: ((reason: Error) => void)[] = [];

  constructor(
    backend: MemoryBackend,
    private readonly point?: CrashPoint,
  ) {
    this.died = new Promise((resolve) => (this.die = resolve));
    const around = (name: string, call: () => unknown) => this.around(name, call);
    const { transactions, ...ports } = backend.engine;
    const engine: EngineStorage = { ...intercepted(ports, around), transactions };
    const effects: MemoryBackend['effects'] = (sink) => intercepted(backend.effects(sink), around);
    this.backend = { ...backend, engine, effects, source: interceptedPort(backend.source, around) };
  }

  /** Kills the process without a shutdown. */
  kill(): void {
    this.dead = true;
    this.die();
  }

  /** Rejects all calls that still wait once the process was stopped, so that they do not block the end of the test. */
  rest(): void {
    this.atRest = true;
    for (const reject of this.waiting.splice(0)) reject(new Error('This process has died'));
  }

  private never(): Promise<never> {
    const waits = new Promise<never>((_, reject) => this.waiting.push(reject));
    waits.catch(() => undefined);
    if (this.atRest) this.rest();
    return waits;
  }

  private around(name: string, call: () => unknown): unknown {
    if (this.dead) return this.never();
    const counts = WRITES.has(name);
    const isLast = counts && ++this.writes === this.point?.write;
    if (isLast && this.point?.when === 'before') {
      this.kill();
      return this.never();
    }
    const answer = call();
    if (!(answer instanceof Promise)) return answer;
    return answer.then((value: unknown) => {
      if (isLast) this.kill();
      return this.dead ? this.never() : value;
    });
  }
}
