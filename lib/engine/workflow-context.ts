import type { BackoffOptions } from '../time/backoff.js';
import type { Duration } from '../time/duration.js';

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
}

export interface StepOptions {
  retry?: Retry;
  /** How long one attempt may take. Default: as long as it likes. */
  timeout?: Duration;
}

export interface RemoteOptions extends StepOptions {
  /** The queue token. Default: the step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
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
  step<T>(name: string, work: (step: LocalStepContext) => T | Promise<T>, options?: StepOptions): Promise<T>;

  /**
   * Runs `work` in a transaction of the app's ORM and records its output in the same commit: exactly once. `Handle`
   * is TypeORM's or MikroORM's `EntityManager`. It may be called again after a deadlock, so it must only write there.
   */
  transaction<T, Handle = OrmTransaction>(
    name: string,
    work: (tx: Handle) => T | Promise<T>,
    options?: StepOptions,
  ): Promise<T>;

  /** The remote steps of a worker class, each a task for whichever process serves it. */
  remote<T extends object>(worker: ClassOf<T>, options?: RemoteOptions): RemoteClient<T>;
  /** Has the remote step `name` run by any process in any language. */
  remote<Output = unknown>(name: string, input?: unknown, options?: RemoteOptions): Promise<Output>;

  /** Sleeps through restarts and deploys, for any length of time. */
  sleep(name: string, duration: Duration): Promise<void>;

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
