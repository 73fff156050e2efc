import type { BackoffOptions } from '../../time/backoff.js';
import type { Duration } from '../../time/duration.js';
import type { Attributes, AttributeValue, ParentClose } from './run.js';
import type { WorkflowEvent, WorkflowOperation } from './outgoing.js';
import type { WorkflowSignal } from './mailbox.js';

export interface RetryOptions {
  /** How often it is tried in all, the first time included. Default 3. */
  attempts?: number;
  /** Default: 1 s, doubling, at most 5 minutes. */
  backoff?: BackoffOptions;
  /** Decides whether this error is worth another attempt. Default: yes. */
  retryIf?: (error: Error) => boolean;
}

/** `attempts` alone, or `false` for a single attempt, are shorthand. */
export type Retry = RetryOptions | number | false;

/** What the function of a local step is given. */
export interface LocalStepContext {
  readonly workflowId: string;
  readonly stepId: string;
  readonly seq: number;
  readonly name: string;
  /** The same on every attempt and in every process: hand it to whatever must act only once. */
  readonly idempotencyKey: string;
  /** The n-th try, from 1. */
  readonly attempt: number;
  /** Aborts when the attempt has timed out, the run was cancelled, or this process has lost it. */
  readonly signal: AbortSignal;
  /** Kept with the step, see `getStatus(id, { history: true })`. */
  readonly log: RunLog;
}

export interface StepOptions {
  retry?: Retry;
  /** How long one attempt may take. Default: as long as it likes. */
  timeout?: Duration;
}

/**
 * Undoes a step whose run failed, timed out or was cancelled later; tried like a step, by the retries and the timeout of
 * what it undoes. Only steps that have completed are undone: one that was interrupted must bear being left half done.
 */
export type Compensate<T> = (output: T, step: LocalStepContext) => unknown;

export interface LocalStepOptions<T = unknown> extends StepOptions {
  compensate?: Compensate<T>;
}

export interface TransactionOptions<T = unknown, Handle = OrmTransaction> extends StepOptions {
  /** Runs in a transaction of its own, with the record of it in the same commit: exactly once. */
  compensate?: (tx: Handle, output: T) => unknown;
}

export interface RemoteOptions<T = unknown> extends StepOptions {
  /** The queue token. Default: the step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
  /** The name of a remote step that is given the output, or a function that runs in the process that plays the run. */
  compensate?: string | Compensate<T>;
  /**
   * Goes before tasks of its group that were dispatched up to so many seconds earlier; in a limiter with a limit, before
   * all that have less. From -1,000 to 1,000, default 0.
   */
  priority?: number;
}

export interface SignalWaitOptions<T = unknown> {
  /** Also hears signals sent to this key. Signals sent to the run itself are always heard. */
  key?: string;
  /** Signals for which it returns false are left for other waits. It must depend on the payload alone. */
  match?: (payload: T) => boolean;
}

/** What `ctx.waitForAny` can wait for; made by `ctx.signalWait`, `ctx.timer` and `ctx.startChild`. */
export interface Waitable<T> {
  /** For the compiler. */
  readonly outcome?: T;
}

/** The first of several, by the name it was given. */
export type FirstOf<W extends Record<string, Waitable<unknown>>> = {
  [K in keyof W]: { key: K; value: W[K] extends Waitable<infer T> ? T : never };
}[keyof W];

/** A run that this run has started. */
export interface ChildHandle<Output = unknown> extends Waitable<Output> {
  readonly id: string;
  /** Its output, once it has ended. @throws StepFailedError with the name, message and code of what ended it. */
  result(): Promise<Output>;
}

export interface ChildOptions {
  /** The run's identity. Default: derived from the parent's and the position, so the same on every replay. */
  id?: string;
  version?: number;
  /** What becomes of it when this run ends first. Default `'cancel'`. */
  parentClose?: ParentClose;
  timeout?: Duration;
  delay?: Duration;
  attributes?: Attributes;
  priority?: number;
  concurrencyKey?: string;
}

/**
 * `all`: every output, or the first failure. `settled`: what became of each, failures too. `some`: the outputs of
 * those that completed, or a failure when none did.
 */
export type FanInMode = 'all' | 'settled' | 'some';

export interface FanOutOptions<M extends FanInMode = 'all'> extends Omit<ChildOptions, 'id'> {
  mode?: M;
}

export type FanIn<T, M extends FanInMode> = M extends 'settled' ? PromiseSettledResult<T>[] : T[];

/** A workflow, by its class. */
export type WorkflowClass<Input = never, Output = unknown> = ClassOf<WorkflowRunner<Input, Output>>;

/** A workflow's input and output, by its class. */
export type InputOf<W> = W extends WorkflowRunner<infer Input, never> | WorkflowRunner<infer Input> ? Input : unknown;
export type OutputOf<W> = W extends { run(...args: never[]): Promise<infer Output> } ? Output : unknown;

/** Writes lines that are kept with the run, each once, whatever is replayed. `fields` are stored as JSON. */
export interface RunLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** The remote steps of a worker class, as promises of their outputs. */
export type RemoteClient<T> = {
  [Method in keyof T as T[Method] extends (...args: never[]) => unknown ? Method : never]: T[Method] extends (
    input: infer Input,
    ...rest: never[]
  ) => infer Output
    ? undefined extends Input
      ? (input?: Input) => Promise<Awaited<Output>>
      : (input: Input) => Promise<Awaited<Output>>
    : never;
};

/** A class, as a value. */
export type ClassOf<T> = abstract new (...args: never[]) => T;

/**
 * What a workflow's code may do. Everything else in `run` must be deterministic: it is played again after a
 * restart, and every position must be asked for in the same order and by the same name.
 */
export interface WorkflowContext {
  /** The id of this run. */
  readonly workflowId: string;
  readonly workflowName: string;
  readonly version: number;
  /** Aborts when the run was cancelled or this process has lost it. */
  readonly signal: AbortSignal;

  /** Runs `work` in this process and records what it returned; never again once it is recorded. At least once otherwise. */
  step<T>(name: string, work: (step: LocalStepContext) => T | Promise<T>, options?: LocalStepOptions<T>): Promise<T>;

  /**
   * Runs `work` in a transaction of the app's ORM and records its output in the same commit: exactly once. `Handle`
   * is TypeORM's or MikroORM's `EntityManager`. It may be called again after a deadlock, so it must only write there.
   */
  transaction<T, Handle = OrmTransaction>(
    name: string,
    work: (tx: Handle) => T | Promise<T>,
    options?: TransactionOptions<T, Handle>,
  ): Promise<T>;

  /** The remote steps of a worker class, each a task for whichever process serves it. */
  remote<T extends object>(worker: ClassOf<T>, options?: RemoteOptions): RemoteClient<T>;
  /** Has the remote step `name` run by any process in any language. */
  remote<Output = unknown>(name: string, input?: unknown, options?: RemoteOptions<Output>): Promise<Output>;

  /** Sleeps through restarts and deploys, for any length of time. */
  sleep(name: string, duration: Duration): Promise<void>;

  /**
   * The payload of the next signal of this name that was sent to this run, or to `key`; with a `timeout` null once that
   * has passed. Signals that came before count, in the order in which they were sent, each for one wait of the run.
   */
  waitForSignal<T>(
    name: string,
    signal: WorkflowSignal<T>,
    options: SignalWaitOptions<T> & { timeout: Duration },
  ): Promise<T | null>;
  waitForSignal<T>(name: string, signal: WorkflowSignal<T>, options?: SignalWaitOptions<T>): Promise<T>;
  /** The first of several things to happen; the others count as not waited for. @throws when that is a child's failure. */
  waitForAny<W extends Record<string, Waitable<unknown>>>(name: string, waits: W): Promise<FirstOf<W>>;
  /** A signal, for {@link waitForAny}. */
  signalWait<T>(signal: WorkflowSignal<T>, options?: SignalWaitOptions<T>): Waitable<T>;
  /** A time from the beginning of the wait, for {@link waitForAny}. */
  timer(duration: Duration): Waitable<undefined>;

  /** Starts a run of another workflow; it begins with the next commit of this one. */
  startChild<W extends WorkflowClass>(
    workflow: W,
    input: Parameters<InstanceType<W>['run']>[1],
    options?: ChildOptions,
  ): Promise<ChildHandle<OutputOf<InstanceType<W>>>>;
  startChild<Output = unknown>(workflow: string, input?: unknown, options?: ChildOptions): Promise<ChildHandle<Output>>;
  /** Starts a run of another workflow and waits for its output. @throws StepFailedError when it does not complete. */
  executeChild<W extends WorkflowClass>(
    workflow: W,
    input: Parameters<InstanceType<W>['run']>[1],
    options?: ChildOptions,
  ): Promise<OutputOf<InstanceType<W>>>;
  executeChild<Output = unknown>(workflow: string, input?: unknown, options?: ChildOptions): Promise<Output>;
  /** Starts a run for each input, in one commit, and waits for them. Outputs are in the order of the inputs. */
  all<W extends WorkflowClass, M extends FanInMode = 'all'>(
    workflow: W,
    inputs: readonly Parameters<InstanceType<W>['run']>[1][],
    options?: FanOutOptions<M>,
  ): Promise<FanIn<OutputOf<InstanceType<W>>, M>>;
  all<Output = unknown, M extends FanInMode = 'all'>(
    workflow: string,
    inputs: readonly unknown[],
    options?: FanOutOptions<M>,
  ): Promise<FanIn<Output, M>>;

  /**
   * Publishes one event or several through the outbox, in the commit of the step's record: exactly once, whatever is
   * retried or played again, and not at all when this process has lost the run. Events of one channel are published in
   * the order in which the run asks. Returns their mutation ids, the same on every replay. `name` is `'publish'` unless
   * one is given. It has no compensation, and in a compensation nothing new begins: publish there by `Outbox`.
   *
   * @example
   * await ctx.publish({ channel: `order:${order.id}`, name: 'paid', data: { total } });
   *
   * @throws InvalidArgumentError for an event that cannot be stored; then nothing is written, and the run fails unless its
   *   code catches it.
   * @throws ConfigurationError where the module has no outbox: the run is blocked until a process plays it that has one.
   */
  publish(events: WorkflowEvent | readonly WorkflowEvent[]): Promise<string[]>;
  publish(name: string, events: WorkflowEvent | readonly WorkflowEvent[]): Promise<string[]>;

  /**
   * Has calls to the outside world made by `@Effect` handlers, enqueued in the commit of the step's record, and waits until
   * all calls of this operation for this subject have succeeded, those that others enqueued too. Returns the ids of its
   * own. A call that is abandoned leaves the run waiting until it is requeued and succeeds. What was enqueued goes on when
   * the run ends before. `name` is that of the operation unless one is given.
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError for a call that
   *   cannot be made; then nothing is written, and the run fails unless its code catches it.
   * @throws ConfigurationError where the module has no effects: the run is blocked until a process plays it that has.
   */
  effects(operation: WorkflowOperation): Promise<string[]>;
  effects(name: string, operation: WorkflowOperation): Promise<string[]>;

  /** The point of no return: what was done before it is not compensated any more. */
  commit(name: string): void;
  /** Ends the run as failed, by throwing; what it did is compensated. */
  fail(message: string, code?: string): never;
  /** Ends this life of the run and begins the next, by the same id with another input and an empty history. */
  continueAsNew(input?: unknown): Promise<never>;
  /**
   * Whether this run takes the new code behind `id`: true unless it had passed this line before the line was there.
   *
   * @example
   * if (ctx.patched('check-fraud')) await ctx.remote(FraudSteps).check(order);
   */
  patched(id: string): boolean;

  /** What people see as the run's state, such as `'waiting for payment'`. */
  setStatus(status: string): void;
  /** Values that `list` can filter by; null removes one. */
  setAttributes(attributes: Readonly<Record<string, AttributeValue | null>>): void;
  /** Lines kept with the run. */
  readonly log: RunLog;

  /** The time at which this line ran first. */
  now(): Date;
  /** A number from 0 up to 1, the same on every replay. */
  random(): number;
  /** A version 4 UUID, the same on every replay. */
  uuid(): string;
}

/**
 * The handle of `ctx.transaction`. Apps tell which ORM they have by declaration merging or by the type argument;
 * until then it takes any use.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type OrmTransaction = any;

/** What a `@Workflow` class implements. */
export interface WorkflowRunner<Input = unknown, Output = unknown> {
  run(ctx: WorkflowContext, input: Input): Promise<Output>;
}
