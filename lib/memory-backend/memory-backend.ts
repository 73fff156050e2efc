import { InMemoryActLog, MemoryActs } from '../acts/in-memory-act-log.js';
import { EFFECT_METHODS, type EffectStorage } from '../effects/effect-storage.js';
import { MemoryEffects } from '../effects/entries/memory-effects.js';
import type { AuditSink } from '../effects/audit-log.js';
import { inMemoryEngineStorage } from '../engine/compose/in-memory-engine-storage.js';
import { MemoryTables, memoryStateOf, restoreMemory } from '../engine/tables/memory-tables.js';
import { ENGINE_METHODS, type EngineStorage } from '../engine/model/engine-storage.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { freeEffects, keptEffects, memoryEffectStorage } from './memory-effects.js';
import { MemoryLostAttempts } from './memory-lost-attempts.js';
import { OUTBOX_METHODS, type OutboxStorage, inMemoryOutboxStorage } from '../outbox/compose/outbox-storage.js';
import { RELAY_METHODS } from '../outbox/relay/relay-storage.js';
import { OUTBOX_TOPIC } from '../outbox/model/outbox-event.js';
import { MemoryOutbox } from '../outbox/relay/memory-outbox.js';
import { jsonCodec } from '../protocol/codec.js';
import { saving, savingAll } from './saving-ports.js';
import { StateFile } from './state-file.js';
import { type Clock, systemClock } from '../time/clock.js';
import { InMemoryTransport, type TransportRows } from '../transport/in-memory-transport.js';
import type { LostAttempts } from '../worker/lost-attempts.js';
import { TASK_SOURCE_METHODS, type TaskSource } from '../worker/task-source.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';

export interface MemoryBackendOptions {
  /**
   * The file that stores the state, so that it outlives the process. Only one process at a time may use it. Every
   * change writes the whole state: suitable for up to a few thousand runs. Default: none.
   */
  file?: string;
  /** Called when the file cannot be read, used or written. Default: the error is logged. */
  onError?: (error: Error) => void;
  /**
   * Returns what the work of `ctx.transaction`, hooks and completion handlers get as their transaction, for code that calls
   * methods of it. May return a promise. Nothing begins, commits or rolls back with it. Default: an object without anything.
   */
  transaction?: () => unknown;
  /** For tests: replaces the clock. Default: the clock of this machine. */
  clock?: Clock;
}

const OPTIONS = {
  file: true,
  onError: true,
  clock: true,
  transaction: true,
} satisfies KnownOptions<MemoryBackendOptions>;

/** A storage without a database: pass it to `DurableModule.forRoot({ backend })`. */
export interface MemoryBackend {
  /** `memory`, or the path of its file. */
  readonly name: string;
  readonly clock: Clock;
  /** Every port of the engine. */
  readonly engine: EngineStorage;
  /** Provides tasks to workers. */
  readonly source: TaskSource;
  /** Stores attempts whose workers died. */
  readonly lostAttempts: LostAttempts;
  /** Every port of the outbox. */
  readonly outbox: OutboxStorage;
  /** Every port of effects; audit events go to `sink` if it is set. */
  effects(sink?: AuditSink): EffectStorage;
  /** Calls `listener` with problems of the file so far and later. Not used if there is an `onError`. */
  onProblem(listener: (error: Error) => void): () => void;
}

/**
 * A storage in the memory of this process, for tests and apps without a database. Apps of one process with the same
 * object share it, as processes share a database. With `file`, all acknowledged state is restored at the next start;
 * interrupted work is repeated, as after a crash. `ctx.transaction` works, but its handle is an empty object, or what
 * `transaction` returns, and nothing is rolled back.
 *
 * A file that cannot be used is renamed to `<file>.corrupt-<n>` and reported, and the state starts empty.
 *
 * @example
 * DurableModule.forRoot({ backend: memoryBackend({ file: 'var/durable.json' }) })
 *
 * @throws InvalidArgumentError for an invalid option
 */
export function memoryBackend(options: MemoryBackendOptions = {}): MemoryBackend {
  const { file, onError, clock = systemClock, transaction } = checkedOptions(options, OPTIONS, 'memoryBackend');
  if (file !== undefined && (typeof file !== 'string' || file === ''))
    throw new InvalidArgumentError('file', file, 'the path of a file that may be written');
  if (transaction !== undefined && typeof transaction !== 'function')
    throw new InvalidArgumentError('transaction', transaction, 'a function that returns the handle: () => manager');
  const tables = new MemoryTables();
  const rows: TransportRows = { tasks: new Map(), answers: new Map() };
  const events = new MemoryOutbox(clock);
  const calls = new MemoryEffects(clock);
  const acts = new MemoryActs();
  const held: MemoryBackendState = { tables, rows, events, effects: calls, acts };
  const problems = new Problems(onError);
  if (file !== undefined) load(file, held, problems);
  const transport = new InMemoryTransport(clock, rows);
  const log = new InMemoryActLog(clock, acts);
  const engine = inMemoryEngineStorage(clock, (stepIds) => transport.tasksOf(stepIds), tables, log, transaction);
  const ports = { ...engine, dispatcher: transport, answers: transport };
  const lostAttempts = new MemoryLostAttempts(tables);
  const onProblem = (listener: Listener) => problems.on(listener);
  // A lost attempt is saved with the next change, which is its answer at the latest.
  const known = { name: file ?? 'memory', clock, onProblem, lostAttempts };
  const outbox = inMemoryOutboxStorage(events, engine.transactions, log);
  const effects = (sink?: AuditSink) => memoryEffectStorage(calls, engine, sink);
  if (file === undefined) return holding({ ...known, engine: ports, source: transport, outbox, effects }, held);
  const kept = new StateFile(
    file,
    () => textOf(held),
    (error) => problems.tell(file, 'be written', error),
  );
  const keep = () => kept.saved();
  // Events of a transaction are stored after it, and no caller waits for that.
  outbox.signals.subscribe(OUTBOX_TOPIC, () => void keep());
  calls.onDue(() => void keep());
  const saved = {
    engine: savingEngine(ports, keep),
    source: saving<TaskSource>(transport, TASK_SOURCE_METHODS, keep),
    outbox: savingOutbox(outbox, keep),
    effects: (sink?: AuditSink) => savingAll(effects(sink), EFFECT_METHODS, keep),
  };
  return holding({ ...known, ...saved }, held);
}

/** Transactions are not wrapped: the writes inside them save the state. */
function savingEngine(
  { transactions, hooks: _hooks, ...ports }: EngineStorage,
  keep: () => Promise<void>,
): EngineStorage {
  const { transactions: _, ...methods } = ENGINE_METHODS;
  return { transactions, ...savingAll(ports, methods, keep) };
}

function savingOutbox({ relay, signals, ...ports }: OutboxStorage, keep: () => Promise<void>): OutboxStorage {
  return { ...savingAll(ports, OUTBOX_METHODS, keep), relay: savingAll(relay, RELAY_METHODS, keep), signals };
}

/** The state of a backend. */
export interface MemoryBackendState {
  tables: MemoryTables;
  rows: TransportRows;
  events: MemoryOutbox;
  effects: MemoryEffects;
  acts: MemoryActs;
}

const states = new WeakMap<MemoryBackend, MemoryBackendState>();

function holding(backend: MemoryBackend, state: MemoryBackendState): MemoryBackend {
  states.set(backend, state);
  return backend;
}

/** For the testing kit, which checks for remaining work. */
export function stateOf(backend: MemoryBackend): MemoryBackendState {
  const state = states.get(backend);
  if (!state) throw new InvalidArgumentError('backend', backend, 'the result of memoryBackend()');
  return state;
}

type Listener = (error: Error) => void;

/** Problems without a listener are kept for the first listener. */
class Problems {
  private readonly listeners = new Set<Listener>();
  private unheard: Error[] = [];

  constructor(private readonly onError: Listener | undefined) {}

  tell(file: string, what: string, cause: unknown): void {
    const { message: reason = String(cause) } = Object(cause) as Partial<Error>;
    const error = new Error(`The file ${file} of the memory backend cannot ${what}: ${reason}`, { cause });
    if (this.onError) return this.onError(error);
    for (const listener of this.listeners) listener(error);
    if (this.listeners.size === 0) this.unheard = [...this.unheard, error].slice(-10);
  }

  on(listener: Listener): () => void {
    this.listeners.add(listener);
    for (const error of this.unheard.splice(0)) listener(error);
    return () => void this.listeners.delete(listener);
  }
}

const FORMAT = 'nest-durable memory';
const VERSION = 1;

const textOf = ({
  tables,
  rows: { tasks, answers },
  events,
  effects: calls,
  acts: done,
}: MemoryBackendState): string => {
  const [state, outbox, effects, acts] = [tables, events, keptEffects(calls), done].map(memoryStateOf);
  return jsonCodec.encode({ format: FORMAT, version: VERSION, tables: state, tasks, answers, outbox, effects, acts });
};

function load(file: string, held: MemoryBackendState, problems: Problems): void {
  let text: string | undefined;
  try {
    text = StateFile.read(file);
    if (text !== undefined) restore(text, held);
  } catch (error) {
    problems.tell(file, text === undefined ? 'be read' : `be used, and ${moved(file)}`, error);
  }
}

function moved(file: string): string {
  try {
    return `was renamed to ${StateFile.moveAside(file)}`;
  } catch (error) {
    return `could not be renamed (${(error as Error).message})`;
  }
}

/** The first heartbeat releases runs of dead processes; their tasks are free and count as reclaimed. */
function restore(text: string, { tables, rows, events, effects, acts }: MemoryBackendState): void {
  const state = jsonCodec.decode(text) as Partial<
    Record<'format' | 'version' | 'tables' | 'outbox' | 'effects' | 'acts', unknown>
  > &
    TransportRows;
  if (state?.format !== FORMAT) throw new TypeError('It is not a state file of nest-durable');
  if (state.version !== VERSION) throw new TypeError(`It has version ${String(state.version)} instead of ${VERSION}`);
  if (!(state.tasks instanceof Map && state.answers instanceof Map)) throw new TypeError('It contains no tasks');
  restoreMemory(tables, state.tables);
  if (state.outbox !== undefined) restoreMemory(events, state.outbox);
  if (state.effects !== undefined) restoreMemory(keptEffects(effects), state.effects);
  if (state.acts !== undefined) restoreMemory(acts, state.acts);
  freeEffects(effects);
  for (const [id, task] of state.tasks)
    rows.tasks.set(id, task.claimedAt === undefined ? task : { ...task, claimedAt: 0 });
  for (const [id, answer] of state.answers)
    rows.answers.set(id, { ...answer, claimedBy: undefined, claimedAt: undefined });
}
