/** The base of all errors of this library. `code` is stable; the message is for people and says what to do. */
export abstract class DurableError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An argument or option is invalid. Nothing was written. */
export class InvalidArgumentError extends DurableError {
  readonly code = 'INVALID_ARGUMENT';

  constructor(
    readonly argument: string,
    readonly value: unknown,
    expected: string,
  ) {
    super(`${argument} is ${describe(value)}: pass ${expected}`);
  }
}

/** The `transaction` is not an open transaction of the app's ORM. Extends `TypeError`, since it is a wrong argument. */
export class InvalidTransactionError extends TypeError {
  readonly code = 'INVALID_TRANSACTION';
  override readonly name = 'InvalidTransactionError';
}

/** The module cannot start with this configuration; the message names the possible fixes. */
export class ConfigurationError extends DurableError {
  readonly code: string = 'CONFIGURATION';
}

/** The server speaks the protocol of a supported database but is another one, or belongs to an unsupported cluster. */
export class UnsupportedServerError extends ConfigurationError {
  override readonly code = 'UNSUPPORTED_SERVER';
}

/** Tables are missing or outdated, and this process may not migrate them. */
export class SchemaError extends DurableError {
  readonly code: string = 'SCHEMA_BEHIND';
}

/**
 * The database refused a statement or could not be reached. `cause` is the driver's error. If it is neither `transient`
 * nor `aboutData`, the reason is not classified: a missing permission, a column that does not exist yet, an unknown
 * error code. Background writers retry such errors.
 */
export class DatabaseError extends DurableError {
  readonly code: string = 'DATABASE';
  /** Whether the values are the reason (too long, invalid text), so that the same statement can never succeed. */
  readonly aboutData: boolean;
  /** Whether the statement is certainly not the reason: a foreign lock, a full disk, a read-only server. */
  readonly elsewhere: boolean;

  constructor(
    message: string,
    /** Whether the same statement may succeed when retried: lost connection, deadlock, lock timeout. */
    readonly transient: boolean,
    {
      aboutData = false,
      elsewhere = false,
      ...options
    }: ErrorOptions & { aboutData?: boolean; elsewhere?: boolean } = {},
  ) {
    super(message, options);
    this.aboutData = aboutData;
    this.elsewhere = elsewhere;
  }
}

/** The database ended a transaction while the app's code was running in it. Nothing of it was kept. */
export class TransactionLostError extends DatabaseError {
  override readonly code = 'TRANSACTION_LOST';

  constructor(
    error: DatabaseError,
    /** True: another transaction conflicted with it. False: the connection was lost, or the server is read-only. */
    readonly conflict: boolean,
  ) {
    super(`The transaction was lost before it committed. ${error.message}`, true, { cause: error });
  }
}

/** A table of nest-durable does not exist. */
export class MissingTableError extends DatabaseError {
  override readonly code = 'MISSING_TABLE';

  constructor(options?: ErrorOptions) {
    super(
      'A table of nest-durable is missing: run `npx nest-durable migrate`, or start once with `migrate: true`',
      false,
      options,
    );
  }
}

/** A statement is larger than the server accepts. It was not sent, and nothing was written. */
export class StatementTooLargeError extends DatabaseError {
  override readonly code = 'STATEMENT_TOO_LARGE';

  constructor(
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(
      `The statement would have ${bytes} bytes, but the database accepts only ${limit}: write less at once, store large data elsewhere and pass a reference, or raise max_allowed_packet`,
      false,
      { aboutData: true },
    );
  }
}

/** The database refuses to store a signal for a waiting step. The signal is kept, and retried periodically. */
export class UndeliverableSignalError extends DurableError {
  readonly code = 'SIGNAL_UNDELIVERABLE';

  constructor(
    /** A description: the name of the signal and its target, or the waiting step. */
    readonly what: string,
    error: DatabaseError,
  ) {
    super(`${what} cannot be delivered, and is retried from time to time: ${error.message}`, { cause: error });
  }
}

/** The database refuses the records of one run while other writes succeed. The run is blocked, not failed. */
export class WriteRefusedError extends DurableError {
  readonly code = 'WRITE_REFUSED';

  constructor(
    readonly workflowId: string,
    readonly attempts: number,
    error: DatabaseError,
  ) {
    super(
      `The database does not accept what run "${workflowId}" records (tried ${attempts} times, while other runs were written): ${error.message}. Fix the cause, then call retry`,
      { cause: error },
    );
  }
}

/** A value has no JSON form: a function, a symbol, a circular structure. */
export class SerializationError extends DurableError {
  readonly code = 'NOT_SERIALIZABLE';

  constructor(what: string, reason: string) {
    super(`${what} cannot be stored as JSON: ${reason}. Pass plain data, Date, Map, Set, BigInt or Error`);
  }
}

/** A payload is larger than `limits.payload`. */
export class PayloadTooLargeError extends DurableError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(
    readonly what: string,
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(
      `${what} is ${bytes} bytes of JSON, over the limit of ${limit}: store it elsewhere and pass a reference, or raise limits.payload`,
    );
  }
}

/** A stored text is not JSON, such as the `NaN` that workers in other languages may write. */
export class UnreadablePayloadError extends DurableError {
  readonly code = 'UNREADABLE_PAYLOAD';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is not JSON: the worker that wrote it must send valid JSON (without NaN or Infinity)`, options);
  }
}

/** A run with this id exists, with another input, workflow or namespace. */
export class WorkflowIdConflictError extends DurableError {
  readonly code = 'WORKFLOW_ID_CONFLICT';
  /** For HTTP filters. */
  readonly status = 409;

  constructor(
    readonly workflowId: string,
    difference: string,
  ) {
    super(`Run "${workflowId}" exists with another ${difference}: use another id, or start it with the same arguments`);
  }
}

/** No run has this id. */
export class WorkflowNotFoundError extends DurableError {
  readonly code = 'WORKFLOW_NOT_FOUND';
  /** For HTTP filters. */
  readonly status = 404;

  constructor(readonly workflowId: string) {
    super(`No run has the id "${workflowId}"`);
  }
}

/** No schedule has this id. */
export class ScheduleNotFoundError extends DurableError {
  readonly code = 'SCHEDULE_NOT_FOUND';
  /** For HTTP filters. */
  readonly status = 404;

  constructor(readonly scheduleId: string) {
    super(`No schedule has the id "${scheduleId}": create it, or look for its id in list()`);
  }
}

/** A schedule with this id exists, with another plan, workflow or input. */
export class ScheduleConflictError extends DurableError {
  readonly code = 'SCHEDULE_CONFLICT';
  /** For HTTP filters. */
  readonly status = 409;

  constructor(
    readonly scheduleId: string,
    difference: string,
  ) {
    super(`Schedule "${scheduleId}" exists with another ${difference}: use another id, or update it`);
  }
}

/** No remote step has this id. */
export class StepNotFoundError extends DurableError {
  readonly code = 'STEP_NOT_FOUND';
  /** For HTTP filters. */
  readonly status = 404;

  constructor(readonly stepId: string) {
    super(`No remote step has the id "${stepId}": pass the id that its run recorded, '<workflowId>:<seq>'`);
  }
}

/** The step already has an outcome or a pending answer, or its run has ended. */
export class StepAlreadySettledError extends DurableError {
  readonly code = 'STEP_ALREADY_SETTLED';
  /** For HTTP filters. */
  readonly status = 409;

  constructor(readonly stepId: string) {
    super(`Step "${stepId}" is settled: it was answered before, or its run has ended`);
  }
}

/** The step has failed and waits for its next attempt. */
export class StepNotPendingError extends DurableError {
  readonly code = 'STEP_NOT_PENDING';
  /** For HTTP filters. */
  readonly status = 409;

  constructor(readonly stepId: string) {
    super(`Step "${stepId}" has failed and waits for its next attempt: answer it after that attempt has started`);
  }
}

/** No class in this process declares this workflow. */
export class UnknownWorkflowError extends DurableError {
  readonly code = 'UNKNOWN_WORKFLOW';

  constructor(readonly workflow: string) {
    super(`"${workflow}" is not a workflow: decorate the class with @Workflow('name'), or pass the name it was given`);
  }
}

/** A class or name passed to `ctx.remote` is no remote step. */
export class UnknownStepError extends DurableError {
  readonly code = 'UNKNOWN_STEP';

  constructor(readonly step: string) {
    super(
      `"${step}" is not a remote step: decorate the method with @RemoteStep('name'), or call ctx.remote('name', input)`,
    );
  }
}

/** The workflow's code no longer matches the run's recorded history. The run is blocked, not failed. */
export class NonDeterminismError extends DurableError {
  readonly code = 'NON_DETERMINISM';

  constructor(
    readonly workflowId: string,
    readonly seq: number,
    readonly recorded: string,
    readonly asked: string,
  ) {
    super(
      `Run "${workflowId}" recorded ${recorded} at position ${seq}, but the code asks for ${asked} there: ` +
        `deploy code that fits its history, or give changed code a new version`,
    );
  }
}

/** A run has recorded as many steps as `limits.steps` allows. */
export class HistoryLimitError extends DurableError {
  readonly code = 'HISTORY_LIMIT';

  constructor(
    readonly workflowId: string,
    readonly limit: number,
  ) {
    super(
      `Run "${workflowId}" has recorded ${limit} steps, the maximum: split it into several runs, or raise limits.steps`,
    );
  }
}

/** The fields of an error that are stored and sent between processes. */
export interface ErrorFields {
  name: string;
  message: string;
  code?: string;
}

/**
 * A step failed and is not retried. `name`, `message` and `code` are those of its last attempt's error, so that code
 * can distinguish failures across processes and languages.
 */
export class StepFailedError extends DurableError {
  readonly code: string;

  constructor(
    readonly step: string,
    readonly seq: number,
    readonly attempts: number,
    error: ErrorFields,
  ) {
    super(error.message);
    this.name = error.name;
    this.code = error.code ?? 'STEP_FAILED';
  }
}

/** A run ended as `failed`. `name`, `message` and `code` are those of the error that ended it. */
export class WorkflowFailedError extends DurableError {
  readonly code: string;

  constructor(
    readonly workflowId: string,
    error: ErrorFields,
    options?: ErrorOptions,
  ) {
    super(error.message, options);
    this.name = error.name;
    this.code = error.code ?? 'WORKFLOW_FAILED';
  }
}

/** A run was cancelled before it ended. */
export class WorkflowCancelledError extends DurableError {
  readonly code = 'WORKFLOW_CANCELLED';

  constructor(readonly workflowId: string) {
    super(`Run "${workflowId}" was cancelled`);
  }
}

/** A run was terminated before it ended: none of its steps was compensated. */
export class WorkflowTerminatedError extends DurableError {
  readonly code = 'WORKFLOW_TERMINATED';

  constructor(readonly workflowId: string) {
    super(`Run "${workflowId}" was terminated`);
  }
}

/**
 * A compensation failed and is not retried automatically. `name`, `message` and `code` are those of its error; `cause`
 * is the error that had ended the run, if there was one. `retry` runs the remaining compensations.
 */
export class CompensationFailedError extends WorkflowFailedError {}

/** `retry` was called for a run that is neither blocked nor `compensation_failed`. */
export class WorkflowNotRetryableError extends DurableError {
  readonly code = 'WORKFLOW_NOT_RETRYABLE';
  /** For HTTP filters. */
  readonly status = 409;

  constructor(
    readonly workflowId: string,
    readonly runStatus: string,
  ) {
    super(`Run "${workflowId}" is ${runStatus}: only blocked runs and those with compensation_failed can be retried`);
  }
}

/** `delete` was called for a run that has not ended. */
export class WorkflowNotEndedError extends DurableError {
  readonly code = 'WORKFLOW_NOT_ENDED';
  /** For HTTP filters. */
  readonly status = 409;

  constructor(
    readonly workflowId: string,
    readonly runStatus: string,
  ) {
    super(`Run "${workflowId}" is ${runStatus}: cancel or terminate it, and delete it once it has ended`);
  }
}

/** Thrown by `ctx.fail`: the run fails, and its completed steps are compensated. */
export class WorkflowFailure extends DurableError {
  constructor(
    message: string,
    readonly code = 'WORKFLOW_FAILED',
  ) {
    super(message);
  }
}

/** A run took longer than its `timeout`; its completed steps were compensated. */
export class WorkflowTimeoutError extends DurableError {
  readonly code = 'WORKFLOW_TIMEOUT';

  constructor(readonly workflowId: string) {
    super(`Run "${workflowId}" did not end before its deadline: raise its timeout, or find out what it waited for`);
  }
}

/** A run in `after` did not complete. The run that waited for it ends as failed without having begun. */
export class DependencyFailedError extends DurableError {
  readonly code = 'DEPENDENCY_FAILED';

  constructor(
    readonly workflowId: string,
    readonly dependencyId: string,
    /** How the other run ended. */
    readonly dependencyStatus: string,
  ) {
    super(
      `Run "${workflowId}" was to start after run "${dependencyId}", which ended as ${dependencyStatus}: ` +
        `start it again after a run that completes`,
    );
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

/** Waiting for a result took longer than the `timeout` of the wait. The run goes on. */
export class ResultTimeoutError extends DurableError {
  readonly code = 'RESULT_TIMEOUT';

  constructor(
    readonly workflowId: string,
    readonly timeoutMs: number,
  ) {
    super(`Run "${workflowId}" did not end within ${timeoutMs} ms; it continues, ask for its result again`);
  }
}

/** This process stops, so it no longer waits for the run's result. The run goes on. */
export class ResultAbandonedError extends DurableError {
  readonly code = 'RESULT_ABANDONED';

  constructor(readonly workflowId: string) {
    super(
      `This process stops before run "${workflowId}" has ended; the run continues, ask another process for its result`,
    );
  }
}

/**
 * If a step throws it, the step fails at once, without further attempts.
 *
 * @example throw new NonRetryableStepError('card declined', 'CARD_DECLINED');
 */
export class NonRetryableStepError extends DurableError {
  readonly code: string;

  constructor(message: string, code = 'NON_RETRYABLE', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Thrown by code that is retried, such as a publisher: the next attempt waits at least `delay`. Milliseconds, or a
 * string like `'30s'`.
 *
 * @example throw new RetryAfterError('30s');
 */
export class RetryAfterError extends DurableError {
  readonly code = 'RETRY_AFTER';

  constructor(
    readonly delay: number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`,
    message = `Retry after ${typeof delay === 'number' ? `${delay} ms` : delay}`,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Thrown by a publisher: a retry would not help. The poison policy of its channel applies at once.
 *
 * @example throw new NonRetryablePublishError('The receiver knows no such topic');
 */
export class NonRetryablePublishError extends DurableError {
  readonly code = 'NON_RETRYABLE_PUBLISH';
}

/** A destination took longer for a call than `publishTimeout`. Retried like any failure. */
export class PublishTimeoutError extends DurableError {
  readonly code = 'PUBLISH_TIMEOUT';

  constructor(
    readonly destination: string,
    readonly timeoutMs: number,
  ) {
    super(
      `"${destination}" took longer than ${timeoutMs} ms to publish: make it stop when its signal aborts, or raise publishTimeout`,
    );
  }
}

/** No `@Effect` method of this process nor `effects.remoteHandlers` has the handler's name. Nothing was written. */
export class UnknownEffectHandlerError extends DurableError {
  readonly code = 'UNKNOWN_EFFECT_HANDLER';

  constructor(readonly handler: string) {
    super(
      `No effect handler "${handler}" in this process: decorate its method with @Effect('name'), correct the name, or add it to effects.remoteHandlers if another process has it`,
    );
  }
}

/**
 * Thrown by an `@Effect` method: a retry would not help. The call is abandoned at once.
 *
 * @example throw new NonRetryableEffectError('The account belongs to somebody else');
 */
export class NonRetryableEffectError extends DurableError {
  readonly code = 'NON_RETRYABLE_EFFECT';
}

/** An `@Effect` method took longer than its `timeout`. Retried like any failure. */
export class EffectTimeoutError extends DurableError {
  readonly code = 'EFFECT_TIMEOUT';

  constructor(
    readonly handler: string,
    readonly timeoutMs: number,
  ) {
    super(`"${handler}" took longer than ${timeoutMs} ms: make it stop when its signal aborts, or raise its timeout`);
  }
}

/** A call was abandoned because the process died in each of its attempts. */
export class EffectAttemptsExhaustedError extends DurableError {
  readonly code = 'EFFECT_ATTEMPTS_EXHAUSTED';

  constructor(
    readonly handler: string,
    readonly attempts: number,
  ) {
    super(
      `"${handler}" was called ${attempts} times, and every time its process died before it wrote the outcome: find out why`,
    );
  }
}

/**
 * The app's audit sink took too long, so the change that it should record is not written either: `requeue` throws this
 * error, and an outcome of a call is discarded, so the call is made again after its lease has expired.
 */
export class AuditTimeoutError extends DurableError {
  readonly code = 'AUDIT_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(
      `The audit sink has not responded for ${timeoutMs} ms, while a transaction waited for it: let append() resolve sooner, for example by writing to a durable queue`,
    );
  }
}

/** The audit log contains an event of a type that this version does not know. */
export class UnknownAuditEventError extends DurableError {
  readonly code = 'UNKNOWN_AUDIT_EVENT';

  constructor(readonly type: string) {
    super(`The audit log has an event of type "${type}": read it with the version that wrote it`);
  }
}

/** Another program publishes this outbox: a connector that registered in the nodes table or locked rows. */
export class OutboxOccupiedError extends DurableError {
  readonly code = 'OUTBOX_OCCUPIED';

  constructor(readonly nodeId: string) {
    super(
      `The outbox is published by "${nodeId}", which does not belong to nest-durable: stop it and wait until its row in the table of nodes has expired. Two publishers at once would break the order of events`,
    );
  }
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'a function' : String(value);
  return `a ${value.constructor?.name ?? 'object'}`;
}
