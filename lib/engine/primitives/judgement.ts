import { TooManyDeferralsError } from '../../errors/step-errors.js';
import type { WireError } from '../../protocol/wire-error.js';
import { LONGEST_DELAY_MS } from '../../time/retry-after.js';
import type { Activation } from '../activation/activation.js';
import { inCallback } from '../activation/code-scope.js';
import { nextAttemptIn, type RetryPolicy } from '../model/retry-policy.js';
import type { EndedAttempt } from '../model/run-store.js';
import { failedOnce, type StepRecord } from '../model/step-record.js';

/** What follows after an attempt that has thrown. */
export interface Judgement {
  /** The step after the attempt. */
  step: StepRecord;
  outcome: EndedAttempt['outcome'];
  /** The wait until the next attempt, in ms; or what follows when there is none. */
  next: number | 'fail' | 'block';
}

/** Counts the attempt: as a failure, or as deferred if it has asked for the time of the next one. */
export function judge(
  activation: Activation,
  step: StepRecord,
  policy: RetryPolicy,
  { error, wire }: { error: Error; wire: WireError },
): Judgement {
  const { retryAfterMs, retryable } = wire;
  const ended = { ...step, error: JSON.stringify(wire) };
  if (retryAfterMs === undefined || retryable === false) {
    const failure = failedOnce(ended);
    const failures = counted(activation, failure);
    try {
      const next = inCallback(activation, `the retryIf of "${step.name}"`, () =>
        nextAttemptIn(policy, failures, error, retryable),
      );
      return { step: failure, outcome: 'failed', next };
    } catch (misuse) {
      return {
        step: { ...failure, error: JSON.stringify(activation.payloads.error(misuse)) },
        outcome: 'failed',
        next: 'fail',
      };
    }
  }
  if (step.deferrals < policy.deferrals) {
    const deferred = { ...ended, attempt: step.attempt + 1, deferrals: step.deferrals + 1 };
    return { step: deferred, outcome: 'deferred', next: Math.ceil(Math.min(retryAfterMs, LONGEST_DELAY_MS)) };
  }
  const tooMany = new TooManyDeferralsError(step.name, step.deferrals, error.message);
  const failure = failedOnce({ ...step, error: JSON.stringify(activation.payloads.error(tooMany)) });
  return { step: failure, outcome: 'failed', next: policy.onExhausted };
}

/** How many failed attempts of a step count: not those before a `retry`. */
const counted = ({ run }: Activation, { seq, failures }: StepRecord): number =>
  failures - (run.resume?.forgiven?.[seq] ?? 0);
