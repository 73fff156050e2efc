import type { BackoffOptions } from '../time/backoff.js';

export interface EffectPolicy {
  /** How often an entry is tried before it is abandoned, the first time included. */
  readonly attempts: number;
  /** How long one try may take. */
  readonly timeoutMs: number;
  /** For how long a claim is its process's without a word from it; renewed while the call lasts. */
  readonly leaseMs: number;
  /** The wait after each failed try. */
  readonly backoff: BackoffOptions;
}

/** A method of the app that makes calls of one kind. */
export interface EffectHandler {
  /** Known to the database by this name; 1 to 191 characters. */
  readonly name: string;
  readonly policy: EffectPolicy;
  /**
   * Makes the call; it may have been made before with the same idempotency key, and must then come to the same.
   *
   * @returns what {@link outcomeOf} reads: anything, `alreadyAbsent()` or `scheduleUntil(date)`.
   * @throws NonRetryableEffectError when trying again would not help; RetryAfterError to say when to try again; anything
   *   else is tried again with backoff.
   */
  call(ref: unknown, context: EffectContext): unknown;
}

/** What a handler knows of the call it makes, besides the ref. */
export interface EffectContext {
  /** The id of the entry: the same on every attempt and for no other call. Hand it to whatever must not act twice. */
  readonly idempotencyKey: string;
  /** The n-th try, from 1. */
  readonly attempt: number;
  /** Aborts when the attempt has timed out, its claim was lost, or the process stops. */
  readonly signal: AbortSignal;
  readonly subject: string;
  readonly operation: string;
  /** What was enqueued with the call; undefined when nothing was. */
  readonly payload: unknown;
}
