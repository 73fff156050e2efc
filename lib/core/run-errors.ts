import { brand } from './brand.js';
import { DurableError, type ErrorFields, ForeignCodeError, takeOver } from './errors.js';

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

/**
 * A result was awaited while the app boots, of a run that this process would play: it plays nothing before the last hook
 * `onApplicationBootstrap` has returned, so the app would never be up. Nothing was started.
 */
export class ResultTooEarlyError extends DurableError {
  readonly code = 'RESULT_TOO_EARLY';

  constructor(readonly workflow: string) {
    super(
      `The result of a run of "${workflow}" cannot be awaited while this app boots, in a factory, in onModuleInit or in ` +
        'onApplicationBootstrap: it plays runs only after the last onApplicationBootstrap hook has returned. Await it after ' +
        '`await app.init()` or `await app.listen()`; or start it in the hook with `start`, and hear of its end in a method ' +
        'with @OnRunEnded',
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
    advice = 'deploy code that fits its history, or give changed code a new version',
  ) {
    super(
      `Run "${workflowId}" recorded ${recorded} at position ${seq}, but the code asks for ${asked} there: ${advice}`,
    );
  }
}

/** Why a call of `ctx` could not be recorded. */
export type ContextMisuse =
  | { why: 'in_callback'; callback: string }
  | { why: 'after_end' }
  | { why: 'other_run'; caller: { id: string; workflow: string } };

function misuseText(misuse: ContextMisuse): string {
  switch (misuse.why) {
    case 'in_callback':
      return (
        `was called in ${misuse.callback}, which a replay does not call again, so it cannot be recorded: call it in run, ` +
        `before or after. A callback may use ctx.log, ctx.signal and what only reads; it needs no ctx.now() or ctx.random(), since its output is recorded`
      );
    case 'after_end':
      return 'was called after run had ended, so it is not recorded: await every call, and all code that makes calls, before run returns';
    case 'other_run':
      return (
        `was called by the code of run "${misuse.caller.id}" of "${misuse.caller.workflow}": one object of the workflow class serves all runs, ` +
        `so pass ctx as an argument and do not keep it in a field`
      );
  }
}

/**
 * `ctx` was used in the callback of a step, after `run` had ended, or by the code of another run. Nothing was recorded,
 * and the run is blocked.
 */
export class ContextMisuseError extends DurableError {
  readonly code = 'CONTEXT_MISUSE';
  readonly why: ContextMisuse['why'];
  readonly workflowId: string;
  readonly workflow: string;

  constructor(
    readonly call: string,
    run: { id: string; workflow: string },
    misuse: ContextMisuse,
  ) {
    super(`${call} of run "${run.id}" of "${run.workflow}" ${misuseText(misuse)}`);
    this.why = misuse.why;
    this.workflowId = run.id;
    this.workflow = run.workflow;
  }
}

/**
 * `run` has returned, or continued as new, without awaiting all its calls, and the module option `strict` is set. The run
 * is blocked.
 */
export class UnawaitedCallsError extends DurableError {
  readonly code = 'CALLS_NOT_AWAITED';

  constructor(
    { id, workflow }: { id: string; workflow: string },
    readonly calls: readonly string[],
  ) {
    super(
      `Run "${id}" of "${workflow}" ended without awaiting ${calls.join(', ')}: their outcomes would be lost. Await each call, alone or with Promise.all`,
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

/** `delete` or `restart` was called for a run that has not ended. */
export class WorkflowNotEndedError extends DurableError {
  readonly code = 'WORKFLOW_NOT_ENDED';

  constructor(
    readonly workflowId: string,
    readonly runStatus: string,
    what: 'delete' | 'restart' = 'delete',
  ) {
    super(`Run "${workflowId}" is ${runStatus}: cancel or terminate it, and ${what} it once it has ended`);
  }
}

/** The run's payloads were erased: its output, its error and its history are gone. */
export class WorkflowErasedError extends DurableError {
  readonly code = 'WORKFLOW_ERASED';

  constructor(readonly workflowId: string) {
    super(
      `Run "${workflowId}" was erased: it has no payloads and no history any more, so it can be neither retried nor replayed; start it again with idReuse`,
    );
  }
}

/** `retry` was called for a run that has not failed, is not blocked, and whose compensation has not failed. */
export class WorkflowNotRetryableError extends DurableError {
  readonly code = 'WORKFLOW_NOT_RETRYABLE';

  constructor(
    readonly workflowId: string,
    readonly runStatus: string,
  ) {
    super(
      `Run "${workflowId}" is ${runStatus}: only failed and blocked runs, and those with compensation_failed, can be retried`,
    );
  }
}

const NOT_RESUMABLE = {
  compensated: (run: string, step: string) =>
    `${run}: its step ${step} was undone, so going on would build on work that is gone. restart begins it anew, under new idempotency keys`,
  closing: (run: string) => `${run} is being ended: wait until it has ended, then retry again`,
  passed: (run: string, step: string) =>
    `${run}: its code did more after step ${step} had failed, and that would no longer fit if the step succeeded. fork begins another run from that step on; restart begins the run anew. Both use new idempotency keys`,
  not_begun: (run: string) => `${run}: its code has not run. restart begins it; it does not wait for other runs again`,
  effects: (run: string, step: string) =>
    `${run}: its step ${step} waits for calls that were enqueued before the run failed. restart begins it anew, under new idempotency keys`,
} as const;

/**
 * `retry` was called for a failed run that cannot go on where it failed; nothing was changed. `why`: a step was
 * `compensated`; a child is `closing`; its code `passed` the failed step and did more; it has `not_begun`; it waits for
 * `effects`.
 */
export class WorkflowNotResumableError extends DurableError {
  readonly code = 'WORKFLOW_NOT_RESUMABLE';

  constructor(
    readonly workflowId: string,
    readonly why: keyof typeof NOT_RESUMABLE,
    /** The run itself, or its child that cannot go on. */
    readonly runId: string,
    readonly step?: string,
    readonly seq?: number,
  ) {
    const named = seq === undefined ? `"${step ?? ''}"` : `${seq} "${step ?? ''}"`;
    const which = runId === workflowId ? 'It' : `Its child "${runId}"`;
    super(`Run "${workflowId}" cannot go on where it failed. ${NOT_RESUMABLE[why](which, named)}`);
  }
}

interface ForkRefused {
  why: 'open' | 'compensated' | 'outside' | 'mismatch' | 'erasing';
  step?: string;
  seq?: number;
  first?: number;
  last?: number;
  detail?: string;
}

function textOfRefusal({ why, step = '', seq = 0, first = 0, last = 0, detail = '' }: ForkRefused): string {
  switch (why) {
    case 'open':
      return `its step ${step ? `${seq} "${step}"` : seq} has no outcome: fork it from ${seq} on, or once the step has ended`;
    case 'compensated':
      return `its step ${seq} "${step}" was undone: fork it from ${seq} on, or restart it`;
    case 'outside':
      return last < first ? `it has no steps: from can only be ${first}` : `from must be from ${first} to ${last + 1}`;
    case 'mismatch':
      return `the code of this process does not fit the shared history: ${detail}`;
    case 'erasing':
      return 'it, or the outcome of one of its children, is erased as soon as it has ended';
  }
}

/**
 * A run cannot be forked at this position; nothing was written. `why`: a shared step is `open` or was `compensated`; the
 * position is `outside` of its history; with the input, the code does not fit the shared part (`mismatch`);
 * the run waits for its erasure (`erasing`).
 */
export class WorkflowForkRefusedError extends DurableError {
  readonly code = 'WORKFLOW_FORK_REFUSED';
  readonly why: 'open' | 'compensated' | 'outside' | 'mismatch' | 'erasing';

  constructor(
    readonly workflowId: string,
    readonly from: number,
    refusal: ForkRefused,
  ) {
    super(`Run "${workflowId}" cannot be forked from ${from}: ${textOfRefusal(refusal)}`);
    this.why = refusal.why;
  }
}

/** An operator may not change this step, or not now. */
export class StepNotEditableError extends DurableError {
  readonly code = 'STEP_NOT_EDITABLE';

  constructor(
    readonly stepId: string,
    why: string,
  ) {
    super(`Step "${stepId}" cannot be changed: ${why}`);
  }
}

/** With the changed step, the code would not fit the rest of the run's history. Nothing was changed. */
export class EditRefusedError extends DurableError {
  readonly code = 'EDIT_REFUSED';

  constructor(
    readonly stepId: string,
    /** What a replay of the changed history found. */
    readonly detail: string,
  ) {
    super(`Step "${stepId}" was not changed, because its run would be blocked: ${detail}`);
  }
}

brand({
  WorkflowIdConflictError,
  WorkflowNotFoundError,
  WorkflowFailedError,
  CompensationFailedError,
  WorkflowFailure,
  WorkflowCancelledError,
  WorkflowTerminatedError,
  WorkflowTimeoutError,
  DependencyFailedError,
  ResultTimeoutError,
  ResultAbandonedError,
  ResultTooEarlyError,
  ScheduleNotFoundError,
  NodeNotFoundError,
  ScheduleConflictError,
  StepNotFoundError,
  StepAlreadySettledError,
  StepNotPendingError,
  StepFailedError,
  StepExhaustedError,
  StepTimeoutError,
  NonRetryableStepError,
  RetryAfterError,
  TooManyDeferralsError,
  UnknownWorkflowError,
  UnknownStepError,
  NonDeterminismError,
  ContextMisuseError,
  UnawaitedCallsError,
  HistoryLimitError,
  WorkflowNotEndedError,
  WorkflowErasedError,
  WorkflowNotRetryableError,
  WorkflowNotResumableError,
  WorkflowForkRefusedError,
  StepNotEditableError,
  EditRefusedError,
});
