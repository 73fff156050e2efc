import { readOperation } from '../effects/effect-completions.js';
import type { ForkRefusal } from '../model/run-lives.js';
import type { StepRecord } from '../model/step-record.js';

/** A step, as far as a fork needs it. */
export type ForkableStep = Pick<StepRecord, 'seq' | 'kind' | 'name' | 'settled' | 'output'>;

/** Whether the history can be shared up to `from`. `firstSeq` is the first position of the run's life. */
export function forkRefusal(
  steps: readonly ForkableStep[],
  { from, firstSeq }: { from: number; firstSeq: number },
): ForkRefusal | undefined {
  const last = steps.reduce((most, { seq }) => Math.max(most, seq), firstSeq - 1);
  if (from < firstSeq || from > last + 1) return { why: 'outside', first: firstSeq, last };
  const undone = steps.find(({ seq }) => seq < 0 && -1 - seq >= firstSeq && -1 - seq < from);
  if (undone) return { why: 'compensated', step: undone.name, seq: -1 - undone.seq };
  const open = steps.find((step) => isShared(step, from) && step.settled === null && !isHarmless(step));
  if (open) return { why: 'open', step: open.name, seq: open.seq };
  const seq = firstUnrecorded(steps, { from, firstSeq });
  return seq === undefined ? undefined : { why: 'open', seq };
}

/**
 * A local step has no record until its first attempt has ended. The code of a fork would call it again, under another
 * idempotency key, while the source may complete it.
 */
function firstUnrecorded(
  steps: readonly ForkableStep[],
  { from, firstSeq }: { from: number; firstSeq: number },
): number | undefined {
  const recorded = new Set(steps.map(({ seq }) => seq));
  for (let seq = firstSeq; seq < from; seq++) if (!recorded.has(seq)) return seq;
  return undefined;
}

const isShared = ({ seq }: Pick<StepRecord, 'seq'>, from: number): boolean => seq >= 0 && seq < from;

/**
 * A marker has no outcome to wait for; timers and waits for signals are no work that is done
 * for the source, but calls of `ctx.effects` are.
 */
const isHarmless = (step: ForkableStep): boolean =>
  step.kind === 'marker' || step.kind === 'sleep' || (step.kind === 'signal' && !readOperation(step.output));

/** The shared steps, for the fork. */
export const sharedSteps = (steps: readonly StepRecord[], from: number, id: string): StepRecord[] =>
  steps
    .filter((step) => isShared(step, from) && !(step.kind === 'signal' && step.settled === null))
    .map((step) => ({ ...step, runId: id }));
