import type { Stored } from '../../protocol/stored.js';
import type { BackoffOptions } from '../../time/backoff.js';
import type { Duration } from '../../time/duration.js';
import type { RunContext } from './run-context.js';

export interface RetryOptions {
  /** The total number of attempts, including the first one. Default 3. */
  attempts?: number;
  /** The delays between attempts. Default: 1 s, doubled after each failure, at most 5 minutes. */
  backoff?: BackoffOptions;
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
  /** The same on every attempt and in every process: pass it to external APIs that must act only once. */
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
export interface RunLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

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
