import { checkHook } from '../admin/check-hook.js';
import type { DurableSettings } from './durable-options.js';
import type { Transport } from './durable-options.interface.js';
import { EFFECT_METHODS, type EffectStorage } from '../effects/effect-storage.js';
import { sqlEffectStorage } from '../effects/entries/sql-effect-storage.js';
import { effectTables } from '../effects/entries/effect-scope.sql.js';
import { awaitedOf } from '../engine/effects/effect-completions.js';
import { ENGINE_METHODS, type EngineStorage } from '../engine/model/engine-storage.js';
import type { CommitRiders } from '../sql/commit-riders.js';
import { sqlEngineStorage } from '../engine/compose/sql-engine-storage.js';
import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import type { OutboxSettings } from './outbox-options.js';
import { HooksOfRuns } from '../outbox/client/hooks-of-runs.js';
import { OUTBOX_METHODS, type OutboxStorage } from '../outbox/compose/outbox-storage.js';
import { RELAY_METHODS } from '../outbox/relay/relay-storage.js';
import { sqlOutboxStorage } from '../outbox/compose/sql-outbox-storage.js';
import { readOnly, readOnlyAll } from './refusing-port.js';
import { prepareTables, publishedTables } from './table-preparation.js';
import { createNotifier } from '../sql/create-notifier.js';
import { migratedTables, pendingMigrations } from '../sql/migrations/migrator.js';
import { type Bloat, bloatOf } from '../sql/bloat.js';
import { vacuum } from '../sql/migrations/vacuum.js';
import type { Notifier } from '../sql/notifier.js';
import type { PoolCounts } from '../sql/pool-counts.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { protectTables } from '../sql/table-protection.js';
import { ownTables } from '../outbox/tables/sql-own-tables.js';
import { type SqlNow, type Tables, tablesWithPrefix } from '../sql/tables.js';
import { sql, type Statement } from '../sql/dialects/statement.js';
import { largestPayload } from '../sql/statement-size.js';
import { timeLimited } from '../sql/time-limited-executor.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { type Clock, SynchronizedClock, systemClock } from '../time/clock.js';
import { SqlAnswerWriter } from '../transport/sql-answer-writer.js';
import { SqlTaskDispatcher } from '../transport/sql-task-dispatcher.js';
import { SqlTaskSource } from '../transport/sql-task-source.js';
import type { LostAttempts } from '../worker/lost-attempts.js';
import { SqlLostAttempts } from '../worker/sql-lost-attempts.js';
import { SqlStepLogSink } from '../worker/sql-step-log-sink.js';
import type { StepLogSink } from '../worker/step-log-keeper.js';
import { TASK_SOURCE_METHODS, type TaskSource } from '../worker/task-source.js';

/** The storage shared by engine, worker and client of a process, regardless of its kind. */
export interface Storage {
  /** For log lines. */
  name: string;
  /**
   * Migrates or checks the tables, for a process with these roles. Returns the ids of the applied migrations.
   *
   * @throws SchemaError, MissingRightsError
   */
  prepare(roles: ReadonlySet<string>): Promise<readonly string[]>;
  /** The migrations that the tables lack: one read of a small table. @throws DatabaseError */
  pending(): Promise<readonly string[]>;
  /** The server's payload limit in bytes of JSON; undefined if it is above all limits. Call it after `prepare`. */
  largestPayload?(): Promise<number | undefined>;
  /** Makes the space of deleted rows reusable. Returns the number of tables. */
  vacuum(): Promise<number>;
  /** What PostgreSQL keeps of deleted rows; undefined elsewhere. */
  bloat(): Promise<Bloat | undefined>;
  /** How the pool's connections are used; undefined if it does not tell. */
  poolCounts?: () => PoolCounts | undefined;
  notifier: Pick<Notifier, 'live' | 'start' | 'stop'>;
  /** The storage's time, as precisely as a process can know it. */
  clock: Clock;
  /** Updated by an engine's heartbeats; undefined if a test controls the clock. */
  databaseClock: SynchronizedClock | undefined;
  source: TaskSource;
  /** Stores log lines of handlers; undefined if they are not stored. */
  stepLogs?: StepLogSink;
  /** Stores attempts whose workers died. */
  lostAttempts: LostAttempts;
  /** Every port of the engine. */
  engine: EngineStorage;
  /** Undefined if it is turned off. */
  outbox: OutboxStorage | undefined;
  /** Undefined if they are turned off. */
  effects: EffectStorage | undefined;
}

/** Ensures that an app that is only checked does not write. */
function onlyRead(storage: Storage): Storage {
  const { transactions, hooks: _hooks, ...ports } = storage.engine;
  const { transactions: _, ...methods } = ENGINE_METHODS;
  const { outbox, effects } = storage;
  return {
    ...storage,
    engine: { ...readOnlyAll(ports, methods), transactions },
    outbox: outbox && {
      ...readOnlyAll(outboxPorts(outbox), OUTBOX_METHODS),
      relay: readOnlyAll(outbox.relay, RELAY_METHODS),
      signals: outbox.signals,
    },
    effects: effects && readOnlyAll(effects, EFFECT_METHODS),
    source: readOnly(storage.source, TASK_SOURCE_METHODS),
  };
}

const outboxPorts = ({ relay: _relay, signals: _signals, ...ports }: OutboxStorage) => ports;

/** Uses the app's database, or the backend that replaces it. */
export function createStorage(
  settings: DurableSettings,
  executor: SqlExecutor | undefined,
  telemetry: Telemetry,
): Storage {
  const storage = settings.backend
    ? memoryStorage(settings, settings.backend, telemetry)
    : sqlStorage({ ...settings, migrate: settings.migrate && !checkHook() }, timeLimited(executor!), telemetry);
  const hook = checkHook();
  return hook && hook.writes !== true ? onlyRead(storage) : storage;
}

function sqlStorage(settings: DurableSettings, executor: SqlExecutor, telemetry: Telemetry): Storage {
  const { clock: turned, prefix, transport } = settings;
  const tables = tablesWithPrefix(prefix);
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'notifications', error });
  executor.onLeftOpen?.((left) => telemetry.emit('connection.left-open', left));
  executor.onPoolWait?.((wait) => telemetry.emit('connection.waiting', wait));
  const unprotected = protectTables(executor, prefix, ownTables(executor.dialect, prefix, settings.outbox));
  if (unprotected) telemetry.emit('tables.unprotected', unprotected);
  const notifier = createNotifier(executor, prefix, onError);
  const now: SqlNow = turned ? () => sql`${turned.now()}` : () => executor.dialect.now;
  const databaseClock = turned ? undefined : new SynchronizedClock(systemClock);
  const clock = turned ?? databaseClock ?? systemClock;
  const { source, riders, ...ends } =
    transport === 'db' ? sqlEnds({ executor, tables, notifier, now, clock }) : bothEndsOf(transport);
  const outbox = settings.outbox ? outboxOn(settings.outbox, { executor, prefix, notifier, now }) : undefined;
  const hooks = outbox && new HooksOfRuns(outbox, settings.namespace);
  const engine = { ...sqlEngineStorage(executor, tables, notifier, now, riders), ...ends, hooks };
  return {
    notifier,
    clock,
    databaseClock,
    source,
    engine,
    poolCounts: () => executor.poolCounts?.(),
    stepLogs: new SqlStepLogSink(executor, tables),
    lostAttempts: new SqlLostAttempts(executor, tables),
    name: `${executor.dialect.name}, tables ${prefix}_*`,
    outbox,
    effects: effectsOn(settings, { executor, notifier, now }, engine),
    vacuum: () => vacuum(executor, tables, settings.outbox ? publishedOf(settings.outbox, prefix) : []),
    bloat: () => bloatOf(executor, namesOf(settings, executor)),
    prepare: (roles) => prepareTables(settings, executor, roles),
    pending: () => pendingMigrations(executor, tables),
    largestPayload: () => largestPayload(executor),
  };
}

function namesOf(settings: DurableSettings, { dialect }: SqlExecutor): string[] {
  const ours = migratedTables(dialect, tablesWithPrefix(settings.prefix)).map(({ name }) => name);
  return settings.outbox ? [...ours, publishedTables(settings.outbox, settings.prefix).names.table] : ours;
}

function publishedOf(settings: OutboxSettings, prefix: string): Statement[] {
  const { outbox, nodes } = publishedTables(settings, prefix);
  return [outbox, nodes];
}

function outboxOn(
  settings: OutboxSettings,
  { executor, prefix, notifier, now }: Pick<SqlParts, 'executor' | 'notifier' | 'now'> & { prefix: string },
): OutboxStorage {
  const { ordering, retainMs } = settings;
  const options = { ordering, retains: retainMs > 0, now };
  return sqlOutboxStorage(executor, publishedTables(settings, prefix), notifier, options);
}

function effectsOn(
  { effects, prefix }: DurableSettings,
  { executor, notifier, now }: Pick<SqlParts, 'executor' | 'notifier' | 'now'>,
  { effectWaits }: Pick<EngineStorage, 'effectWaits'>,
): EffectStorage | undefined {
  if (!effects) return undefined;
  const options = { now, sink: effects.audit, awaited: awaitedOf(effectWaits) };
  return sqlEffectStorage(executor, effectTables(prefix), notifier, options);
}

interface SqlParts {
  executor: SqlExecutor;
  tables: Tables;
  notifier: Notifier;
  /** The current time inside statements. */
  now: SqlNow;
  clock: Clock;
}

type Ends = Pick<EngineStorage, 'dispatcher' | 'answers'> & Pick<Storage, 'source'> & { riders?: CommitRiders };

function sqlEnds({ executor, tables, notifier, now, clock }: SqlParts): Ends {
  const dispatcher = new SqlTaskDispatcher(executor, tables, notifier, { now, clock });
  return {
    dispatcher,
    riders: dispatcher,
    answers: new SqlAnswerWriter(executor, tables, notifier, now),
    source: new SqlTaskSource(executor, tables, notifier, { now, clock }),
  };
}

const bothEndsOf = (transport: Transport): Ends => ({
  dispatcher: transport,
  answers: transport,
  source: transport,
});

/** Writers in memory notify at once, so nothing has to be polled. */
function memoryStorage(
  { transport, outbox, effects, namespace }: DurableSettings,
  backend: MemoryBackend,
  telemetry: Telemetry,
): Storage {
  const { name, clock, engine, source, lostAttempts } = backend;
  const ends = transport === 'db' ? { source } : bothEndsOf(transport);
  const { source: carried, ...answered } = ends;
  let unsubscribe = (): void => {};
  return {
    name,
    prepare: () => Promise.resolve([]),
    pending: () => Promise.resolve([]),
    vacuum: () => Promise.resolve(0),
    bloat: () => Promise.resolve(undefined),
    notifier: {
      live: true,
      start: () => {
        unsubscribe = backend.onProblem((error) => telemetry.emit('loop.error', { loop: 'the memory backend', error }));
      },
      stop: async () => unsubscribe(),
    },
    clock,
    databaseClock: undefined,
    source: carried,
    lostAttempts,
    engine: { ...engine, ...answered, ...(outbox && { hooks: new HooksOfRuns(backend.outbox, namespace) }) },
    outbox: outbox ? backend.outbox : undefined,
    effects: effects ? backend.effects(effects.audit) : undefined,
  };
}
