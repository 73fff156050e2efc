import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectContext, EffectHandler, EffectPolicy } from '../effect-handlers.js';
import { type EffectOutcome, errorClassOf, outcomeOf } from '../effect-outcome.js';
import type { Settlement } from '../effect-storage.js';
import { EffectTimeoutError, NonRetryableEffectError, RetryAfterError, UnreadablePayloadError } from '../../errors.js';
import type { Cancellation } from '../../leasing/cancellation.js';
import type { Codec } from '../../protocol/codec.js';
import { backoffMs } from '../../time/backoff.js';
import { toMs } from '../../time/duration.js';

/** The settlement of an entry whose handler returned. */
export function afterOutcome(outcome: EffectOutcome, { backoff }: EffectPolicy): Settlement {
  if (outcome.kind !== 'scheduled') return { status: 'succeeded', alreadyAbsent: outcome.kind === 'already-absent' };
  // A minimum delay, so that a handler that keeps returning past dates is not called in a tight loop.
  return { status: 'scheduled', until: outcome.until, delayMs: backoffMs(1, { ...backoff, jitter: 'none' }) };
}

/** The settlement of an entry whose n-th try failed. Every failure counts: the claim has counted it already. */
export function afterFailure(thrown: unknown, attempt: number, policy: EffectPolicy): Settlement {
  const error = errorClassOf(thrown);
  if (isFinal(thrown) || attempt >= policy.attempts) return { status: 'abandoned', error };
  return { status: 'failed', error, delayMs: askedDelayMs(thrown) ?? backoffMs(attempt, policy.backoff) };
}

/** Another try would not help. */
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

/** Also by name, because the package, and with it its classes, may be installed twice. */
function isA(thrown: unknown, type: ErrorType): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown instanceof type || isNamed(thrown, type));
  } catch {
    // A value whose getters throw is not one of our errors.
    return false;
  }
}

function isNamed(thrown: object, { name }: ErrorType): boolean {
  if ((thrown as { name?: unknown }).name === name) return true;
  for (let proto: unknown = Object.getPrototypeOf(thrown); proto; proto = Object.getPrototypeOf(proto))
    if ((proto as { constructor?: { name?: unknown } }).constructor?.name === name) return true;
  return false;
}

/** `interrupted`: the call was asked to stop, and stopped. */
export type CallEnd = Settlement | 'interrupted';

/** Makes one call and always resolves, whatever the handler throws, returns or ignores. */
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

  /** Counts as a normal failure: a later version, or one with the right keys, may be able to read it. */
  private read(text: string, what: string): unknown {
    try {
      return this.codec.decode(text);
    } catch (cause) {
      throw new UnreadablePayloadError(`The ${what} of the call`, { cause });
    }
  }
}
