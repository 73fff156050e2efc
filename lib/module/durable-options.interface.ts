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

/** Anything that carries tasks one way and answers the other. */
export type Transport = TaskDispatcher & AnswerWriter & TaskSource;

/** Which of the app's connections is used. */
export interface ConnectionOptions {
  /** Which ORM to use, where the app has both. Default: the one it has. */
  orm?: 'typeorm' | 'mikro-orm';
  /** The name that the connection was given: TypeORM's `name`, MikroORM's `contextName`. Default: the one without a name. */
  connection?: string;
}

/** How this process plays workflows. */
export interface EngineModuleOptions {
  /** How long a run that waits stays in memory without progress. Default `'30s'`. */
  residency?: Duration;
  /** The most runs in memory. Default 10,000. */
  maxResident?: number;
  /** The most runs taken at once. Default 100. */
  batchSize?: number;
  /** A process that has not been heard of for this long is dead, and its runs go to others. Default `'10s'`. */
  nodeLease?: Duration;
  /** The longest time between two looks for runs and answers. Default `'1s'`. */
  pollInterval?: Duration;
  /** A run whose owners died this often in a row fails. Default 10. */
  crashCap?: number;
  /**
   * What becomes of runs that had recorded more than the database holds, since it has lost commits: `'replay'` plays them
   * again from what it has, so that what was lost is done again; `'block'` stands them still with the reason
   * `history_lost`, until `retry`. Default `'replay'`.
   */
  onHistoryLost?: 'replay' | 'block';
  /** How long a shutdown waits for local steps that run. Default `'10s'`. */
  shutdownTimeout?: Duration;
}

/** How this process runs remote steps. */
export interface WorkerModuleOptions {
  /** The only queue tokens to serve, whichever step their tasks name. Default: those of this process's remote steps. */
  groups?: readonly string[];
  /** The most remote steps at once in this process. Default 50. */
  concurrency?: number;
  /** How long a claim holds without being renewed; it is renewed three times as often. Default `'30s'`. */
  leaseDuration?: Duration;
  /** The longest time between two looks for tasks. Default `'500ms'`. */
  pollInterval?: Duration;
  /** The most tasks taken at once. Default: `concurrency`. */
  batchSize?: number;
  /** How long a shutdown waits for steps that run, before others may take them over. Default `'10s'`. */
  shutdownTimeout?: Duration;
  /** A task whose workers died this often fails. Default 10. */
  maxClaims?: number;
}

/** Everything is optional: `DurableModule.forRoot()` uses the app's ORM as it is. */
export interface DurableModuleOptions extends ConnectionOptions {
  /** In place of an ORM of the container: `typeOrmExecutor(dataSource)`, `mikroOrmExecutor(orm)` or your own. */
  executor?: SqlExecutor;
  /** In place of a database: `memoryBackend()`, for tests and apps without one. Excludes `executor`, `orm`, `connection` and `clock`. */
  backend?: MemoryBackend;
  /** Begins the names of all tables: a letter, then letters, digits and underscores. Default `'durable'`. */
  prefix?: string;
  /** Keeps the runs of apps that share the tables apart. At most 64 characters. Default `'default'`. */
  namespace?: string;
  /**
   * Whether the start brings the tables up to date. Default: true unless `NODE_ENV` is `production`, where a schema that
   * is behind fails the start.
   */
  migrate?: boolean;
  /** `false`: this process plays no workflows. */
  engine?: false | EngineModuleOptions;
  /** `false`: this process runs no remote steps. */
  worker?: false | WorkerModuleOptions;
  /** For steps that say nothing themselves. Default: 3 attempts; 1 s, doubling, at most 5 minutes. */
  retry?: Retry;
  /** In place of what `@Workflow` says, by workflow name. */
  workflows?: Record<string, Omit<WorkflowOptions, 'version'>>;
  /** In place of what `@Worker` says, by class name. */
  workers?: Record<string, WorkerOptions>;
  /** In place of what `@RemoteStep` says, by step name. */
  steps?: Record<string, RemoteStepOptions>;
  /** How tasks travel. Default `'db'`: as rows of two tables. */
  transport?: 'db' | Transport;
  /** Events in commit order. `false`: this app has none, and its tables are not made. Default: as `OutboxModuleOptions` says. */
  outbox?: false | OutboxModuleOptions;
  /** Calls to the outside world. `false`: this app has none. Default: as `EffectsModuleOptions` says. */
  effects?: false | EffectsModuleOptions;
  /** How values become text. Default: JSON, with tags for Date, Map, Set, BigInt, Error and undefined. */
  codec?: Codec;
  /** What is deleted by itself, by the processes that play workflows. Default: nothing. */
  retention?: RetentionOptions;
  limits?: {
    /** The most bytes of one payload's JSON. Default 1,048,576. */
    payload?: number;
    /** From how many bytes on there is a warning. Default 262,144. */
    warnPayload?: number;
    /** The most recorded steps of one run. Default 10,000. */
    steps?: number;
    /** From how many recorded steps on there is a warning. Default 1,000. */
    warnSteps?: number;
  };
  /** For tests: decides all times, the database's included. Default: the database's clock. */
  clock?: Clock;
  /** `false`: nothing starts by itself; call `DurableRuntime.start()`. Default true. */
  autoStart?: boolean;
}
