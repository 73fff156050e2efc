/**
 * How an HTTP API answers for each code; NestJS's exception filter does so by itself. Null: the request is not the
 * reason, so NestJS logs the error and answers 500 without its message.
 */
export const HTTP_STATUS: Readonly<Record<string, number | null>> = {
  INVALID_ARGUMENT: 400,
  VALIDATION_FAILED: 400,
  WORKFLOW_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  NODE_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  WORKFLOW_ID_CONFLICT: 409,
  WORKFLOW_NOT_ENDED: 409,
  WORKFLOW_NOT_RETRYABLE: 409,
  WORKFLOW_NOT_RESUMABLE: 409,
  WORKFLOW_FORK_REFUSED: 409,
  WORKFLOW_CANCELLED: 409,
  WORKFLOW_TERMINATED: 409,
  SCHEDULE_CONFLICT: 409,
  STEP_ALREADY_SETTLED: 409,
  STEP_NOT_PENDING: 409,
  STEP_NOT_EDITABLE: 409,
  EDIT_REFUSED: 409,
  WORKFLOW_ERASED: 410,
  PAYLOAD_TOO_LARGE: 413,
  STATEMENT_TOO_LARGE: 413,
  RESULT_ABANDONED: 503,
  QUESTION_TIMEOUT: 503,
  // Its text names processes, steps and their errors: nothing for whoever sent the request.
  RESULT_TIMEOUT: null,
  UNKNOWN_OPTION: null,
  INVALID_TRANSACTION: null,
  CONFIGURATION: null,
  ASYNC_SCHEMA: null,
  UNSUPPORTED_SERVER: null,
  SCHEMA_BEHIND: null,
  DATABASE: null,
  TRANSACTION_LOST: null,
  MISSING_RIGHTS: null,
  MISSING_TABLE: null,
  SIGNAL_UNDELIVERABLE: null,
  WRITE_REFUSED: null,
  NOT_SERIALIZABLE: null,
  UNREADABLE_PAYLOAD: null,
  UNKNOWN_KEY: null,
  BROKEN_SEAL: null,
  UNKNOWN_WORKFLOW: null,
  UNKNOWN_STEP: null,
  UNKNOWN_EFFECT_HANDLER: null,
  UNKNOWN_AUDIT_EVENT: null,
  NON_DETERMINISM: null,
  CONTEXT_MISUSE: null,
  CALLS_NOT_AWAITED: null,
  HISTORY_LIMIT: null,
  STEP_EXHAUSTED: null,
  STEP_TIMEOUT: null,
  TOO_MANY_DEFERRALS: null,
  RETRY_AFTER: null,
  DEPENDENCY_FAILED: null,
  WORKFLOW_TIMEOUT: null,
  NON_RETRYABLE_PUBLISH: null,
  PUBLISH_TIMEOUT: null,
  OUTBOX_OCCUPIED: null,
  NON_RETRYABLE_EFFECT: null,
  EFFECT_TIMEOUT: null,
  EFFECT_ATTEMPTS_EXHAUSTED: null,
  AUDIT_TIMEOUT: null,
};

/** The base of all errors of this library. `code` is stable; the message is for people and says what to do. */
export abstract class DurableError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** How an HTTP API answers. Undefined if the request is not the reason, so that the answer is 500. */
  get status(): number | undefined {
    return HTTP_STATUS[this.code] ?? undefined;
  }

  /** The same, under the name that NestJS's exception filter reads. */
  get statusCode(): number | undefined {
    return this.status;
  }

  /** True if a client may read the message: without it, NestJS 12 takes no error for one of HTTP. */
  get expose(): true | undefined {
    return this.status === undefined ? undefined : true;
  }
}

/** Its code is that of an error of the app, or of another run: it does not tell how to answer this request. */
export abstract class ForeignCodeError extends DurableError {
  override get status(): undefined {
    return undefined;
  }
}

/** The fields of an error that are stored and sent between processes. */
export interface ErrorFields {
  name: string;
  message: string;
  code?: string;
  /** The stack of the original, which the new error gets. */
  stack?: string;
  /** Of an `AggregateError`. */
  errors?: readonly Error[];
}

/** Not enumerable, like those of every error. */
export function takeOver(target: Error, { stack, errors }: ErrorFields): void {
  for (const [key, value] of Object.entries({ stack, errors }))
    if (value !== undefined) Object.defineProperty(target, key, { value, configurable: true, writable: true });
}
