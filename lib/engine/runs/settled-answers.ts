import type { StepAnswer } from '../../protocol/step.js';
import type { RunStatus } from './run.js';
import type { StepRecord } from './step-record.js';

/**
 * What answers make of the open steps of runs that nobody plays: an output is final and takes the next place in the
 * run's order, and so does the end of a child; a failure waits for an owner to decide whether it is tried again, a
 * signal for one to decide whether it is wanted. Answers to anything else change nothing.
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
    const { status, output, error, createdAt } = answer;
    const startedAt = answer.startedAt ?? step.startedAt;
    if (step.kind === 'signal' || (step.kind === 'remote' && status === 'failed'))
      return [{ ...step, status: 'answered', output, error, startedAt }];
    const place = (settled.get(step.runId) ?? 0) + 1;
    settled.set(step.runId, place);
    return [{ ...step, status, output, error, settled: place, startedAt, finishedAt: createdAt }];
  });
  return { steps: changed, runs: [...touched].map((id) => ({ id, settled: settled.get(id) ?? 0 })) };
}

/** Something has been asked for; not one that waits for its next attempt. */
const isAsked = ({ kind, status, wakeAt }: StepRecord): boolean =>
  status === 'pending' && (wakeAt === null || kind !== 'remote');

/**
 * Which of a run's open steps answers may still settle. Of one that is being compensated only its compensations: what
 * they undo, and in which order, is decided, and an outcome that came between would stand in its way.
 */
export const openIn = (open: readonly StepRecord[], status: RunStatus): readonly StepRecord[] =>
  status === 'compensating' ? open.filter(({ seq }) => seq < 0) : open;
