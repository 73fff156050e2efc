import { checkHook } from '../admin/check-hook.js';
import type { DurableSettings } from './durable-options.js';
import type { Transport } from './durable-options.interface.js';
import { EFFECT_METHODS, type EffectStorage } from '../effects/effect-storage.js';
import { sqlEffectStorage } from '../effects/entries/sql-effect-storage.js';
import { effectTables } from '../effects/entries/effect-scope.sql.js';
import { ENGINE_METHODS, type EngineStorage } from '../engine/model/engine-storage.js';
import { sqlEngineStorage } from '../engine/compose/sql-engine-storage.js';
import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import type { OutboxSettings } from './outbox-options.js';
import { migrateOutbox, requireOutbox } from '../outbox/events/sql-outbox-schema.js';
import { OUTBOX_METHODS, type OutboxStorage } from '../outbox/compose/outbox-storage.js';
import { RELAY_METHODS } from '../outbox/relay/relay-storage.js';
import { sqlOutboxStorage } from '../outbox/compose/sql-outbox-storage.js';
import { outboxTables, type OutboxTables } from '../outbox/tables/sql-outbox-tables.js';
import { readOnly, readOnlyAll } from './refusing-port.js';
import { createNotifier } from '../sql/create-notifier.js';
import { migrate, requireMigrated } from '../sql/migrations/migrator.js';
import type { Notifier } from '../sql/notifier.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { type SqlNow, type Tables, tablesWithPrefix, vacuum } from '../sql/tables.js';
import { sql } from '../sql/dialects/statement.js';
import { largestPayload } from '../sql/statement-size.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { type Clock, SynchronizedClock, systemClock } from '../time/clock.js';
import { SqlAnswerWriter } from '../transport/sql-answer-writer.js';
import { SqlTaskDispatcher } from '../transport/sql-task-dispatcher.js';
import { SqlTaskSource } from '../transport/sql-task-source.js';
import { SqlStepLogSink } from '../worker/sql-step-log-sink.js';
import type { StepLogSink } from '../worker/step-log-keeper.js';
import { TASK_SOURCE_METHODS, type TaskSource } from '../worker/task-source.js';

/** The storage shared by engine, worker and client of a process, regardless of its kind. */
export interface Storage {
  /** For log lines. */
  name: string;
  /** Migrates or checks the tables. Returns the ids of the applied migrations. @throws SchemaError */
  prepare(): Promise<readonly string[]>;
  /** The server's payload limit in bytes of JSON; undefined if it is above all limits. Call it after `prepare`. */
  largestPayload?(): Promise<number | undefined>;
  /** Makes the space of deleted rows reusable. Returns the number of tables. */
  vacuum(): Promise<number>;
  notifier: Pick<Notifier, 'live' | 'start' | 'stop'>;
  /** The storage's time, as precisely as a process can know it. */
  clock: Clock;
  /** Updated by an engine's heartbeats; undefined if a test controls the clock. */
  databaseClock: SynchronizedClock | undefined;
  source: TaskSource;
  /** Stores log lines of handlers; undefined if they are not stored. */
  stepLogs?: StepLogSink;
  /** Every port of the engine. */
  engine: EngineStorage;
  /** Undefined if it is turned off. */
  outbox: OutboxStorage | undefined;
  /** Undefined if they are turned off. */
  effects: EffectStorage | undefined;
}

/** Ensures that an app that is only checked does not write. */
function onlyRead(storage: Storage): Storage {
  const { transactions, ...ports } = storage.engine;
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
    : sqlStorage({ ...settings, migrate: settings.migrate && !checkHook() }, executor!, telemetry);
  return checkHook() ? onlyRead(storage) : storage;
}

function sqlStorage(settings: DurableSettings, executor: SqlExecutor, telemetry: Telemetry): Storage {
  const { clock: turned, prefix, transport } = settings;
  const tables = tablesWithPrefix(prefix);
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'notifications', error });
  executor.onLeftOpen?.((left) => telemetry.emit('connection.left-open', left));
  const notifier = createNotifier(executor, prefix, onError);
  const now: SqlNow = turned ? () => sql`${turned.now()}` : () => executor.dialect.now;
  const databaseClock = turned ? undefined : new SynchronizedClock(systemClock);
  const clock = turned ?? databaseClock ?? systemClock;
  const { source, ...ends } =
    transport === 'db' ? sqlEnds({ executor, tables, notifier, now, clock }) : bothEndsOf(transport);
  const engine = { ...sqlEngineStorage(executor, tables, notifier, now), ...ends };
  return {
    notifier,
    clock,
    databaseClock,
    source,
    engine,
    stepLogs: new SqlStepLogSink(executor, tables),
    name: `${executor.dialect.name}, tables ${prefix}_*`,
    outbox: settings.outbox ? outboxOn(settings.outbox, { executor, prefix, notifier, now }) : undefined,
    effects: effectsOn(settings, { executor, notifier, now }),
    vacuum: () => vacuum(executor, tables),
    prepare: () => prepare(settings, executor, tables),
    largestPayload: () => largestPayload(executor),
  };
}

async function prepare(settings: DurableSettings, executor: SqlExecutor, tables: Tables): Promise<readonly string[]> {
  const { outbox, prefix } = settings;
  if (settings.migrate) {
    const applied = await migrate(executor, tables);
    return outbox ? [...applied, ...(await migrateOutbox(executor, tablesOf(outbox, prefix), outbox))] : applied;
  }
  await requireMigrated(executor, tables);
  // A check replays runs without the outbox, before the deploy that creates it.
  if (outbox && !checkHook()) await requireOutbox(executor, tablesOf(outbox, prefix), outbox);
  return [];
}

const tablesOf = ({ table, nodesTable, schema }: OutboxSettings, prefix: string): OutboxTables =>
  outboxTables(prefix, { table, nodesTable, schema });

function outboxOn(
  settings: OutboxSettings,
  { executor, prefix, notifier, now }: Pick<SqlParts, 'executor' | 'notifier' | 'now'> & { prefix: string },
): OutboxStorage {
  const { ordering, retainMs } = settings;
  const options = { ordering, retains: retainMs > 0, now };
  return sqlOutboxStorage(executor, tablesOf(settings, prefix), notifier, options);
}

function effectsOn(
  { effects, prefix }: DurableSettings,
  { executor, notifier, now }: Pick<SqlParts, 'executor' | 'notifier' | 'now'>,
): EffectStorage | undefined {
  return effects ? sqlEffectStorage(executor, effectTables(prefix), notifier, { now, sink: effects.audit }) : undefined;
}

interface SqlParts {
  executor: SqlExecutor;
  tables: Tables;
  notifier: Notifier;
  /** The current time inside statements. */
  now: SqlNow;
  clock: Clock;
}

type Ends = Pick<EngineStorage, 'dispatcher' | 'answers'> & Pick<Storage, 'source'>;

function sqlEnds({ executor, tables, notifier, now, clock }: SqlParts): Ends {
  return {
    dispatcher: new SqlTaskDispatcher(executor, tables, notifier, { now, clock }),
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
  { transport, outbox, effects }: DurableSettings,
  backend: MemoryBackend,
  telemetry: Telemetry,
): Storage {
  const { name, clock, engine, source } = backend;
  const ends = transport === 'db' ? { source } : bothEndsOf(transport);
  const { source: carried, ...answered } = ends;
  let unsubscribe = (): void => {};
  return {
    name,
    prepare: () => Promise.resolve([]),
    vacuum: () => Promise.resolve(0),
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
    engine: { ...engine, ...answered },
    outbox: outbox ? backend.outbox : undefined,
    effects: effects ? backend.effects(effects.audit) : undefined,
  };
}
