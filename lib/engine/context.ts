import type { Stored } from '../core/codec.js';
import type { KnownOptions } from '../core/options.js';
import type { StepContext, StepLog } from '../core/protocol.js';
import { BACKOFF_OPTIONS, type BackoffOptions, type Duration } from '../core/time.js';
import type { Attributes, AttributeValue, ParentClose, RunContext } from './run.js';
import type { WorkflowSignal } from './signals.js';
import type { WorkflowEvent, WorkflowOperation } from './step.js';

export interface SignalWaitOptions<T = unknown> {
  /** Also receives signals sent to this key. Signals sent to the run itself are always received. */
  key?: string;
  /** Signals for which it returns false are left for other waits. The result must depend on the payload alone. */
  match?: (payload: Stored<T>) => boolean;
}

/** Something `ctx.waitForAny` can wait for; returned by `ctx.signalWait`, `ctx.timer` and `ctx.startChild`. */
export interface Waitable<T> {
  /** For type inference only; never set. */
  readonly outcome?: T;
}

/** The key and the value of the wait that finished first. */
export type FirstOf<W extends Record<string, Waitable<unknown>>> = {
  [K in keyof W]: { key: K; value: W[K] extends Waitable<infer T> ? T : never };
}[keyof W];

/** A run that this run has started. */
export interface ChildHandle<Output = unknown> extends Waitable<Output> {
  readonly id: string;
  /** Waits for the run's output. @throws StepFailedError with the name, message and code of the error that ended it. */
  result(): Promise<Output>;
}

export interface ChildOptions {
  /** The id of the run. Default: derived from the parent's id and the position, so the same on every replay. */
  id?: string;
  version?: number;
  /** What happens to the child when this run ends first. Default `'cancel'`. */
  parentClose?: ParentClose;
  timeout?: Duration;
  delay?: Duration;
  attributes?: Attributes;
  priority?: number;
  concurrencyKey?: string;
}

/** A run that this run was started `after`. */
export interface Dependency<Output = unknown> {
  readonly id: string;
  /** The name of its workflow. */
  readonly workflow: string;
  readonly output: Output;
}

/** In the order of `after`; with the workflows named, as many, and with the types of their outputs. */
export type Dependencies<W extends readonly WorkflowTarget[]> = W extends readonly []
  ? readonly Dependency[]
  : { readonly [At in keyof W]: Dependency<OutputOfTarget<W[At], unknown>> };

/**
 * `all`: every output, or the first failure. `settled`: the outcome of each run, failures included. `some`: the outputs
 * of the runs that completed, or a failure when none completed.
 */
export type FanInMode = 'all' | 'settled' | 'some';

export interface FanOutOptions<M extends FanInMode = 'all'> extends Omit<ChildOptions, 'id'> {
  mode?: M;
}

export type FanIn<T, M extends FanInMode> = M extends 'settled' ? PromiseSettledResult<T>[] : T[];

/** The class of a workflow. */
export type WorkflowClass<Input = never, Output = unknown> = ClassOf<WorkflowRunner<Input, Output>>;

/**
 * The remote steps of a worker class, as methods that return promises of their outputs. Options of a call override those
 * of the client. A method that cannot be a remote step is left out; one that is not decorated as such is refused when it
 * is called.
 */
export type RemoteClient<T> = {
  [Method in keyof T as T[Method] extends StepLike ? Method : never]: T[Method] extends (
    input: infer Input,
    ...rest: never[]
  ) => infer Output
    ? (...args: StepArguments<Input, Awaited<Output>>) => Promise<RemoteOutput<Awaited<Output>>>
    : never;
};

/** The input and options; or what `map` passes: `orders.map(steps.charge)` calls the step for each. */
export type StepArguments<Input, Output> =
  InputArguments<Input, RemoteOptions<Output>> | [input: Input, index: number, inputs: readonly Input[]];

/** A class, as a value. */
export type ClassOf<T> = abstract new (...args: never[]) => T;

/** What every context has, whatever it knows of the input. */
export interface RunOperations {
  /** The id of this run. */
  readonly workflowId: string;
  readonly workflowName: string;
  readonly version: number;
  /**
   * What the run carries: `traceparent` and `tracestate` of its starter, and what the module option `contextFrom` named
   * there. Children inherit it, `continueAsNew` keeps it; runs of schedules carry nothing. Nobody can change it.
   */
  readonly context: RunContext;
  /** Aborts when the run was cancelled or this process has lost the run. */
  readonly signal: AbortSignal;

  /** Runs `work` in this process, at least once, and records its output. Once recorded, `work` does not run again. */
  step<T>(
    name: string,
    work: (step: LocalStepContext) => T | Promise<T>,
    options?: LocalStepOptions<T>,
  ): Promise<Stored<T>>;

  /**
   * Runs `work` in a transaction of the app's ORM and records its output in the same commit: exactly once. `Handle`
   * is TypeORM's or MikroORM's `EntityManager`. `work` may run again after a deadlock, so it must only write to `tx`.
   */
  transaction<T, Handle = OrmTransaction>(
    name: string,
    work: (tx: Handle) => T | Promise<T>,
    options?: TransactionOptions<T, Handle>,
  ): Promise<Stored<T>>;

  /**
   * The remote steps of a worker class. Each call is a task for any process that serves the step.
   *
   * @example
   * const charge = await ctx.remote(PaymentSteps).charge(order, { compensate: ({ id }) => this.stripe.refund(id) });
   */
  remote<T extends object>(worker: ClassOf<T>, options?: RemoteOptions<RemoteOutputs<T>>): RemoteClient<T>;
  /** Runs the remote step `name` in any process that serves it, in any language. */
  remote<Output = unknown>(name: string, input?: unknown, options?: RemoteOptions<Output>): Promise<Output>;

  /** Sleeps for any length of time, or until a date; restarts and deploys do not interrupt it. */
  sleep(name: string, time: Duration | Date): Promise<void>;
  /**
   * Sleeps until a date. A date in the past returns at once. The date of the first call counts; a replay with another
   * one changes nothing.
   *
   * @example
   * await ctx.sleepUntil('due', invoice.dueAt);
   *
   * @throws InvalidArgumentError when it is no valid Date.
   */
  sleepUntil(name: string, time: Date): Promise<void>;

  /**
   * Returns the payload of the next signal of this name that is sent to this run, or to `key`; null once the `timeout`
   * has passed. Signals sent before the wait are received too, in the order of sending, each by one wait of the run.
   */
  waitForSignal<T>(
    name: string,
    signal: WorkflowSignal<T, unknown>,
    options: SignalWaitOptions<T> & { timeout: Duration },
  ): Promise<Stored<T> | null>;
  waitForSignal<T>(
    name: string,
    signal: WorkflowSignal<T, unknown>,
    options?: SignalWaitOptions<T>,
  ): Promise<Stored<T>>;
  /** Returns the wait that finishes first; drops the others. @throws StepFailedError when it is a child that failed. */
  waitForAny<W extends Record<string, Waitable<unknown>>>(name: string, waits: W): Promise<FirstOf<W>>;
  /** A signal, for {@link waitForAny}. */
  signalWait<T>(signal: WorkflowSignal<T, unknown>, options?: SignalWaitOptions<T>): Waitable<Stored<T>>;
  /** A timer that starts with the wait, for {@link waitForAny}. */
  timer(duration: Duration): Waitable<undefined>;

  /** Starts a run of another workflow; it begins with the next commit of this one. */
  startChild<Output = unknown, W extends WorkflowTarget = string>(
    workflow: W,
    ...inputAndOptions: WorkflowArguments<W, ChildOptions>
  ): Promise<ChildHandle<OutputOfTarget<W, Output>>>;
  /** Starts a run of another workflow and waits for its output. @throws StepFailedError when it does not complete. */
  executeChild<Output = unknown, W extends WorkflowTarget = string>(
    workflow: W,
    ...inputAndOptions: WorkflowArguments<W, ChildOptions>
  ): Promise<OutputOfTarget<W, Output>>;
  /** Starts a run for each input, in one commit, and waits for them. Outputs are in the order of the inputs. */
  all<W extends WorkflowClass, M extends FanInMode = 'all'>(
    workflow: W,
    inputs: readonly InputOf<InstanceType<W>>[],
    options?: FanOutOptions<M>,
  ): Promise<FanIn<OutputOf<InstanceType<W>>, M>>;
  all<Output = unknown, M extends FanInMode = 'all'>(
    workflow: string,
    inputs: readonly unknown[],
    options?: FanOutOptions<M>,
  ): Promise<FanIn<Output, M>>;

  /**
   * The runs that this one was started `after`, with their outputs, in the order of that list; none if it was started
   * without. They are read when this is first called, and recorded as the step `dependencies`, whose output is all of them
   * and has the limit of one; after `continueAsNew` or `restart` they are read anew, so keep those runs until then. With
   * workflows, the outputs have their types.
   *
   * @example
   * const [order, stock] = await ctx.dependencies(OrderWorkflow, StockWorkflow);
   *
   * @throws InvalidArgumentError, which blocks the run, when they are no runs of the workflows named.
   * @throws StepFailedError with the code `DEPENDENCY_GONE` when one was deleted, erased or begun anew before.
   */
  dependencies<W extends readonly WorkflowTarget[]>(...workflows: W): Promise<Dependencies<W>>;

  /**
   * Publishes one or more events through the outbox, in the commit that records the step: exactly once despite retries
   * and replays, and not at all when this process has lost the run. Events of one channel are published in the order of
   * the calls. Returns their mutation ids, the same on every replay. The default of `name` is `'publish'`. It has no
   * compensation. A compensation cannot call it: use `Outbox` there.
   *
   * @example
   * await ctx.publish({ channel: `order:${order.id}`, name: 'paid', data: { total } });
   *
   * @throws InvalidArgumentError for an invalid event. Nothing is written then, and the run is blocked unless its code
   *   catches the error.
   * @throws ConfigurationError if the module has no outbox. The run is blocked until a process with an outbox plays it.
   */
  publish(events: WorkflowEvent | readonly WorkflowEvent[]): Promise<string[]>;
  publish(name: string, events: WorkflowEvent | readonly WorkflowEvent[]): Promise<string[]>;

  /**
   * Enqueues calls for `@Effect` handlers in the commit that records the step. Then waits until all calls of this
   * operation for this subject have succeeded, including calls enqueued elsewhere. Returns the ids of its own calls.
   * After an abandoned call, the run waits until that call is requeued and succeeds. Enqueued calls continue when the
   * run ends first. The default of `name` is the operation's name.
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError for an invalid
   *   call. Nothing is written then, and the run is blocked unless its code catches the error.
   * @throws ConfigurationError if the module has no effects. The run is blocked until a process with effects plays it.
   */
  effects(operation: WorkflowOperation): Promise<string[]>;
  effects(name: string, operation: WorkflowOperation): Promise<string[]>;

  /** The point of no return: steps before it are no longer compensated. */
  commit(name: string): void;
  /** Throws, which ends the run as failed; its completed steps are compensated. */
  fail(message: string, code?: string): never;
  /**
   * Returns whether this run takes the new code behind `id`: false if it passed this point before the call was added.
   *
   * @example
   * if (ctx.patched('check-fraud')) await ctx.remote(FraudSteps).check(order);
   */
  patched(id: string): boolean;

  /** Sets a human-readable status of the run, such as `'waiting for payment'`; cut at 1,000 characters. */
  setStatus(status: string): void;
  /** Sets values that `list` can filter by; null removes a value. A text is cut at 191 characters. */
  setAttributes(attributes: Readonly<Record<string, AttributeValue | null>>): void;
  /** Log lines that are stored with the run. */
  readonly log: RunLog;

  /** The time at which this call first ran, the same on every replay. */
  now(): Date;
  /** A random number from 0 (inclusive) to 1 (exclusive), the same on every replay. */
  random(): number;
  /** A version 4 UUID, the same on every replay. */
  uuid(): string;
}

/** A context that was declared with the type of the input: `run(ctx: WorkflowContext<Page>, page: Page)`. */
export interface TypedContext<Input> extends RunOperations {
  /** Ends this execution and starts the run again: same id, another input, empty history. */
  continueAsNew(...input: undefined extends Input ? [input?: Input] : [input: Input]): Promise<never>;
}

/** A context that does not know the type of the input, so that `continueAsNew` would take anything. */
export interface UntypedContext extends RunOperations {
  /** Declare the context with the type of the input to call it: `run(ctx: WorkflowContext<Page>, page: Page)`. */
  continueAsNew(this: 'declared as run(ctx: WorkflowContext<Input>, input: Input)', ...input: never[]): Promise<never>;
}

/**
 * The operations of a workflow. All other code in `run` must be deterministic: it is replayed after a restart, and must
 * call the same operations in the same order with the same names. Only the code of `run` may call them, until it returns;
 * callbacks of steps may use `log`, `signal` and what only reads. An error that an operation throws at once, for an
 * argument that it refuses, blocks the run unless its code catches it: a bug undoes nothing.
 *
 * @throws ContextMisuseError from each operation that is called elsewhere.
 */
export type WorkflowContext<Input = unknown> = unknown extends Input
  ? 0 extends 1 & Input
    ? TypedContext<Input>
    : UntypedContext
  : TypedContext<Input>;

/** What a `@Workflow` class implements. */
export interface WorkflowRunner<Input = unknown, Output = unknown> {
  run(ctx: WorkflowContext<Input>, input: Input): Promise<Output>;
}

/** The class of a workflow, of whatever input and output. */
type AnyWorkflow = abstract new (...args: never[]) => { run(...args: never[]): Promise<unknown> };

/** The input and output of a workflow, inferred from its class. The output is as it is stored. */
export type InputOf<W> = W extends { run(...args: infer Args): unknown } ? Args[1 & keyof Args] : unknown;
export type OutputOf<W> = W extends { run(...args: never[]): Promise<infer Output> } ? Stored<Output> : unknown;

/** A workflow that is named by its class or by its name. Of a name alone, the compiler knows neither type. */
export type WorkflowTarget = string | AnyWorkflow;
/** The arguments after the workflow: its input, unless its `run` can do without, and options. */
export type WorkflowArguments<W, Options> = W extends AnyWorkflow
  ? InputArguments<InputOf<InstanceType<W>>, Options>
  : [input?: unknown, options?: Options];
type InputArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];
/** The output of a workflow; of one that is named by its name, `Named`. */
export type OutputOfTarget<W, Named> = W extends AnyWorkflow ? OutputOf<InstanceType<W>> : Named;

/** A method that can be a remote step: it takes an input, and the context of the step. */
type StepLike = (input: never, step: StepContext) => unknown;

/** The output of a remote step: a worker answers null where its method returns undefined. */
export type RemoteOutput<T> = undefined extends T ? Stored<Exclude<T, undefined> | null> : Stored<T>;

/** The outputs of all remote steps of a worker class. */
type RemoteOutputs<T> = {
  [Method in keyof T]: T[Method] extends StepLike ? RemoteOutput<Awaited<ReturnType<T[Method]>>> : never;
}[keyof T];

export interface RetryOptions {
  /** The total number of attempts, including the first one. Default 3. */
  attempts?: number;
  /** The delays between attempts, or the first of them. Default: 1 s, doubled after each failure, at most 5 minutes. */
  backoff?: BackoffOptions | Duration;
  /** Returns whether the step is retried after this error. Default: always true. */
  retryIf?: (error: Error) => boolean;
  /** How many attempts may end with a `RetryAfterError`, which do not count for `attempts`. Default 100. */
  deferrals?: number;
}

/** A number is shorthand for `attempts`; `false` means a single attempt. */
export type Retry = RetryOptions | number | false;

/** The argument of a local step's function. */
export interface LocalStepContext {
  readonly workflowId: string;
  readonly stepId: string;
  readonly seq: number;
  readonly name: string;
  /**
   * The same on every attempt and in every process: pass it to external APIs that must act only once. The `stepId`,
   * percent-encoded if it is not printable ASCII, and a hash if that has more than 255 characters: it fits into a header.
   */
  readonly idempotencyKey: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** What the run carries, see `WorkflowContext`. */
  readonly context: RunContext;
  /** Aborts when the attempt has timed out, the run was cancelled, or this process has lost the run. */
  readonly signal: AbortSignal;
  /** Log lines that are stored with the step; `getStatus(id, { history: true })` returns them. */
  readonly log: RunLog;
}

/**
 * What follows when a step has used all its attempts. `fail`: its error is thrown into `run`. `block`: the run stands
 * still, nothing is compensated, and `retry` goes on with fresh attempts.
 */
export type OnExhausted = 'fail' | 'block';

export interface StepOptions {
  retry?: Retry;
  /** Default: that of the step's declaration, of the workflow, then of the module; `'fail'`. */
  onExhausted?: OnExhausted;
  /** How long one attempt may take. Default: no limit. */
  timeout?: Duration;
}

/**
 * Undoes a completed step after its run has failed, timed out or was cancelled. It has the retry policy and the timeout
 * of the step it undoes. Interrupted steps are not undone, so it must be safe to leave a step half done.
 */
export type Compensate<T> = (output: T, step: LocalStepContext) => unknown;

export interface LocalStepOptions<T = unknown> extends StepOptions {
  compensate?: Compensate<Stored<T>>;
}

export interface TransactionOptions<T = unknown, Handle = OrmTransaction> extends StepOptions {
  /** Runs in its own transaction, which also commits its record: exactly once. */
  compensate?: (tx: Handle, output: Stored<T>) => unknown;
}

export interface RemoteOptions<T = unknown> extends StepOptions {
  /** The queue token. Default: the step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
  /** The name of a remote step that receives the output, or a function that runs in the process that plays the run. */
  compensate?: string | Compensate<T>;
  /** Default: that of the step's declaration, of the workflow, then of the module; false. */
  keepInputs?: boolean;
  /**
   * A head start in seconds: workers claim the task before tasks of its group that were dispatched up to this many
   * seconds earlier. In a limiter with a limit, a higher priority always goes first. From -1,000 to 1,000, default 0.
   */
  priority?: number;
}

/** Writes log lines that are stored with the run. A replay does not store them again. `fields` are stored as JSON. */
export interface RunLog extends StepLog {}

/**
 * The handle of `ctx.transaction`: the app merges the `EntityManager` of its ORM into it, once. Without that, a callback
 * has to name the type of its parameter.
 *
 * @example
 * declare module 'nest-durable' {
 *   interface OrmTransaction extends EntityManager {}
 * }
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- an app merges its own type into it
export interface OrmTransaction {}

/* What the functions of `WorkflowContext` take. */

export const RETRY_OPTIONS = {
  attempts: true,
  backoff: BACKOFF_OPTIONS,
  retryIf: true,
  deferrals: true,
} satisfies KnownOptions<RetryOptions>;

const STEP_OPTIONS = { retry: RETRY_OPTIONS, onExhausted: true, timeout: true } satisfies KnownOptions<StepOptions>;

export const LOCAL_STEP_OPTIONS = { ...STEP_OPTIONS, compensate: true } satisfies KnownOptions<LocalStepOptions>;

export const TRANSACTION_OPTIONS = { ...STEP_OPTIONS, compensate: true } satisfies KnownOptions<TransactionOptions>;

export const REMOTE_OPTIONS = {
  ...STEP_OPTIONS,
  group: true,
  partition: true,
  compensate: true,
  keepInputs: true,
  priority: true,
} satisfies KnownOptions<RemoteOptions>;

export const SIGNAL_WAIT_OPTIONS = { key: true, match: true } satisfies KnownOptions<SignalWaitOptions>;

export const TIMED_WAIT_OPTIONS = { ...SIGNAL_WAIT_OPTIONS, timeout: true } satisfies KnownOptions<
  SignalWaitOptions & { timeout?: Duration }
>;

export const FAN_OUT_OPTIONS = {
  mode: true,
  version: true,
  parentClose: true,
  timeout: true,
  delay: true,
  attributes: true,
  priority: true,
  concurrencyKey: true,
} satisfies KnownOptions<FanOutOptions<FanInMode>>;

const { mode: _, ...OF_ONE } = FAN_OUT_OPTIONS;

export const CHILD_OPTIONS = { id: true, ...OF_ONE } satisfies KnownOptions<ChildOptions>;
