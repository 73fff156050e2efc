import { DurableError } from './durable-error.js';

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
