import type { StoryEntry } from '../engine/insight/story-entry.js';
import type { WorkflowStepFacts } from '../engine/insight/step-page.js';
import type { ErrorView } from '../engine/insight/workflow-status.js';
import type { Attributes } from '../engine/model/run.js';
import type { ShownRun } from '../operator/operator-runs.js';
import type { PayloadOrigin, Show } from './sight.js';

/** A run in a list, or with its `traceId` at the head of its page: no payloads, and of its error neither stack nor causes. */
export type RunRow = Omit<
  ShownRun,
  'input' | 'output' | 'error' | 'blockedBy' | 'history' | 'logs' | 'children' | 'recomputed' | 'moreHistory'
> & { error: Pick<ErrorView, 'name' | 'message' | 'code'> | null };

export function rowOf(run: ShownRun, show: Show): RunRow {
  const { input: _input, output: _output, error, blockedBy: _blockedBy, history: _history, ...rest } = run;
  const { logs: _logs, children: _children, recomputed: _recomputed, moreHistory: _more, ...row } = rest;
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
export type StepRow = Omit<WorkflowStepFacts, 'error' | 'attempts'> & {
  error: RunRow['error'];
  attempts: (Omit<WorkflowStepFacts['attempts'][number], 'error'> & { error: RunRow['error'] })[];
};

export function stepRowOf(
  step: WorkflowStepFacts,
  run: Pick<PayloadOrigin, 'workflow' | 'runId'>,
  show: Show,
): StepRow {
  const { error, attempts, ...row } = step;
  const origin = { ...run, step: step.name };
  const short = (of: ErrorView | null) => shortError(of, origin, show);
  return {
    ...row,
    error: short(error),
    attempts: attempts.map((attempt) => ({ ...attempt, error: short(attempt.error) })),
  };
}

/** An entry of a story with the name and the message of its error, and what else quotes one. */
export function storyRowOf(entry: StoryEntry, show: Show): unknown {
  const origin = { runId: entry.runId };
  const seen = (text: string | null) => text && String(show(text, { ...origin, kind: 'error' }));
  if (entry.kind === 'run.blocked') return { ...entry, detail: seen(entry.detail) };
  if (!('error' in entry)) return entry;
  const { error } = entry;
  return { ...entry, error: typeof error === 'string' ? seen(error) : shortError(error, origin, show) };
}

type Origin = Omit<PayloadOrigin, 'kind' | 'path' | 'value'>;

const shortError = (error: ErrorView | null, origin: Origin, show: Show): RunRow['error'] =>
  error && {
    message: String(show(error.message, { ...origin, kind: 'error' })),
    ...(error.name !== undefined && { name: error.name }),
    ...(error.code !== undefined && { code: error.code }),
  };
