import { DurableError, type ErrorFields, ForeignCodeError, takeOver } from './durable-error.js';

/** No remote step has this id. */
export class StepNotFoundError extends DurableError {
  readonly code = 'STEP_NOT_FOUND';

  constructor(readonly stepId: string) {
    super(`No remote step has the id "${stepId}": pass the id that its run recorded, '<workflowId>:<seq>'`);
  }
}

/** The step already has an outcome or a pending answer, or its run has ended. */
export class StepAlreadySettledError extends DurableError {
  readonly code = 'STEP_ALREADY_SETTLED';

  constructor(readonly stepId: string) {
    super(`Step "${stepId}" is settled: it was answered before, or its run has ended`);
  }
}

/** The step has failed and waits for its next attempt. */
export class StepNotPendingError extends DurableError {
  readonly code = 'STEP_NOT_PENDING';

  constructor(readonly stepId: string) {
    super(`Step "${stepId}" has failed and waits for its next attempt: answer it after that attempt has started`);
  }
}

/**
 * A step failed and is not retried. `name`, `message`, `code`, `cause` and, if it was recorded, `stack` are those of its
 * last attempt's error, so that code can distinguish failures across processes and languages. The causes are errors
 * with the recorded names, messages, codes and stacks, but not of the original classes.
 */
export class StepFailedError extends ForeignCodeError {
  readonly code: string;
  /** The errors of the original, if it was an `AggregateError`. */
  declare readonly errors?: readonly Error[];

  constructor(
    readonly step: string,
    readonly seq: number,
    readonly attempts: number,
    error: ErrorFields,
    options?: ErrorOptions,
  ) {
    super(error.message, options);
    this.name = error.name;
    this.code = error.code ?? 'STEP_FAILED';
    takeOver(this, error);
  }
}

/** Why a run is blocked: a step with `onExhausted: 'block'` has used all its attempts. It is not thrown to the app. */
export class StepExhaustedError extends DurableError {
  readonly code = 'STEP_EXHAUSTED';

  constructor({ name, seq, attempt }: { name: string; seq: number; attempt: number }, message: string) {
    super(`Step ${seq} "${name}" has used all its attempts, ${attempt} so far: ${message}`);
  }
}

/** An attempt took longer than its `timeout`. Retried like any failure. */
export class StepTimeoutError extends DurableError {
  readonly code = 'STEP_TIMEOUT';

  constructor(
    readonly step: string,
    readonly timeoutMs: number,
  ) {
    super(`Step "${step}" took longer than ${timeoutMs} ms`);
  }
}

/**
 * If a step throws it, the step fails at once, without further attempts.
 *
 * @example throw new NonRetryableStepError('card declined', 'CARD_DECLINED');
 */
export class NonRetryableStepError extends ForeignCodeError {
  readonly code: string;

  constructor(message: string, code = 'NON_RETRYABLE', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Thrown by code that is retried: a step, a publisher, an effect. The next attempt follows after `delay`: milliseconds, a
 * string like `'30s'`, or the date of the next attempt; at most 366 days. In steps and publishers it does not count as
 * an attempt. With an invalid delay it is an ordinary failure.
 *
 * @example throw new RetryAfterError('30s');
 */
export class RetryAfterError extends DurableError {
  readonly code = 'RETRY_AFTER';

  constructor(
    readonly delay: number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}` | Date,
    message = `Retry after ${typeof delay === 'number' ? `${delay} ms` : String(delay)}`,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A step has asked to be repeated later more often than `retry.deferrals` allows. */
export class TooManyDeferralsError extends DurableError {
  readonly code = 'TOO_MANY_DEFERRALS';

  constructor(
    readonly step: string,
    readonly deferrals: number,
    reason: string,
  ) {
    super(
      `Step "${step}" was deferred ${deferrals} times, the most that retry.deferrals allows; it threw again: ${reason}`,
    );
  }
}
