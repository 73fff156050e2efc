import { DurableError } from './durable-error.js';

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
