import { DependencyFailedError, WorkflowCancelledError } from '../../errors/run-errors.js';
import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import { toWireError } from '../../protocol/wire-error.js';
import { isFinal, type RunStatus } from './run.js';

/** An ended child, and the step that waits for it. */
export interface EndedChild {
  id: string;
  parentId: string;
  parentSeq: number;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** The answer to the step of its parent. */
export function answerOfChild({ id, parentId, parentSeq: seq, status, output, error }: EndedChild): StepAnswer {
  const to = { stepId: stepIdOf(parentId, seq), runId: parentId, seq, startedAt: null, createdAt: 0 };
  if (status === 'completed') return { ...to, status, output, error: null };
  const why = error ?? JSON.stringify(toWireError(new WorkflowCancelledError(id)));
  return { ...to, status: 'failed', output: null, error: why };
}

/** A run that waits for a run that has ended. */
export interface Dependence {
  runId: string;
  targetId: string;
  /** Null when it was deleted meanwhile. */
  status: RunStatus | null;
}

/** Whether the run has ended or was deleted. */
export const isOver = (status: RunStatus | null): boolean => status === null || isFinal(status);

/** The effect of ended runs on one run that waits for them. */
export interface Release {
  id: string;
  /** How many of them completed. */
  met: number;
  /** JSON text of the error that the run fails with, if one of them did not complete. */
  error: string | null;
}

/** One release per waiting run, in the order of their ids. */
export function releasesOf(dependences: readonly Dependence[]): Release[] {
  const byRun = new Map<string, Release>();
  const inOrder = [...dependences].sort((a, b) => compare(a.runId, b.runId) || compare(a.targetId, b.targetId));
  for (const { runId: id, targetId, status } of inOrder) {
    const sofar = byRun.get(id) ?? { id, met: 0, error: null };
    if (status === 'completed') sofar.met++;
    else sofar.error ??= JSON.stringify(toWireError(new DependencyFailedError(id, targetId, status ?? 'deleted')));
    byRun.set(id, sofar);
  }
  return [...byRun.values()];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
