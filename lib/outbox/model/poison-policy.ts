import { NonRetryablePublishError, RetryAfterError } from '../../errors.js';
import { backoffMs, type BackoffOptions } from '../../time/backoff.js';
import { toMs } from '../../time/duration.js';

/**
 * What becomes of an event that cannot be delivered. `block`: its channel stands still until somebody decides. `park`: it
 * is put aside, and the channel goes on. `park-channel`: it is put aside and all that follow in its channel join it.
 */
export type OnPoison = 'block' | 'park' | 'park-channel';

export interface PoisonPolicy {
  readonly onPoison: OnPoison;
  /** How often an event is tried before the policy decides, the first time included. */
  readonly attempts: number;
  readonly backoff: BackoffOptions;
  /** How many processes an event may kill before the policy decides. */
  readonly crashes: number;
}

export type Verdict =
  { readonly kind: 'again'; readonly counts: 0 | 1; readonly delayMs: number } | { readonly kind: OnPoison };

/** What to do after `error`, when the event has failed `attempts` times before. */
export function verdictOn(error: unknown, attempts: number, policy: PoisonPolicy): Verdict {
  if (named(error, RetryAfterError)) return { kind: 'again', counts: 0, delayMs: delayOf(error, policy) };
  if (named(error, NonRetryablePublishError) || attempts + 1 >= policy.attempts) return { kind: policy.onPoison };
  return { kind: 'again', counts: 1, delayMs: backoffMs(attempts + 1, policy.backoff) };
}

/** Whether a policy decides before anything is delivered: too many died of it. */
export const isDeadly = (crashes: number, policy: PoisonPolicy): boolean => crashes >= policy.crashes;

/** Packages may be installed twice, and classes with them. */
const named = <E extends Error>(error: unknown, Class: abstract new (...args: never[]) => E): error is E =>
  error instanceof Class || (error instanceof Error && error.name === Class.name);

function delayOf({ delay }: RetryAfterError, policy: PoisonPolicy): number {
  try {
    return toMs(delay);
  } catch {
    return backoffMs(1, policy.backoff);
  }
}
