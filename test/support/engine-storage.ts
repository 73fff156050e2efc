import { jsonCodec } from '../../lib/core/codec.js';
import type { StepContext } from '../../lib/core/protocol.js';
import { Telemetry } from '../../lib/core/telemetry.js';
import { type Clock, systemClock } from '../../lib/core/time.js';
import { inMemoryEngineStorage } from '../../lib/engine/storage.memory.js';
import { sqlEngineStorage } from '../../lib/engine/storage.sql.js';
import { HandOver } from '../../lib/engine/tasks.js';
import { MemoryTables } from '../../lib/engine/tables.memory.js';
import { MemoryLostAttempts } from '../../lib/memory-backend.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import { migrate } from '../../lib/sql/migrations/migrator.js';
import { mikroOrmExecutor } from '../../lib/sql/mikro-orm.js';
import { createNotifier, type Notifier } from '../../lib/sql/notifier.js';
import { sql } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../lib/sql/typeorm.js';
import { HandlerRegistry } from '../../lib/worker/handlers.js';
import { SqlLostAttempts, SqlStepLogSink } from '../../lib/worker/lost-attempts.sql.js';
import type { StepLogSink } from '../../lib/worker/task-lives.js';
import type { LostAttempts, TaskSource } from '../../lib/worker/task-source.js';
import { InMemoryTransport, type TransportRows } from '../../lib/worker/transport.memory.js';
import { SqlAnswerWriter, SqlTaskDispatcher, SqlTaskSource } from '../../lib/worker/transport.sql.js';
import { Worker, type WorkerOptions } from '../../lib/worker/worker.js';
import type { OpenBackend } from './backends.js';
import type { Storage } from './engine-parts.js';

/** One process's way into a storage that others may share. */
export interface OpenStorage extends Storage {
  source: TaskSource;
  /** Undefined in memory. */
  stepLogs?: StepLogSink;
  lostAttempts: LostAttempts;
  /** The ORM of this process. */
  handle?: unknown;
  executor?: SqlExecutor;
  notifier?: Notifier;
  /** Tells engines that runs are due which somebody has set free. */
  tellDue(): void;
  /** Lets the leases of the tasks that this worker holds run out. */
  lapse(workerId: string): Promise<unknown>;
  close(): Promise<void>;
}

export function executorOf(backend: Pick<OpenBackend, 'orm' | 'handle'>): SqlExecutor {
  return backend.orm === 'typeorm'
    ? typeOrmExecutor(backend.handle as never)
    : mikroOrmExecutor(backend.handle as never);
}

/** The tables of `backend`, migrated, seen by one more process. */
export const sqlStorage = async (
  backend: Pick<OpenBackend, 'orm' | 'handle'>,
  options: SqlStorageOptions = {},
): Promise<OpenStorage> => ({ ...(await sqlStorageOn(executorOf(backend), options)), handle: backend.handle });

export interface SqlStorageOptions {
  prefix?: string;
  /** Default: the database's. */
  clock?: Clock;
  /** One that goes on afterwards. Default: one of its own. */
  notifier?: Notifier | undefined;
}

export async function sqlStorageOn(
  executor: SqlExecutor,
  { prefix = 'durable', clock, notifier: lent }: SqlStorageOptions = {},
): Promise<OpenStorage> {
  const tables = tablesWithPrefix(prefix);
  await migrate(executor, tables);
  const notifier = lent ?? startedNotifier(executor, prefix);
  const now = clock ? () => sql`${clock.now()}` : undefined;
  const timing = { ...(now && { now }), handOver: new HandOver() };
  const dispatcher = new SqlTaskDispatcher(executor, tables, notifier, timing);
  return {
    executor,
    notifier,
    ...sqlEngineStorage(executor, tables, notifier, now, dispatcher),
    answers: new SqlAnswerWriter(executor, tables, notifier, now),
    dispatcher,
    source: new SqlTaskSource(executor, tables, notifier, timing),
    stepLogs: new SqlStepLogSink(executor, tables),
    lostAttempts: new SqlLostAttempts(executor, tables, now),
    notified: () => notifier.live,
    tellDue: () => {
      notifier.local('runs', '{}');
      notifier.publish('runs', '{}');
    },
    lapse: (workerId) =>
      executor.run(sql`UPDATE ${tables.tasks} SET claimed_at = 1 WHERE claimed_by LIKE ${`${workerId}#%`}`),
    close: async () => {
      if (!lent) await notifier.stop();
    },
  };
}

export function startedNotifier(executor: SqlExecutor, prefix = 'durable'): Notifier {
  const notifier = createNotifier(executor, prefix, () => undefined);
  notifier.start();
  return notifier;
}

export function memoryStorage(clock: Clock = systemClock): OpenStorage {
  const rows: TransportRows = { tasks: new Map(), answers: new Map() };
  const transport = new InMemoryTransport(clock, rows);
  const tables = new MemoryTables();
  return {
    ...inMemoryEngineStorage(clock, (stepIds) => transport.tasksOf(stepIds), tables),
    dispatcher: transport,
    answers: transport,
    source: transport,
    lostAttempts: new MemoryLostAttempts(tables, clock),
    tellDue: () => tables.tellDue(),
    lapse: async (workerId) => {
      for (const task of rows.tasks.values()) if (task.claimedBy?.startsWith(`${workerId}#`)) task.claimedAt = 1;
    },
    close: async () => {},
  };
}

/** A worker on a storage, serving `handlers` by name. */
export function workerOn(
  { source, stepLogs, lostAttempts }: OpenStorage,
  handlers: Record<string, (input: never, step: StepContext) => unknown>,
  options: Partial<WorkerOptions> = {},
): Worker {
  const registry = new HandlerRegistry();
  for (const [name, run] of Object.entries(handlers))
    registry.register(name, async (input, step) => run(input as never, step));
  const worker = new Worker(source, registry, {
    workerId: `worker-${Math.random().toString(36).slice(2)}`,
    concurrency: 100,
    batchSize: 100,
    leaseMs: 30_000,
    pollMs: 500,
    shutdownTimeoutMs: 5_000,
    payloadLimit: 1 << 20,
    maxClaims: 10,
    codec: jsonCodec,
    clock: systemClock,
    telemetry: new Telemetry(),
    ...(stepLogs && { logs: stepLogs }),
    lostAttempts,
    ...options,
  });
  worker.start();
  return worker;
}
