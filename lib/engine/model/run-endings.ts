import { DependencyFailedError, WorkflowCancelledError } from '../../errors.js';
import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import { toWireError } from '../../protocol/wire-error.js';
import { isFinal, type RunStatus } from './run.js';

/** How a child ended, and which step waits for it. */
export interface EndedChild {
  id: string;
  parentId: string;
  parentSeq: number;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** What the step of its parent is told. */
export function answerOfChild({ id, parentId, parentSeq: seq, status, output, error }: EndedChild): StepAnswer {
  const to = { stepId: stepIdOf(parentId, seq), runId: parentId, seq, startedAt: null, createdAt: 0 };
  if (status === 'completed') return { ...to, status, output, error: null };
  const why = error ?? JSON.stringify(toWireError(new WorkflowCancelledError(id)));
  return { ...to, status: 'failed', output: null, error: why };
}

/** A run that waits for one that has ended. */
export interface Dependence {
  runId: string;
  targetId: string;
  /** Null when it was deleted meanwhile. */
  status: RunStatus | null;
}

/** Whether nothing more is to be expected of a run. */
export const isOver = (status: RunStatus | null): boolean => status === null || isFinal(status);

/** What the ends of others come to for one run that waits for them. */
export interface Release {
  id: string;
  /** How many it need not wait for any longer. */
  met: number;
  /** JSON text of the error it fails with, since one of them did not complete. */
  error: string | null;
}

/** By waiting run, in the order of their ids. */
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
