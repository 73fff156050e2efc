import { randomUUID } from 'node:crypto';
import { checkOptions, type DbTransportOptions, readTask, type DispatchRequest } from './db-transport-options.js';
import { NOTHING_HELD } from '../holds/held-names.js';
import { Intake } from '../holds/intake.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { DatabaseError } from '../errors/database-errors.js';
import { UnreadablePayloadError } from '../errors/payload-errors.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { jsonCodec } from '../protocol/codec.js';
import { groupOf, type StepAnswer, type StepTask } from '../protocol/step.js';
import { parseWireError, toWireError, type WireError } from '../protocol/wire-error.js';
import { outboxTableNames } from '../outbox/tables/sql-outbox-tables.js';
import { ownTables } from '../outbox/tables/sql-own-tables.js';
import { ResultDelivery } from './result-delivery.js';
import { SqlNodeRoster } from '../engine/nodes/sql-node-roster.js';
import { WorkerPresence } from './worker-presence.js';
import { PACKAGE_VERSION } from '../protocol/package-version.js';
import { createNotifier } from '../sql/create-notifier.js';
import { migrate } from '../sql/migrations/migrator.js';
import type { Notifier } from '../sql/notifier.js';
import { sql } from '../sql/dialects/statement.js';
import { protectTables, type UnprotectedTables } from '../sql/table-protection.js';
import { type Tables, tablesWithPrefix } from '../sql/tables.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { Batcher } from '../time/batcher.js';
import { stopwatch, systemClock } from '../time/clock.js';
import { SqlAnswerLeases } from '../transport/sql-answer-leases.js';
import { SqlTaskDispatcher, type SqlTransportOptions } from '../transport/sql-task-dispatcher.js';
import { SqlTaskSource } from '../transport/sql-task-source.js';
import { HandlerRegistry, type StepHandler } from '../worker/handler-registry.js';
import type { GroupsQuery, TaskSource } from '../worker/task-source.js';
import { Worker } from '../worker/worker.js';

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

const SHUTDOWN_TIMEOUT_MS = 10_000;
const PAYLOAD_LIMIT = 1_048_576;
const MAX_CLAIMS = 10;
/** Callbacks run with at least this concurrency, so that a slow one does not delay the others. */
const MIN_CALLBACKS = 64;

/**
 * Remote steps over two tables of a database, without NestJS: the worker's side, the engine's side, or both.
 *
 * @example
 * const transport = new DbTransport({ executor: typeOrmExecutor(dataSource), group: 'pipeline.extract' });
 * transport.handle('pipeline.extract', async (input) => extract(input));
 */
export class DbTransport {
  /** Events of the transport: claims, failures, lost leases, database errors. */
  readonly telemetry = new Telemetry();
  private readonly tables: Tables;
  private readonly notifier: Notifier;
  private readonly dispatcher: SqlTaskDispatcher;
  private readonly dispatches: Batcher<StepTask, void>;
  private readonly handlers = new HandlerRegistry();
  /** It knows of no holds, but of its own draining. */
  private readonly intake = new Intake(NOTHING_HELD);
  private readonly options: ReturnType<typeof checkOptions>;
  private readonly adapters: SqlTransportOptions;
  private worker: Worker | undefined;
  private presence: WorkerPresence | undefined;
  private delivery: ResultDelivery | undefined;
  private prepared: Promise<unknown> | undefined;
  private unprotected: UnprotectedTables | undefined;
  private closing: Promise<void> | undefined;

  /** @throws InvalidArgumentError; ConfigurationError in development, if schema commands of the ORM would drop the tables */
  constructor(options: DbTransportOptions) {
    this.options = checkOptions(options);
    const { executor, prefix, clock } = this.options;
    this.tables = tablesWithPrefix(prefix);
    this.unprotected = protectTables(
      executor,
      prefix,
      ownTables(executor.dialect, prefix, outboxTableNames({}, prefix, process.env)),
    );
    this.notifier = createNotifier(executor, prefix, (error) =>
      this.telemetry.emit('loop.error', { loop: 'notifications', error }),
    );
    executor.onLeftOpen?.((left) => this.telemetry.emit('connection.left-open', left));
    executor.onPoolWait?.((wait) => this.telemetry.emit('connection.waiting', wait));
    this.adapters = clock ? { clock, now: () => sql`${clock.now()}` } : {};
    this.dispatcher = new SqlTaskDispatcher(executor, this.tables, this.notifier, this.adapters);
    const isolates = (error: unknown) => error instanceof DatabaseError && !error.transient;
    const sizeOf = ({ input }: StepTask) => input.length;
    this.dispatches = new Batcher((tasks) => this.writeTasks(tasks), { sizeOf, isolates });
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
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError, DatabaseError; then nothing is written.
   */
  async dispatch(request: DispatchRequest): Promise<void> {
    this.refuseWhenClosed();
    await this.dispatches.add(readTask(request, jsonCodec, PAYLOAD_LIMIT));
  }

  /**
   * Starts to deliver results, of all runs, to this callback.
   *
   * @throws ConfigurationError when there is a listener already.
   */
  onResult(listener: ResultListener): this {
    this.refuseWhenClosed();
    if (typeof listener !== 'function') throw new InvalidArgumentError('listener', listener, 'a function');
    if (this.delivery)
      throw new ConfigurationError('onResult() was called twice: a transport has only one result listener');
    this.delivery = this.startDelivery(listener);
    return this;
  }

  /** Stops claiming, releases unstarted tasks, and waits for running ones. Sends nothing after it resolves. */
  close(): Promise<void> {
    return (this.closing ??= this.drain());
  }

  private async drain(): Promise<void> {
    await Promise.all([this.worker?.stop(), this.delivery?.stop(), this.dispatches.idle()]);
    await this.presence?.stop();
    await this.prepared?.catch(() => {});
    await this.notifier.stop();
  }

  private async writeTasks(tasks: readonly StepTask[]): Promise<void[]> {
    await this.ready();
    await this.dispatcher.dispatch(tasks);
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
    if (this.options.autoCreate) await migrate(this.options.executor, this.tables, { part: 'transport' });
  }

  private startWorker(): Worker {
    const { executor, instanceId, concurrency, batchSize, leaseMs, pollMs, clock } = this.options;
    const source = new SqlTaskSource(executor, this.tables, this.notifier, this.adapters);
    const workerId = instanceId ?? `node-${randomUUID()}`;
    const worker = new Worker(this.whenReady(source), this.handlers, {
      workerId,
      concurrency,
      batchSize,
      leaseMs,
      pollMs,
      shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS,
      payloadLimit: PAYLOAD_LIMIT,
      maxClaims: MAX_CLAIMS,
      codec: jsonCodec,
      clock: clock ?? systemClock,
      elapsed: clock ?? stopwatch,
      telemetry: this.telemetry,
      watchesUnserved: true,
      held: this.intake,
    });
    worker.start();
    this.notifier.start();
    this.presence = this.signIn(workerId);
    return worker;
  }

  private signIn(workerId: string): WorkerPresence {
    const { executor, concurrency } = this.options;
    const roster = new SqlNodeRoster(executor, this.tables, this.adapters.now);
    // Names of processes are shorter than those of claims.
    const node = { id: workerId.slice(0, 64), namespace: '', roles: 'transport', version: PACKAGE_VERSION };
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
    const { executor, instanceId, concurrency, leaseMs, pollMs, clock = stopwatch } = this.options;
    const peek: SqlTaskDispatcher['peek'] = async (limit, cursor) => {
      await this.ready();
      return this.dispatcher.peek(limit, cursor);
    };
    const onAnswers: SqlTaskDispatcher['onAnswers'] = (hear) => this.dispatcher.onAnswers(hear);
    const delivery = new ResultDelivery(
      { peek, onAnswers },
      new SqlAnswerLeases(executor, this.tables, this.adapters),
      async (answer) => listener(resultOf(answer)),
      {
        collectorId: instanceId ?? `node-${randomUUID()}`,
        leaseMs,
        pollMs,
        concurrency: Math.max(concurrency, MIN_CALLBACKS),
        shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS,
        clock,
        telemetry: this.telemetry,
        live: () => this.notifier.live,
        onReleased: () => this.notifier.publish('results', '{}'),
      },
    );
    delivery.start();
    this.notifier.start();
    return delivery;
  }

  /** Creates the tables before the first claim. */
  private whenReady(source: TaskSource): TaskSource {
    const ready = () => this.ready();
    return {
      get live() {
        return source.live;
      },
      claim: async (request) => {
        await ready();
        return source.claim(request);
      },
      extend: (claims) => source.extend(claims),
      report: (reports) => source.report(reports),
      release: (claims) => source.release(claims),
      waiting: (query) => source.waiting(query),
      stillWaiting: (tasks) => source.stillWaiting(tasks),
      ...(source.groups && { groups: (query: GroupsQuery) => source.groups!(query) }),
      onTasks: (hear) => source.onTasks(hear),
      lostClaims: (claims) => source.lostClaims(claims),
      onWithdrawn: (hear) => source.onWithdrawn?.(hear) ?? (() => undefined),
    };
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
