import { isDeepStrictEqual } from 'node:util';
import { createEffectRunner } from '../module/effects.providers.js';
import { createClient, createEngine, createWaiter } from '../module/engine.providers.js';
import type { WorkflowClient } from '../engine/client/workflow-client.js';
import type { WorkflowRunStatus } from '../engine/insight/workflow-status.js';
import { stepIdOf } from '../protocol/step.js';
import type { RuntimeParts } from '../module/process-runtime.js';
import { memoryBackend, type MemoryBackend, stateOf } from '../memory-backend/memory-backend.js';
import { nodeName } from '../module/node-name.js';
import { createStorage } from '../module/storage.providers.js';
import { createWorkers } from '../module/worker.providers.js';
import { ManualWorkflowClock } from './manual-workflow-clock.js';
import { AppTimekeeper, World } from './world.js';
import { type CrashPoint, MortalProcess } from './mortal-process.js';
import type { StepSpies } from './step-spies.js';

/** Starts the run to explore and simulates outside events; returns the run whose result is compared. */
export type StartRun = (client: WorkflowClient) => Promise<{ id: string } | string>;

export interface ExploreOptions {
  /** Throws when an interrupted run ended differently. Default: status, output and error must be equal. */
  same?: (run: WorkflowRunStatus, undisturbed: WorkflowRunStatus, point: CrashPoint) => void;
}

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
  ) {}

  /** @throws CrashPointError for the first crash that makes a difference; Error when a run waits for outside events */
  async explore(start: StartRun, { same = areSame }: ExploreOptions): Promise<Exploration> {
    const { run: undisturbed, writes } = await this.undisturbed(start);
    for (let write = 1; write <= writes; write++) {
      for (const when of ['before', 'after'] as const) {
        const point = { write, when };
        const run = await this.interrupted(start, point);
        same(run, undisturbed, point);
      }
    }
    return { writes, crashes: 2 * writes, undisturbed };
  }

  private async undisturbed(start: StartRun): Promise<{ run: WorkflowRunStatus; writes: number }> {
    const clock = new ManualWorkflowClock();
    const life = await this.begin(memoryBackend({ clock }), clock);
    try {
      const id = idOf(await start(life.client));
      await toTheEnd(life, clock);
      return { run: await life.client.getStatus(id), writes: life.process.writes };
    } finally {
      await life.stop();
    }
  }

  private async interrupted(start: StartRun, point: CrashPoint): Promise<WorkflowRunStatus> {
    const clock = new ManualWorkflowClock();
    const backend = memoryBackend({ clock });
    const first = await this.begin(backend, clock, point);
    const id = idOf(await start(first.client));
    await toTheEnd(first, clock);
    if (!first.process.dead) first.process.kill();
    const stopped = first.stop();
    first.process.rest();
    await stopped.catch(() => undefined);
    const recorded = releaseAll(backend);
    const again: string[] = [];
    this.spies.onExecution = ({ stepId }, name) => {
      if (stepId !== undefined && recorded.has(stepId)) again.push(`"${name}" (${stepId})`);
    };
    const second = await this.begin(backend, clock);
    try {
      await toTheEnd(second, clock);
      if (again.length > 0) throw new CrashPointError(point, `recorded steps are executed again: ${again.join(', ')}`);
      return await second.client.getStatus(id);
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
    const settings = { ...this.parts.settings, backend, clock };
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
    const client = createClient({ settings, storage: outside, workflows, waiter });
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

/** Moves the clock from one due time to the next until every run has ended or the process has died. */
async function toTheEnd({ world, timekeeper, process }: Life, clock: ManualWorkflowClock): Promise<void> {
  for (;;) {
    await Promise.race([timekeeper.drain(), process.died]);
    if (process.dead || world.unfinished() === undefined) return;
    const due = timekeeper.nextDue();
    if (due === undefined) throw new Error(`run "${world.unfinished()}" waits for something from outside`);
    clock.turnTo(due);
  }
}

/** Releases the dead process's claims at once, as expired leases would. Returns the ids of the recorded steps. */
function releaseAll(backend: MemoryBackend): Set<string> {
  const { tables, rows } = stateOf(backend);
  tables.nodes.clear();
  for (const task of rows.tasks.values()) if (task.claimedAt !== undefined) task.claimedAt = Number.NEGATIVE_INFINITY;
  const steps = [...tables.steps.values()].flatMap((history) => [...history.values()]);
  const settled = steps.filter((step) => step.settled !== null).map(({ runId, seq }) => stepIdOf(runId, seq));
  return new Set([...settled, ...[...rows.answers.values()].map(({ stepId }) => stepId)]);
}

const idOf = (started: { id: string } | string): string => (typeof started === 'string' ? started : started.id);

function areSame(run: WorkflowRunStatus, undisturbed: WorkflowRunStatus, point: CrashPoint): void {
  const [is, was] = [run, undisturbed].map(({ status, output, error }) => ({ status, output, error }));
  if (isDeepStrictEqual(is, was)) return;
  throw new CrashPointError(
    point,
    `its run ends as ${JSON.stringify(is)}, without the crash as ${JSON.stringify(was)}`,
  );
}
