import { constants } from 'node:os';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { HeldNames, Intake } from '../acts/holds.js';
import { ConfigurationError, DatabaseError } from '../core/errors.js';
import { untilBack } from '../core/leasing.js';
import type { Loops } from '../core/loops.js';
import { ResultTooEarlyError } from '../core/run-errors.js';
import { Telemetry } from '../core/telemetry.js';
import { macrotask, stopwatch, systemClock, Timers } from '../core/time.js';
import { DurableDoctor } from '../doctor/doctor.js';
import { type Boot, ResultWaiter } from '../engine/client/results.js';
import type { NodeIdentity } from '../engine/nodes.js';
import { WorkflowRegistry } from '../engine/workflow.js';
import { Operator } from '../operate/operator.js';
import { Sampler } from '../operate/sampler.js';
import type { Worker } from '../worker/worker.js';
import { misspelt } from './decorator-options.js';
import { workflowOf } from './decorators.js';
import { checkRuns, createEngine, createWorkers, type EngineRole } from './engine.providers.js';
import { EnhancedMethods } from './enhanced-methods.js';
import {
  DeclaredRemoteSteps,
  destinationOf,
  EffectExplorer,
  isOfRenamed,
  OutboxDestinationExplorer,
  RemoteStepExplorer,
  RunHookExplorer,
  type ServedStep,
  WorkflowExplorer,
} from './explorers.js';
import { DurableLog } from './log.js';
import { type CheckedApp, checkHook, DURABLE_SETTINGS, DURABLE_STORAGE, type DurableSettings } from './options.js';
import { DeclaredDestinations, type EffectsParts, EffectsRole, OutboxRole } from './outbox.providers.js';
import { identityOf, looks, Presence, ProcessLoad, UnservedWork } from './presence.js';
import type { Storage } from './storage.providers.js';

/** All parts of a runtime. */
export interface RuntimeParts {
  settings: DurableSettings;
  storage: Storage;
  telemetry: Telemetry;
  workflows: WorkflowRegistry;
  remoteSteps: DeclaredRemoteSteps;
  steps: readonly ServedStep[];
  engine: EngineRole | undefined;
  workers: readonly Worker[];
  effects: EffectsParts;
}

export type RuntimeState = 'not started' | 'starting' | 'running' | 'ending' | 'stopped';

/** What can be known of a runtime without the database. */
export interface Vitals {
  state: RuntimeState;
  /** How it signs in; undefined before its start. */
  node: NodeIdentity | undefined;
  /** Of everything that was started. */
  loops: Loops;
}

/** How long the start waits for an unavailable database. */
const PATIENCE_MS = 120_000;
const RETRY = { delay: 500, factor: 2, maxDelay: '5s' } as const;

/** Refuses to wait, while the app boots, for runs that this process plays only once it is up. */
export class ProcessBoot implements Boot {
  isOver: boolean;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly workflows: WorkflowRegistry,
    /** Whether this process plays runs, and begins to do so at the end of its boot. */
    playsAfterBoot: boolean,
  ) {
    this.isOver = !playsAfterBoot;
  }

  end(): void {
    this.isOver = true;
  }

  /** @throws ResultTooEarlyError if this process plays such runs; another one may be there for all others */
  refuse(workflow: string, version: number): void {
    if (!this.isOver && this.plays(workflow, version)) throw new ResultTooEarlyError(workflow);
  }

  /** Factories are called before workflows are explored. */
  private plays(workflow: string, version: number): boolean {
    if (this.workflows.find(workflow, version)) return true;
    const classes = [...this.modules.values()].flatMap(({ providers }) => [...providers.values()]);
    return classes.some(({ metatype }) => {
      const declared = typeof metatype === 'function' ? workflowOf(metatype) : undefined;
      return declared?.name === workflow && (declared.version ?? 1) === version;
    });
  }
}

/** Starts and stops everything that this process runs. Apps use it through {@link DurableRuntime}. */
@Injectable()
export class ProcessRuntime {
  private steps: readonly ServedStep[] = [];
  private engine: EngineRole | undefined;
  /** Of a process without an engine. */
  private presence: Presence | undefined;
  private workers: readonly Worker[] = [];
  private unserved: UnservedWork | undefined;
  private node: NodeIdentity | undefined;
  private preparing: Promise<void> | undefined;
  private starting: Promise<void> | undefined;
  private hasStarted = false;
  private sampler: Sampler | undefined;
  private readonly load: ProcessLoad;
  private readonly stopped = new AbortController();

  constructor(
    @Inject(DURABLE_SETTINGS) private readonly settings: DurableSettings,
    @Inject(DURABLE_STORAGE) private readonly storage: Storage,
    @Inject(Telemetry) private readonly telemetry: Telemetry,
    @Inject(WorkflowRegistry) private readonly workflows: WorkflowRegistry,
    @Inject(DeclaredRemoteSteps) private readonly remoteSteps: DeclaredRemoteSteps,
    @Inject(ResultWaiter) private readonly waiter: ResultWaiter,
    @Inject(DeclaredDestinations) private readonly destinations: DeclaredDestinations,
    @Inject(OutboxRole) private readonly outbox: OutboxRole,
    @Inject(EffectsRole) private readonly effects: EffectsRole,
    @Inject(HeldNames) private readonly held: HeldNames,
    @Inject(Intake) private readonly intake: Intake,
    @Inject(Operator) private readonly operator: Operator,
    @Inject(DurableLog) private readonly log: DurableLog,
    @Inject(ProcessBoot) private readonly boot: ProcessBoot,
  ) {
    this.load = new ProcessLoad(storage, () => this.sizes, telemetry);
  }

  /** Sets the steps to run, once the container has been explored. */
  serve(steps: readonly ServedStep[]): void {
    this.steps = steps;
  }

  /** A hook of the app may write in a transaction that finds other tables by their names. The start tells what is wrong. */
  async find(): Promise<void> {
    await this.telemetry.quietly(async () => this.storage.find?.()).catch(() => undefined);
  }

  /**
   * Hooks of the app may start runs and publish events. Others may be what connects to the database, or migrates it: then the
   * start, behind them, is the one to fail.
   */
  async prepareEarly(): Promise<void> {
    await this.prepare().catch((error: unknown) => {
      if (error instanceof DatabaseError && error.transient) throw error;
    });
  }

  /** Migrates or checks the tables, and runs nothing yet. */
  private prepare(): Promise<void> {
    this.preparing ??= this.telemetry
      .quietly(() => this.prepareOnce())
      .catch((error: unknown) => {
        this.preparing = undefined;
        throw error;
      });
    return this.preparing;
  }

  start(): Promise<void> {
    if (this.stopped.signal.aborted) {
      return Promise.reject(new ConfigurationError('The runtime was stopped: create a new application'));
    }
    this.boot.end();
    // What is started here polls from here on.
    this.starting ??= this.telemetry
      .quietly(() => this.startOnce())
      .catch((error: unknown) => {
        this.starting = undefined;
        throw error;
      });
    return this.starting;
  }

  /** The first sign that this process ends: it begins nothing any more, and asks what runs to end. */
  interrupt(): void {
    if (this.isEnding) return;
    if (this.hasStarted && this.node?.roles !== '') this.log.ending(this.sizes);
    this.intake.end();
    this.storage.transport?.interrupt();
  }

  async stop(): Promise<void> {
    this.interrupt();
    this.stopped.abort();
    await Promise.allSettled([this.preparing, this.starting]);
    this.load.stop();
    await Promise.all([
      this.settle('the outbox', this.outbox.stop()),
      this.settle('effects', this.effects.stop()),
      ...this.workers.map((worker) => this.settle('a worker', worker.stop())),
      this.settle('the transport', this.storage.transport?.close()),
      this.settle('the engine', this.engine?.stop()),
      this.settle('the watch over what nobody serves', this.unserved?.stop()),
      this.settle('samples', this.sampler?.stop()),
    ]);
    await this.settle('the sign-off', this.presence?.stop());
    this.workers = [];
    this.engine = undefined;
    this.presence = undefined;
    await this.settle('what is held', this.held.stop());
    await this.settle('the wait for results', this.waiter.stop());
    await this.settle('notifications', this.storage.notifier.stop());
  }

  vacuum(): Promise<number> {
    return this.storage.vacuum();
  }

  /** The name of this process in the list of processes; undefined before its start. */
  get nodeId(): string | undefined {
    return this.node?.id;
  }

  get vitals(): Vitals {
    const { state, node, engine, presence, unserved, held, outbox, effects, sampler, workers } = this;
    const own = [engine, presence, unserved, held, outbox, effects, sampler].map((part) => part?.loops);
    const ofWorkers = workers.map(({ loops }, at) => (at === 0 ? loops : numbered(loops, at + 1)));
    return { state, node, loops: Object.assign({}, ...own, ...ofWorkers) as Loops };
  }

  /** For the testing kit: to run this app's workflows elsewhere and to detect whether they are idle. */
  get parts(): RuntimeParts {
    const { settings, storage, telemetry, workflows, remoteSteps, steps, engine, workers } = this;
    const { parts: effects } = this.effects;
    return { settings, storage, telemetry, workflows, remoteSteps, steps, engine, workers, effects };
  }

  /** The interface for `nest-durable check` and `dashboard`. */
  checked(): Omit<CheckedApp, 'examine'> {
    const { settings, storage, workflows, remoteSteps, operator } = this;
    const { rules: effectRules } = this.effects.parts;
    const parts = { settings, storage, workflows, remoteSteps, effectRules };
    return { namespace: settings.namespace, operator, check: (options) => checkRuns(parts, options) };
  }

  /** Whether there was a sign that this process ends. */
  get isEnding(): boolean {
    return this.intake.isEnding;
  }

  private get sizes() {
    return {
      steps: this.workers.reduce((sum, { running }) => sum + running, 0),
      residents: this.engine?.engine.residents.size ?? 0,
    };
  }

  private get state(): RuntimeState {
    if (this.stopped.signal.aborted) return 'stopped';
    if (this.isEnding) return 'ending';
    return this.hasStarted ? 'running' : this.starting ? 'starting' : 'not started';
  }

  private async prepareOnce(): Promise<void> {
    const { storage, log } = this;
    const roles = new Set(this.identity().roles.split(',').filter(Boolean));
    await this.patiently(async () => log.migrated(await storage.prepare(roles)));
    await this.patiently(() => this.fitPayloads());
    await this.patiently(() => this.outbox.register());
  }

  private identity() {
    const { settings, workflows, steps, destinations } = this;
    return identityOf({ settings, workflows, steps, destinations, effects: this.effects.parts.handlers });
  }

  private async startOnce(): Promise<void> {
    const { settings, storage, telemetry, workflows, remoteSteps, log } = this;
    const { held, intake } = this;
    const onDraining = (draining: boolean) => this.drain(draining);
    const { rules: effectRules } = this.effects.parts;
    const node = { ...this.identity(), load: () => this.load.measure() };
    this.node = node;
    await this.prepare();
    storage.notifier.start();
    try {
      if (node.roles !== '') this.load.start();
      if (node.roles !== '' && node.roles !== 'relay') await this.patiently(() => held.start());
      const parts = { settings, storage, telemetry, workflows, remoteSteps, node, effectRules };
      const engine = createEngine({ ...parts, held: intake, onDraining });
      if (engine) await this.patiently(() => engine.start());
      this.engine = engine;
      if (!engine && node.roles !== '') await this.signIn(node);
      this.workers = createWorkers(this.steps, { settings, storage, telemetry, workerId: node.id, held: intake });
      await this.patiently(() => this.outbox.start());
    } catch (error) {
      await this.settle('the engine', this.engine?.stop());
      await this.settle('the sign-off', this.presence?.stop());
      await this.settle('what is held', held.stop());
      this.engine = undefined;
      this.presence = undefined;
      this.workers = [];
      this.load.stop();
      await this.settle('notifications', storage.notifier.stop());
      this.preparing = undefined;
      throw error;
    }
    for (const worker of this.workers) worker.start();
    this.effects.start();
    this.watchUnserved(node);
    this.sample(node);
    this.hasStarted = true;
    log.started(node.roles, storage.name);
  }

  /** As the last heartbeat has heard. */
  private drain(draining: boolean): void {
    if (this.intake.drain(draining)) this.telemetry.emit('node.draining', { draining });
  }

  private watchUnserved(node: NodeIdentity): void {
    if (!looks(node)) return;
    const { storage, telemetry, held } = this;
    this.unserved = new UnservedWork({ storage, telemetry, held, nodeId: node.id, namespace: node.namespace });
    this.unserved.start();
  }

  private sample(node: NodeIdentity): void {
    if (node.roles === '') return;
    const { storage, telemetry, operator } = this;
    const { samples: store, roster } = storage.engine;
    const load = () => this.load.last;
    const hasOutbox = storage.outbox !== undefined;
    this.sampler = new Sampler({ store, roster, operator, hasOutbox, telemetry, node, load, clock: storage.clock });
    this.sampler.start();
  }

  private async signIn(node: NodeIdentity): Promise<void> {
    const onError = (error: unknown) => this.telemetry.emit('loop.error', { loop: 'the list of processes', error });
    const draining = (drains: boolean) => this.drain(drains);
    const presence = new Presence(this.storage.engine.roster, node, { draining, error: onError });
    this.presence = presence;
    await this.patiently(() => presence.start());
  }

  /** Lowers the payload limit to what the server accepts, so that larger payloads are refused early. */
  private async fitPayloads(): Promise<void> {
    const { limits } = this.settings;
    const largest = await this.storage.largestPayload?.();
    if (largest === undefined || largest >= limits.payloadBytes) return;
    this.log.payloadsLimited(limits.payloadBytes, largest);
    limits.payloadBytes = largest;
  }

  private async patiently(work: () => Promise<void>): Promise<void> {
    let waitedMs = 0;
    const passes = (error: unknown) => error instanceof DatabaseError && error.transient && waitedMs < PATIENCE_MS;
    const onFailure = (error: unknown, _: number, waitMs: number) => {
      this.log.databaseAway(error, waitMs);
      waitedMs += waitMs;
    };
    await untilBack(work, { stopped: this.stopped.signal, passes, onFailure, retry: RETRY });
  }

  /** Logs a part's failure to stop, so that the others still stop. */
  private async settle(what: string, stopping: Promise<void> | undefined): Promise<void> {
    try {
      await stopping;
    } catch (error) {
      this.log.stopFailed(what, error);
    }
  }
}

/** An app has a worker for each duration of leases. */
const numbered = (loops: Loops, number: number): Loops =>
  Object.fromEntries(Object.entries(loops).map(([name, loop]) => [`${name} ${number}`, loop]));

/**
 * The engine and the workers of this process. Nest's lifecycle starts and stops them; with `autoStart: false` the app
 * does so itself.
 *
 * @example
 * const runtime = app.get(DurableRuntime);
 * await runtime.start();
 */
@Injectable()
export class DurableRuntime {
  private readonly runtime: Pick<ProcessRuntime, 'start' | 'stop' | 'vacuum'>;

  constructor(@Inject(ProcessRuntime) runtime: ProcessRuntime) {
    this.runtime = runtime;
  }

  /**
   * Migrates or checks the tables, then starts to claim runs and tasks. Waits up to two minutes for an unavailable
   * database. If it fails, nothing keeps running, and it may be called again.
   *
   * @throws SchemaError, ConfigurationError, DatabaseError
   */
  start(): Promise<void> {
    return this.runtime.start();
  }

  /**
   * Claims nothing more, aborts the signals of running work, and waits for it up to the shutdown timeouts; the rest, and
   * what has failed, is released to other processes. A stopped runtime cannot be started again.
   */
  stop(): Promise<void> {
    return this.runtime.stop();
  }

  /**
   * PostgreSQL: makes the space of deleted rows reusable without blocking other statements, for example after a large
   * `purge`. Autovacuum does the same a little later. Does nothing on other databases. Returns the number of tables.
   *
   * @throws DatabaseError
   */
  vacuum(): Promise<number> {
    return this.runtime.vacuum();
  }
}

/** The module whose bootstrap hooks Nest calls last, and whose destroy hooks it calls first. */
function outermost(modules: ModulesContainer) {
  const [, root] = modules.values();
  if (root && !root.isGlobal) return root;
  // Global modules have their turn before all others. Nest calls no hooks of those that were loaded lazily, which have no
  // distance, and keeps the order of equals.
  const scanned = [...modules.values()].filter(({ distance }) => distance > 0);
  return scanned.sort((a, b) => b.distance - a.distance).at(-1)!;
}

function addHooks(module: ReturnType<typeof outermost>, token: string, hooks: object): void {
  module.addProvider({ provide: token, useValue: hooks });
  // By this level Nest 12 orders the hooks of a module: the highest is bootstrapped last, and destroyed first.
  Object.assign(module.providers.get(token)!, { hierarchyLevel: Number.MAX_SAFE_INTEGER });
}

/** Calls `end` with the first destroy hooks of the app: the module of this library is global, so its own are the last. */
const whenDestroyed = (modules: ModulesContainer, end: () => void): void =>
  addHooks(outermost(modules), 'durable:first-to-end', { onModuleDestroy: end });

/**
 * Calls `begin` once the last bootstrap hook of the app has returned, and has Nest wait for it: the module of this library is
 * global, so its own hooks are the first.
 */
function onceBootstrapped(modules: ModulesContainer, begin: () => Promise<void>): void {
  const module = outermost(modules);
  const host = module.providers.get(module.metatype);
  // Nest calls no hook of a module that needs something of a request.
  const isCalled = host?.isDependencyTreeStatic() === true;
  const hooked = (isCalled ? host.instance : {}) as { onApplicationBootstrap?: () => unknown };
  const own = hooked.onApplicationBootstrap;
  const value = async (): Promise<void> => {
    await own?.call(hooked);
    await begin();
  };
  Object.defineProperty(hooked, 'onApplicationBootstrap', { value, configurable: true, writable: true });
  if (!isCalled) addHooks(module, 'durable:last-to-begin', hooked);
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One Ctrl+C may arrive twice: from the terminal, and from npm, which passes it on. */
const SAME_MS = 200;

/** Hears the signals that ask this process to end, beside those who act on them. */
class EndSignals {
  private firstAt = 0;
  private isOver = false;

  /** `endsAtSecond`: a second signal ends the process at once. */
  constructor(private readonly options: { onFirst: () => void; endsAtSecond: boolean }) {}

  /** Whether anybody else acts on the signal to end, so that hooks are called. */
  get areHandled(): boolean {
    return process.listeners('SIGTERM').some((listener) => listener !== this.first);
  }

  /**
   * Does nothing for a signal that nobody acts on: it ends the process, at once and even if its event loop is blocked, and
   * a listener would prevent that.
   */
  listen(): void {
    if (this.isOver || this.firstAt > 0) return;
    for (const signal of SIGNALS) {
      const isHeard = process.listeners(signal).includes(this.first);
      if (!isHeard && process.listenerCount(signal) > 0) process.prependListener(signal, this.first);
    }
  }

  stop(): void {
    this.isOver = true;
    this.deafen();
  }

  private deafen(): void {
    for (const signal of SIGNALS) process.off(signal, this.first).off(signal, this.second);
  }

  private readonly first = (signal: NodeJS.Signals): void => {
    // At once: other listeners may look whether they are alone.
    this.deafen();
    if (process.listenerCount(signal) === 0) return void process.kill(process.pid, signal);
    this.firstAt = stopwatch.now();
    this.options.onFirst();
    if (this.options.endsAtSecond) void this.listenAgain();
  };

  private async listenAgain(): Promise<void> {
    await macrotask();
    // Nest ends the process by the same signal once all hooks were called.
    if (!this.isOver) for (const signal of SIGNALS) process.on(signal, this.second);
  }

  private readonly second = (signal: NodeJS.Signals): void => {
    if (stopwatch.now() - this.firstAt >= SAME_MS) process.exit(128 + constants.signals[signal]);
  };
}

/** An app may enable shutdown hooks shortly after its start. */
const HOOKS_AFTER_MS = 2_000;

const withoutOutbox = (location: string): string =>
  `${location} is a hook of runs, which needs the outbox: remove \`outbox: false\` from the options of the module`;

/**
 * Explores when all providers exist, migrates before the bootstrap hooks of the app, starts behind the last of them, begins
 * nothing more from its first sign of an end, and stops before ORMs close their connections.
 */
@Injectable()
export class DurableLifecycle
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly timers = new Timers(systemClock);
  private readonly signals = new EndSignals({
    onFirst: () => this.runtime.interrupt(),
    endsAtSecond: process.env['NODE_ENV'] !== 'production',
  });

  constructor(
    @Inject(DURABLE_SETTINGS) private readonly settings: DurableSettings,
    @Inject(WorkflowExplorer) private readonly workflows: WorkflowExplorer,
    @Inject(RemoteStepExplorer) private readonly remoteSteps: RemoteStepExplorer,
    @Inject(OutboxDestinationExplorer) private readonly publishers: OutboxDestinationExplorer,
    @Inject(RunHookExplorer) private readonly hooks: RunHookExplorer,
    @Inject(DeclaredDestinations) private readonly destinations: DeclaredDestinations,
    @Inject(EffectExplorer) private readonly handlers: EffectExplorer,
    @Inject(EffectsRole) private readonly effects: EffectsRole,
    @Inject(DURABLE_STORAGE) private readonly storage: Storage,
    @Inject(ProcessRuntime) private readonly runtime: ProcessRuntime,
    @Inject(DurableDoctor) private readonly doctor: DurableDoctor,
    @Inject(DurableLog) private readonly log: DurableLog,
    @Inject(EnhancedMethods) private readonly enhanced: EnhancedMethods,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  async onModuleInit(): Promise<void> {
    this.signals.listen();
    whenDestroyed(this.modules, () => this.runtime.interrupt());
    this.explore();
    await this.runtime.find();
  }

  async onApplicationBootstrap(): Promise<void> {
    const hook = checkHook();
    if (hook) return hook.found({ ...this.runtime.checked(), examine: () => this.doctor.examine() });
    onceBootstrapped(this.modules, () => this.begin());
    if (this.begins) await this.runtime.prepareEarly();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.timers.stop();
    await this.runtime.stop();
  }

  onApplicationShutdown(): void {
    this.signals.stop();
  }

  private get begins(): boolean {
    return this.settings.autoStart && !this.runtime.isEnding;
  }

  private explore(): void {
    this.workflows.explore(this.settings.overrides.workflows);
    const steps = this.remoteSteps.explore();
    this.runtime.serve(steps);
    this.tellMisspelt(steps);
    this.log.requestEnhancers(this.enhanced.ofRequests);
    const { outbox } = this.storage;
    const { outbox: settings } = this.settings;
    const hooks = this.hooks.explore();
    if (outbox && settings) {
      const declared = this.publishers.explore(outbox.inbox, settings.destinations, settings.codec);
      const hooked = hooks.map((hook) => destinationOf(hook, outbox, this.settings.namespace));
      this.destinations.serve([...declared.map(({ destination }) => destination), ...hooked]);
      const ofClasses = declared.flatMap(({ destination, isUnnamed }) => (isUnnamed ? [destination.name] : []));
      const ofHooks = hooks.flatMap(({ declared: { name }, location }) => (name === undefined ? [location] : []));
      this.log.namedByBundler([...ofClasses, ...ofHooks].filter(isOfRenamed));
    } else if (hooks[0]) throw new ConfigurationError(withoutOutbox(hooks[0].location));
    const { effects } = this.settings;
    const { handlers, listeners } = this.effects.parts;
    if (effects) this.handlers.explore(handlers, listeners, effects.handlers);
  }

  private async begin(): Promise<void> {
    if (this.begins) await this.runtime.start();
    // The app may enable its shutdown hooks as soon as it has been created.
    void macrotask().then(() => this.signals.listen());
    if (process.env['NODE_ENV'] !== 'test') this.watchForShutdownHooks();
  }

  private tellMisspelt(served: readonly ServedStep[]): void {
    const { steps, workers } = this.settings.overrides;
    const names = served.map(({ step }) => step.name);
    const classes = served.map(({ type }) => type.name);
    for (const found of misspelt(steps, names)) this.log.overridesNothing('steps', found);
    for (const found of misspelt(workers, [...new Set(classes)])) this.log.overridesNothing('workers', found);
    if (Object.keys(workers).some((name) => !classes.includes(name)))
      this.log.overridesRenamed([...new Set(classes.filter(isOfRenamed))]);
  }

  private watchForShutdownHooks(): void {
    this.timers.at(systemClock.now() + HOOKS_AFTER_MS, () => {
      this.signals.listen();
      if (!this.signals.areHandled) this.log.noShutdownHooks();
    });
  }
}
