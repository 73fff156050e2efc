/** Everything this library throws on purpose. `code` is stable; the message is for people and says what to do. */
export abstract class DurableError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An argument or option that cannot be used as it is. Nothing was written. */
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

/** A `transaction` that is not an open transaction of the app's ORM. A `TypeError` too, as a wrong argument is. */
export class InvalidTransactionError extends TypeError {
  readonly code = 'INVALID_TRANSACTION';
  override readonly name = 'InvalidTransactionError';
}

/** The module cannot start as it is configured; the message names the ways out. */
export class ConfigurationError extends DurableError {
  readonly code: string = 'CONFIGURATION';
}

/** The server only speaks the protocol of one that is supported, or is a member of a cluster that cannot be used. */
export class UnsupportedServerError extends ConfigurationError {
  override readonly code = 'UNSUPPORTED_SERVER';
}

/** Tables are missing or behind, and this process may not create them. */
export class SchemaError extends DurableError {
  readonly code: string = 'SCHEMA_BEHIND';
}

/**
 * The database refused or could not be reached. `cause` is what the driver threw. Where it is neither `transient` nor
 * `aboutData`, nothing is known: a missing right, a column that is not there yet, a code that is on no list. Whoever
 * writes in the background tries again then.
 */
export class DatabaseError extends DurableError {
  readonly code: string = 'DATABASE';
  /** Whether the values are at fault (too long, no valid text), so that the same statement never succeeds with them. */
  readonly aboutData: boolean;
  /** Whether the statement has certainly no part in it: a lock of somebody else, a full disk, a server that takes no writes. */
  readonly elsewhere: boolean;

  constructor(
    message: string,
    /** Whether the same statement may succeed when tried again: lost connection, deadlock, lock timeout. */
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

/** The database ended the transaction in which code of the app was at work: nothing of it was kept. */
export class TransactionLostError extends DatabaseError {
  override readonly code = 'TRANSACTION_LOST';

  constructor(
    error: DatabaseError,
    /** It lost against another transaction; else its connection was lost, or the server takes no writes. */
    readonly conflict: boolean,
  ) {
    super(`The database ended the transaction in the midst of it. ${error.message}`, true, { cause: error });
  }
}

/** A table of ours is not there. */
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

/** A statement that the server would not take: it was not sent, and nothing was written. */
export class StatementTooLargeError extends DatabaseError {
  override readonly code = 'STATEMENT_TOO_LARGE';

  constructor(
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(
      `What is to be written takes a statement of ${bytes} bytes, and the database takes ${limit}: write less at once, store large data elsewhere and pass a reference, or raise max_allowed_packet`,
      false,
      { aboutData: true },
    );
  }
}

/** The database does not take what a step that waits is to be given. The signal stays, and is tried again now and then. */
export class UndeliverableSignalError extends DurableError {
  readonly code = 'SIGNAL_UNDELIVERABLE';

  constructor(
    /** For people: the name of the signal and whom it was sent to, or the step that waits. */
    readonly what: string,
    error: DatabaseError,
  ) {
    super(`${what} cannot be delivered, and is tried again now and then: ${error.message}`, { cause: error });
  }
}

/** What a run is to record is not taken by the database, while others write. The run is blocked, not failed. */
export class WriteRefusedError extends DurableError {
  readonly code = 'WRITE_REFUSED';

  constructor(
    readonly workflowId: string,
    readonly attempts: number,
    error: DatabaseError,
  ) {
    super(
      `The database does not take what run "${workflowId}" is to record (tried ${attempts} times, while others wrote): ${error.message}. Mend the reason, then call retry`,
      { cause: error },
    );
  }
}

/** A value that has no JSON form: a function, a symbol, a circular structure. */
export class SerializationError extends DurableError {
  readonly code = 'NOT_SERIALIZABLE';

  constructor(what: string, reason: string) {
    super(`${what} cannot be stored as JSON: ${reason}. Pass plain data, Date, Map, Set, BigInt or Error`);
  }
}

/** A payload above `limits.payload`. */
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

/** A stored text that is not JSON, such as the `NaN` of some foreign workers. */
export class UnreadablePayloadError extends DurableError {
  readonly code = 'UNREADABLE_PAYLOAD';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is not JSON: the worker that wrote it must send valid JSON (NaN and Infinity are not)`, options);
  }
}

/** The id is taken by a run with another input, workflow or namespace. */
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

/** The id is taken by a schedule with another plan, workflow or input. */
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
    super(`No remote step has the id "${stepId}": pass what its run recorded, '<workflowId>:<seq>'`);
  }
}

/** The step has its outcome, an answer on its way, or a run that has ended. */
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
    super(`Step "${stepId}" has failed and waits for its next attempt: answer it once it is asked for again`);
  }
}

/** A workflow that no class given to this process carries. */
export class UnknownWorkflowError extends DurableError {
  readonly code = 'UNKNOWN_WORKFLOW';

  constructor(readonly workflow: string) {
    super(`"${workflow}" is no workflow: decorate the class with @Workflow('name'), or pass the name it was given`);
  }
}

/** A class or name given to `ctx.remote` that is no remote step. */
export class UnknownStepError extends DurableError {
  readonly code = 'UNKNOWN_STEP';

  constructor(readonly step: string) {
    super(
      `"${step}" is no remote step: decorate the method with @RemoteStep('name'), or call ctx.remote('name', input)`,
    );
  }
}

/** The workflow's code no longer asks for what its history recorded. The run is blocked, not failed. */
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
      `Run "${workflowId}" has recorded ${limit} steps, the most it may: split it into several runs, or raise limits.steps`,
    );
  }
}

/** An error as it is stored and as it travels: what survives of any error. */
export interface ErrorFields {
  name: string;
  message: string;
  code?: string;
}

/**
 * A step gave up. `name`, `message` and `code` are those of what its last attempt threw, so that code can tell
 * failures apart across processes and languages.
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

/** A run was terminated before it ended: nothing of what it had done was compensated. */
export class WorkflowTerminatedError extends DurableError {
  readonly code = 'WORKFLOW_TERMINATED';

  constructor(readonly workflowId: string) {
    super(`Run "${workflowId}" was terminated`);
  }
}

/**
 * What a run had done could not all be undone: `name`, `message` and `code` are those of the compensation that gave up,
 * `cause` is what had ended the run, if that was an error. `retry` tries the rest again.
 */
export class CompensationFailedError extends WorkflowFailedError {}

/** `retry` of a run that is neither blocked nor one whose compensation failed. */
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

/** `delete` of a run that has not ended. */
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

/** What `ctx.fail` throws: the run fails, and what it did is compensated. */
export class WorkflowFailure extends DurableError {
  constructor(
    message: string,
    readonly code = 'WORKFLOW_FAILED',
  ) {
    super(message);
  }
}

/** A run took longer than its `timeout`; what it had done was compensated. */
export class WorkflowTimeoutError extends DurableError {
  readonly code = 'WORKFLOW_TIMEOUT';

  constructor(readonly workflowId: string) {
    super(`Run "${workflowId}" did not end before its deadline: give it a longer timeout, or find what it waited for`);
  }
}

/** A run that was to begin after others, one of which did not complete. It ends as failed without having begun. */
export class DependencyFailedError extends DurableError {
  readonly code = 'DEPENDENCY_FAILED';

  constructor(
    readonly workflowId: string,
    readonly dependencyId: string,
    /** How the other run ended. */
    readonly dependencyStatus: string,
  ) {
    super(
      `Run "${workflowId}" was to begin after run "${dependencyId}", which ended as ${dependencyStatus}: ` +
        `start it again, after a run that completes`,
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
    super(`Run "${workflowId}" did not end within ${timeoutMs} ms; it goes on, ask for its result again`);
  }
}

/** Nobody here waits for the run any longer, because this process stops. */
export class ResultAbandonedError extends DurableError {
  readonly code = 'RESULT_ABANDONED';

  constructor(readonly workflowId: string) {
    super(
      `This process stops before run "${workflowId}" has ended; the run goes on, ask another process for its result`,
    );
  }
}

/**
 * Thrown by a step, ends its retries at once: the step has failed.
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
 * Thrown by whoever is called again and again, as a publisher: not before so long. Milliseconds, or a text like `'30s'`.
 *
 * @example throw new RetryAfterError('30s');
 */
export class RetryAfterError extends DurableError {
  readonly code = 'RETRY_AFTER';

  constructor(
    readonly delay: number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`,
    message = `Not before ${typeof delay === 'number' ? `${delay} ms` : delay}`,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Thrown by a publisher: to try again would not help. The poison policy of its channel decides at once.
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
    super(`"${destination}" took longer than ${timeoutMs} ms to publish: look at its signal, or raise publishTimeout`);
  }
}

/** A call for a handler of a name that neither an `@Effect` method of this process has nor `effects.remoteHandlers`. Nothing was written. */
export class UnknownEffectHandlerError extends DurableError {
  readonly code = 'UNKNOWN_EFFECT_HANDLER';

  constructor(readonly handler: string) {
    super(
      `"${handler}" handles no effects here: decorate the method with @Effect('name'), pass the name it was given, or put the name into effects.remoteHandlers where another process has it`,
    );
  }
}

/**
 * Thrown by an `@Effect` method: to try again would not help. The call is abandoned at once.
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
    super(`"${handler}" took longer than ${timeoutMs} ms: look at its signal, or raise its timeout`);
  }
}

/** Why a call was abandoned whose processes died in each of its attempts. */
export class EffectAttemptsExhaustedError extends DurableError {
  readonly code = 'EFFECT_ATTEMPTS_EXHAUSTED';

  constructor(
    readonly handler: string,
    readonly attempts: number,
  ) {
    super(
      `"${handler}" was called ${attempts} times, and no process lived to tell the outcome: look for what ends them`,
    );
  }
}

/**
 * An audit sink of the app took too long, so what it was to record is not written either: `requeue` throws this, and an
 * outcome counts for nothing, so that the call is made again after its lease.
 */
export class AuditTimeoutError extends DurableError {
  readonly code = 'AUDIT_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(
      `The audit sink has not answered for ${timeoutMs} ms, while a transaction waited for it: let append() resolve sooner, e.g. by writing to a queue that is durable`,
    );
  }
}

/** The audit log has an event of a type that this version does not know. */
export class UnknownAuditEventError extends DurableError {
  readonly code = 'UNKNOWN_AUDIT_EVENT';

  constructor(readonly type: string) {
    super(`The audit log has an event of type "${type}": read it with the version that wrote it`);
  }
}

/** Another program publishes this outbox: a connector that signed in to the table of nodes, or locked rows. */
export class OutboxOccupiedError extends DurableError {
  readonly code = 'OUTBOX_OCCUPIED';

  constructor(readonly nodeId: string) {
    super(
      `The outbox is published by "${nodeId}", which is none of nest-durable: stop it and wait until its row in the table of nodes has expired. Both at once would break the order of events`,
    );
  }
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'a function' : String(value);
  return `a ${value.constructor?.name ?? 'object'}`;
}
