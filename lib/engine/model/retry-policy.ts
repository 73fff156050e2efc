import { InvalidArgumentError, RefusedOutputError } from '../../errors/argument-errors.js';
import { ContextMisuseError } from '../../errors/code-errors.js';
import { PayloadTooLargeError, SerializationError } from '../../errors/payload-errors.js';
import { NonRetryableStepError } from '../../errors/step-errors.js';
import { type WireError, toWireError } from '../../protocol/wire-error.js';
import type { Payloads } from './payloads.js';
import { backoffMs, type BackoffOptions } from '../../time/backoff.js';
import type { Clock } from '../../time/clock.js';
import { deferralOf } from '../../time/retry-after.js';
import type { OnExhausted, Retry } from './step-options.js';

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_DEFERRALS = 100;

/** The options of a step, of a workflow or of the module about failed attempts. */
export interface Retrying {
  retry?: Retry | undefined;
  onExhausted?: OnExhausted | undefined;
}

/** A {@link Retry} with its shorthands and defaults resolved. */
export interface RetryPolicy {
  attempts: number;
  backoff: BackoffOptions;
  retryIf: (error: Error) => boolean;
  /** How many attempts may end with a `RetryAfterError`. */
  deferrals: number;
  /** What follows when no attempt is left: the step fails, or it blocks its run. */
  onExhausted: OnExhausted;
}

/**
 * Returns the policy of the first `Retry` and the first `OnExhausted` that are defined, from the call to the module;
 * missing fields have the defaults.
 *
 * @throws TypeError when the backoff is invalid, and InvalidArgumentError when `deferrals` is: at the call, not only at
 *   the first failure.
 */
export function retryPolicy(...given: readonly Retrying[]): RetryPolicy {
  const retry = given.find((one) => one.retry !== undefined)?.retry ?? DEFAULT_ATTEMPTS;
  const onExhausted = given.find((one) => one.onExhausted !== undefined)?.onExhausted ?? 'fail';
  const defaults = { backoff: {}, retryIf: () => true, deferrals: DEFAULT_DEFERRALS, onExhausted };
  if (retry === false) return { ...defaults, attempts: 1 };
  if (typeof retry === 'number') return { ...defaults, attempts: retry };
  const { attempts = DEFAULT_ATTEMPTS, backoff = {}, retryIf = () => true, deferrals = DEFAULT_DEFERRALS } = retry;
  if (retry.backoff) backoffMs(1, backoff);
  if (!Number.isSafeInteger(deferrals) || deferrals < 0)
    throw new InvalidArgumentError('retry.deferrals', deferrals, 'a whole number of at least 0');
  return { attempts, backoff, retryIf, deferrals, onExhausted };
}

/**
 * The wait in ms before the next attempt after `failures` failed ones; `fail` if the step is not retried, `block` if it
 * stands still instead. An error that says that it must not be retried is an answer for the code of the run: it fails the
 * step also with `block`.
 */
export function nextAttemptIn(
  policy: RetryPolicy,
  failures: number,
  error: Error & { code?: unknown },
  retryable = true,
): number | 'fail' | 'block' {
  // Its workers have died ten times: these were its attempts.
  const isCrashLoop = error.code === CRASH_LOOP;
  const isUnusable = UNUSABLE.has(error.name) || error.code === 'REPORT_REFUSED';
  const isFinal = isFatal(error) || !(retryable || isCrashLoop || isUnusable) || !isWorthIt(policy, error);
  if (isFinal || isUnusable || isCrashLoop || failures >= policy.attempts) return isFinal ? 'fail' : policy.onExhausted;
  return backoffMs(failures, policy.backoff);
}

const CRASH_LOOP = 'crash_loop';

/** Calls the app's `retryIf`; if it throws, the step is not retried. @throws ContextMisuseError */
function isWorthIt({ retryIf }: RetryPolicy, error: Error): boolean {
  try {
    return retryIf(error);
  } catch (error) {
    if (error instanceof ContextMisuseError) throw error;
    return false;
  }
}

/**
 * Not retried: the work is done, and its output is refused again. By name: the class may be of another package copy.
 */
const UNUSABLE = new Set<string>([SerializationError.name, PayloadTooLargeError.name, RefusedOutputError.name]);

const isFatal = (error: Error): boolean =>
  error instanceof ContextMisuseError ||
  error instanceof NonRetryableStepError ||
  error.name === NonRetryableStepError.name;

/** Converts any thrown value to an `Error` for `retryIf`, and to its stored form. */
export function caught(given: unknown, payloads: Payloads, clock: Clock): { error: Error; wire: WireError } {
  const { thrown, retryAfterMs } = asked(given, clock);
  const wire = { ...payloads.error(thrown), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (thrown instanceof Error) return { wire, error: thrown };
  const { name, message } = toWireError(thrown);
  return { wire, error: Object.assign(new Error(message), { name }) };
}

/** A delay that is invalid is an ordinary failure. */
function asked(thrown: unknown, clock: Clock): { thrown: unknown; retryAfterMs?: number | undefined } {
  try {
    return { thrown, retryAfterMs: deferralOf(thrown, clock) };
  } catch (error) {
    return { thrown: error };
  }
}
