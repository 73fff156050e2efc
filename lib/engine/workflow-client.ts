import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  InvalidArgumentError,
  ResultTimeoutError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowIdConflictError,
  WorkflowNotFoundError,
} from '../errors.js';
import { parseWireError } from '../protocol/wire-error.js';
import { Batcher } from '../time/batcher.js';
import type { Clock } from '../time/clock.js';
import { type Duration, toMs } from '../time/duration.js';
import { sleep } from '../time/sleep.js';
import { checkName, checkRunId } from './names.js';
import type { Payloads } from './payloads.js';
import type { ResultWaiter } from './result-waiter.js';
import type { RunCatalog, Transactions } from './run-catalog.js';
import type { NewRun, RunRecord } from './run.js';
import { cursorOf, parseCursor, viewRun, viewStep } from './run-views.js';
import type { TaskDispatcher } from './task-dispatcher.js';
import type { ListOptions, ResultOptions, WorkflowHandle, WorkflowPage, WorkflowRunStatus } from './workflow-handle.js';
import type { ClassOf, WorkflowRunner } from './workflow-context.js';

export interface StartOptions {
  /** The run's identity. Default: a UUID. At most 180 characters. */
  id?: string;
  /** Default: the highest that this process knows, or 1. */
  version?: number;
  /** An open transaction of the app's ORM: the run exists if and when it commits. */
  transaction?: unknown;
  /** How long after the commit it may begin. */
  delay?: Duration;
  /** When it may begin. */
  startAt?: Date;
  /** Recorded with the run; claims do not go by it yet. A whole number, default 0. */
  priority?: number;
}

/** A workflow's input and output, by its class. */
export type InputOf<W> = W extends WorkflowRunner<infer Input, never> | WorkflowRunner<infer Input> ? Input : unknown;
export type OutputOf<W> = W extends { run(...args: never[]): Promise<infer Output> } ? Output : unknown;

export interface WorkflowClientPorts {
  catalog: RunCatalog;
  transactions: Transactions;
  dispatcher: TaskDispatcher;
  payloads: Payloads;
  waiter: ResultWaiter;
  /** The name and newest version that a class or name stands for. @throws UnknownWorkflowError */
  resolve: (workflow: string | ClassOf<unknown>) => { name: string; version: number };
  namespace: string;
  clock: Clock;
}

/**
 * The app's side of workflows: starts runs, looks at them, waits for them, ends them.
 *
 * @example
 * const { id } = await workflows.start(CheckoutWorkflow, order, { id: `order-${order.id}`, transaction: tx });
 */
export class WorkflowClient {
  private readonly creations: Batcher<NewRun, { created: boolean; run: RunRecord }>;

  constructor(private readonly ports: WorkflowClientPorts) {
    this.creations = new Batcher((runs) => ports.catalog.create(runs), {
      sizeOf: ({ input }) => input.length,
      isolates: () => true,
    });
  }

  /**
   * Starts a run, or finds the one that has this id already: `created` tells. With `transaction` the run exists if and
   * when that commits; with MikroORM an open surrounding transaction is joined without being asked.
   *
   * @throws WorkflowIdConflictError when the id has another input or workflow (a newer version is no conflict); InvalidArgumentError,
   *   InvalidTransactionError, UnknownWorkflowError, SerializationError, PayloadTooLargeError before anything is written.
   */
  async start<W extends ClassOf<WorkflowRunner<never, unknown>>>(
    workflow: W,
    input: Parameters<InstanceType<W>['run']>[1],
    options?: StartOptions,
  ): Promise<WorkflowHandle<OutputOf<InstanceType<W>>>>;
  async start<Output = unknown>(
    workflow: string,
    input?: unknown,
    options?: StartOptions,
  ): Promise<WorkflowHandle<Output>>;
  async start(
    workflow: string | ClassOf<unknown>,
    input?: unknown,
    options: StartOptions = {},
  ): Promise<WorkflowHandle> {
    const run = this.newRun(workflow, input, options);
    const { transactions, catalog } = this.ports;
    const open = options.transaction === undefined ? transactions.ambient() : transactions.join(options.transaction);
    if (!open) return this.started(run, await this.creations.add(run));
    const [creation] = await catalog.create([run], open.tx);
    if (creation?.created) open.afterCommit(() => catalog.announceDue());
    return this.started(run, creation!);
  }

  /** Starts a run and waits for its output. @throws what {@link start} and {@link result} throw. */
  async startAndWait<W extends ClassOf<WorkflowRunner<never, unknown>>>(
    workflow: W,
    input: Parameters<InstanceType<W>['run']>[1],
    options?: StartOptions & ResultOptions,
  ): Promise<OutputOf<InstanceType<W>>>;
  async startAndWait<Output = unknown>(
    workflow: string,
    input?: unknown,
    options?: StartOptions & ResultOptions,
  ): Promise<Output>;
  async startAndWait(
    workflow: string | ClassOf<unknown>,
    input?: unknown,
    options: StartOptions & ResultOptions = {},
  ): Promise<unknown> {
    if (options.transaction !== undefined || this.ports.transactions.ambient()) {
      throw new InvalidArgumentError(
        'transaction',
        options.transaction ?? 'open',
        'none: a run begins after the commit, so waiting inside would wait for ever',
      );
    }
    const handle = await this.start(workflow as string, input, options);
    return handle.result(options);
  }

  /**
   * The run's output, once it has ended.
   *
   * @throws WorkflowFailedError, WorkflowCancelledError, WorkflowNotFoundError, ResultTimeoutError, ResultAbandonedError
   */
  async result<Output = unknown>(id: string, options: ResultOptions = {}): Promise<Output> {
    return this.outputOf(await this.ended(checkRunId(id), options, false)) as Output;
  }

  /** @throws WorkflowNotFoundError */
  async getStatus(id: string, { history = false }: { history?: boolean } = {}): Promise<WorkflowRunStatus> {
    const { catalog, payloads } = this.ports;
    const [run] = await catalog.find([checkRunId(id)]);
    if (!run) throw new WorkflowNotFoundError(id);
    const view = viewRun(run, payloads.codec);
    if (!history) return view;
    const steps = await catalog.steps(id);
    return { ...view, history: steps.sort((a, b) => a.seq - b.seq).map((step) => viewStep(step, payloads.codec)) };
  }

  /** Newest first, page by page. */
  async list({ status, workflow, blocked, limit = 100, cursor }: ListOptions = {}): Promise<WorkflowPage> {
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
      throw new InvalidArgumentError('limit', limit, 'a whole number from 1 to 1000');
    const statuses = status === undefined ? undefined : typeof status === 'string' ? [status] : status;
    const runs = await this.ports.catalog.list({
      namespace: this.ports.namespace,
      limit: limit + 1,
      ...(statuses && { status: statuses }),
      ...(workflow !== undefined && { workflow }),
      ...(blocked !== undefined && { blocked }),
      ...(cursor !== undefined && { before: parseCursor(cursor) }),
    });
    const page = runs.slice(0, limit);
    const last = runs.length > limit ? page.at(-1) : undefined;
    return {
      runs: page.map((run) => viewRun(run, this.ports.payloads.codec)),
      ...(last && { cursor: cursorOf(last) }),
    };
  }

  /**
   * Ends a run that has not ended: its owner drops it, the signal of its running steps aborts, its tasks are withdrawn.
   * Answers false when it had ended already.
   *
   * @throws WorkflowNotFoundError
   */
  async cancel(id: string, { transaction }: { transaction?: unknown } = {}): Promise<boolean> {
    const { catalog, dispatcher, transactions } = this.ports;
    const open = transaction === undefined ? transactions.ambient() : transactions.join(transaction);
    const cancelled = await catalog.cancel(checkRunId(id), (stepIds, tx) => dispatcher.withdraw(stepIds, tx), open?.tx);
    if (!cancelled && (await catalog.find([id])).length === 0) throw new WorkflowNotFoundError(id);
    return cancelled;
  }

  private newRun(workflow: string | ClassOf<unknown>, input: unknown, options: StartOptions): NewRun {
    const { resolve, payloads, namespace, clock } = this.ports;
    const { id = randomUUID(), priority = 0 } = options;
    const { name, version: known } = resolve(workflow);
    const { version = known } = options;
    if (!isInt32(priority)) throw new InvalidArgumentError('priority', priority, 'a whole number');
    if (!isInt32(version) || version < 1) throw new InvalidArgumentError('version', version, 'a whole number from 1');
    return {
      id: checkRunId(id),
      namespace,
      workflow: checkName(name, 'The name of a workflow'),
      version,
      input: payloads.encode(input ?? null, `The input of run "${id}"`),
      priority,
      delayMs: delayOf(options, clock.now()),
    };
  }

  private started(asked: NewRun, { created, run }: { created: boolean; run: RunRecord }): WorkflowHandle {
    if (!created) this.checkSame(asked, run);
    return {
      id: run.id,
      created,
      result: async (options = {}) => this.outputOf(await this.ended(run.id, options, true)),
      status: () => this.getStatus(run.id),
      cancel: () => this.cancel(run.id),
    };
  }

  private checkSame(asked: NewRun, run: RunRecord): void {
    const { codec } = this.ports.payloads;
    if (run.namespace !== asked.namespace) throw new WorkflowIdConflictError(run.id, 'namespace');
    if (run.workflow !== asked.workflow) throw new WorkflowIdConflictError(run.id, `workflow ("${run.workflow}")`);
    if (run.input !== asked.input && !isDeepStrictEqual(codec.decode(run.input ?? 'null'), codec.decode(asked.input))) {
      throw new WorkflowIdConflictError(run.id, 'input');
    }
  }

  /** Of a run that `mayAppear` it is known that it will exist when its transaction has committed. */
  private async ended(id: string, { timeout }: ResultOptions, mayAppear: boolean): Promise<RunRecord> {
    const timeoutMs = timeout === undefined ? undefined : toMs(timeout, 'timeout');
    const over = new AbortController();
    try {
      const ended = this.ports.waiter.wait(id, over.signal, mayAppear);
      const late = timeoutMs === undefined ? [] : [sleep(timeoutMs, over.signal).then(() => 'late' as const)];
      const run = await Promise.race([ended, ...late]);
      if (run === 'late') throw new ResultTimeoutError(id, timeoutMs ?? 0);
      if (!run) throw new WorkflowNotFoundError(id);
      return run;
    } finally {
      over.abort();
    }
  }

  private outputOf(run: RunRecord): unknown {
    if (run.status === 'completed') return this.ports.payloads.codec.decode(run.output ?? 'null');
    if (run.status === 'cancelled') throw new WorkflowCancelledError(run.id);
    const { name = 'WorkflowFailedError', message, code } = parseWireError(run.error);
    throw new WorkflowFailedError(run.id, { name, message, ...(code !== undefined && { code }) });
  }
}

/** What an integer column holds. */
const isInt32 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

function delayOf({ delay, startAt }: StartOptions, now: number): number {
  if (delay !== undefined && startAt !== undefined)
    throw new InvalidArgumentError('delay', delay, 'either delay or startAt');
  if (startAt === undefined) return delay === undefined ? 0 : toMs(delay, 'delay');
  if (Number.isNaN(startAt.getTime())) throw new InvalidArgumentError('startAt', startAt, 'a valid Date');
  return Math.max(0, startAt.getTime() - now);
}
