import { NonRetryableStepError, PayloadTooLargeError, SerializationError } from '../../errors.js';
import { type WireError, toWireError } from '../../protocol/wire-error.js';
import { backoffMs, type BackoffOptions } from '../../time/backoff.js';
import type { Retry } from './workflow-context.js';

const DEFAULT_ATTEMPTS = 3;

/** A {@link Retry} with its shorthands and defaults resolved. */
export interface RetryPolicy {
  attempts: number;
  backoff: BackoffOptions;
  retryIf: (error: Error) => boolean;
}

/**
 * Returns the policy of the first `Retry` that is defined; its missing fields have the defaults.
 *
 * @throws TypeError when the backoff is invalid: at the call, not only at the first failure.
 */
export function retryPolicy(...retries: (Retry | undefined)[]): RetryPolicy {
  const retry = retries.find((candidate) => candidate !== undefined) ?? DEFAULT_ATTEMPTS;
  if (retry === false) return { attempts: 1, backoff: {}, retryIf: () => true };
  if (typeof retry === 'number') return { attempts: retry, backoff: {}, retryIf: () => true };
  const { attempts = DEFAULT_ATTEMPTS, backoff = {}, retryIf = () => true } = retry;
  if (retry.backoff) backoffMs(1, backoff);
  return { attempts, backoff, retryIf };
}

/** The wait in ms before the next attempt after `failures` failed ones; undefined if the step is not retried. */
export function nextAttemptIn(
  policy: RetryPolicy,
  failures: number,
  error: Error,
  retryable = true,
): number | undefined {
  if (!retryable || failures >= policy.attempts || isFatal(error) || !isWorthIt(policy, error)) return undefined;
  return backoffMs(failures, policy.backoff);
}

/** Calls the app's `retryIf`; if it throws, the step is not retried. */
function isWorthIt({ retryIf }: RetryPolicy, error: Error): boolean {
  try {
    return retryIf(error);
  } catch {
    return false;
  }
}

/** Never retried; a value that cannot be stored fails again. By name: the class may be of another package copy. */
const FATAL = new Set<string>([NonRetryableStepError.name, SerializationError.name, PayloadTooLargeError.name]);

const isFatal = (error: Error): boolean => error instanceof NonRetryableStepError || FATAL.has(error.name);

/** Converts any thrown value to an `Error` for `retryIf`, and to data for the record. */
export function caught(thrown: unknown): { error: Error; wire: WireError } {
  const wire = toWireError(thrown);
  return {
    wire,
    error: thrown instanceof Error ? thrown : Object.assign(new Error(wire.message), { name: wire.name }),
  };
}
