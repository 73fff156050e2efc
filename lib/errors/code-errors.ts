import { DurableError } from './durable-error.js';

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
 * `ctx` was used in the callback of a step, after `run` had ended, or by the code of another run. Nothing was recorded.
 * In a callback it fails the step without a retry; in `run` it blocks the run.
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
