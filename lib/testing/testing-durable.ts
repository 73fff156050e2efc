import { type DynamicModule, type INestApplicationContext, Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DurableModule } from '../durable.module.js';
import type { DurableModuleOptions } from '../module/durable-options.interface.js';
import { ProcessRuntime } from '../module/process-runtime.js';
import { callsOf, eventsOf } from '../module/outgoing-of-steps.js';
import { EffectsRole } from '../module/effects.providers.js';
import { resolve } from '../module/engine.providers.js';
import { DeclaredDestinations } from '../module/outbox-role.js';
import { OutboxRelay } from '../outbox/relay/outbox-relay.js';
import { checkReplay, type ReplayCheck } from '../engine/play/replay-check.js';
import { WorkflowClient } from '../engine/client/workflow-client.js';
import { UnknownStepError, UnknownWorkflowError } from '../errors.js';
import { memoryBackend, stateOf } from '../memory-backend/memory-backend.js';
import { AppTimekeeper, World } from './world.js';
import { CrashExplorer, type Exploration, type ExploreOptions, type StartRun } from './crash-explorer.js';
import { importsDurable } from './imports-durable.js';
import { ManualWorkflowClock, type Timekeeper } from './manual-workflow-clock.js';
import { MortalProcess } from './mortal-process.js';
import { withStandIn } from '../module/durable.providers.js';
import { claimedOf, type RecordedHistory, recordedHistory } from './recorded-history.js';
import { StepSpies, type StepSpy } from './step-spies.js';

/** The parts of an app, if it has no module with exactly these. */
export interface TestedParts {
  workflows?: readonly Type[];
  providers?: readonly Provider[];
  imports?: NonNullable<DynamicModule['imports']>;
}

export interface TestingOptions {
  /** Options of the module; omitted ones have the same defaults as in an app. */
  durable?: Pick<DurableModuleOptions, 'retry' | 'workflows' | 'workers' | 'steps' | 'codec' | 'limits' | 'namespace'> &
    Pick<DurableModuleOptions, 'outbox' | 'effects'>;
  /** Default: a clock that starts at the beginning of 2026. */
  clock?: ManualWorkflowClock;
  /** Whether Nest and the engine log. Default false. */
  logger?: boolean;
}

/** An app in memory whose time a test controls. */
export class TestingDurable {
  readonly client: WorkflowClient;

  constructor(
    readonly app: INestApplicationContext,
    readonly clock: ManualWorkflowClock,
    private readonly runtime: ProcessRuntime,
    private readonly spies: StepSpies,
    private readonly timekeeper: Timekeeper,
  ) {
    this.client = app.get(WorkflowClient);
  }

  /** Returns a provider of the app. */
  get<T>(token: Type<T> | string | symbol): T {
    return this.app.get<T>(token, { strict: false });
  }

  /**
   * Resolves when nothing can continue without time passing or an outside event: workflows and steps have gone as far
   * as they can, events are published, calls are made. @throws Error that names what is still running, after 10 s
   */
  drain(): Promise<void> {
    return this.timekeeper.drain();
  }

  /** Watches a `@RemoteStep` method. @throws UnknownStepError when it is not one */
  spy<C extends Type>(type: C, method: keyof InstanceType<C> & string): StepSpy {
    const step = this.runtime.parts.remoteSteps.ofClass(type).get(method);
    if (!step) throw new UnknownStepError(`${type.name}.${method}`);
    return this.spies.of(step.name);
  }

  /** Watches all steps with this name: local, remote or transactions. */
  spyStep(name: string): StepSpy {
    return this.spies.of(name);
  }

  /** The recorded history of a run, for {@link replay}: plain JSON. @throws WorkflowNotFoundError */
  history(id: string): Promise<RecordedHistory> {
    const { storage, settings } = this.runtime.parts;
    return recordedHistory(storage.engine, settings.namespace, id);
  }

  /**
   * Replays a history against this app's code: nothing is written, and no step runs.
   *
   * @example
   * expect(await durable.replay(recordedByTheLastVersion)).toMatchObject({ verdict: 'fits' });
   *
   * @throws UnknownWorkflowError when the app has no such workflow in this version
   */
  async replay(history: RecordedHistory): Promise<ReplayCheck> {
    const { settings, storage, workflows, remoteSteps, effects } = this.runtime.parts;
    const { workflow, version } = history.run;
    const definition = workflows.find(workflow, version);
    if (!definition) throw new UnknownWorkflowError(`${workflow} version ${version}`);
    const { codec, retry, limits, namespace } = settings;
    const lookup = (asked: Parameters<typeof resolve>[0]) => resolve(asked, workflows);
    const parts = {
      codec,
      retry,
      limits,
      namespace,
      remoteSteps,
      lookup,
      clock: storage.clock,
      ...eventsOf(storage.outbox, limits),
      ...callsOf(storage.effects, effects.rules, storage.clock),
    };
    return checkReplay(claimedOf(history), history.steps, definition, parts);
  }

  /**
   * Runs what `start` starts once without a crash. Then runs it twice for each write: the process dies just before or
   * just after that write, and another process continues. Each time the run must end the same, and no recorded step may
   * run again. Uses its own storages: the state of this app is not touched.
   *
   * @throws CrashPointError that names the write at which a crash makes a difference
   */
  exploreCrashes(start: StartRun, options: ExploreOptions = {}): Promise<Exploration> {
    return new CrashExplorer(this.runtime.parts, this.spies).explore(start, options);
  }

  async close(): Promise<void> {
    await this.app.close();
  }
}

/** Leases never expire, however far the clock is moved; short polls and shutdowns in real time. */
const SETTINGS = {
  engine: { nodeLease: '36500d', pollInterval: '20ms', shutdownTimeout: '200ms' },
  worker: { leaseDuration: '36500d', pollInterval: '20ms', shutdownTimeout: '200ms' },
} as const;

/**
 * Starts a module, or workflows and their providers, in memory: no database, no real time. A module that imports
 * DurableModule keeps its options, except those for storage. ORM modules still connect to their database: to test
 * without one, pass the parts, or a module that does not import the ORM.
 *
 * @example
 * const durable = await createTestingDurable({ workflows: [ApprovalWorkflow], providers: [MailSteps] });
 * const { id } = await durable.client.start(ApprovalWorkflow, { order: 7 });
 * await durable.clock.advance('3d');
 * expect(await durable.client.getStatus(id)).toMatchObject({ status: 'completed', output: 'expired' });
 * await durable.close();
 */
export async function createTestingDurable(
  target: Type | TestedParts,
  { durable = {}, clock = new ManualWorkflowClock(), logger = false }: TestingOptions = {},
): Promise<TestingDurable> {
  const backend = memoryBackend({ clock });
  const process = new MortalProcess(backend);
  const settings = { ...durable, ...SETTINGS, backend: process.backend, autoStart: false };
  const app = await makeApp(target, settings, logger);
  const runtime = app.get(ProcessRuntime);
  const spies = new StepSpies();
  const { steps, workflows: registry } = runtime.parts;
  for (const definition of registry.all()) spies.watchWorkflow(definition);
  runtime.serve(spies.watchServed(steps));
  await runtime.start();
  const { engine, workers } = runtime.parts;
  const state = stateOf(backend);
  const world = new World({ state, clock, workflows: registry, steps, engine, workers, writes: () => process.writes });
  const timekeeper = new AppTimekeeper({ world, state, clock, ...rolesOf(app) });
  clock.keep(timekeeper);
  return new TestingDurable(app, clock, runtime, spies, timekeeper);
}

/** The parts of an app that publish events and make calls. */
function rolesOf(app: INestApplicationContext) {
  const { settings } = app.get(ProcessRuntime).parts;
  const destinations = app.get(DeclaredDestinations);
  const publishes = settings.outbox && destinations.count > 0;
  return {
    effects: settings.effects ? app.get(EffectsRole).parts : undefined,
    outbox: publishes ? { relay: app.get(OutboxRelay), destinations } : undefined,
  };
}

/** Turns off automatic publishing and calls: both happen when the test waits for them. */
const inHand = ({ outbox, effects }: Pick<DurableModuleOptions, 'outbox' | 'effects'>) => ({
  outbox: outbox === false ? outbox : { ...outbox, relay: false },
  effects: effects === false ? effects : { ...effects, run: false },
});

function makeApp(
  target: Type | TestedParts,
  settings: DurableModuleOptions,
  logger: boolean,
): Promise<INestApplicationContext> {
  const {
    imports = [],
    workflows = [],
    providers = [],
  } = typeof target === 'function' ? { imports: [target] } : target;
  const nest = { ...(!logger && { logger: false as const }), abortOnError: false };
  // The app's database options, which the test settings replace.
  const stripped = ({
    executor: _,
    orm: __,
    connection: ___,
    clock: ____,
    engine,
    worker,
    ...kept
  }: DurableModuleOptions) => ({
    ...kept,
    ...settings,
    engine: engine === false ? engine : { ...engine, ...SETTINGS.engine },
    worker: worker === false ? worker : { ...worker, ...SETTINGS.worker },
    ...inHand({ ...kept, ...settings }),
  });
  return withStandIn(stripped, async () => {
    const own = (await importsDurable({ module: TestingDurable, imports })) ? [] : [DurableModule.forRoot(settings)];

    @Module({ imports: [...own, ...imports], providers: [...workflows, ...providers] })
    class TestedModule {}

    return NestFactory.createApplicationContext(TestedModule, nest);
  });
}
