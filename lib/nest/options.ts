import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FactoryProvider, ModuleMetadata, Provider, Type } from '@nestjs/common';
import { type Codec, jsonCodec } from '../core/codec.js';
import { ConfigurationError, InvalidArgumentError, UnknownOptionError } from '../core/errors.js';
import { checkedOptions, checkWhole, defined, type KnownOptions } from '../core/options.js';
import { type Clock, type Duration, usualShutdown } from '../core/time.js';
import type { ErrorRules, RedactableError } from '../core/wire-error.js';
import type { DoctorReport } from '../doctor/check.js';
import { type OnExhausted, type Retry, RETRY_OPTIONS } from '../engine/context.js';
import type { NodeIdentity } from '../engine/nodes.js';
import type { Obstacle } from '../engine/play/replay.js';
import type { OnHistoryLost } from '../engine/play/residency.js';
import { checkName } from '../engine/run.js';
import type { AnswerWriter, TaskDispatcher } from '../engine/tasks.js';
import { checkRetrying } from '../engine/workflow.js';
import type { MemoryBackend } from '../memory-backend.js';
import type { Operator } from '../operate/operator.js';
import type { AmbientTransactions, SqlExecutor } from '../sql/executor.js';
import { validateName, validatePrefix } from '../sql/migrations/migrator.js';
import { checkedWake, type WakeBus } from '../sql/wake.js';
import { DbTransport } from '../worker/db-transport.js';
import type { TaskSource } from '../worker/task-source.js';
import {
  checkOverrides,
  checkStepOverrides,
  checkWorkerOptions,
  checkWorkflowOverrides,
  type RemoteStepOptions,
  type WorkerOptions,
  type WorkflowOptions,
} from './decorator-options.js';
import {
  EFFECTS_OPTIONS,
  type EffectsModuleOptions,
  type EffectsSettings,
  effectsSettings,
  ms,
  OUTBOX_OPTIONS,
  type OutboxModuleOptions,
  type OutboxSettings,
  outboxSettings,
  RETENTION_OPTIONS,
  retentionOf,
  type RetentionOptions,
  type RetentionSettings,
} from './slice-options.js';

/** Carries tasks to workers and answers back to engines. */
export type Transport = TaskDispatcher & AnswerWriter & TaskSource;

/** Which of the app's connections to use. */
export interface ConnectionOptions {
  /** Which ORM to use if the app has both. Default: the one that it has. */
  orm?: 'typeorm' | 'mikro-orm';
  /** The name of the connection: TypeORM's `name`, MikroORM's `contextName`. Default: the connection without a name. */
  connection?: string;
}

const CONNECTION_OPTIONS = { orm: true, connection: true } satisfies KnownOptions<ConnectionOptions>;

/** How this process executes workflows. */
export interface EngineModuleOptions {
  /** How long a waiting run stays in memory without progress. Default `'30s'`. */
  residency?: Duration;
  /** The maximum number of runs in memory. Default 10,000. */
  maxResident?: number;
  /** The maximum number of runs per claim. Default 100. */
  batchSize?: number;
  /** A process without a heartbeat for this long counts as dead, and other processes take its runs. Default `'10s'`. */
  nodeLease?: Duration;
  /** The maximum time between two polls for runs and answers. Default `'1s'`. */
  pollInterval?: Duration;
  /** A run whose owners died this many times in a row fails. Default 10. */
  crashCap?: number;
  /**
   * What happens to runs with more recorded steps than the database still has, because it lost commits: `'replay'`
   * replays them from what is left, which repeats the lost steps; `'block'` blocks them with the reason `history_lost`
   * until `retry`. Default `'replay'`.
   */
  onHistoryLost?: 'replay' | 'block';
  /** How long a shutdown waits for running local steps, whose signals it aborts. Default `'1s'`, in production `'10s'`. */
  shutdownTimeout?: Duration;
}

const ENGINE_OPTIONS = {
  residency: true,
  maxResident: true,
  batchSize: true,
  nodeLease: true,
  pollInterval: true,
  crashCap: true,
  onHistoryLost: true,
  shutdownTimeout: true,
} satisfies KnownOptions<EngineModuleOptions>;

/** How this process runs remote steps. */
export interface WorkerModuleOptions {
  /** The only queue tokens to serve, for steps of any name. Default: those of this process's remote steps. */
  groups?: readonly string[];
  /** The maximum number of concurrent remote steps in this process. Default 50. */
  concurrency?: number;
  /** How long a claim holds without renewal; it is renewed at least every third of this time. Default `'30s'`. */
  leaseDuration?: Duration;
  /** The maximum time between two polls for tasks. Default `'500ms'`. */
  pollInterval?: Duration;
  /** The maximum number of tasks per claim. Default: `concurrency`. */
  batchSize?: number;
  /**
   * How long a shutdown waits for running steps, whose signals it aborts, before other processes may take them over.
   * Default `'1s'`, in production `'10s'`.
   */
  shutdownTimeout?: Duration;
  /** A task whose workers died this many times fails. Default 10. */
  maxClaims?: number;
  /** Whether engines of other processes may send it tasks by notifications of PostgreSQL, without a claim. Default true. */
  credits?: boolean;
}

const WORKER_OPTIONS = {
  groups: true,
  concurrency: true,
  leaseDuration: true,
  pollInterval: true,
  batchSize: true,
  shutdownTimeout: true,
  maxClaims: true,
  credits: true,
} satisfies KnownOptions<WorkerModuleOptions>;

/** What of errors is stored and logged. */
export interface ErrorsModuleOptions {
  /**
   * Whether stacks are stored, with the frames of the app first. Stacks of errors that block a run are always stored.
   * Default: true unless `NODE_ENV` is `production`.
   */
  stack?: boolean;
  /**
   * Called for each error of a chain before anything of it is written or logged; returns what may be seen of it. It may
   * be called again for an error that it has returned. If it throws, a fixed text is stored instead.
   *
   * @example
   * redact: (error) => ({ ...error, message: error.message.replace(/\d{12,19}/g, '****') })
   */
  redact?: (error: RedactableError) => RedactableError;
}

/** All options are optional: `DurableModule.forRoot()` uses the app's ORM as it is. */
export interface DurableModuleOptions extends ConnectionOptions {
  /** Used instead of the app's ORM: `typeOrmExecutor(dataSource)`, `mikroOrmExecutor(orm)` or your own. */
  executor?: SqlExecutor;
  /**
   * TypeORM: how a library of transaction decorators finds and opens transactions. Those of `typeorm-transactional` and
   * `@nestjs-cls/transactional` are found without it.
   */
  ambient?: AmbientTransactions;
  /** Used instead of a database: `memoryBackend()`. Excludes `executor`, `ambient`, `orm`, `connection` and `clock`. */
  backend?: MemoryBackend;
  /** The prefix of all table names: a letter, then letters, digits and underscores. Default `'durable'`. */
  prefix?: string;
  /**
   * The schema of all our tables; on MySQL and MariaDB their database. Created by `migrate` where it is missing, on
   * PostgreSQL. Default: the `schema` of the ORM's options, or where the connection finds the tables. Their names are
   * always written with it, so a `search_path` of the app's transactions leads nowhere else.
   */
  schema?: string;
  /** Separates the runs of apps that share tables. At most 64 characters. Default `'default'`. */
  namespace?: string;
  /**
   * Whether the tables are migrated at startup. Default: true unless `NODE_ENV` is `production`; without migration an
   * outdated schema fails the start.
   */
  migrate?: boolean;
  /**
   * The app's name for its build, for example a commit or an image tag, shown with each process by `DurableNodes`. At
   * most 64 characters. Default: none.
   */
  build?: string;
  /** `false`: this process executes no workflows. */
  engine?: false | EngineModuleOptions;
  /** `false`: this process runs no remote steps. */
  worker?: false | WorkerModuleOptions;
  /**
   * What new runs carry beside the trace context of their starter: a small plain object, at most 4 KiB of JSON. Called
   * by each start. Steps see it in whatever process they run, and children inherit it.
   *
   * @example
   * contextFrom: () => ({ tenant: requestStore.getStore()?.tenant })
   */
  contextFrom?: () => Readonly<Record<string, unknown>> | undefined;
  /** For steps that set no `retry` of their own. Default: 3 attempts; 1 s, doubling, at most 5 minutes. */
  retry?: Retry;
  /**
   * What follows when a step without an `onExhausted` of its own has used all its attempts. `'fail'`: its error is
   * thrown into `run`. `'block'`: the run stands still until `WorkflowClient.retry`. Default `'fail'`.
   */
  onExhausted?: OnExhausted;
  /**
   * Whether the inputs of remote steps without a `keepInputs` of their own are stored with their records, for
   * `getStatus(id, { history: true })`; as the codec writes them. They take as much space as the outputs. Default false.
   */
  keepInputs?: boolean;
  /**
   * For development: plays each run a second time in memory whenever it ends or is parked, with the recorded outcomes, and
   * says where it parts from the first play. Nothing is written and no step runs, but code between steps does. `'warn'`
   * logs it, `'error'` also blocks the run, `'off'` does not play it again. Default `'warn'`, and `'off'` where `NODE_ENV`
   * is `production`.
   */
  determinism?: 'warn' | 'error' | 'off';
  /**
   * Whether a run is blocked, as by any wrong code, when `run` returns before all its calls were awaited: their outcomes
   * would be lost. Default false: it is logged as a warning.
   */
  strict?: boolean;
  /** Overrides the options of `@Workflow`, by workflow name. */
  workflows?: Record<string, Omit<WorkflowOptions, 'version' | 'input'>>;
  /** Overrides the options of `@Worker`, by class name. */
  workers?: Record<string, WorkerOptions>;
  /** Overrides the options of `@RemoteStep`, by step name. */
  steps?: Record<string, Omit<RemoteStepOptions, 'input' | 'output'>>;
  /**
   * How tasks reach workers. Default `'db'`: as rows of two tables, by a `DbTransport` on the app's connection. A
   * `DbTransport` means its executor, prefix, schema, sessions, wake and clock; it is closed with the app.
   */
  transport?: 'db' | DbTransport | Transport;
  /**
   * Where claims, commits and reports of engine and workers run. `'own'`: on PostgreSQL, in up to four sessions beside the
   * app's pool, made from its options, with settings that suit these statements; in connections of the pool where a proxy
   * or the server refuses them. `'app'`: only in connections of the pool. Default `'own'`.
   */
  sessions?: 'own' | 'app';
  /**
   * How processes hear at once of what others have written: `redisWake(client)` or `natsWake(connection)`. Default: by
   * notifications of the database on PostgreSQL, and by polling on MySQL and MariaDB.
   */
  wake?: WakeBus;
  /** Events in commit order. `false`: no outbox and no outbox tables. Default: see `OutboxModuleOptions`. */
  outbox?: false | OutboxModuleOptions;
  /** Calls to the outside world. `false`: no effects. Default: see `EffectsModuleOptions`. */
  effects?: false | EffectsModuleOptions;
  /** Converts values to text. Default: JSON, with tags for Date, Map, Set, BigInt, Error and undefined. */
  codec?: Codec;
  /** What of errors is stored and logged. */
  errors?: ErrorsModuleOptions;
  /**
   * Which guards, interceptors, pipes and filters are called for remote steps, effects, consumers, publishers and hooks.
   * `'own'`: those of their methods and classes. `'global'`: also those of the app (`APP_GUARD`, `useGlobalPipes`), which
   * must then expect calls without a request. Default `'own'`.
   */
  enhancers?: 'own' | 'global';
  /** What is deleted automatically, by the processes that execute workflows. Default: nothing. */
  retention?: RetentionOptions;
  limits?: {
    /** The maximum size of one payload in bytes of JSON. Default 1,048,576. */
    payload?: number;
    /** Payloads larger than this, in bytes, cause a warning. Default 262,144. */
    warnPayload?: number;
    /** The maximum number of recorded steps per run. Default 10,000. */
    steps?: number;
    /** More recorded steps than this cause a warning. Default 1,000. */
    warnSteps?: number;
  };
  /** For tests: replaces the system clock and the database's clock. Default: the database's clock. */
  clock?: Clock;
  /** `false`: nothing starts automatically; call `DurableRuntime.start()`. Default true. */
  autoStart?: boolean;
}

const MODULE_OPTIONS = {
  ...CONNECTION_OPTIONS,
  executor: true,
  ambient: true,
  backend: true,
  prefix: true,
  schema: true,
  namespace: true,
  migrate: true,
  build: true,
  engine: ENGINE_OPTIONS,
  worker: WORKER_OPTIONS,
  contextFrom: true,
  retry: RETRY_OPTIONS,
  onExhausted: true,
  keepInputs: true,
  workflows: true,
  workers: true,
  steps: true,
  transport: true,
  outbox: OUTBOX_OPTIONS,
  effects: EFFECTS_OPTIONS,
  codec: true,
  errors: { stack: true, redact: true },
  enhancers: true,
  sessions: true,
  wake: true,
  retention: RETENTION_OPTIONS,
  limits: { payload: true, warnPayload: true, steps: true, warnSteps: true },
  clock: true,
  autoStart: true,
  strict: true,
  determinism: true,
} satisfies KnownOptions<DurableModuleOptions>;

/** The type of the class for `useClass` and `useExisting`. */
export interface DurableOptionsFactory {
  createDurableOptions(): DurableModuleOptions | Promise<DurableModuleOptions>;
}

/** Set exactly one of `useFactory`, `useClass` and `useExisting`. */
export interface DurableModuleAsyncOptions extends ConnectionOptions, Pick<ModuleMetadata, 'imports'> {
  inject?: NonNullable<FactoryProvider['inject']>;
  // The factory declares the types of what is injected.
  useFactory?: (...injected: never[]) => DurableModuleOptions | Promise<DurableModuleOptions>;
  useClass?: Type<DurableOptionsFactory>;
  useExisting?: FactoryProvider['provide'];
}

const ASYNC_OPTIONS = {
  ...CONNECTION_OPTIONS,
  imports: true,
  inject: true,
  useFactory: true,
  useClass: true,
  useExisting: true,
} satisfies KnownOptions<DurableModuleAsyncOptions>;

/** Those of the module itself come from the source. */
function checkAsync(options: DurableModuleAsyncOptions): void {
  const misplaced = Object.keys(options).find(
    (name) => Object.hasOwn(MODULE_OPTIONS, name) && !Object.hasOwn(ASYNC_OPTIONS, name),
  );
  if (misplaced === undefined) return void checkedOptions(options, ASYNC_OPTIONS, 'DurableModule.forRootAsync');
  const remedy = 'let useFactory, useClass or useExisting return it, with the other options of the module';
  throw new UnknownOptionError('DurableModule.forRootAsync', misplaced, [], Object.keys(ASYNC_OPTIONS), remedy);
}

/** @throws UnknownOptionError; ConfigurationError unless there is exactly one source of options. */
export function optionsProviders(options: DurableModuleAsyncOptions): Provider[] {
  checkAsync(options);
  const { useFactory, useClass, useExisting, inject = [] } = options;
  if ([useFactory, useClass, useExisting].filter((source) => source !== undefined).length !== 1) {
    throw new ConfigurationError('forRootAsync() needs exactly one of useFactory, useClass and useExisting');
  }
  if (useFactory)
    return [{ provide: DURABLE_OPTIONS, inject, useFactory: useFactory as (...args: unknown[]) => unknown }];
  const source = useClass ?? useExisting!;
  return [
    ...(useClass ? [useClass] : []),
    {
      provide: DURABLE_OPTIONS,
      inject: [source],
      useFactory: (factory: DurableOptionsFactory) => factory.createDurableOptions(),
    },
  ];
}

export interface EngineSettings {
  residencyMs: number;
  maxResident: number;
  batchSize: number;
  nodeLeaseMs: number;
  pollMs: number;
  crashCap: number;
  shutdownMs: number;
  onHistoryLost: OnHistoryLost;
  retention: RetentionSettings;
}

export interface WorkerSettings {
  groups: readonly string[] | undefined;
  concurrency: number;
  leaseMs: number;
  pollMs: number;
  batchSize: number;
  shutdownTimeoutMs: number;
  maxClaims: number;
  credits: boolean;
}

/** The module's options, checked and with all defaults. */
export interface DurableSettings extends Pick<
  DurableModuleOptions,
  | 'orm'
  | 'connection'
  | 'executor'
  | 'ambient'
  | 'backend'
  | 'retry'
  | 'onExhausted'
  | 'keepInputs'
  | 'clock'
  | 'build'
  | 'contextFrom'
> {
  prefix: string;
  schema: string | undefined;
  namespace: string;
  migrate: boolean;
  engine: EngineSettings | false;
  worker: WorkerSettings | false;
  overrides: Required<Pick<DurableModuleOptions, 'workflows' | 'workers' | 'steps'>>;
  transport: 'db' | DbTransport | Transport;
  outbox: OutboxSettings | false;
  effects: EffectsSettings | false;
  codec: Codec;
  errors: ErrorRules;
  enhancers: NonNullable<DurableModuleOptions['enhancers']>;
  sessions: NonNullable<DurableModuleOptions['sessions']>;
  wake: WakeBus | undefined;
  limits: { payloadBytes: number; warnPayloadBytes: number; steps: number; warnSteps: number };
  autoStart: boolean;
  strict: boolean;
  determinism: NonNullable<DurableModuleOptions['determinism']>;
}

function checkCodec(codec: Partial<Codec> | null): void {
  if (typeof codec?.encode === 'function' && typeof codec.decode === 'function') return;
  throw new InvalidArgumentError('codec', codec, 'an object with the methods encode and decode');
}

function checkSwitches({ migrate, autoStart, worker }: DurableModuleOptions): void {
  const { credits } = worker || {};
  for (const [name, value] of Object.entries({ migrate, autoStart, 'worker.credits': credits }))
    // As from a variable of the environment, where 'false' is true.
    if (value !== undefined && typeof value !== 'boolean') throw new InvalidArgumentError(name, value, 'true or false');
}

/** @throws InvalidArgumentError that names the option. */
export function settingsOf(given: DurableModuleOptions): DurableSettings {
  const options = connected(checkedShape(given));
  const { orm, connection, executor, ambient, backend, retry, onExhausted, keepInputs } = options;
  const { codec = jsonCodec, autoStart = true } = options;
  const clock = options.clock ?? backend?.clock;
  const { prefix = 'durable', schema, namespace = 'default', engine = {}, worker = {}, transport = 'db' } = options;
  const { workflows = {}, workers = {}, steps = {}, limits = {}, outbox = {}, effects = {} } = options;
  checkNames(options);
  checkRetrying(options);
  checkSwitches(options);
  checkCodec(codec);
  checkAmbient(ambient);
  checkOverrides(workflows, 'workflows', checkWorkflowOverrides);
  checkOverrides(workers, 'workers', checkWorkerOptions);
  checkOverrides(steps, 'steps', checkStepOverrides);
  checkContextFrom(options);
  checkTransport(transport);
  checkBackend(options);
  return {
    ...(orm && { orm }),
    ...(executor && { executor }),
    ...(ambient && { ambient }),
    ...(clock && { clock }),
    ...(backend && { backend }),
    ...(options.contextFrom && { contextFrom: options.contextFrom }),
    ...defined({ connection, retry, onExhausted, keepInputs, build: options.build }),
    prefix,
    schema,
    namespace,
    codec,
    errors: errorsOf(options.errors ?? {}),
    enhancers: enhancersOf(options),
    sessions: whichSessions(options),
    wake: checkedWake(options.wake),
    transport,
    autoStart,
    migrate: options.migrate ?? process.env['NODE_ENV'] !== 'production',
    engine: engine && { ...engineSettings(engine), retention: retentionOf(options.retention ?? {}) },
    worker: worker && workerSettings(worker),
    outbox: outbox && outboxSettings(outbox, prefix),
    effects: effects && effectsSettings(effects),
    ...strictnessOf(options),
    overrides: { workflows, workers, steps },
    limits: limitsOf(limits),
  };
}

function strictnessOf(options: DurableModuleOptions): Pick<DurableSettings, 'strict' | 'determinism'> {
  const { strict = false, determinism = process.env['NODE_ENV'] === 'production' ? 'off' : 'warn' } = options;
  if (typeof strict !== 'boolean') throw new InvalidArgumentError('strict', strict, 'true or false');
  if (!['warn', 'error', 'off'].includes(determinism))
    throw new InvalidArgumentError('determinism', determinism, "'warn', 'error' or 'off'");
  return { strict, determinism };
}

const GROUPS = ['engine', 'worker', 'outbox', 'effects', 'errors', 'limits'] as const;

/** @throws InvalidArgumentError, UnknownOptionError */
function checkedShape(options: DurableModuleOptions): DurableModuleOptions {
  checkedOptions(options, MODULE_OPTIONS, 'DurableModule');
  for (const name of GROUPS) {
    const { [name]: group } = options;
    if (group === undefined || group === false || (typeof group === 'object' && group !== null)) continue;
    const expected = `an object: { ${Object.keys(MODULE_OPTIONS[name]).join(', ')} }`;
    throw new InvalidArgumentError(name, group, expected);
  }
  return options;
}

function errorsOf(given: NonNullable<DurableModuleOptions['errors']>): ErrorRules {
  const { stack = process.env['NODE_ENV'] !== 'production', redact } = given ?? {};
  if (typeof stack !== 'boolean') throw new InvalidArgumentError('errors.stack', stack, 'true or false');
  if (redact !== undefined && typeof redact !== 'function')
    throw new InvalidArgumentError('errors.redact', redact, 'a function that returns the error as it may be seen');
  return { stack, redact };
}

function whichSessions({ sessions = 'own' }: DurableModuleOptions): DurableSettings['sessions'] {
  if (sessions === 'own' || sessions === 'app') return sessions;
  throw new InvalidArgumentError('sessions', sessions, "'own' or 'app'");
}

function enhancersOf({ enhancers = 'own' }: DurableModuleOptions): DurableSettings['enhancers'] {
  if (enhancers === 'own' || enhancers === 'global') return enhancers;
  throw new InvalidArgumentError('enhancers', enhancers, "'own' or 'global'");
}

function limitsOf(limits: NonNullable<DurableModuleOptions['limits']>): DurableSettings['limits'] {
  const { payload = 1_048_576, warnPayload = 262_144, steps = 10_000, warnSteps = 1_000 } = limits;
  for (const [name, value] of Object.entries({ payload, warnPayload, steps, warnSteps }))
    checkWhole(value, `limits.${name}`);
  return { payloadBytes: payload, warnPayloadBytes: warnPayload, steps, warnSteps };
}

function engineSettings(options: EngineModuleOptions): Omit<EngineSettings, 'retention'> {
  const { maxResident = 10_000, batchSize = 100, crashCap = 10, onHistoryLost = 'replay' } = options;
  checkWhole(maxResident, 'engine.maxResident');
  checkWhole(batchSize, 'engine.batchSize');
  checkWhole(crashCap, 'engine.crashCap');
  if (onHistoryLost !== 'replay' && onHistoryLost !== 'block')
    throw new InvalidArgumentError('engine.onHistoryLost', onHistoryLost, "'replay' or 'block'");
  return {
    maxResident,
    batchSize,
    crashCap,
    onHistoryLost,
    residencyMs: ms(options.residency ?? '30s', 'engine.residency'),
    nodeLeaseMs: ms(options.nodeLease ?? '10s', 'engine.nodeLease'),
    pollMs: ms(options.pollInterval ?? '1s', 'engine.pollInterval'),
    shutdownMs: ms(options.shutdownTimeout ?? usualShutdown(), 'engine.shutdownTimeout'),
  };
}

function workerSettings(options: WorkerModuleOptions): WorkerSettings {
  const { groups, concurrency = 50, batchSize = concurrency, maxClaims = 10, credits = true } = options;
  if (groups !== undefined && (!Array.isArray(groups) || groups.length === 0)) {
    throw new InvalidArgumentError(
      'worker.groups',
      groups,
      'a list of at least one group, or omit it to serve all groups',
    );
  }
  for (const group of groups ?? []) checkName(group, 'worker.groups');
  checkWhole(concurrency, 'worker.concurrency');
  checkWhole(batchSize, 'worker.batchSize');
  checkWhole(maxClaims, 'worker.maxClaims');
  return {
    groups,
    concurrency,
    batchSize,
    maxClaims,
    credits,
    leaseMs: ms(options.leaseDuration ?? '30s', 'worker.leaseDuration'),
    pollMs: ms(options.pollInterval ?? '500ms', 'worker.pollInterval'),
    shutdownTimeoutMs: ms(options.shutdownTimeout ?? usualShutdown(), 'worker.shutdownTimeout'),
  };
}

function checkNames({ prefix, schema, orm, connection, namespace, build }: DurableModuleOptions): void {
  if (prefix !== undefined) validatePrefix(prefix);
  if (schema !== undefined) validateName(schema, 'schema');
  if (orm !== undefined && orm !== 'typeorm' && orm !== 'mikro-orm') {
    throw new InvalidArgumentError('orm', orm, "'typeorm' or 'mikro-orm'");
  }
  if (connection !== undefined) checkName(connection, 'connection');
  if (namespace !== undefined && checkName(namespace, 'namespace').length > 64) {
    throw new InvalidArgumentError('namespace', namespace, 'a string of at most 64 characters');
  }
  if (build !== undefined && checkName(build, 'build').length > 64)
    throw new InvalidArgumentError('build', build, 'a string of at most 64 characters');
}

function checkAmbient(ambient: Partial<AmbientTransactions> | undefined): void {
  if (ambient === undefined) return;
  if (typeof ambient?.current !== 'function' || typeof ambient.run !== 'function')
    throw new InvalidArgumentError('ambient', ambient, 'an object with the functions current and run');
}

const REPLACED = ['executor', 'ambient', 'orm', 'connection', 'clock'] as const;

function checkBackend({ backend, ...others }: DurableModuleOptions): void {
  if (backend === undefined) return;
  const known = backend as Partial<MemoryBackend> | null;
  if (typeof known !== 'object' || !known?.engine || !known.source || !known.clock)
    throw new InvalidArgumentError('backend', backend, 'the result of memoryBackend()');
  const excluded = REPLACED.find((name) => others[name] !== undefined);
  if (excluded === undefined) return;
  const instead = excluded === 'clock' ? 'memoryBackend({ clock })' : 'no database together with a backend';
  throw new InvalidArgumentError(excluded, others[excluded], instead);
}

const OF_TRANSPORT = [
  'backend',
  'executor',
  'orm',
  'connection',
  'prefix',
  'schema',
  'sessions',
  'wake',
  'clock',
] as const;

/** With what a `DbTransport` brings. */
function connected(options: DurableModuleOptions): DurableModuleOptions {
  const { transport } = options;
  if (!(transport instanceof DbTransport)) return options;
  const twice = OF_TRANSPORT.find((name) => options[name] !== undefined);
  if (twice === undefined) return { ...options, ...transport.connection };
  throw new InvalidArgumentError(
    twice,
    options[twice],
    `no ${twice} beside a DbTransport, which has its own connection`,
  );
}

const OF_TRANSPORTS = 'dispatch peek take withdraw lost onAnswers answer claim extend report release'.split(' ');

function checkTransport(transport: unknown): void {
  if (transport === 'db' || transport instanceof DbTransport) return;
  const methods = (typeof transport === 'object' && transport !== null ? transport : {}) as Record<string, unknown>;
  const missing = OF_TRANSPORTS.filter((method) => typeof methods[method] !== 'function');
  if (missing.length === 0) return;
  const expected = `'db', a DbTransport, or an object that implements TaskDispatcher and TaskSource (it lacks ${missing.join(', ')})`;
  throw new InvalidArgumentError('transport', transport, expected);
}

function checkContextFrom({ contextFrom }: DurableModuleOptions): void {
  if (contextFrom !== undefined && typeof contextFrom !== 'function')
    throw new InvalidArgumentError('contextFrom', contextFrom, 'a function');
}

/** Injection tokens without a class. Strings, like the metadata keys. */
export const DURABLE_OPTIONS = 'durable:options';
export const DURABLE_SETTINGS = 'durable:settings';
export const DURABLE_EXECUTOR = 'durable:executor';
export const DURABLE_STORAGE = 'durable:storage';
/** Where the app imports the module: a line of its code. */
export const DURABLE_IMPORTED_AT = 'durable:imported-at';
export const TRACE_API = 'durable:trace-api';

const names = new WeakMap<DurableSettings, string>();

/** The name of this process in leases and in the list of processes: readable and unique, one per settings object. */
export function nodeName(settings: DurableSettings): NodeIdentity {
  const { namespace, engine, worker } = settings;
  const id = names.get(settings) ?? `${hostname().slice(0, 40)}.${process.pid}.${randomBytes(4).toString('hex')}`;
  names.set(settings, id);
  const roles = [engine && 'engine', worker && 'worker'].filter(Boolean).join(',');
  return { id, namespace, roles };
}

/** The interface of an app that was loaded only for a command. */
export interface CheckedApp {
  namespace: string;
  operator: Operator;
  examine(): Promise<DoctorReport>;
  /**
   * Yields for each unfinished run its obstacle, or undefined if it fits.
   *
   * @throws SchemaError when the tables are outdated, DatabaseError
   */
  check(options: { namespace?: string; limit?: number }): AsyncIterable<Obstacle | undefined>;
}

export interface CheckHook {
  found(app: CheckedApp): void;
  /** Whether the command may change what is stored. Default: nothing is written. */
  writes?: boolean;
}

/** Shared by all copies of this package: the app may load the one for `require`, the command the one for `import`. */
const KEY = Symbol.for('nest-durable.check');

const known = globalThis as { [KEY]?: CheckHook };

/** Set while apps are loaded only for a command: they start nothing and, unless it `writes`, write nothing. */
export const checkHook = (): CheckHook | undefined => known[KEY];

export function setCheckHook(hook: CheckHook): void {
  known[KEY] = hook;
}
