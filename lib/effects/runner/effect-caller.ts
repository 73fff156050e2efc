import { EffectTimeoutError, UnreadablePayloadError } from '../../errors.js';
import type { Codec } from '../../protocol/codec.js';
import { sleep } from '../../time/sleep.js';
import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectContext } from '../effect-context.js';
import type { EffectHandler } from '../effect-handler.js';
import { outcomeOf } from '../effect-outcome.js';
import type { Settlement } from '../effect-settlements.js';
import { afterFailure, afterOutcome, isFinal } from './effect-policy.js';
import type { Interruption } from './interruption.js';

/** `interrupted`: it was asked to end, and did. */
export type CallEnd = Settlement | 'interrupted';

/** Makes one call, and always comes to an end: whatever the handler throws, answers or ignores. */
export class EffectCaller {
  constructor(private readonly codec: Codec) {}

  async call(claimed: ClaimedEffect, handler: EffectHandler, interruption: Interruption): Promise<CallEnd> {
    const { name, policy } = handler;
    const done = new AbortController();
    try {
      const ref = this.read(claimed.ref, 'ref');
      const context = this.contextOf(claimed, interruption.signal);
      void expire(name, policy.timeoutMs, interruption, done.signal);
      const returned = await interruption.outlive(() => handler.call(ref, context));
      return afterOutcome(outcomeOf(returned), policy);
    } catch (error) {
      if (interruption.asked && !isFinal(error)) return 'interrupted';
      return afterFailure(error, claimed.attempt, policy);
    } finally {
      done.abort('done');
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

/** A handler that does not heed its signal goes on unheard. */
async function expire(name: string, ms: number, interruption: Interruption, done: AbortSignal): Promise<void> {
  await sleep(ms, done);
  if (!done.aborted) interruption.end(new EffectTimeoutError(name, ms));
}
