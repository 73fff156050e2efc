import type { DurableSettings } from './durable-options.js';
import type { Transport } from './durable-options.interface.js';
import type { TaskDispatcher } from './engine/task-dispatcher.js';
import { createNotifier } from './sql/create-notifier.js';
import type { Notifier } from './sql/notifier.js';
import type { SqlExecutor } from './sql/sql-executor.js';
import type { SqlNow } from './sql/sql-now.js';
import { sql } from './sql/statement.js';
import { type Tables, tablesWithPrefix } from './sql/tables.js';
import type { Telemetry } from './telemetry/telemetry.js';
import { type Clock, systemClock } from './time/clock.js';
import { SynchronizedClock } from './time/synchronized-clock.js';
import { SqlTaskDispatcher } from './transport/sql-task-dispatcher.js';
import { SqlTaskSource } from './transport/sql-task-source.js';
import type { TaskSource } from './worker/task-source.js';

/** What engine, worker and client of a process share: one pool, one notifier, one transport. */
export interface Storage {
  executor: SqlExecutor;
  tables: Tables;
  notifier: Notifier;
  /** The time inside of statements. */
  now: SqlNow;
  /** The same time, as near as a process can know it. */
  clock: Clock;
  /** Set by the heartbeats of an engine; undefined where a test turns the clock. */
  databaseClock: SynchronizedClock | undefined;
  dispatcher: TaskDispatcher;
  source: TaskSource;
}

export function createStorage(settings: DurableSettings, executor: SqlExecutor, telemetry: Telemetry): Storage {
  const { clock: turned, prefix, transport } = settings;
  const tables = tablesWithPrefix(prefix);
  const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'notifications', error });
  const notifier = createNotifier(executor, prefix, onError);
  const now: SqlNow = turned ? () => sql`${turned.now()}` : () => executor.dialect.now;
  const databaseClock = turned ? undefined : new SynchronizedClock(systemClock);
  const clock = turned ?? databaseClock ?? systemClock;
  const ends = transport === 'db' ? sqlEnds({ executor, tables, notifier, now, clock }) : bothEndsOf(transport);
  return { executor, tables, notifier, now, clock, databaseClock, ...ends };
}

type Ends = Pick<Storage, 'dispatcher' | 'source'>;

function sqlEnds(parts: Pick<Storage, 'executor' | 'tables' | 'notifier' | 'now' | 'clock'>): Ends {
  const { executor, tables, notifier, now, clock } = parts;
  return {
    dispatcher: new SqlTaskDispatcher(executor, tables, notifier, { now, clock }),
    source: new SqlTaskSource(executor, tables, notifier, { now, clock }),
  };
}

const bothEndsOf = (transport: Transport): Ends => ({ dispatcher: transport, source: transport });
