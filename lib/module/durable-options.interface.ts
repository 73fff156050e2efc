import type { FactoryProvider, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from '../decorators/decorator-options.js';
import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import type { EffectsModuleOptions } from './effects-options.js';
import type { OutboxModuleOptions } from './outbox-options.js';
import type { AnswerWriter, TaskDispatcher } from '../engine/model/task-dispatcher.js';
import type { Retry } from '../engine/model/workflow-context.js';
import type { RetentionOptions } from './retention-options.js';
import type { Codec } from '../protocol/codec.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Clock } from '../time/clock.js';
import type { Duration } from '../time/duration.js';
import type { TaskSource } from '../worker/task-source.js';
import { DURABLE_OPTIONS } from './durable.tokens.js';
import { ConfigurationError } from '../errors.js';

/** Carries tasks to workers and answers back to engines. */
export type Transport = TaskDispatcher & AnswerWriter & TaskSource;

/** Which of the app's connections to use. */
export interface ConnectionOptions {
  /** Which ORM to use if the app has both. Default: the one that it has. */
  orm?: 'typeorm' | 'mikro-orm';
  /** The name of the connection: TypeORM's `name`, MikroORM's `contextName`. Default: the connection without a name. */
  connection?: string;
}

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
  /** `false`: this process executes no workflows. */
  engine?: false | EngineModuleOptions;
  /** `false`: this process runs no remote steps. */
  worker?: false | WorkerModuleOptions;
  /** For steps that set no `retry` of their own. Default: 3 attempts; 1 s, doubling, at most 5 minutes. */
  retry?: Retry;
  /** Overrides the options of `@Workflow`, by workflow name. */
  workflows?: Record<string, Omit<WorkflowOptions, 'version'>>;
  /** Overrides the options of `@Worker`, by class name. */
  workers?: Record<string, WorkerOptions>;
  /** Overrides the options of `@RemoteStep`, by step name. */
  steps?: Record<string, RemoteStepOptions>;
  /** How tasks reach workers. Default `'db'`: as rows of two tables. */
  transport?: 'db' | Transport;
  /** Events in commit order. `false`: no outbox and no outbox tables. Default: see `OutboxModuleOptions`. */
  outbox?: false | OutboxModuleOptions;
  /** Calls to the outside world. `false`: no effects. Default: see `EffectsModuleOptions`. */
  effects?: false | EffectsModuleOptions;
  /** Converts values to text. Default: JSON, with tags for Date, Map, Set, BigInt, Error and undefined. */
  codec?: Codec;
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

/** @throws ConfigurationError unless there is exactly one source of options. */
export function optionsProviders(options: DurableModuleAsyncOptions): Provider[] {
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
