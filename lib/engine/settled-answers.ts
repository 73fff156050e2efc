import type { StepAnswer } from '../protocol/step.js';
import type { StepRecord } from './step-record.js';

/**
 * What answers make of the open remote steps of runs that nobody plays: an output is final and takes the next place in
 * the run's order, a failure waits for an owner to decide whether it is tried again. Answers to anything else change
 * nothing.
 */
export function settleAnswers(
  runs: readonly { id: string; settled: number }[],
  open: readonly StepRecord[],
  answers: readonly StepAnswer[],
): { steps: StepRecord[]; runs: { id: string; settled: number }[] } {
  const settled = new Map(runs.map(({ id, settled }) => [id, settled]));
  const steps = new Map(open.filter(isAsked).map((step) => [`${step.runId}:${step.seq}`, step]));
  const touched = new Set<string>();
  const changed = answers.flatMap((answer): StepRecord[] => {
    const step = steps.get(answer.stepId);
    if (!step) return [];
    steps.delete(answer.stepId);
    touched.add(step.runId);
    const { output, error, createdAt } = answer;
    const startedAt = answer.startedAt ?? step.startedAt;
    if (answer.status === 'failed') return [{ ...step, status: 'answered', error, startedAt }];
    const place = (settled.get(step.runId) ?? 0) + 1;
    settled.set(step.runId, place);
    return [{ ...step, status: 'completed', output, error: null, settled: place, startedAt, finishedAt: createdAt }];
  });
  return { steps: changed, runs: [...touched].map((id) => ({ id, settled: settled.get(id) ?? 0 })) };
}

/** A worker has been asked; not one that waits for its next attempt. */
const isAsked = ({ status, wakeAt }: StepRecord): boolean => status === 'pending' && wakeAt === null;
