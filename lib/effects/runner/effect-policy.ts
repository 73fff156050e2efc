import { NonRetryableEffectError, RetryAfterError } from '../../errors.js';
import { backoffMs } from '../../time/backoff.js';
import { toMs } from '../../time/duration.js';
import type { EffectPolicy } from '../effect-handler.js';
import type { Settlement } from '../effect-settlements.js';
import type { EffectOutcome } from '../effect-outcome.js';
import { errorClassOf } from '../error-class.js';

/** What becomes of an entry whose handler has returned. */
export function afterOutcome(outcome: EffectOutcome, { backoff }: EffectPolicy): Settlement {
  if (outcome.kind !== 'scheduled') return { status: 'succeeded', alreadyAbsent: outcome.kind === 'already-absent' };
  // For a time that has passed, so that a handler which names one again and again is not called without a pause.
  return { status: 'scheduled', until: outcome.until, delayMs: backoffMs(1, { ...backoff, jitter: 'none' }) };
}

/** What becomes of an entry whose n-th try has failed. A try counts whatever it failed with: the claim has counted it. */
export function afterFailure(thrown: unknown, attempt: number, policy: EffectPolicy): Settlement {
  const error = errorClassOf(thrown);
  if (isFinal(thrown) || attempt >= policy.attempts) return { status: 'abandoned', error };
  return { status: 'failed', error, delayMs: askedDelayMs(thrown) ?? backoffMs(attempt, policy.backoff) };
}

/** To try again would not help. */
export const isFinal = (thrown: unknown): boolean => isA(thrown, NonRetryableEffectError);

function askedDelayMs(thrown: unknown): number | undefined {
  if (!isA(thrown, RetryAfterError)) return undefined;
  try {
    return toMs((thrown as RetryAfterError).delay);
  } catch {
    return undefined;
  }
}

type ErrorType = { name: string } & (abstract new (...args: never[]) => Error);

/** By name as well: packages may be installed twice, and classes with them. */
function isA(thrown: unknown, type: ErrorType): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown instanceof type || isNamed(thrown, type));
  } catch {
    // What throws when it is looked at is nothing of ours.
    return false;
  }
}

function isNamed(thrown: object, { name }: ErrorType): boolean {
  if ((thrown as { name?: unknown }).name === name) return true;
  for (let proto: unknown = Object.getPrototypeOf(thrown); proto; proto = Object.getPrototypeOf(proto))
    if ((proto as { constructor?: { name?: unknown } }).constructor?.name === name) return true;
  return false;
}
