import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import { storedWireError } from '../../protocol/wire-error.js';
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
    const { status, output, createdAt } = answer;
    const error = storedWireError(answer.error);
    const startedAt = answer.startedAt ?? step.startedAt;
    // An operation is complete without a word: what it was stays.
    if (step.kind === 'signal')
      return [{ ...step, status: 'answered', output: output ?? step.output, error, startedAt }];
    if (step.kind === 'remote' && status === 'failed')
      return [{ ...step, status: 'answered', output, error, startedAt }];
    const order = (settled.get(step.runId) ?? 0) + 1;
    settled.set(step.runId, order);
    return [{ ...step, status, output, error, settled: order, startedAt, finishedAt: createdAt }];
  });
  return { steps: changed, runs: [...touched].map((id) => ({ id, settled: settled.get(id) ?? 0 })) };
}

/**
 * What the last answers make of the open remote steps of runs that begin to be compensated: each has the outcome that its
 * worker wrote, behind all others, in the order in which they were written. A failure is not tried again.
 */
export function lastOutcomes(
  runs: readonly { id: string; settled: number }[],
  open: readonly StepRecord[],
  answers: readonly StepAnswer[],
): StepRecord[] {
  const orders = new Map(runs.map(({ id, settled }) => [id, settled]));
  const steps = new Map(open.filter(isRemoteWork).map((step) => [stepIdOf(step.runId, step.seq), step]));
  const inOrder = [...answers].sort((a, b) => a.createdAt - b.createdAt || (a.stepId < b.stepId ? -1 : 1));
  return inOrder.flatMap(({ stepId, status, output, error, startedAt, createdAt }): StepRecord[] => {
    const step = steps.get(stepId);
    const last = step && orders.get(step.runId);
    if (!step || last === undefined) return [];
    steps.delete(stepId);
    orders.set(step.runId, last + 1);
    const attempt = status === 'failed' ? step.attempt + 1 : step.attempt;
    const outcome = { status, attempt, output, error: storedWireError(error), settled: last + 1, wakeAt: null };
    return [{ ...step, ...outcome, startedAt: startedAt ?? step.startedAt, finishedAt: createdAt }];
  });
}

/** Asked of a worker by the run itself: no compensation. */
const isRemoteWork = ({ kind, seq, settled }: StepRecord): boolean => kind === 'remote' && seq >= 0 && settled === null;

/** Something has been asked for; not one that waits for its next attempt. */
const isAsked = ({ kind, status, wakeAt }: StepRecord): boolean =>
  status === 'pending' && (wakeAt === null || kind !== 'remote');

/**
 * Which of a run's open steps answers may still settle. Of one that is being compensated only its compensations: what
 * they undo, and in which order, is decided, and an outcome that came between would stand in its way.
 */
export const openIn = (open: readonly StepRecord[], status: RunStatus): readonly StepRecord[] =>
  status === 'compensating' ? open.filter(({ seq }) => seq < 0) : open;
