import { randomUUID } from 'node:crypto';
import { Intake, NOTHING_HELD } from '../acts/holds.js';
import { type Codec, encodedWithin, jsonCodec } from '../core/codec.js';
import { ConfigurationError, DatabaseError, InvalidArgumentError, UnreadablePayloadError } from '../core/errors.js';
import { Batcher, PollLoop } from '../core/loops.js';
import { checkedOptions, defined, type KnownOptions } from '../core/options.js';
import { groupOf, PACKAGE_VERSION, type StepAnswer, stepIdOf, type StepTask } from '../core/protocol.js';
import { Telemetry } from '../core/telemetry.js';
import { type Clock, stopwatch, stopwatchBeside, systemClock, toMs, usualShutdown } from '../core/time.js';
import { type ErrorRules, parseWireError, toWireError, type WireError } from '../core/wire-error.js';
import type { NodeIdentity, NodeRoster } from '../engine/nodes.js';
import { SqlNodeRoster } from '../engine/nodes.sql.js';
import { HandOver } from '../engine/tasks.js';
import { outboxTableNames, ownTables } from '../outbox/tables.sql.js';
import { onAppPool, type SqlExecutor, timeLimited } from '../sql/executor.js';
import { migrate, validateName, validatePrefix } from '../sql/migrations/migrator.js';
import { createNotifier, type Notifier } from '../sql/notifier.js';
import { sql } from '../sql/statement.js';
import { protectTables, type UnprotectedTables } from '../sql/table-protection.js';
import { findTables, type SqlNow, type Tables, tablesWithPrefix } from '../sql/tables.js';
import { checkedWake, type WakeBus } from '../sql/wake.js';
import { HandlerRegistry, type StepHandler } from './handlers.js';
import { SqlLostAttempts } from './lost-attempts.sql.js';
import { ResultDelivery } from './result-delivery.js';
import type { TaskSource } from './task-source.js';
import { SqlAnswerLeases, SqlAnswerWriter, SqlTaskDispatcher, SqlTaskSource } from './transport.sql.js';
import { Worker } from './worker.js';

/** The answer to a dispatched step, decoded. */
export interface StepResult {
  runId: string;
  seq: number;
  stepId: string;
  status: 'completed' | 'failed';
  output: unknown;
  /** Only for a failed step: always with a message; with a code and `retryable` if the worker set them. */
  error: WireError | undefined;
  /** When the worker picked the task up, epoch ms. */
  startedAt: number | undefined;
}

/**
 * When it resolves, or returns nothing, the result counts as recorded: its row is deleted. When it throws, the result
 * is delivered again later. `false` means that the result belongs to another instance.
 */
export type ResultListener = (result: StepResult) => unknown;

const TWO_LISTENERS =
  'Results would go to one of two: a transport has one listener of onResult(), or the engine of DurableModule, and never both';

const TAKEN =
  'This transport belongs to another app, or to one that did not start: make one for each, in DurableModule.forRootAsync()';
const TOO_EARLY =
  'handle() was called before the app was made, so its handlers know nothing of the app: call it once the app has ' +
  'started, for example in onApplicationBootstrap()';
const CHECKED =
  '"nest-durable check" writes nothing, but the app calls dispatch() during the check: call it after the start';

const PAYLOAD_LIMIT = 1_048_576;
const MAX_CLAIMS = 10;
/** Callbacks run with at least this concurrency, so that a slow one does not delay the others. */
const MIN_CALLBACKS = 64;

/** What an engine of this process and its workers use of a transport. */
export interface TransportEnds {
  readonly executor: SqlExecutor;
  readonly tables: Tables;
  readonly notifier: Notifier;
  /** The current time inside statements. */
  readonly now: SqlNow;
  readonly dispatcher: SqlTaskDispatcher;
  readonly answers: SqlAnswerWriter;
  readonly source: SqlTaskSource;
}

/** What a transport learns of the app that it belongs to. */
export interface TransportOwner {
  readonly telemetry: Telemetry;
  readonly codec: Codec;
  readonly errors: ErrorRules;
  /** The start may lower it. */
  readonly limits: { readonly payloadBytes: number };
  /** False: the app is only examined, so no handler begins. */
  readonly starts: boolean;
  readonly writes: boolean;
}

/**
 * Remote steps over two tables of a database. `DurableModule` makes one on the app's connection, which can be injected,
 * or takes one as its option `transport`. Without NestJS it is the worker's side, the engine's side, or both.
 *
 * @example
 * const transport = new DbTransport({ executor: typeOrmExecutor(dataSource), group: 'pipeline.extract' });
 * transport.handle('pipeline.extract', async (input) => extract(input));
 */
export class DbTransport {
  /** Events of the transport: claims, failures, lost leases, database errors. */
  readonly telemetry: Telemetry;
  private readonly ends: TransportEnds;
  private readonly dispatches: Batcher<StepTask, void>;
  private readonly handlers = new HandlerRegistry();
  /** It knows of no holds, but of its own draining. */
  private readonly intake = new Intake(NOTHING_HELD);
  private readonly options: ReturnType<typeof checkOptions>;
  private worker: Worker | undefined;
  private presence: WorkerPresence | undefined;
  private delivery: ResultDelivery | undefined;
  /** An engine takes the results of this transport. */
  private isOfEngine = false;
  private owner: TransportOwner | undefined;
  private prepared: Promise<unknown> | undefined;
  private unprotected: UnprotectedTables | undefined;
  private closing: Promise<void> | undefined;

  /**
   * @param of - of the process, if that protects its tables by itself
   * @throws InvalidArgumentError; ConfigurationError in development, if schema commands of the ORM would drop the tables
   */
  constructor(
    private readonly given: DbTransportOptions,
    of?: Telemetry,
  ) {
    this.telemetry = of ?? new Telemetry();
    this.options = checkOptions(given);
    const { executor, prefix, schema, clock, wake } = this.options;
    const tables = tablesWithPrefix(prefix, { schema });
    const onError = (error: unknown) => this.telemetry.emit('loop.error', { loop: 'notifications', error });
    const notifier = createNotifier(executor, prefix, onError, { home: tables.home, wake });
    const now: SqlNow = clock ? () => sql`${clock.now()}` : () => executor.dialect.now;
    const options = { now, elapsed: stopwatchBeside(clock), handOver: new HandOver() };
    const dispatcher = new SqlTaskDispatcher(executor, tables, notifier, options);
    const answers = new SqlAnswerWriter(executor, tables, notifier, now);
    const source = new SqlTaskSource(executor, tables, notifier, options);
    this.ends = { executor, tables, notifier, now, dispatcher, answers, source };
    const isolates = (error: unknown) => error instanceof DatabaseError && !error.transient;
    const sizeOf = ({ input }: StepTask) => input.length;
    this.dispatches = new Batcher((tasks) => this.writeTasks(tasks), { sizeOf, isolates });
    executor.onLeftOpen?.((left) => this.telemetry.emit('connection.left-open', left));
    executor.onPoolWait?.((wait) => this.telemetry.emit('connection.waiting', wait));
    executor.onLockWait?.((holders) => holders.forEach((holder) => this.telemetry.emit('connection.blocked', holder)));
    if (of) return;
    const published = outboxTableNames({}, prefix, process.env);
    this.unprotected = protectTables(executor, prefix, ownTables(executor.dialect, prefix, published));
  }

  /** Where its tables are, and how it reaches them, for the options of a module. */
  get connection(): Pick<DbTransportOptions, 'executor' | 'prefix' | 'schema' | 'sessions' | 'wake' | 'clock'> {
    const { executor, prefix, schema, sessions, wake, clock } = this.given;
    return { executor, ...defined({ prefix, schema, sessions, wake, clock }) };
  }

  /**
   * For an engine of this process and its workers, which from then on take the results, and stop the notifier at last.
   *
   * @throws ConfigurationError when `onResult` has a listener, another app has it, or it is closed.
   */
  forEngine(owner?: TransportOwner): TransportEnds {
    this.refuseWhenClosed();
    if (this.isOfEngine) throw new ConfigurationError(TAKEN);
    if (this.delivery) throw new ConfigurationError(TWO_LISTENERS);
    if (owner && this.worker) throw new ConfigurationError(TOO_EARLY);
    this.isOfEngine = true;
    this.owner = owner;
    if (owner && owner.telemetry !== this.telemetry) this.telemetry.passTo(owner.telemetry);
    if (owner) this.tellUnprotected();
    return this.ends;
  }

  /** The first sign that its process ends: its handlers are asked to end, and none begins. */
  interrupt(): void {
    this.intake.end();
  }

  private get codec(): Codec {
    return this.owner?.codec ?? jsonCodec;
  }

  private get payloadLimit(): number {
    return this.owner?.limits.payloadBytes ?? PAYLOAD_LIMIT;
  }

  /**
   * Serves the steps with this name and starts to poll. Reads tasks of the given groups, by default the group of the
   * name.
   *
   * @throws ConfigurationError when the name is already registered.
   */
  handle(name: string, handler: StepHandler): this {
    this.refuseWhenClosed();
    if (typeof handler !== 'function') throw new InvalidArgumentError('handler', handler, 'a function');
    if (!name) throw new InvalidArgumentError('name', name, 'the name of a step');
    this.handlers.register(name, handler, { groups: this.options.groups ?? [groupOf(name)] });
    if (this.owner?.starts === false) return this;
    this.worker ??= this.startWorker();
    this.worker.wake();
    this.presence?.renew();
    return this;
  }

  /**
   * Resolves once the task is stored. A step that was already dispatched is not changed, unless `attempt` is higher.
   * What else a foreign engine says of a task is ignored.
   *
   * @param transaction - of the app, open, as the executor joins it: the task is stored with its commit
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError, InvalidTransactionError, DatabaseError; then
   * nothing is written.
   */
  async dispatch(request: DispatchRequest, transaction?: unknown): Promise<void> {
    this.refuseWhenClosed();
    if (this.owner?.writes === false) throw new ConfigurationError(CHECKED);
    const task = readTask(request, this.codec, this.payloadLimit);
    if (transaction === undefined) return this.dispatches.add(task);
    const tx = this.ends.executor.join(transaction);
    await this.ready();
    await this.ends.dispatcher.dispatch([task], tx);
  }

  /**
   * Starts to deliver results, of all runs, to this callback.
   *
   * @throws ConfigurationError when there is a listener already, or the engine of `DurableModule`.
   */
  onResult(listener: ResultListener): this {
    this.refuseWhenClosed();
    if (typeof listener !== 'function') throw new InvalidArgumentError('listener', listener, 'a function');
    if (this.delivery || this.isOfEngine) throw new ConfigurationError(TWO_LISTENERS);
    this.delivery = this.startDelivery(listener);
    return this;
  }

  /** For engines that ask for signs of life: leases take their place here, so there are none. */
  onHeartbeat(_listener: unknown): this {
    return this;
  }

  /**
   * Stops claiming, releases unstarted tasks, and aborts the signals of running ones, for which it waits, for 10 s where
   * `NODE_ENV` is `production` and else for 1 s; what fails from then on is released, too. Sends nothing after it resolves.
   */
  close(): Promise<void> {
    return (this.closing ??= this.drain());
  }

  private async drain(): Promise<void> {
    await Promise.all([this.worker?.stop(), this.delivery?.stop(), this.dispatches.idle()]);
    await this.presence?.stop();
    await this.prepared?.catch(() => {});
    // Others of the app need it until they have stopped.
    if (!this.isOfEngine) await this.ends.notifier.stop();
  }

  private async writeTasks(tasks: readonly StepTask[]): Promise<void[]> {
    await this.ready();
    await this.ends.dispatcher.dispatch(tasks);
    return tasks.map(() => undefined);
  }

  /** A failure is not cached: the next call tries again. */
  private ready(): Promise<unknown> {
    return (this.prepared ??= this.prepare().catch((error: unknown) => {
      this.prepared = undefined;
      throw error;
    }));
  }

  /** At the first use, since nobody can listen before the constructor returns. */
  private async prepare(): Promise<void> {
    this.tellUnprotected();
    const { executor, tables } = this.ends;
    if (this.options.autoCreate) await migrate(executor, tables, { part: 'transport' });
    else await findTables(executor, tables);
  }

  private tellUnprotected(): void {
    if (this.unprotected) this.telemetry.emit('tables.unprotected', this.unprotected);
    this.unprotected = undefined;
  }

  private startWorker(): Worker {
    const { executor, instanceId, concurrency, batchSize, leaseMs, pollMs, clock, credits } = this.options;
    const { source, tables, now, notifier } = this.ends;
    // One that is started again is another process. Names of processes are no longer.
    const workerId = `${(instanceId ?? 'node').slice(0, 50)}-${randomUUID().slice(0, 13)}`;
    const worker = new Worker(this.whenReady(source), this.handlers, {
      workerId,
      concurrency,
      batchSize,
      leaseMs,
      pollMs,
      credits,
      shutdownTimeoutMs: toMs(usualShutdown()),
      payloadLimit: this.payloadLimit,
      maxClaims: MAX_CLAIMS,
      codec: this.codec,
      ...(this.owner && { errors: this.owner.errors }),
      clock: clock ?? systemClock,
      elapsed: clock ?? stopwatch,
      telemetry: this.telemetry,
      watchesUnserved: true,
      held: this.intake,
      lostAttempts: new SqlLostAttempts(executor, tables, now),
    });
    worker.start();
    notifier.start();
    this.presence = this.signIn(workerId);
    return worker;
  }

  private signIn(workerId: string): WorkerPresence {
    const { concurrency } = this.options;
    const { executor, tables, now } = this.ends;
    const roster = new SqlNodeRoster(executor, tables, now);
    const node = { id: workerId, namespace: '', roles: 'transport', version: PACKAGE_VERSION };
    const presence = new WorkerPresence(
      roster,
      () => ({ ...node, serves: { groups: this.handlers.byGroup, concurrency } }),
      {
        draining: (draining) => this.intake.drain(draining),
        error: (error) => this.telemetry.emit('loop.error', { loop: 'the list of processes', error }),
      },
    );
    presence.start();
    return presence;
  }

  private startDelivery(listener: ResultListener): ResultDelivery {
    const { instanceId, concurrency, leaseMs, pollMs, clock = stopwatch } = this.options;
    const { executor, tables, notifier, now, dispatcher } = this.ends;
    const peek: SqlTaskDispatcher['peek'] = async (limit, cursor) => {
      await this.ready();
      return dispatcher.peek(limit, cursor);
    };
    const onAnswers: SqlTaskDispatcher['onAnswers'] = (hear) => dispatcher.onAnswers(hear);
    const delivery = new ResultDelivery(
      { peek, onAnswers },
      new SqlAnswerLeases(executor, tables, { now }),
      async (answer) => listener(resultOf(answer)),
      {
        collectorId: instanceId ?? `node-${randomUUID()}`,
        leaseMs,
        pollMs,
        concurrency: Math.max(concurrency, MIN_CALLBACKS),
        shutdownTimeoutMs: toMs(usualShutdown()),
        clock,
        telemetry: this.telemetry,
        live: () => notifier.live,
        onReleased: () => notifier.publish('results', '{}'),
      },
    );
    delivery.start();
    notifier.start();
    return delivery;
  }

  /** Creates the tables before the first claim. */
  private whenReady(source: TaskSource): TaskSource {
    const ready = Object.create(source) as TaskSource;
    ready.claim = async (request) => {
      await this.ready();
      return source.claim(request);
    };
    return ready;
  }

  private refuseWhenClosed(): void {
    if (this.closing) throw new ConfigurationError('This transport is closed: create a new one');
  }
}

function resultOf({ runId, seq, stepId, status, output, error, startedAt }: StepAnswer): StepResult {
  const known = { runId, seq, stepId, startedAt: startedAt ?? undefined };
  if (status === 'failed') return { ...known, status, output: null, error: parseWireError(error) };
  try {
    return { ...known, status, output: output === null ? null : (jsonCodec.decode(output) ?? null), error: undefined };
  } catch (cause) {
    const unreadable = new UnreadablePayloadError(`The output of step "${stepId}"`, { cause });
    return { ...known, status: 'failed', output: null, error: { ...toWireError(unreadable), retryable: false } };
  }
}

export interface DbTransportOptions {
  /** `typeOrmExecutor(dataSource)`, `mikroOrmExecutor(em)`, or any other `SqlExecutor`. */
  executor: SqlExecutor;
  /** The queue to serve. Default: the groups of the handled step names. */
  group?: string;
  groups?: readonly string[];
  /** The prefix of the table names. Default `'durable'`. */
  prefix?: string;
  /** The schema of the tables. Default: the `schema` of the ORM's options, or where the connection finds them. */
  schema?: string;
  /** The maximum time between two polls, in ms. Default 500. */
  pollMs?: number;
  /** How long, in ms, a worker holds a task without renewing its lease. Default 30,000. */
  leaseMs?: number;
  /** The maximum number of tasks per claim. Default 10. */
  batchSize?: number;
  /** The maximum number of concurrent handlers. Default: `batchSize`. */
  concurrency?: number;
  /** Whether missing tables are created. Default true. */
  autoCreate?: boolean;
  /** `'app'`: only connections of the pool are used, on PostgreSQL too. Default `'own'`, as of the module's option. */
  sessions?: 'own' | 'app';
  /** How it hears of tasks at once, and tells of answers, as the module's option. */
  wake?: WakeBus;
  /** Whether engines of other processes may send it tasks by notifications of PostgreSQL, without a claim. Default true. */
  credits?: boolean;
  /** The name of this process in the rows that it holds; its workers add a part for each start. Default: generated. */
  instanceId?: string;
  /** For tests: replaces the database's clock. */
  clock?: Clock;
}

const OPTIONS = {
  executor: true,
  group: true,
  groups: true,
  prefix: true,
  schema: true,
  pollMs: true,
  leaseMs: true,
  batchSize: true,
  concurrency: true,
  autoCreate: true,
  sessions: true,
  wake: true,
  credits: true,
  instanceId: true,
  clock: true,
} satisfies KnownOptions<DbTransportOptions>;

/** Leaves room for the unique suffix of each claim. */
const LONGEST_INSTANCE_ID = 150;
const LONGEST_KEY = 191;

/** @throws InvalidArgumentError */
function checkOptions(options: DbTransportOptions) {
  const given: Partial<DbTransportOptions> | undefined = checkedOptions(options, OPTIONS, 'DbTransport');
  const { executor, prefix = 'durable', schema, instanceId, clock, autoCreate = true, batchSize = 10 } = given ?? {};
  if (typeof executor?.run !== 'function' || typeof executor.transaction !== 'function') {
    throw new InvalidArgumentError(
      'executor',
      executor,
      'typeOrmExecutor(dataSource), mikroOrmExecutor(em) or a SqlExecutor',
    );
  }
  validatePrefix(prefix);
  if (schema !== undefined) validateName(schema, 'schema');
  if (
    instanceId !== undefined &&
    !(typeof instanceId === 'string' && instanceId !== '' && instanceId.length <= LONGEST_INSTANCE_ID)
  ) {
    throw new InvalidArgumentError('instanceId', instanceId, `a string of 1 to ${LONGEST_INSTANCE_ID} characters`);
  }
  if (clock !== undefined && typeof clock.now !== 'function')
    throw new InvalidArgumentError('clock', clock, 'an object with a now()');
  const { credits = true } = given ?? {};
  for (const [name, value] of Object.entries({ autoCreate, credits }))
    if (typeof value !== 'boolean') throw new InvalidArgumentError(name, value, 'true or false');
  const sessions: unknown = given?.sessions ?? 'own';
  if (sessions !== 'own' && sessions !== 'app') throw new InvalidArgumentError('sessions', sessions, "'own' or 'app'");
  return {
    executor: timeLimited(sessions === 'app' ? onAppPool(executor) : executor),
    prefix,
    schema,
    instanceId,
    clock,
    autoCreate,
    credits,
    wake: checkedWake(given?.wake),
    groups: groupsOf(given ?? {}),
    pollMs: wholeNumber('pollMs', given?.pollMs ?? 500),
    leaseMs: wholeNumber('leaseMs', given?.leaseMs ?? 30_000, 100),
    batchSize: wholeNumber('batchSize', batchSize),
    concurrency: wholeNumber('concurrency', given?.concurrency ?? batchSize),
  };
}

function groupsOf({ group, groups }: Partial<DbTransportOptions>): readonly string[] | undefined {
  if (group === undefined && groups === undefined) return undefined;
  if (groups !== undefined && (!Array.isArray(groups) || groups.length === 0)) {
    throw new InvalidArgumentError('groups', groups, 'an array of at least one group');
  }
  const all: unknown[] = [...(group === undefined ? [] : [group]), ...((groups ?? []) as unknown[])];
  for (const one of all) checkKey('group', one);
  return [...new Set(all as string[])];
}

function wholeNumber(argument: string, value: unknown, least = 1): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw new InvalidArgumentError(argument, value, `a whole number of at least ${least}`);
}

export interface DispatchRequest {
  runId: string;
  seq: number;
  /** Default `<runId>:<seq>`. */
  stepId?: string;
  name: string;
  /** Default: the group of the name. */
  group?: string;
  input?: unknown;
  /** Default 1. */
  attempt?: number;
}

/** @throws InvalidArgumentError, SerializationError, PayloadTooLargeError */
function readTask(request: DispatchRequest, codec: Codec, limit: number): StepTask {
  if (typeof request !== 'object' || request === null)
    throw new InvalidArgumentError('request', request, 'an object with runId, seq and name');
  const { runId, seq, name, input, attempt = 1 } = request;
  checkKey('runId', runId);
  checkKey('name', name);
  if (!Number.isInteger(seq) || Math.abs(seq) > 2 ** 31 - 1)
    throw new InvalidArgumentError('seq', seq, 'an integer of 32 bits');
  if (!Number.isInteger(attempt) || attempt < 1)
    throw new InvalidArgumentError('attempt', attempt, 'a whole number from 1');
  const { stepId = stepIdOf(runId, seq), group = groupOf(name) } = request;
  checkKey('stepId', stepId);
  checkKey('group', group);
  const text = encodedWithin(limit, 'The input', () => codec.encode(input ?? null));
  return { runId, seq, stepId, name, group, attempt, input: text };
}

/** What fits into the key columns of every database. */
function checkKey(argument: string, value: unknown): asserts value is string {
  const fits = typeof value === 'string' && value.length > 0 && [...value].length <= LONGEST_KEY;
  if (fits && !/\0|\p{Surrogate}/u.test(value)) return;
  throw new InvalidArgumentError(argument, value, `a string of 1 to ${LONGEST_KEY} characters`);
}

/** How long this process counts as alive after its last heartbeat. */
const LEASE_MS = 10_000;

/**
 * Signs in a worker beside the processes of an engine, so that nobody is told that its groups are not served. The roster
 * is not part of the table contract: where there is none, or this user may not write to it, the worker does without.
 */
class WorkerPresence {
  private readonly beats: PollLoop;
  private isAbsent = false;

  constructor(
    private readonly roster: Pick<NodeRoster, 'beat' | 'leave'>,
    /** What it serves now. */
    private readonly identity: () => NodeIdentity,
    private readonly on: { draining: (draining: boolean) => void; error: (error: unknown) => void },
  ) {
    this.beats = new PollLoop(() => this.beat(), { maxMs: LEASE_MS / 3, onError: on.error });
  }

  start(): void {
    this.beats.start();
  }

  /** Call it when it serves more. */
  renew(): void {
    this.beats.wake();
  }

  async stop(): Promise<void> {
    await this.beats.stop();
    if (!this.isAbsent) await this.roster.leave(this.identity().id).catch(this.on.error);
  }

  private async beat(): Promise<'idle'> {
    if (this.isAbsent) return 'idle';
    try {
      this.on.draining((await this.roster.beat(this.identity(), LEASE_MS)).draining);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.transient) throw error;
      this.isAbsent = true;
    }
    return 'idle';
  }
}
