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
