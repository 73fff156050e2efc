import type { BackoffOptions } from '../time/backoff.js';

export interface EffectPolicy {
  /** The maximum number of tries before an entry is abandoned, including the first. */
  readonly attempts: number;
  /** The timeout of one try. */
  readonly timeoutMs: number;
  /** How long a process holds its claim without renewing it; it is renewed while the call runs. */
  readonly leaseMs: number;
  /** The wait after each failed try. */
  readonly backoff: BackoffOptions;
}

/** A method of the app that makes calls of one kind. */
export interface EffectHandler {
  /** The name under which the database stores its calls; 1 to 191 characters. */
  readonly name: string;
  readonly policy: EffectPolicy;
  /**
   * Makes the call. It may have been made before with the same idempotency key and must then have the same effect.
   *
   * @returns a value that {@link outcomeOf} reads: anything, `alreadyAbsent()` or `scheduleUntil(date)`.
   * @throws NonRetryableEffectError when another try would not help; RetryAfterError to set the time of the next try;
   *   after any other error the call is retried with backoff.
   */
  call(ref: unknown, context: EffectContext): unknown;
}

/** What a handler receives besides the ref. */
export interface EffectContext {
  /** The id of the entry: the same on every attempt, unique to this call. Services can use it to drop duplicates. */
  readonly idempotencyKey: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Aborts when the attempt has timed out, its claim was lost, or the process stops. */
  readonly signal: AbortSignal;
  readonly subject: string;
  readonly operation: string;
  /** The payload that was enqueued with the call; undefined when there is none. */
  readonly payload: unknown;
}
