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
 * The first of the given that is set decides; fields it leaves open have the defaults.
 *
 * @throws TypeError when its backoff is none: now, while the code that says so is running, and not at the first failure.
 */
export function retryPolicy(...retries: (Retry | undefined)[]): RetryPolicy {
  const retry = retries.find((candidate) => candidate !== undefined) ?? DEFAULT_ATTEMPTS;
  if (retry === false) return { attempts: 1, backoff: {}, retryIf: () => true };
  if (typeof retry === 'number') return { attempts: retry, backoff: {}, retryIf: () => true };
  const { attempts = DEFAULT_ATTEMPTS, backoff = {}, retryIf = () => true } = retry;
  if (retry.backoff) backoffMs(1, backoff);
  return { attempts, backoff, retryIf };
}

/** How long to wait, in ms, before the next attempt after `failures` of them; undefined when it was the last. */
export function nextAttemptIn(
  policy: RetryPolicy,
  failures: number,
  error: Error,
  retryable = true,
): number | undefined {
  if (!retryable || failures >= policy.attempts || isFatal(error) || !isWorthIt(policy, error)) return undefined;
  return backoffMs(failures, policy.backoff);
}

/** The app's own decision; one that throws is a no. */
function isWorthIt({ retryIf }: RetryPolicy, error: Error): boolean {
  try {
    return retryIf(error);
  } catch {
    return false;
  }
}

/** By name, since the class may come from another copy of this package. A value that cannot be stored will not be better next time. */
const FATAL = new Set<string>([NonRetryableStepError.name, SerializationError.name, PayloadTooLargeError.name]);

const isFatal = (error: Error): boolean => error instanceof NonRetryableStepError || FATAL.has(error.name);

/** Whatever was thrown, as an `Error` for `retryIf` and as data for the record. */
export function caught(thrown: unknown): { error: Error; wire: WireError } {
  const wire = toWireError(thrown);
  return {
    wire,
    error: thrown instanceof Error ? thrown : Object.assign(new Error(wire.message), { name: wire.name }),
  };
}
