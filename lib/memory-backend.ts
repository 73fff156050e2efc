import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InMemoryActLog, MemoryActs } from './acts/acts.memory.js';
import { jsonCodec } from './core/codec.js';
import { InvalidArgumentError } from './core/errors.js';
import { checkedOptions, type KnownOptions } from './core/options.js';
import { type Clock, macrotask, systemClock } from './core/time.js';
import type { MethodEffect, PortMethods, StorageMethods } from './core/transaction.js';
import { type AuditSink, EFFECT_METHODS, type EffectStorage } from './effects/entries.js';
import { inMemoryEffectStorage, MemoryEffects } from './effects/entries.memory.js';
import type { AttemptRecord } from './engine/insight.js';
import { awaitedOf } from './engine/signals.js';
import { ENGINE_METHODS, type EngineStorage } from './engine/storage.js';
import { inMemoryEngineStorage } from './engine/storage.memory.js';
import { memoryStateOf, MemoryTables, restoreMemory } from './engine/tables.memory.js';
import { OUTBOX_TOPIC } from './outbox/events.js';
import { MemoryOutbox } from './outbox/relay.memory.js';
import { OUTBOX_METHODS, type OutboxStorage, RELAY_METHODS } from './outbox/storage.js';
import { inMemoryOutboxStorage } from './outbox/storage.memory.js';
import { STORE_METHODS, type StoreStorage } from './store/store.js';
import { inMemoryStoreStorage, MemoryStore } from './store/store.memory.js';
import { type LostAttempt, type LostAttempts, TASK_SOURCE_METHODS, type TaskSource } from './worker/task-source.js';
import { InMemoryTransport, type TransportRows } from './worker/transport.memory.js';

export interface MemoryBackendOptions {
  /**
   * The file that stores the state, so that it outlives the process. Only one process at a time may use it. Every
   * change writes the whole state: suitable for up to a few thousand runs. Default: none.
   */
  file?: string;
  /** How the file is read and written. Default: {@link nodeFileSystem}. */
  fs?: FileSystem;
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

/** What the file of a memory backend needs of a file system. What fails throws. */
export interface FileSystem {
  exists(path: string): boolean;
  readFile(path: string): string;
  /** Makes the folder, and those that it is in. */
  mkdir(path: string): void;
  /** Resolves, or returns, once the text would survive a power failure. */
  writeFile(path: string, text: string): Promise<void> | void;
  /** At once, also for all others who read, and in place of another file. It has happened when this returns. */
  rename(from: string, to: string): void;
}

/** `node:fs`: what is written is flushed to the disk, and so is the folder of what is renamed. */
export const nodeFileSystem: FileSystem = {
  exists: existsSync,
  readFile: (path) => readFileSync(path, 'utf8'),
  mkdir: (path) => void mkdirSync(path, { recursive: true }),
  writeFile: async (path, text) => {
    const file = await open(path, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename: (from, to) => {
    renameSync(from, to);
    syncFolder(dirname(to));
  },
};

const OPTIONS = {
  file: true,
  fs: true,
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
  /** Every port of what processes of the app share. */
  readonly store: StoreStorage;
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
  const { file, fs, onError, clock, transaction } = checkedBackend(options);
  const tables = new MemoryTables();
  const rows: TransportRows = { tasks: new Map(), answers: new Map() };
  const events = new MemoryOutbox(clock);
  const calls = new MemoryEffects(clock);
  const acts = new MemoryActs();
  const entries = new MemoryStore();
  const held: MemoryBackendState = { tables, rows, events, effects: calls, acts, store: entries };
  const problems = new Problems(onError);
  if (file !== undefined) load(file, fs, held, problems);
  const transport = new InMemoryTransport(clock, rows, file === undefined);
  const log = new InMemoryActLog(clock, acts);
  const engine = inMemoryEngineStorage(clock, (stepIds) => transport.tasksOf(stepIds), tables, log, transaction);
  const ports = { ...engine, dispatcher: transport, answers: transport };
  const lostAttempts = new MemoryLostAttempts(tables, clock);
  const onProblem = (listener: Listener) => problems.on(listener);
  // A lost attempt is saved with the next change, which is its answer at the latest.
  const known = { name: file ?? 'memory', clock, onProblem, lostAttempts };
  const store = inMemoryStoreStorage(clock, entries, engine.transactions);
  const outbox = inMemoryOutboxStorage(events, engine.transactions, log);
  const effects = (sink?: AuditSink) => memoryEffectStorage(calls, engine, sink);
  if (file === undefined) return holding({ ...known, engine: ports, source: transport, outbox, effects, store }, held);
  const kept = new StateFile(
    file,
    fs,
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
    store: savingAll(store, STORE_METHODS, keep),
    effects: (sink?: AuditSink) => savingAll(effects(sink), EFFECT_METHODS, keep),
  };
  return holding({ ...known, ...saved }, held);
}

function checkedBackend(options: MemoryBackendOptions) {
  const {
    file,
    fs = nodeFileSystem,
    onError,
    clock = systemClock,
    transaction,
  } = checkedOptions(options, OPTIONS, 'memoryBackend');
  if (file !== undefined && (typeof file !== 'string' || file === ''))
    throw new InvalidArgumentError('file', file, 'the path of a file that may be written');
  if (transaction !== undefined && typeof transaction !== 'function')
    throw new InvalidArgumentError('transaction', transaction, 'a function that returns the handle: () => manager');
  const missing = Object.keys(nodeFileSystem).filter((name) => typeof fs?.[name as keyof FileSystem] !== 'function');
  if (missing.length > 0) throw new InvalidArgumentError('fs', fs, `an object with ${missing.join(', ')}`);
  return { file, fs, onError, clock, transaction };
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
  store: MemoryStore;
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
  store: entries,
}: MemoryBackendState): string => {
  const kept = [tables, events, keptEffects(calls), done, entries].map(memoryStateOf);
  const [state, outbox, effects, acts, store] = kept;
  const stored = { tables: state, tasks, answers, outbox, effects, acts, store };
  return jsonCodec.encode({ format: FORMAT, version: VERSION, ...stored });
};

function load(file: string, fs: FileSystem, held: MemoryBackendState, problems: Problems): void {
  let text: string | undefined;
  try {
    text = fs.exists(file) ? fs.readFile(file) : undefined;
    if (text !== undefined) restore(text, held);
  } catch (error) {
    problems.tell(file, text === undefined ? 'be read' : `be used, and ${moved(file, fs)}`, error);
  }
}

function moved(file: string, fs: FileSystem): string {
  try {
    return `was renamed to ${moveAside(file, fs)}`;
  } catch (error) {
    return `could not be renamed (${(error as Error).message})`;
  }
}

/** Renames a file that cannot be used. Returns its new name. @throws errors of renaming */
function moveAside(path: string, fs: FileSystem): string {
  let n = 1;
  while (fs.exists(`${path}.corrupt-${n}`)) n++;
  fs.rename(path, `${path}.corrupt-${n}`);
  return `${path}.corrupt-${n}`;
}

/** The first heartbeat releases runs of dead processes; their tasks are free and count as reclaimed. */
function restore(text: string, { tables, rows, events, effects, acts, store }: MemoryBackendState): void {
  const state = jsonCodec.decode(text) as Partial<
    Record<'format' | 'version' | 'tables' | 'outbox' | 'effects' | 'acts' | 'store', unknown>
  > &
    TransportRows;
  if (state?.format !== FORMAT) throw new TypeError('It is not a state file of nest-durable');
  if (state.version !== VERSION) throw new TypeError(`It has version ${String(state.version)} instead of ${VERSION}`);
  if (!(state.tasks instanceof Map && state.answers instanceof Map)) throw new TypeError('It contains no tasks');
  restoreMemory(tables, state.tables);
  if (state.outbox !== undefined) restoreMemory(events, state.outbox);
  if (state.effects !== undefined) restoreMemory(keptEffects(effects), state.effects);
  if (state.acts !== undefined) restoreMemory(acts, state.acts);
  if (state.store !== undefined) restoreMemory(store, state.store);
  freeEffects(effects);
  for (const [id, task] of state.tasks)
    rows.tasks.set(id, task.claimedAt === undefined ? task : { ...task, claimedAt: 0 });
  for (const [id, answer] of state.answers)
    rows.answers.set(id, { ...answer, claimedBy: undefined, claimedAt: undefined });
}

/** Effects in memory. Completion listeners can join the engine's transactions, as with a database. */
function memoryEffectStorage(
  tables: MemoryEffects,
  { transactions, effectWaits, acts }: Pick<EngineStorage, 'transactions' | 'effectWaits' | 'acts'>,
  sink: AuditSink | undefined,
): EffectStorage {
  const awaited = awaitedOf(effectWaits);
  const { settlements, ...ports } = inMemoryEffectStorage(tables, { sink, transactions, acts, awaited });
  return {
    ...ports,
    settlements: {
      settle: (claimed, settlement, onCompletion) =>
        settlements.settle(
          claimed,
          settlement,
          onCompletion && ((group, _, tx) => transactions.begin((handle) => onCompletion(group, handle, tx))),
        ),
    },
  };
}

/** The parts of the state that are stored in the file. */
const keptEffects = ({ entries, events }: MemoryEffects) => ({ entries, events });

/** Releases the claims of a process that no longer exists. */
function freeEffects(tables: MemoryEffects): void {
  for (const entry of tables.entries.values()) if (entry.status === 'in_flight') tables.change(entry, { dueAt: null });
}

/** Stores lost attempts in the engine's tables, next to those that have failed. */
export class MemoryLostAttempts implements LostAttempts {
  constructor(
    private readonly tables: Pick<MemoryTables, 'runs' | 'attempts' | 'nodes'>,
    private readonly clock: Clock,
  ) {}

  async record(lost: readonly LostAttempt[]): Promise<(number | undefined)[]> {
    return lost.map((attempt) => (this.tables.runs.has(attempt.runId) ? this.keep(attempt) : undefined));
  }

  private keep(lost: LostAttempt): number {
    const { runId, seq, attempt } = lost;
    const others = this.tables.attempts.get(runId) ?? [];
    const rest = others.filter((other) => other.seq !== seq || other.attempt !== attempt);
    this.tables.attempts.set(runId, [...rest, { ...lost, outcome: 'lost', askedAt: null, startedAt: null }]);
    const of = (this.tables.attempts.get(runId) ?? []).filter((other) => other.seq === seq);
    const ended = others.filter((other) => other.seq === seq && other.attempt < attempt && other.outcome !== 'lost');
    const kept = Math.max(0, ...ended.map((other) => other.attempt));
    const since = of.filter((other) => other.outcome === 'lost' && other.attempt > kept && other.attempt <= attempt);
    return attempt - kept - this.spared(since);
  }

  /** How many of these are no death of a process: see `selectLosses`. */
  private spared(lost: readonly Pick<AttemptRecord, 'worker' | 'finishedAt'>[]): number {
    const known = lost.flatMap(({ worker, finishedAt }) => {
      const node = this.tables.nodes.get(worker ?? '');
      return node ? [{ node, isBack: node.expiresAt > this.clock.now() || node.seenAt > (finishedAt ?? 0) }] : [];
    });
    return known.length - new Set(known.filter(({ isBack }) => !isBack).map(({ node }) => node.id)).size;
  }
}

/** Also an object that counts nothing and says that nothing follows. */
const isNothing = (found: unknown): boolean =>
  !found || (typeof found === 'object' && Object.values(found).every((value) => !value));

/** An operation in progress; the operations that it calls are part of it. */
interface Operation {
  open: boolean;
}

const within = new AsyncLocalStorage<Operation>();

/** These need no save: leases and heartbeats do not outlive a restart. */
const SAVES_NOTHING: readonly MethodEffect[] = ['reads', 'tells', 'lives'];

/** The same port; its operations resolve once their changes are `saved`. */
export function saving<Port extends object>(port: Port, methods: PortMethods<Port>, saved: () => Promise<void>): Port {
  const effects = new Map<string | symbol, MethodEffect>(Object.entries(methods));
  const wrapped = new Map<string | symbol, unknown>();
  return new Proxy(port, {
    get: (target, name) => {
      const known = wrapped.get(name);
      if (known) return known;
      const method: unknown = Reflect.get(target, name, target);
      const effect = effects.get(name);
      if (typeof method !== 'function' || effect === undefined) return method;
      const bound = (method as Method).bind(target);
      const result = SAVES_NOTHING.includes(effect) ? bound : operation(bound, saved, effect === 'finds');
      wrapped.set(name, result);
      return result;
    },
  });
}

/** Wraps each of several ports. */
function savingAll<Ports extends object>(
  ports: Ports,
  methods: StorageMethods<Ports>,
  saved: () => Promise<void>,
): Ports {
  const names = Object.keys(methods) as (keyof Ports)[];
  const one = <Name extends keyof Ports>(name: Name) =>
    saving(ports[name] as Ports[Name] & object, methods[name] as PortMethods<Ports[Name] & object>, saved);
  return Object.fromEntries(names.map((name) => [name, one(name)])) as Ports;
}

type Method = (...args: unknown[]) => unknown;

function operation(method: Method, saved: () => Promise<void>, finds: boolean): Method {
  return (...args) => {
    if (within.getStore()?.open) return method(...args);
    const current: Operation = { open: true };
    const settled = async (): Promise<unknown> => {
      try {
        return await within.run(current, () => method(...args));
      } finally {
        current.open = false;
      }
    };
    return settled().then(async (found) => {
      if (!(finds && isNothing(found))) await saved();
      return found;
    });
  };
}

/**
 * Stores a text atomically: written to a temporary file, flushed to disk and renamed. One write at a time; changes
 * during a write go with the next one, which stores the latest state. A failed write is reported, and the next change
 * writes again.
 */
class StateFile {
  /** The write whose snapshot was taken. */
  private writing: Promise<void> | undefined;
  /** The write whose snapshot is not taken yet. */
  private next: Promise<void> | undefined;
  private last: string | undefined;

  constructor(
    private readonly path: string,
    private readonly fs: FileSystem,
    /** Returns the whole current state. Called between turns of the event loop, never within one. */
    private readonly snapshot: () => string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Resolves when all changes until now are in the file, or could not be written. */
  saved(): Promise<void> {
    // A write in progress may have taken its snapshot already; the next one has not.
    this.next ??= this.write(this.writing);
    return this.next;
  }

  private async write(before: Promise<void> | undefined): Promise<void> {
    await before;
    await macrotask();
    this.writing = this.next;
    this.next = undefined;
    try {
      const text = this.snapshot();
      if (text === this.last) return;
      await this.replace(text);
      this.last = text;
    } catch (error) {
      this.onError(error);
    }
  }

  private async replace(text: string): Promise<void> {
    const { path, fs } = this;
    fs.mkdir(dirname(path));
    await fs.writeFile(`${path}.tmp`, text);
    fs.rename(`${path}.tmp`, path);
  }
}

/** Makes the rename survive a power failure; not every system supports it. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The content is safe, either under the old or the new name.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
