import type { FactoryProvider, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from '../decorators/decorator-options.js';
import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import { EFFECTS_OPTIONS, type EffectsModuleOptions } from './effects-options.js';
import { OUTBOX_OPTIONS, type OutboxModuleOptions } from './outbox-options.js';
import type { AnswerWriter, TaskDispatcher } from '../engine/model/task-dispatcher.js';
import type { OnExhausted, Retry } from '../engine/model/step-options.js';
import { RETENTION_OPTIONS, type RetentionOptions } from './retention-options.js';
import type { Codec } from '../protocol/codec.js';
import type { RedactableError } from '../protocol/error-rules.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Clock } from '../time/clock.js';
import type { Duration } from '../time/duration.js';
import type { TaskSource } from '../worker/task-source.js';
import { DURABLE_OPTIONS } from './durable.tokens.js';
import { UnknownOptionError } from '../errors/argument-errors.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { RETRY_OPTIONS } from '../engine/model/context-options.js';

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
  /** How long a shutdown waits for running local steps. Default `'10s'`. */
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
  /** How long a shutdown waits for running steps before other processes may take them over. Default `'10s'`. */
  shutdownTimeout?: Duration;
  /** A task whose workers died this many times fails. Default 10. */
  maxClaims?: number;
}

const WORKER_OPTIONS = {
  groups: true,
  concurrency: true,
  leaseDuration: true,
  pollInterval: true,
  batchSize: true,
  shutdownTimeout: true,
  maxClaims: true,
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
  /** Used instead of a database: `memoryBackend()`. Excludes `executor`, `orm`, `connection` and `clock`. */
  backend?: MemoryBackend;
  /** The prefix of all table names: a letter, then letters, digits and underscores. Default `'durable'`. */
  prefix?: string;
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
  /** How tasks reach workers. Default `'db'`: as rows of two tables. */
  transport?: 'db' | Transport;
  /** Events in commit order. `false`: no outbox and no outbox tables. Default: see `OutboxModuleOptions`. */
  outbox?: false | OutboxModuleOptions;
  /** Calls to the outside world. `false`: no effects. Default: see `EffectsModuleOptions`. */
  effects?: false | EffectsModuleOptions;
  /** Converts values to text. Default: JSON, with tags for Date, Map, Set, BigInt, Error and undefined. */
  codec?: Codec;
  /** What of errors is stored and logged. */
  errors?: ErrorsModuleOptions;
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

export const MODULE_OPTIONS = {
  ...CONNECTION_OPTIONS,
  executor: true,
  backend: true,
  prefix: true,
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
