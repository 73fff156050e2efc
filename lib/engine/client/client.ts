import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../core/errors.js';
import { Batcher } from '../../core/loops.js';
import { checkedOptions } from '../../core/options.js';
import { WorkflowNotFoundError } from '../../core/run-errors.js';
import type { Transaction } from '../../core/transaction.js';
import type { OutputOfTarget, WorkflowArguments, WorkflowTarget } from '../context.js';
import type { WorkflowExplanation } from '../explain.js';
import type { ListOptions, WorkflowPage } from '../listing.js';
import { checkRunId, contextIn, isFinal, type NewRun, type RunContext, type RunRecord } from '../run.js';
import type { WorkflowSignal } from '../signals.js';
import { newRun, START_OPTIONS, type StartOptions, transactionOf, uniquenessOf } from '../starts.js';
import type { CallsInSight } from '../step.js';
import type { OutgoingStory, Story, StoryOptions } from '../story.js';
import type { StatusOptions, WorkflowRunStatus } from '../views.js';
import { acceptedInput } from '../workflow.js';
import {
  ClientLives,
  CONTROL_OPTIONS,
  type ControlOptions,
  type ForkOptions,
  type PurgeOptions,
  type PurgeSignalsOptions,
  type RestartOptions,
} from './control.js';
import { ClientInsight, ClientStory, type StoryTarget } from './insight.js';
import { OperatorClient, type OperatorClientPorts } from './operator-client.js';
import {
  type Boot,
  checkSame,
  ClientResults,
  outputOf,
  type ResultOptions,
  type ResultWaiter,
  type WorkflowHandle,
} from './results.js';
import {
  ClientCompletions,
  type CompletionOptions,
  SIGNAL_OPTIONS,
  type SignalOptions,
  type SignalReceipt,
  type StepFailure,
} from './signals.js';

export interface WorkflowClientPorts extends OperatorClientPorts {
  /** What a new run carries, as JSON text. `after`: what the runs carry that it begins after. */
  context?: (run: NewRun, after: readonly RunContext[]) => string | undefined;
  /** Undefined if the app has neither effects nor outbox. */
  outgoingStory?: OutgoingStory | undefined;
  waiter: ResultWaiter;
  /** Default: it is over. */
  boot?: Boot | undefined;
  /** Undefined if the app has no effects. */
  calls?: CallsInSight | undefined;
}

/**
 * The app's API for workflows: starts, inspects, awaits, signals and ends runs.
 *
 * @example
 * const { id } = await workflows.start(CheckoutWorkflow, order, { id: `order-${order.id}`, transaction: tx });
 */
export class WorkflowClient extends OperatorClient {
  private readonly starts: ClientStarts;
  private readonly insight: ClientInsight;
  private readonly results: ClientResults;
  private readonly stories: ClientStory;
  private readonly lives: ClientLives;
  private readonly completions: ClientCompletions;

  constructor(private readonly ports: WorkflowClientPorts) {
    super(ports);
    this.starts = new ClientStarts(ports);
    this.insight = new ClientInsight(ports, this.history);
    this.results = new ClientResults({
      waiter: ports.waiter,
      explain: (id) => this.insight.explain(id),
      refuseTooEarly: (id) => this.refuseRun(id),
    });
    this.stories = new ClientStory(ports);
    this.lives = new ClientLives(ports);
    this.completions = new ClientCompletions(ports);
  }

  /**
   * Starts a run, or returns the existing run with this id: then `created` is false. With `transaction` the run exists
   * if and when that commits; with MikroORM an open surrounding transaction is joined automatically.
   *
   * @throws WorkflowIdConflictError if a run with this id has another input, workflow or namespace (another version is
   *   no conflict); ValidationError, InvalidArgumentError, InvalidTransactionError, UnknownWorkflowError, SerializationError,
   *   PayloadTooLargeError, WorkflowNotFoundError (`after`) before anything is written.
   */
  async start<Output = unknown, W extends WorkflowTarget = string>(
    workflow: W,
    ...inputAndOptions: WorkflowArguments<W, StartOptions>
  ): Promise<WorkflowHandle<OutputOfTarget<W, Output>>> {
    const [input, options = {}] = inputAndOptions;
    const { id, created } = await this.starts.start(workflow, input, options);
    return this.handleOf(id, created) as WorkflowHandle<OutputOfTarget<W, Output>>;
  }

  /**
   * Starts a run and waits for its output, for `timeout` at most; after that the run goes on.
   *
   * @throws the errors of {@link start} and {@link result}; ResultTooEarlyError before anything is started
   */
  async startAndWait<Output = unknown, W extends WorkflowTarget = string>(
    workflow: W,
    ...inputAndOptions: WorkflowArguments<W, Omit<StartOptions, 'timeout'> & ResultOptions>
  ): Promise<OutputOfTarget<W, Output>> {
    const [input, { timeout, ...options } = {}] = inputAndOptions;
    this.starts.refuseTransaction(options);
    this.refuseTooEarly(workflow, options.version);
    const started = [input, options] as unknown as WorkflowArguments<W, StartOptions>;
    const handle = await this.start<Output, W>(workflow, ...started);
    return handle.result(timeout === undefined ? {} : { timeout });
  }

  /**
   * Waits for the run's output.
   *
   * @throws WorkflowFailedError, CompensationFailedError, WorkflowCancelledError, WorkflowTerminatedError,
   *   WorkflowErasedError, WorkflowNotFoundError, ResultTimeoutError, ResultAbandonedError, ResultTooEarlyError (while
   *   the app boots)
   */
  async result<Output = unknown>(id: string, options: ResultOptions = {}): Promise<Output> {
    return outputOf(await this.results.ended(checkRunId(id), options, false), this.ports.payloads) as Output;
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
   * Tells everything that is known of a business key, in the order of time, page by page: its runs and all that they have
   * started, steps, attempts, timers, signals, events, calls, and what operators did.
   *
   * @throws InvalidArgumentError
   * @example const { entries, cursor } = await workflows.story({ attribute: { order: '42' } });
   */
  story(target: StoryTarget, options: StoryOptions = {}): Promise<Story> {
    return this.stories.story(target, options);
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
    return this.control.close(id, 'cancelled', checkedOptions(options, CONTROL_OPTIONS, 'cancel'));
  }

  /**
   * Ends a run like {@link cancel}, but without compensation, even if compensation has begun. Returns false if the run
   * had ended already.
   *
   * @throws WorkflowNotFoundError
   */
  terminate(id: string, options: ControlOptions = {}): Promise<boolean> {
    return this.control.close(id, 'terminated', checkedOptions(options, CONTROL_OPTIONS, 'terminate'));
  }

  /**
   * Lets a run that is stuck go on. A failed run resumes where it failed: completed steps keep their outcomes, the
   * failed ones get fresh attempts under the same idempotency keys, and children that did not complete go on, too. A
   * blocked run is replayed, for example after a deploy with matching code. A run with `compensation_failed` continues
   * to compensate; the failed compensation has all its attempts again.
   *
   * @throws WorkflowNotFoundError, WorkflowErasedError, WorkflowNotRetryableError, WorkflowNotResumableError (a failed run cannot go on, for
   *   example because steps were compensated); then nothing was changed
   *
   * @example await workflows.retry(`order-${order.id}`);
   */
  retry(id: string, options: ControlOptions = {}): Promise<void> {
    return this.control.retry(id, checkedOptions(options, CONTROL_OPTIONS, 'retry'));
  }

  /**
   * Begins a new life of a run that has ended, whatever its status: it starts at the first line, with the same input
   * unless another one is given. Its steps have **new idempotency keys**: what the earlier life has done, such as a
   * charge, is done again. Its history is deleted; attributes stay.
   *
   * @throws WorkflowNotFoundError, WorkflowNotEndedError, SerializationError, PayloadTooLargeError
   *
   * @example await workflows.restart('order-7', { input: { ...order, address } });
   */
  restart(id: string, options: RestartOptions = {}): Promise<void> {
    return this.lives.restart(id, options);
  }

  /**
   * Starts a run that shares the history of another one up to the position `from`: its code gets these outcomes, and
   * everything from there on is done by the fork, under its own idempotency keys. The other run may be under way or have
   * ended, and is not changed. Shared steps are compensated by the other run alone.
   *
   * @throws WorkflowNotFoundError, WorkflowForkRefusedError, WorkflowIdConflictError, InvalidArgumentError,
   *   SerializationError, PayloadTooLargeError
   *
   * @example const { id } = await workflows.fork('order-7', { from: 3, id: 'order-7-again' });
   */
  async fork<Output = unknown>(id: string, options: ForkOptions): Promise<WorkflowHandle<Output>> {
    const fork = await this.lives.fork(id, options);
    return this.handleOf(fork.id, fork.created) as WorkflowHandle<Output>;
  }

  /**
   * Deletes a run that has ended, its descendants that have ended, and everything stored for them. A child that has not
   * ended is kept, as a run without a parent. The id is free then. Returns false if there is no such run.
   *
   * @throws WorkflowNotEndedError
   */
  delete(id: string, options: ControlOptions = {}): Promise<boolean> {
    return this.removal.delete(id, checkedOptions(options, CONTROL_OPTIONS, 'delete'));
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
   * Deletes old signals in small transactions, and returns how many: those to keys, consumed or not; and those to runs
   * that were consumed, or that nobody will consume, because the run is gone, or was completed or cancelled as long ago.
   *
   * @throws InvalidArgumentError
   */
  purgeSignals(options: PurgeSignalsOptions): Promise<number> {
    return this.removal.purgeSignals(options);
  }

  /**
   * Sends a signal to a run, or to all runs that wait with a key. It is kept until a run waits for it. A signal to a
   * run that has ended is accepted, but has no effect. With MikroORM an open surrounding transaction is joined
   * automatically.
   *
   * @throws InvalidArgumentError, ValidationError, WorkflowNotFoundError, SerializationError, PayloadTooLargeError,
   *   InvalidTransactionError
   *
   * @example await workflows.signal(approved, { by: 'Ada' }, { key: order.id, id: request.id, transaction: tx });
   */
  signal<T, Sent = T>(
    signal: WorkflowSignal<T, Sent> | string,
    payload: NoInfer<Sent>,
    options: SignalOptions,
  ): Promise<SignalReceipt> {
    return this.signals.send(signal, payload, checkedOptions(options, SIGNAL_OPTIONS, 'signal'));
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

  private async refuseRun(id: string): Promise<void> {
    const { boot, storage } = this.ports;
    if (!boot || boot.isOver) return;
    const [run] = await storage.catalog.find([id]);
    if (run && !isFinal(run.status)) boot.refuse(run.workflow, run.version);
  }

  private refuseTooEarly(workflow: WorkflowTarget, asked: number | undefined): void {
    const { boot, resolve } = this.ports;
    if (!boot || boot.isOver) return;
    const { name, version } = resolve(workflow, asked);
    boot.refuse(name, asked ?? version);
  }

  private handleOf(id: string, created: boolean): WorkflowHandle {
    return {
      id,
      created,
      result: async (options = {}) => outputOf(await this.results.ended(id, options, true), this.ports.payloads),
      status: () => this.getStatus(id),
      cancel: () => this.cancel(id),
      terminate: () => this.terminate(id),
    };
  }
}

interface Creation {
  created: boolean;
  run: RunRecord;
}

/** So many traces of runs that a run begins after are named by its own. */
const MOST_LINKED = 32;

/** Starts runs. Those without a transaction that are started at the same time are written by one statement. */
class ClientStarts {
  private readonly creations: Batcher<NewRun, Creation>;

  constructor(private readonly ports: WorkflowClientPorts) {
    this.creations = new Batcher((runs) => ports.storage.catalog.create(runs), {
      sizeOf: ({ input }) => input.length,
      isolates: () => true,
    });
  }

  async start(
    workflow: WorkflowTarget,
    input: unknown,
    options: StartOptions,
  ): Promise<{ id: string; created: boolean }> {
    const { transactions, catalog } = this.ports.storage;
    checkedOptions(options, START_OPTIONS, 'start');
    const asked = this.asked(workflow, input, options);
    const open = transactionOf(transactions, options.transaction);
    const before = asked.after ? await this.contextsOf(asked.after, open) : [];
    const context = this.ports.context?.(asked, before);
    const run = { ...asked, ...(context !== undefined && { context }) };
    const creation = open ? (await catalog.create([run], open))[0]! : await this.creations.add(run);
    return this.started(run, creation, options.id === undefined);
  }

  /** @throws InvalidArgumentError if the run would start in a transaction, since it then begins only after the commit */
  refuseTransaction({ transaction }: StartOptions): void {
    if (transaction === undefined && !this.ports.storage.transactions.ambient()) return;
    throw new InvalidArgumentError(
      'transaction',
      transaction ?? 'open',
      'no transaction: a run starts after the commit, so waiting for it inside of the transaction would never end',
    );
  }

  private asked(workflow: WorkflowTarget, input: unknown, options: StartOptions): NewRun {
    const known = this.ports.resolve(workflow, options.version);
    const id = options.id ?? randomUUID();
    const run = newRun(this.ports, known, acceptedInput(known, input), { ...options, id });
    return { ...run, ...uniquenessOf(run, options) };
  }

  /**
   * What these runs carry, as far as somebody asks. Looks for them in the caller's transaction, which sees its own runs, and
   * outside, for runs committed after it began. @throws WorkflowNotFoundError
   */
  private async contextsOf(ids: readonly string[], tx: Transaction | undefined): Promise<RunContext[]> {
    const { catalog } = this.ports.storage;
    const found = new Set((await catalog.find(ids, tx)).map(({ id }) => id));
    const unseen = ids.filter((id) => !found.has(id));
    if (tx && unseen.length > 0) for (const { id } of await catalog.find(unseen)) found.add(id);
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new WorkflowNotFoundError(missing);
    if (!this.ports.context) return [];
    return [...(await catalog.contexts(ids.slice(0, MOST_LINKED), tx)).values()].map(contextIn);
  }

  private started(asked: NewRun, creation: Creation, isDrawn: boolean): { id: string; created: boolean } {
    const { run } = creation;
    // The id was generated for this start, so the run is its own: the reply to the first commit was lost.
    const created = creation.created || (isDrawn && run.id === asked.id);
    // A run with another id has the same singleton or debounce key: no conflict.
    if (!created && run.id === asked.id) checkSame(asked, run, this.ports.payloads);
    return { id: run.id, created };
  }
}
