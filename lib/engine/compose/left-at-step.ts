import type { LeftAtStep } from '../../telemetry/telemetry-events.js';
import type { Activation } from '../activation/activation.js';
import type { RunTransition } from '../model/run.js';
import type { Standstill } from '../model/run-store.js';

/** The step whose failure ended a run, or that it could not compensate; none if the code threw an error of its own. */
export function stepOf({ run, journal }: Activation, left: RunTransition | Standstill): LeftAtStep | undefined {
  if ('undoing' in left && left.undoing) return { ...left.undoing, undoing: true };
  if (!('status' in left) || left.status === 'cancelled') return undefined;
  // A compensated run fails in a later activation than its code.
  const resume = ('resume' in left && left.resume) || run.resume;
  const seq = resume?.passed?.seq ?? resume?.at;
  const step = seq === undefined ? undefined : journal.get(seq);
  return step && { name: step.name, seq: step.seq };
}
