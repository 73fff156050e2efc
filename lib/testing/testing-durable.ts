import 'reflect-metadata';
import { type DynamicModule, type INestApplicationContext, Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { checkedOptions, defined, type KnownOptions } from '../core/options.js';
import { UnknownStepError, UnknownWorkflowError } from '../core/run-errors.js';
import { keepingAlive, keepingNothingAlive } from '../core/time.js';
import { DurableModule } from '../durable.module.js';
import { WorkflowClient } from '../engine/client/client.js';
import { ResultWaiter } from '../engine/client/results.js';
import { RETRY_OPTIONS } from '../engine/context.js';
import {
  checkReplay,
  claimedOf,
  type RecordedHistory,
  recordedHistory,
  type ReplayCheck,
} from '../engine/play/replay.js';
import { memoryBackend, stateOf } from '../memory-backend.js';
import { withStandIn } from '../nest/durable.providers.js';
import { replayPartsOf } from '../nest/engine.providers.js';
import type { DurableModuleOptions } from '../nest/options.js';
import { DeclaredDestinations, EffectsRole } from '../nest/outbox.providers.js';
import { ProcessRuntime } from '../nest/runtime.js';
import { OutboxRelay } from '../outbox/relay.js';
import { DbTransport } from '../worker/db-transport.js';
import {
  CrashExplorer,
  type Exploration,
  EXPLORE_OPTIONS,
  type ExploreOptions,
  MortalProcess,
  type StartRun,
} from './crash-explorer.js';
import {
  AppTimekeeper,
  ManualWorkflowClock,
  StepSpies,
  type StepSpy,
  type Timekeeper,
  UnservedSteps,
  WaitedResults,
  World,
} from './world.js';

/** The parts of an app, if it has no module with exactly these. */
export interface TestedParts {
  workflows?: readonly Type[];
  providers?: readonly Provider[];
  imports?: NonNullable<DynamicModule['imports']>;
  /** See {@link TestingOptions.transaction}. */
  transaction?: () => unknown;
}

const PARTS = {
  workflows: true,
  providers: true,
  imports: true,
  transaction: true,
} satisfies KnownOptions<TestedParts>;

export interface TestingOptions {
  /** Options of the module; omitted ones have the same defaults as in an app, but `determinism` is `'off'`. */
  durable?: Pick<
    DurableModuleOptions,
    | 'retry'
    | 'onExhausted'
    | 'keepInputs'
    | 'workflows'
    | 'workers'
    | 'steps'
    | 'codec'
    | 'limits'
    | 'namespace'
    | 'strict'
    | 'determinism'
  > &
    Pick<DurableModuleOptions, 'outbox' | 'effects'>;
  /** Default: a clock that starts at the beginning of 2026. */
  clock?: ManualWorkflowClock;
  /**
   * Stands in for your ORM: returns what the work of each `ctx.transaction` gets, such as `{ save: (order) => … }`; may be
   * a promise. Nothing is rolled back when the work throws. Default: an object without anything.
   */
  transaction?: () => unknown;
  /** Whether Nest and the engine log. Default false. */
  logger?: boolean;
}

const DURABLE_OPTIONS = {
  retry: RETRY_OPTIONS,
  onExhausted: true,
  keepInputs: true,
  strict: true,
  determinism: true,
  workflows: true,
  workers: true,
  steps: true,
  codec: true,
  limits: true,
  namespace: true,
  outbox: true,
  effects: true,
} satisfies KnownOptions<NonNullable<TestingOptions['durable']>>;

const OPTIONS = {
  durable: DURABLE_OPTIONS,
  clock: true,
  logger: true,
  transaction: true,
} satisfies KnownOptions<TestingOptions>;

/** An app in memory whose time a test controls. */
export class TestingDurable {
  readonly client: WorkflowClient;

  constructor(
    readonly app: INestApplicationContext,
    readonly clock: ManualWorkflowClock,
    private readonly runtime: ProcessRuntime,
    private readonly spies: StepSpies,
    private readonly timekeeper: Timekeeper,
    private readonly standIn: Pick<TestingOptions, 'transaction'> = {},
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
    return recordedHistory(this.runtime.parts.storage.engine, id);
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
    const { effects, ...parts } = this.runtime.parts;
    const { workflow, version } = history.run;
    const definition = parts.workflows.find(workflow, version);
    if (!definition) throw new UnknownWorkflowError(`${workflow} version ${version}`);
    const replayParts = replayPartsOf({ ...parts, effectRules: effects.rules });
    return checkReplay(claimedOf(history), history.steps, definition, replayParts);
  }

  /**
   * Like {@link replay}, for a test of one statement: the spec that `nest-durable runs export --as test` writes calls it.
   *
   * @throws ReplayMismatchError if this app's code does not fit the history; UnknownWorkflowError
   */
  async assertFits(history: RecordedHistory): Promise<void> {
    const check = await this.replay(history);
    if (check.verdict === 'blocks') throw new ReplayMismatchError(history.run, check);
  }

  /**
   * Runs what `start` starts once without a crash. Then runs it twice for each write: the process dies just before or
   * just after that write, and another process continues. Each time the run must end the same, and no recorded step may
   * run again. Uses its own storages: the state of this app is not touched.
   *
   * A recorded history in place of `start` begins with its outcomes, for a run that needs nothing more from outside:
   * the run goes on with its first step that has no outcome, or with the one at `from`.
   *
   * @example
   * await durable.exploreCrashes(exported, { from: 2 });
   * await durable.exploreCrashes(startFailing, { acts: [(client, id) => client.retry(id)] });
   *
   * @throws CrashPointError that names the write at which a crash makes a difference; NonDeterminismError
   */
  exploreCrashes(start: StartRun | RecordedHistory, options: ExploreOptions = {}): Promise<Exploration> {
    return new CrashExplorer(this.runtime.parts, this.spies, this.standIn).explore(
      start,
      checkedOptions(options, EXPLORE_OPTIONS, 'exploreCrashes'),
    );
  }

  /** Ends everything. A kit that was not closed keeps no process alive. */
  close(): Promise<void> {
    return keepingAlive(() => this.app.close());
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
export function createTestingDurable(
  target: Type | TestedParts,
  options: TestingOptions = {},
): Promise<TestingDurable> {
  return keepingAlive(() => keepingNothingAlive(() => begin(target, options)));
}

async function begin(target: Type | TestedParts, options: TestingOptions): Promise<TestingDurable> {
  const checked = checkedOptions(options, OPTIONS, 'createTestingDurable');
  const { durable = {}, clock = new ManualWorkflowClock(), logger = false } = checked;
  if (typeof target !== 'function') checkedOptions(target, PARTS, 'createTestingDurable');
  const transaction = options.transaction ?? (typeof target === 'function' ? undefined : target.transaction);
  const standIn = transaction && { transaction };
  const backend = memoryBackend({ clock, ...standIn });
  const process = new MortalProcess(backend);
  const watched = new UnservedSteps(() => runtime.parts).watched(process.backend);
  const settings = { ...durable, ...SETTINGS, backend: watched, autoStart: false };
  const app = await makeApp(target, settings, logger);
  const runtime = app.get(ProcessRuntime);
  const spies = new StepSpies();
  for (const definition of runtime.parts.workflows.all()) spies.watchWorkflow(definition);
  runtime.serve(spies.watchServed(runtime.parts.steps));
  // The relay is turned off, so nobody else says which ends and blocks of runs the hooks want.
  const { outbox } = rolesOf(app);
  if (outbox?.destinations.hasHooks) await outbox.relay.register();
  await runtime.start();
  const state = stateOf(backend);
  const world = new World({ ...runtime.parts, state, clock, writes: () => process.writes });
  const timekeeper = new AppTimekeeper({ world, state, clock, ...rolesOf(app) });
  clock.keep(timekeeper);
  const explain = (id: string) => app.get(WorkflowClient).explain(id);
  const waited = new WaitedResults({ timekeeper, world, clock, writes: () => process.writes, explain });
  app.get(ResultWaiter).onWait = (...wait) => keepingAlive(() => waited.watch(...wait));
  return new TestingDurable(app, clock, runtime, spies, timekeeper, standIn);
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
    transport,
    engine,
    worker,
    ...kept
  }: DurableModuleOptions) => ({
    ...kept,
    ...(transport instanceof DbTransport ? {} : defined({ transport })),
    ...settings,
    engine: engine === false ? engine : { ...engine, ...SETTINGS.engine },
    worker: worker === false ? worker : { ...worker, ...SETTINGS.worker },
    determinism: settings.determinism ?? kept.determinism ?? 'off',
    ...inHand({ ...kept, ...settings }),
  });
  return withStandIn(stripped, async () => {
    const own = (await importsDurable({ module: TestingDurable, imports }))
      ? []
      : [DurableModule.forRoot({ determinism: 'off', ...settings })];

    @Module({ imports: [...own, ...imports], providers: [...workflows, ...providers] })
    class TestedModule {}

    return NestFactory.createApplicationContext(TestedModule, nest);
  });
}

/** Whether a module, or one that it imports, imports DurableModule. */
async function importsDurable(imported: unknown, seen = new Set<unknown>()): Promise<boolean> {
  const found = await imported;
  const module = partOf(found, 'module') ?? (partOf(found, 'forwardRef') as (() => unknown) | undefined)?.() ?? found;
  if (module === DurableModule) return true;
  if (typeof module !== 'function' || seen.has(module)) return false;
  seen.add(module);
  const declared = (Reflect.getMetadata('imports', module) ?? []) as unknown[];
  const dynamic = (partOf(found, 'imports') ?? []) as unknown[];
  for (const each of [...declared, ...dynamic]) if (await importsDurable(each, seen)) return true;
  return false;
}

const partOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

type Mismatch = Extract<ReplayCheck, { verdict: 'blocks' }>;

/** A recorded run would be blocked by this app's code; the message says where they part. */
export class ReplayMismatchError extends Error {
  override readonly name = 'ReplayMismatchError';

  constructor(
    { id, workflow, version }: Pick<RecordedHistory['run'], 'id' | 'workflow' | 'version'>,
    readonly check: Mismatch,
  ) {
    super(`Run "${id}" of "${workflow}" (version ${version}) does not fit the code: ${whyOf(check)}`);
  }
}

const whyOf = ({ position, recorded, asked, detail }: Mismatch): string =>
  position === null
    ? detail
    : `at position ${position} ${recorded} is recorded, and the code asks for ${asked}. Guard the change with ` +
      'ctx.patched, or give the workflow a new version';
