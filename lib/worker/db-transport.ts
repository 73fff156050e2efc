import { randomUUID } from 'node:crypto';
import { Intake, NOTHING_HELD } from '../acts/holds.js';
import { encodedWithin, jsonCodec } from '../core/codec.js';
import { ConfigurationError, DatabaseError, InvalidArgumentError, UnreadablePayloadError } from '../core/errors.js';
import { LeaseKeeper, untilBack } from '../core/leasing.js';
import { Batcher, PollLoop } from '../core/loops.js';
import { checkedOptions, defined, type KnownOptions } from '../core/options.js';
import { groupOf, PACKAGE_VERSION, type StepAnswer, stepIdOf, type StepTask } from '../core/protocol.js';
import { Telemetry } from '../core/telemetry.js';
import {
  atMost,
  backoffMs,
  type Clock,
  stopwatch,
  stopwatchBeside,
  systemClock,
  toMs,
  usualShutdown,
} from '../core/time.js';
import { parseWireError, toWireError, type WireError } from '../core/wire-error.js';
import type { NodeIdentity, NodeRoster } from '../engine/nodes.js';
import { SqlNodeRoster } from '../engine/nodes.sql.js';
import { type AnswerCursor, HandOver, type TaskDispatcher } from '../engine/tasks.js';
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
import type { AnswerLeases, Claim, LeasedAnswer, TaskSource } from './task-source.js';
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
   * For an engine of this process and its workers, which from then on take the results.
   *
   * @throws ConfigurationError when `onResult` has a listener.
   */
  forEngine(): TransportEnds {
    if (this.delivery) throw new ConfigurationError(TWO_LISTENERS);
    this.isOfEngine = true;
    return this.ends;
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
    const task = readTask(request);
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
    await this.ends.notifier.stop();
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
    if (this.unprotected) this.telemetry.emit('tables.unprotected', this.unprotected);
    this.unprotected = undefined;
    const { executor, tables } = this.ends;
    if (this.options.autoCreate) await migrate(executor, tables, { part: 'transport' });
    else await findTables(executor, tables);
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
      payloadLimit: PAYLOAD_LIMIT,
      maxClaims: MAX_CLAIMS,
      codec: jsonCodec,
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
function readTask(request: DispatchRequest): StepTask {
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
  const text = encodedWithin(PAYLOAD_LIMIT, 'The input', () => jsonCodec.encode(input ?? null));
  return { runId, seq, stepId, name, group, attempt, input: text };
}

/** What fits into the key columns of every database. */
function checkKey(argument: string, value: unknown): asserts value is string {
  const fits = typeof value === 'string' && value.length > 0 && [...value].length <= LONGEST_KEY;
  if (fits && !/\0|\p{Surrogate}/u.test(value)) return;
  throw new InvalidArgumentError(argument, value, `a string of 1 to ${LONGEST_KEY} characters`);
}

export interface ResultDeliveryOptions {
  collectorId: string;
  leaseMs: number;
  pollMs: number;
  /** The maximum number of concurrent callbacks. */
  concurrency: number;
  shutdownTimeoutMs: number;
  clock: Clock;
  telemetry: Telemetry;
  /** Whether other processes send notifications of new answers, so that polling may be slow. */
  live: () => boolean;
  /** Called when answers were released that other processes may want. */
  onReleased: () => void;
}

const PAGE = 500;
/** An answer that this instance declined is not offered to it again for this time. */
const DECLINED_MS = 10_000;
const RETRY = { delay: '100ms', factor: 2, maxDelay: '30s', jitter: 'full' } as const;

/**
 * Leases answers, passes each to a callback, and deletes it once the callback has resolved. An answer whose callback
 * fails is offered again, here or elsewhere; one declined with `false` is left to others. Callbacks run independently.
 */
class ResultDelivery {
  private readonly loop: PollLoop;
  private readonly keeper: LeaseKeeper<Claim>;
  private readonly settled: Batcher<Claim, void>;
  private readonly released: Batcher<Claim, void>;
  private readonly running = new Map<string, Promise<void>>();
  /** Answers that must not be offered before `until`, by the given clock. */
  private readonly deferred = new Map<string, { until: number; failures: number }>();
  private readonly wanted = new Set<string>();
  private readonly stopped = new AbortController();
  private cursor: AnswerCursor | undefined;
  /** Whether the last read returned a full page. */
  private hasMore = false;
  private unsubscribe = (): void => {};

  constructor(
    private readonly dispatcher: Pick<TaskDispatcher, 'peek' | 'onAnswers'>,
    private readonly leases: AnswerLeases,
    private readonly deliver: (answer: StepAnswer) => Promise<unknown>,
    private readonly options: ResultDeliveryOptions,
  ) {
    const { clock, pollMs, live } = options;
    const failed = (loop: string) => (error: unknown) => options.telemetry.emit('loop.error', { loop, error });
    this.keeper = new LeaseKeeper({
      keyOf: ({ stepId }) => stepId,
      extend: async (held) => (await leases.extend(held.map(({ claim }) => claim))).map((claim) => ({ claim })),
      onError: failed('results.extend'),
      clock,
    });
    this.settled = new Batcher(async (claims) => this.each(claims, leases.settle(claims)));
    this.released = new Batcher(async (claims) => this.each(claims, leases.release(claims)));
    this.loop = new PollLoop(() => this.tick(), {
      maxMs: pollMs,
      live,
      onError: failed('results.collect'),
    });
  }

  start(): void {
    this.unsubscribe = this.dispatcher.onAnswers((answers) => this.arrived(answers));
    this.loop.start();
  }

  /** Offers no more answers and waits for running callbacks; those that exceed the timeout lose their leases. */
  async stop(): Promise<void> {
    this.unsubscribe();
    await this.loop.stop();
    await atMost(this.options.shutdownTimeoutMs, Promise.allSettled(this.running.values()));
    this.stopped.abort();
    await this.settled.idle();
    await this.released.idle();
    await this.keeper.stop();
  }

  private arrived(answers: readonly StepAnswer[] | undefined): void {
    if (!answers) this.cursor = undefined;
    for (const { stepId } of answers ?? []) this.want(stepId);
    this.loop.wake();
  }

  private want(stepId: string): void {
    const deferred = this.deferred.get(stepId);
    if (this.running.has(stepId) || (deferred && deferred.until > this.options.clock.now())) return;
    this.wanted.add(stepId);
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    const free = this.options.concurrency - this.running.size;
    if (free <= 0) return 'idle';
    if (this.wanted.size < free) await this.look();
    const stepIds = [...this.wanted].slice(0, free);
    if (stepIds.length === 0) return this.hasMore ? 'busy' : 'idle';
    for (const stepId of stepIds) this.wanted.delete(stepId);
    const { collectorId, leaseMs } = this.options;
    const askedAt = this.keeper.now();
    const leased = await this.leases.lease(stepIds, collectorId, leaseMs);
    if (this.keeper.isOver(askedAt, leaseMs)) await this.leases.release(leased.map(({ claim }) => claim));
    else for (const answer of leased) this.begin(answer, askedAt);
    return this.wanted.size > 0 || this.hasMore ? 'busy' : 'active';
  }

  private async look(): Promise<void> {
    const { cursor: from } = this;
    const { answers, cursor } = await this.dispatcher.peek(PAGE, from);
    // A notification may have reset the cursor meanwhile to read from the start.
    if (this.cursor === from) this.cursor = cursor;
    this.hasMore = answers.length === PAGE;
    for (const { stepId } of answers) this.want(stepId);
    const now = this.options.clock.now();
    for (const [stepId, { until }] of this.deferred) if (until < now - DECLINED_MS) this.deferred.delete(stepId);
  }

  private begin(answer: LeasedAnswer, askedAt: number): void {
    const offering = this.offer(answer, askedAt).finally(() => {
      this.running.delete(answer.stepId);
      if (this.wanted.size > 0 || this.hasMore) this.loop.wake();
    });
    this.running.set(answer.stepId, offering);
  }

  private async offer({ claim: leased, ...answer }: LeasedAnswer, askedAt: number): Promise<void> {
    const lease = this.keeper.keep(leased, this.options.leaseMs, askedAt, () => {});
    const verdict = await this.deliver(answer).then(
      (mine) => (mine === false ? 'declined' : 'done'),
      (error: unknown) => {
        this.options.telemetry.emit('loop.error', { loop: 'results.callback', error });
        return 'failed';
      },
    );
    const claim = await this.keeper.settle(lease);
    if (!claim || this.stopped.signal.aborted) return;
    if (verdict === 'done') return this.persist(() => this.settled.add(claim));
    this.defer(answer.stepId, verdict === 'failed');
    await this.persist(() => this.released.add(claim));
    this.options.onReleased();
  }

  private defer(stepId: string, failed: boolean): void {
    const failures = failed ? (this.deferred.get(stepId)?.failures ?? 0) + 1 : 0;
    const waitMs = failed ? backoffMs(failures, RETRY) : DECLINED_MS;
    this.deferred.set(stepId, { until: this.options.clock.now() + waitMs, failures });
  }

  /** Waits while the database is unavailable: without the write, the callback would be called again. */
  private persist(write: () => Promise<void>): Promise<void> {
    const { signal: stopped } = this.stopped;
    const onFailure = (error: unknown) => this.options.telemetry.emit('loop.error', { loop: 'results.settle', error });
    const patience = { stopped, passes: () => true, onFailure, retry: { ...RETRY, maxDelay: '5s' } } as const;
    return untilBack(async () => (stopped.aborted ? undefined : write()), patience).catch(onFailure);
  }

  private async each(claims: readonly Claim[], writing: Promise<void>): Promise<void[]> {
    await writing;
    return claims.map(() => undefined);
  }
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
