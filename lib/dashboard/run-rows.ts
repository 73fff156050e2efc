import type { StoryEntry } from '../engine/insight/story-entry.js';
import type { ErrorView, WorkflowRunStatus, WorkflowStepStatus } from '../engine/insight/workflow-status.js';
import type { Attributes } from '../engine/model/run.js';
import type { PayloadOrigin, Show } from './sight.js';

/** A run in a list: no payloads, and of its error neither stack nor causes. */
export type RunRow = Omit<
  WorkflowRunStatus,
  'input' | 'output' | 'error' | 'blockedBy' | 'history' | 'logs' | 'children' | 'recomputed'
> & { error: Pick<ErrorView, 'name' | 'message' | 'code'> | null };

export function rowOf(run: WorkflowRunStatus, show: Show): RunRow {
  const { input: _input, output: _output, error, blockedBy: _blockedBy, history: _history, ...rest } = run;
  const { logs: _logs, children: _children, recomputed: _recomputed, ...row } = rest;
  const origin = { workflow: run.workflow, runId: run.id };
  return {
    ...row,
    attributes: show(run.attributes, { ...origin, kind: 'attributes' }) as Attributes,
    customStatus: show(run.customStatus, { ...origin, kind: 'status' }) as string | null,
    reasonDetail: show(run.reasonDetail, { ...origin, kind: 'error' }) as string | null,
    error: shortError(error, origin, show),
  };
}

/** A step in the timeline: its outcome is asked for when somebody opens it. */
export type StepRow = Omit<WorkflowStepStatus, 'input' | 'output' | 'error' | 'logs' | 'attempts'> & {
  error: RunRow['error'];
  attempts: (Omit<WorkflowStepStatus['attempts'][number], 'error'> & { error: RunRow['error'] })[];
  logLines: number;
};

export function stepRowOf(
  step: WorkflowStepStatus,
  run: Pick<PayloadOrigin, 'workflow' | 'runId'>,
  show: Show,
): StepRow {
  const { input: _input, output: _output, error, logs, attempts, ...row } = step;
  const origin = { ...run, step: step.name };
  const short = (of: ErrorView | null) => shortError(of, origin, show);
  return {
    ...row,
    error: short(error),
    attempts: attempts.map((attempt) => ({ ...attempt, error: short(attempt.error) })),
    logLines: logs.length,
  };
}

/** An entry of a story with the name and the message of its error. */
export const storyRowOf = (entry: StoryEntry, show: Show): unknown =>
  'error' in entry && typeof entry.error === 'object'
    ? { ...entry, error: shortError(entry.error, { runId: entry.runId }, show) }
    : entry;

type Origin = Omit<PayloadOrigin, 'kind' | 'path' | 'value'>;

const shortError = (error: ErrorView | null, origin: Origin, show: Show): RunRow['error'] =>
  error && {
    message: String(show(error.message, { ...origin, kind: 'error' })),
    ...(error.name !== undefined && { name: error.name }),
    ...(error.code !== undefined && { code: error.code }),
  };
