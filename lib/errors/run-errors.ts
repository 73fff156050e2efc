import { DurableError, type ErrorFields, ForeignCodeError, takeOver } from './durable-error.js';

/** A run with this id exists, with another input, workflow or namespace. */
export class WorkflowIdConflictError extends DurableError {
  readonly code = 'WORKFLOW_ID_CONFLICT';

  constructor(
    readonly workflowId: string,
    difference: string,
    /** What else helps than another id. */
    remedy: string | null = 'start it with the same arguments',
  ) {
    const or = remedy === null ? '' : `, or ${remedy}`;
    super(`Run "${workflowId}" exists with another ${difference}: use another id${or}`);
  }
}

/** No run has this id. */
export class WorkflowNotFoundError extends DurableError {
  readonly code = 'WORKFLOW_NOT_FOUND';

  constructor(readonly workflowId: string) {
    super(`No run has the id "${workflowId}"`);
  }
}

/** A run ended as `failed`. `name`, `message`, `code` and `cause` are those of the error that ended it. */
export class WorkflowFailedError extends ForeignCodeError {
  readonly code: string;
  /** The errors of the original, if it was an `AggregateError`. */
  declare readonly errors?: readonly Error[];

  constructor(
    readonly workflowId: string,
    error: ErrorFields,
    options?: ErrorOptions,
  ) {
    super(error.message, options);
    this.name = error.name;
    this.code = error.code ?? 'WORKFLOW_FAILED';
    takeOver(this, error);
  }
}

/**
 * A compensation failed and is not retried automatically. `name`, `message` and `code` are those of its error; `cause`
 * is the error that had ended the run, if there was one. `retry` runs the remaining compensations.
 */
export class CompensationFailedError extends WorkflowFailedError {}

/** Thrown by `ctx.fail`: the run fails, and its completed steps are compensated. */
export class WorkflowFailure extends ForeignCodeError {
  constructor(
    message: string,
    readonly code = 'WORKFLOW_FAILED',
  ) {
    super(message);
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

/**
 * Waiting for a result took longer than the `timeout` of the wait. The run goes on, unless it is blocked. The message
 * says what it waits for, like `explain`; it contains names of steps, groups and processes, which are not for strangers.
 */
export class ResultTimeoutError extends DurableError {
  readonly code = 'RESULT_TIMEOUT';

  constructor(
    readonly workflowId: string,
    readonly timeoutMs: number,
    /** Why it has not ended; undefined if the database did not say it within a second. */
    readonly reason?: string,
  ) {
    super(
      `Run "${workflowId}" did not end within ${timeoutMs} ms: ${reason ?? 'it continues, ask for its result again'}`,
    );
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

/** No schedule has this id. */
export class ScheduleNotFoundError extends DurableError {
  readonly code = 'SCHEDULE_NOT_FOUND';

  constructor(readonly scheduleId: string) {
    super(`No schedule has the id "${scheduleId}": create it, or look for its id in list()`);
  }
}

/** No process of this name is signed in: it has ended, or its name is misspelt. */
export class NodeNotFoundError extends DurableError {
  readonly code = 'NODE_NOT_FOUND';

  constructor(readonly nodeId: string) {
    super(`No process named "${nodeId}" is signed in: nodes() lists those that are`);
  }
}

/** A schedule with this id exists, with another plan, workflow or input. */
export class ScheduleConflictError extends DurableError {
  readonly code = 'SCHEDULE_CONFLICT';

  constructor(
    readonly scheduleId: string,
    difference: string,
  ) {
    super(`Schedule "${scheduleId}" exists with another ${difference}: use another id, or update it`);
  }
}
