import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  InvalidArgumentError,
  ResultTimeoutError,
  WorkflowIdConflictError,
  WorkflowNotFoundError,
} from '../../errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import { Batcher } from '../../time/batcher.js';
import type { Clock } from '../../time/clock.js';
import { toMs } from '../../time/duration.js';
import { sleep } from '../../time/sleep.js';
import { ClientCompletions, type CompletionOptions, type StepFailure } from './client-completions.js';
import { ClientControl, ClientRemoval, type ControlOptions, type PurgeOptions } from './client-control.js';
import { ClientInsight } from './client-insight.js';
import type { WorkflowExplanation } from '../insight/explain.js';
import { ClientSignals, type SignalOptions, type SignalReceipt } from './client-signals.js';
import { checkRunId } from '../model/names.js';
import { newRun } from '../model/new-run.js';
import type { Payloads } from '../model/payloads.js';
import type { ResultWaiter } from './result-waiter.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import type { NewRun, RunRecord } from '../model/run.js';
import { type StartOptions, uniquenessOf } from '../model/start-options.js';
import { errorOf } from '../insight/run-views.js';
import type { ResultOptions, WorkflowHandle } from './workflow-handle.js';
import type { ListOptions, StatusOptions, WorkflowPage, WorkflowRunStatus } from '../insight/workflow-status.js';
import type { ClassOf, OutputOf, WorkflowRunner } from '../model/workflow-context.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import type { WorkflowSignal } from '../model/mailbox.js';

export interface WorkflowClientPorts {
  storage: EngineStorage;
  payloads: Payloads;
  waiter: ResultWaiter;
  resolve: WorkflowLookup;
  namespace: string;
  clock: Clock;
}

/**
 * The app's API for workflows: starts, inspects, awaits, signals and ends runs.
 *
 * @example
 * const { id } = await workflows.start(CheckoutWorkflow, order, { id: `order-${order.id}`, transaction: tx });
 */
export class WorkflowClient {
  private readonly control: ClientControl;
  private readonly insight: ClientInsight;
  private readonly removal: ClientRemoval;
  private readonly signals: ClientSignals;
  private readonly completions: ClientCompletions;
  private readonly creations: Batcher<NewRun, { created: boolean; run: RunRecord }>;

  constructor(private readonly ports: WorkflowClientPorts) {
    this.control = new ClientControl(ports.storage);
    this.insight = new ClientInsight({ ...ports, codec: ports.payloads.codec });
    this.removal = new ClientRemoval(ports.storage, ports.namespace);
    this.signals = new ClientSignals(ports);
    this.completions = new ClientCompletions(ports);
    this.creations = new Batcher((runs) => ports.storage.catalog.create(runs), {
      sizeOf: ({ input }) => input.length,
      isolates: () => true,
    });
  }

  /**
   * Starts a run, or returns the existing run with this id: then `created` is false. With `transaction` the run exists
   * if and when that commits; with MikroORM an open surrounding transaction is joined automatically.
   *
   * @throws WorkflowIdConflictError if a run with this id has another input, workflow or namespace (another version is
   *   no conflict); InvalidArgumentError, InvalidTransactionError, UnknownWorkflowError, SerializationError,
   *   PayloadTooLargeError, WorkflowNotFoundError (`after`) before anything is written.
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
    const { transactions, catalog } = this.ports.storage;
    const asked = newRun(this.ports, this.ports.resolve(workflow), input, {
      ...options,
      id: options.id ?? randomUUID(),
    });
    const run = { ...asked, ...uniquenessOf(asked, options) };
    const open = transactionOf(transactions, options.transaction);
    if (run.after) await this.checkThere(run.after, open);
    const creation = open ? (await catalog.create([run], open))[0]! : await this.creations.add(run);
    return this.started(run, creation, options.id === undefined);
  }

  /**
   * Starts a run and waits for its output, for `timeout` at most; after that the run goes on.
   *
   * @throws the errors of {@link start} and {@link result}
   */
  async startAndWait<W extends ClassOf<WorkflowRunner<never, unknown>>>(
    workflow: W,
    input: Parameters<InstanceType<W>['run']>[1],
    options?: Omit<StartOptions, 'timeout'> & ResultOptions,
  ): Promise<OutputOf<InstanceType<W>>>;
  async startAndWait<Output = unknown>(
    workflow: string,
    input?: unknown,
    options?: Omit<StartOptions, 'timeout'> & ResultOptions,
  ): Promise<Output>;
  async startAndWait(
    workflow: string | ClassOf<unknown>,
    input?: unknown,
    { timeout, ...options }: Omit<StartOptions, 'timeout'> & ResultOptions = {},
  ): Promise<unknown> {
    if (options.transaction !== undefined || this.ports.storage.transactions.ambient()) {
      throw new InvalidArgumentError(
        'transaction',
        options.transaction ?? 'open',
        'no transaction: a run starts after the commit, so waiting for it inside of the transaction would never end',
      );
    }
    const handle = await this.start(workflow as string, input, options);
    return handle.result(timeout === undefined ? {} : { timeout });
  }

  /**
   * Waits for the run's output.
   *
   * @throws WorkflowFailedError, CompensationFailedError, WorkflowCancelledError, WorkflowTerminatedError,
   *   WorkflowNotFoundError, ResultTimeoutError, ResultAbandonedError
   */
  async result<Output = unknown>(id: string, options: ResultOptions = {}): Promise<Output> {
    return this.outputOf(await this.ended(checkRunId(id), options, false)) as Output;
  }

  /**
   * Returns the current state of a run; with `history` also its steps, attempts and log lines, with `children` the runs
   * it started.
   *
   * @throws WorkflowNotFoundError
   */
  async getStatus(id: string, options: StatusOptions = {}): Promise<WorkflowRunStatus> {
    return this.insight.getStatus(id, options);
  }

  /** Lists runs in the order of their creation, page by page, each run once. @throws InvalidArgumentError */
  async list(options: ListOptions = {}): Promise<WorkflowPage> {
    return this.insight.list(options);
  }

  /** Explains a run's state: what it waits for, since when and until when. @throws WorkflowNotFoundError */
  async explain(id: string): Promise<WorkflowExplanation> {
    return this.insight.explain(id);
  }

  /**
   * Cancels a run that has not ended: its owner drops it, the signal of its running steps aborts, its tasks are
   * withdrawn. Its completed steps are compensated, and its children are closed according to their `parentClose`;
   * meanwhile the run is `compensating`. If there is nothing to compensate or close, it is `cancelled` at once. A run
   * whose code does not match its history is compensated once matching code is deployed; {@link terminate} does not
   * need the code.
   *
   * Returns false if the run had ended already. A run that is already failing, or being terminated, is not changed.
   *
   * @throws WorkflowNotFoundError
   */
  cancel(id: string, options: ControlOptions = {}): Promise<boolean> {
    return this.control.close(id, 'cancelled', options);
  }

  /**
   * Ends a run like {@link cancel}, but without compensation, even if compensation has begun. Returns false if the run
   * had ended already.
   *
   * @throws WorkflowNotFoundError
   */
  terminate(id: string, options: ControlOptions = {}): Promise<boolean> {
    return this.control.close(id, 'terminated', options);
  }

  /**
   * Unblocks a blocked run, for example after a deploy with matching code. A run with `compensation_failed` continues
   * to compensate; the failed compensation has all its attempts again.
   *
   * @throws WorkflowNotFoundError, WorkflowNotRetryableError
   */
  retry(id: string, options: ControlOptions = {}): Promise<void> {
    return this.control.retry(id, options);
  }

  /**
   * Deletes a run that has ended, its descendants that have ended, and everything stored for them. A child that has not
   * ended is kept, as a run without a parent. The id is free then. Returns false if there is no such run.
   *
   * @throws WorkflowNotEndedError
   */
  delete(id: string, options: ControlOptions = {}): Promise<boolean> {
    return this.removal.delete(id, options);
  }

  /**
   * Deletes old ended runs in small transactions that skip locked rows, and returns how many it deleted. A run is kept
   * while its parent has not ended.
   *
   * @throws InvalidArgumentError
   *
   * @example
   * await workflows.purge({ olderThan: '30d', status: ['completed', 'cancelled'] });
   */
  purge(options: PurgeOptions): Promise<number> {
    return this.removal.purge(options);
  }

  /**
   * Sends a signal to a run, or to all runs that wait with a key. It is kept until a run waits for it. A signal to a
   * run that has ended is accepted, but has no effect. With MikroORM an open surrounding transaction is joined
   * automatically.
   *
   * @throws InvalidArgumentError, WorkflowNotFoundError, SerializationError, PayloadTooLargeError,
   *   InvalidTransactionError
   *
   * @example await workflows.signal(approved, { by: 'Ada' }, { key: order.id, id: request.id, transaction: tx });
   */
  signal<T>(signal: WorkflowSignal<T> | string, payload: NoInfer<T>, options: SignalOptions): Promise<SignalReceipt> {
    return this.signals.send(signal, payload, options);
  }

  /**
   * Completes a pending remote step with `output`, in place of a worker. A worker that holds its task loses the lease.
   *
   * @throws StepNotFoundError, StepAlreadySettledError, StepNotPendingError, InvalidArgumentError, SerializationError,
   *   PayloadTooLargeError
   */
  completeStep(stepId: string, output?: unknown, options: CompletionOptions = {}): Promise<void> {
    return this.completions.complete(stepId, output, options);
  }

  /**
   * Fails an attempt of a pending remote step. It is retried by the step's policy, unless `retryable` is false.
   *
   * @throws the errors of {@link completeStep}
   */
  failStep(stepId: string, error: Error | StepFailure, options: CompletionOptions = {}): Promise<void> {
    return this.completions.fail(stepId, error, options);
  }

  /** Checks in the caller's transaction, which sees its own runs, and outside, for runs committed after it began. */
  private async checkThere(ids: readonly string[], tx: Transaction | undefined): Promise<void> {
    const { catalog } = this.ports.storage;
    const found = new Set((await catalog.find(ids, tx)).map(({ id }) => id));
    const unseen = ids.filter((id) => !found.has(id));
    if (tx && unseen.length > 0) for (const { id } of await catalog.find(unseen)) found.add(id);
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new WorkflowNotFoundError(missing);
  }

  private started(asked: NewRun, creation: { created: boolean; run: RunRecord }, isDrawn: boolean): WorkflowHandle {
    const { run } = creation;
    // The id was generated for this start, so the run is its own: the reply to the first commit was lost.
    const created = creation.created || (isDrawn && run.id === asked.id);
    // A run with another id has the same singleton or debounce key: no conflict.
    if (!created && run.id === asked.id) this.checkSame(asked, run);
    return {
      id: run.id,
      created,
      result: async (options = {}) => this.outputOf(await this.ended(run.id, options, true)),
      status: () => this.getStatus(run.id),
      cancel: () => this.cancel(run.id),
      terminate: () => this.terminate(run.id),
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

  /** `mayAppear`: the run will exist once its transaction has committed. */
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
      // With a reason, because creating the default one is expensive.
      over.abort('over');
    }
  }

  private outputOf(run: RunRecord): unknown {
    if (run.status === 'completed') return this.ports.payloads.codec.decode(run.output ?? 'null');
    throw errorOf(run);
  }
}
