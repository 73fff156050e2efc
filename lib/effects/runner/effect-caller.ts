import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectContext, EffectHandler, EffectPolicy } from '../effect-handler.js';
import { type EffectOutcome, errorClassOf, outcomeOf } from '../effect-outcome.js';
import type { Settlement } from '../effect-storage.js';
import { EffectTimeoutError, NonRetryableEffectError, RetryAfterError, UnreadablePayloadError } from '../../errors.js';
import type { Cancellation } from '../../leasing/cancellation.js';
import type { Codec } from '../../protocol/codec.js';
import { backoffMs } from '../../time/backoff.js';
import { toMs } from '../../time/duration.js';

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

/** `interrupted`: it was asked to end, and did. */
export type CallEnd = Settlement | 'interrupted';

/** Makes one call, and always comes to an end: whatever the handler throws, answers or ignores. */
export class EffectCaller {
  constructor(private readonly codec: Codec) {}

  async call(claimed: ClaimedEffect, handler: EffectHandler, control: Cancellation): Promise<CallEnd> {
    const { name, policy } = handler;
    const { timeoutMs } = policy;
    try {
      const ref = this.read(claimed.ref, 'ref');
      const context = this.contextOf(claimed, control.signal);
      const late = () => new EffectTimeoutError(name, timeoutMs);
      const returned = await control.outliveWithin(timeoutMs, () => handler.call(ref, context), late);
      return afterOutcome(outcomeOf(returned), policy);
    } catch (error) {
      if (control.asked && !isFinal(error)) return 'interrupted';
      return afterFailure(error, claimed.attempt, policy);
    }
  }

  private contextOf({ claim, attempt, subject, operation, payload }: ClaimedEffect, signal: AbortSignal) {
    const plain = payload === null ? undefined : this.read(payload, 'payload');
    const { entryId: idempotencyKey } = claim;
    return { idempotencyKey, attempt, signal, subject, operation, payload: plain } satisfies EffectContext;
  }

  /** A later version, or one with the right keys, may be able to read it: a failure like any other. */
  private read(text: string, what: string): unknown {
    try {
      return this.codec.decode(text);
    } catch (cause) {
      throw new UnreadablePayloadError(`The ${what} of the call`, { cause });
    }
  }
}
