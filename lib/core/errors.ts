import { brand } from './brand.js';

/**
 * How an HTTP API answers for a code; NestJS's exception filter does so by itself. Any other code: the request is not
 * the reason, so NestJS logs the error and answers 500 without its message.
 */
export const HTTP_STATUS: Readonly<Record<string, number>> = {
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
  REQUEUE_OFF: 409,
  NOT_A_COUNTER: 409,
  WORKFLOW_ERASED: 410,
  PAYLOAD_TOO_LARGE: 413,
  STATEMENT_TOO_LARGE: 413,
  RESULT_ABANDONED: 503,
  QUESTION_TIMEOUT: 503,
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
    return HTTP_STATUS[this.code];
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

/** An argument or option is invalid. Nothing was written. */
export class InvalidArgumentError extends DurableError {
  readonly code: string = 'INVALID_ARGUMENT';

  constructor(
    readonly argument: string,
    readonly value: unknown,
    expected: string,
    message = `${argument} is ${describe(value)}: pass ${expected}`,
  ) {
    super(message);
  }
}

/**
 * The reason with which the `signal` of running work aborts once this process ends: end soon. What fails from then on is
 * given back, and counts for nothing; what completes counts.
 */
export class ProcessEndingError extends DurableError {
  readonly code = 'PROCESS_ENDING';

  constructor() {
    super('This process ends: what does not complete now is given back, and another process does it');
  }
}

/** An option has a name that is not known, for example because of a typing error. Nothing was written. */
export class UnknownOptionError extends InvalidArgumentError {
  override readonly code = 'UNKNOWN_OPTION';

  constructor(
    /** What got the option: a function, a decorator, or an option that is an object. */
    readonly location: string,
    /** The name that is not known. */
    readonly option: string,
    /** Known names that may have been meant, the likeliest first. */
    readonly nearest: readonly string[],
    /** All names that are known there. */
    readonly known: readonly string[],
    /** What to do, if it is none of these. */
    remedy?: string,
  ) {
    const guess = nearest.length > 0 && `did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}? `;
    const hint = remedy ?? `${guess || ''}The options are ${known.join(', ')}`;
    super(location, option, '', `${location} has no option "${option}": ${hint}`);
  }
}

/** What a schema did not accept. */
export interface ValidationIssue {
  /** What kind of issue it is, in the words of the schema's library; `'invalid'` if it has none. */
  readonly code: string;
  /** The keys that lead to the value; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A value does not match its schema. Nothing was written. A remote step that throws it is not retried. */
export class ValidationError extends DurableError {
  readonly code = 'VALIDATION_FAILED';
  readonly retryable = false;

  constructor(
    readonly what: string,
    readonly issues: readonly ValidationIssue[],
  ) {
    const listed = issues.slice(0, MOST_ISSUES).map(({ path, message }) => [path.join('.'), message].filter(Boolean));
    const more = issues.length > MOST_ISSUES ? `; and ${issues.length - MOST_ISSUES} more` : '';
    super(`${what} is not valid: ${listed.map((parts) => parts.join(': ')).join('; ')}${more}`);
  }
}

/** How many issues a message lists. */
const MOST_ISSUES = 10;

/** What a remote step returned does not match its schema, although its work is done. The step keeps the value. */
export class RefusedOutputError extends ValidationError {
  /** Not enumerable: it is stored as an output, never as a part of an error. */
  declare readonly output: unknown;

  constructor(what: string, issues: readonly ValidationIssue[], output: unknown) {
    super(what, issues);
    Object.defineProperty(this, 'output', { value: output });
  }
}

/** The `transaction` is not an open transaction of the app's ORM. Extends `TypeError`, since it is a wrong argument. */
export class InvalidTransactionError extends TypeError {
  readonly code = 'INVALID_TRANSACTION';
  override readonly name = 'InvalidTransactionError';
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'a function' : String(value);
  return `a ${value.constructor?.name ?? 'object'}`;
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

/** A question of an operator was not answered in time. The server has ended its statement; nothing was changed. */
export class QuestionTimeoutError extends DurableError {
  readonly code = 'QUESTION_TIMEOUT';

  constructor(
    /** What was asked: a function of `Operator`. */
    readonly question: string,
    readonly afterMs: number,
    options?: ErrorOptions,
  ) {
    super(
      `Operator.${question} was not answered within ${afterMs} ms: ask for less (a narrower filter, a lower limit), ` +
        'or ask again when the database has less to do',
      options,
    );
  }
}

/** The module cannot start with this configuration; the message names the possible fixes. */
export class ConfigurationError extends DurableError {
  readonly code: string = 'CONFIGURATION';
}

/** A schema validates asynchronously, which cannot be awaited where values are checked. */
export class AsyncSchemaError extends ConfigurationError {
  override readonly code = 'ASYNC_SCHEMA';
  readonly retryable = false;

  constructor(
    readonly what: string,
    vendor: string,
  ) {
    super(
      `${what} has a schema (of ${vendor}) that validates asynchronously: remove its asynchronous checks, and do them in a step of the workflow`,
    );
  }
}

/** The server speaks the protocol of a supported database but is another one, or belongs to an unsupported cluster. */
export class UnsupportedServerError extends ConfigurationError {
  override readonly code = 'UNSUPPORTED_SERVER';
}

/** Tables are missing or outdated, and this process may not migrate them. */
export class SchemaError extends DurableError {
  readonly code: string = 'SCHEMA_BEHIND';
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

/**
 * The database user of the app may not create, or not use, the tables of nest-durable. The message has the statements
 * that their owner runs; `cause` is the error of the statement that was refused.
 */
export class MissingRightsError extends DatabaseError {
  override readonly code = 'MISSING_RIGHTS';

  constructor(
    /** The user that is connected. */
    readonly user: string,
    /** What its owner runs, so that the user has what it lacks. */
    readonly grants: readonly string[],
    message: string,
    options: { cause?: DatabaseError } = {},
  ) {
    super(message, false, options);
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

/** A stored text cannot be decoded: `NaN` of a worker in another language, or what the codec of the app did not write. */
export class UnreadablePayloadError extends DurableError {
  readonly code = 'UNREADABLE_PAYLOAD';

  constructor(what: string, options?: ErrorOptions) {
    const needed =
      'who writes it must send valid JSON (without NaN or Infinity), encoded by the codec of the app if it has one';
    super(`${what} cannot be decoded: ${needed}`, options);
  }
}

/** A text was sealed with a key that this process does not have, or that was forgotten. */
export class UnknownKeyError extends DurableError {
  readonly code = 'UNKNOWN_KEY';

  constructor(readonly keyId: string) {
    super(`The key "${keyId}" is not known here: give it to sealedCodec, unless it was forgotten on purpose`);
  }
}

/** A sealed text was changed, or its key is another one with the same id. */
export class BrokenSealError extends DurableError {
  readonly code = 'BROKEN_SEAL';

  constructor(
    readonly keyId: string,
    options?: ErrorOptions,
  ) {
    super(
      `A text that the key "${keyId}" has sealed does not open: it was changed, or the key is another one`,
      options,
    );
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

/** Another program publishes this outbox: a connector that registered in the nodes table or locked rows. */
export class OutboxOccupiedError extends DurableError {
  readonly code = 'OUTBOX_OCCUPIED';

  constructor(readonly nodeId: string) {
    super(
      `The outbox is published by "${nodeId}", which does not belong to nest-durable: stop it and wait until its row in the table of nodes has expired. Two publishers at once would break the order of events`,
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

/** Abandoned calls of this app stay abandoned, as its option `effects.requeue` says. */
export class RequeueOffError extends DurableError {
  readonly code = 'REQUEUE_OFF';

  constructor() {
    super('The option effects.requeue is false: an abandoned call is final. If it must be made, enqueue it anew');
  }
}

/**
 * `DurableStore.increment` was called for a key whose text, or whose sum, is no whole number of at most 15 digits. Nothing was
 * changed.
 */
export class NotACounterError extends DurableError {
  readonly code = 'NOT_A_COUNTER';

  constructor(readonly key: string) {
    super(
      `The text at "${key}", or its sum, is no whole number of at most 15 digits: count at another key, or delete this one`,
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

brand({
  DurableError,
  ForeignCodeError,
  InvalidArgumentError,
  UnknownOptionError,
  ValidationError,
  RefusedOutputError,
  InvalidTransactionError,
  DatabaseError,
  ProcessEndingError,
  TransactionLostError,
  StatementTooLargeError,
  UndeliverableSignalError,
  WriteRefusedError,
  QuestionTimeoutError,
  ConfigurationError,
  AsyncSchemaError,
  UnsupportedServerError,
  SchemaError,
  MissingTableError,
  MissingRightsError,
  SerializationError,
  PayloadTooLargeError,
  UnreadablePayloadError,
  UnknownKeyError,
  BrokenSealError,
  NonRetryablePublishError,
  PublishTimeoutError,
  OutboxOccupiedError,
  UnknownEffectHandlerError,
  NonRetryableEffectError,
  EffectTimeoutError,
  EffectAttemptsExhaustedError,
  AuditTimeoutError,
  RequeueOffError,
  NotACounterError,
  UnknownAuditEventError,
});
