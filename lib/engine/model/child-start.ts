import { WorkflowIdConflictError } from '../../errors.js';
import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import { toWireError } from '../../protocol/wire-error.js';
import type { NewRun } from './run.js';

/** Where a run that has the id belongs. */
export interface Belonging {
  id: string;
  parentId: string | null;
  parentSeq: number | null;
}

/** Whether the run that has the id is the very child that was asked for, by an earlier issue of the same commit. */
export const isSameChild = ({ parent }: NewRun, taken: Belonging): boolean =>
  taken.parentId === parent?.id && taken.parentSeq === parent?.seq;

/** What the step of a child is told whose id is another run's. */
export function answerOfConflict({ id, parent }: NewRun): StepAnswer[] {
  if (!parent) return [];
  const { id: runId, seq } = parent;
  const error = toWireError(new WorkflowIdConflictError(id, 'origin: it is not the child of this step'));
  const to = { stepId: stepIdOf(runId, seq), runId, seq, startedAt: null, createdAt: 0 };
  return [{ ...to, status: 'failed', output: null, error: JSON.stringify(error) }];
}
