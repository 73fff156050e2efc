import { isA } from '../core/brand.js';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { EffectContext } from '../effects/handlers.js';
import { NonRetryableEffectError } from '../core/errors.js';
import { within } from '../core/time.js';
import type { ConformanceCase } from './case.js';

/**
 * A fault of the other side. `away`: it cannot be reached, or reports that it is out of service. `silent`: it accepts
 * requests but never responds. `refusing`: it rejects the request permanently, for example for a malformed id.
 */
export type HandlerFault = 'none' | 'away' | 'silent' | 'refusing';

/** A handler of the app and a stand-in for the service that it calls. */
export interface EffectHandlerFixture {
  /** The method under test, bound to its instance. */
  call(ref: unknown, context: EffectContext): unknown;
  /** Creates a new target for a call. */
  prepare(): Promise<{ ref: unknown; payload?: unknown }>;
  /** How often the call has taken effect on it, counted by the other side. */
  effects(ref: unknown): Promise<number>;
  /** Sets or clears the fault of the other side. */
  fault(kind: HandlerFault): Promise<void>;
  /** Resolves when the other side gets its next request. */
  asked(): Promise<void>;
  /** Does what the call would do, so that nothing is left to do. Omit it where that is impossible. */
  forestall?(ref: unknown): Promise<void>;
}

/** How long a handler may take to react to its signal, and to return at all. */
const PROMPT_MS = 5_000;

function contextFor(payload: unknown, given: Partial<EffectContext> = {}): EffectContext {
  const known = { attempt: 1, subject: 'subject', operation: 'operation', signal: new AbortController().signal };
  return { idempotencyKey: randomUUID(), payload, context: () => Promise.resolve({}), ...known, ...given };
}

async function failureOf(fixture: EffectHandlerFixture, ref: unknown, context: EffectContext): Promise<unknown> {
  const call = async () => fixture.call(ref, context);
  const late = new assert.AssertionError({ message: 'the handler does not end' });
  try {
    await within(PROMPT_MS, call(), () => late);
  } catch (error) {
    if (error === late) throw late;
    return error;
  }
  throw new assert.AssertionError({ message: 'the handler reports success, but it cannot have succeeded' });
}

const isFinal = (error: unknown): boolean => isA(error, NonRetryableEffectError);

/**
 * The rules for effect handlers; an app runs these cases against each of its own.
 *
 * @example
 * it.each(effectHandlerConformance)('stripe: $name', async ({ run }) => {
 *   const stripe = await startStandIn();
 *   const handler = new StripeEffects(stripe.url);
 *   await run({ call: (ref, context) => handler.deleteCustomer(ref as string, context), …stripe });
 * });
 */
export const effectHandlerConformance: ConformanceCase<EffectHandlerFixture>[] = [
  {
    name: 'takes effect once, however often it is called with the same idempotency key',
    async run(fixture) {
      const { ref, payload } = await fixture.prepare();
      const context = contextFor(payload);
      await fixture.call(ref, context);
      await fixture.call(ref, { ...context, attempt: 2 });
      assert.equal(await fixture.effects(ref), 1);
    },
  },
  {
    name: 'takes effect once when two processes call it at the same time with the same idempotency key',
    async run(fixture) {
      const { ref, payload } = await fixture.prepare();
      const context = contextFor(payload);
      await Promise.all([fixture.call(ref, context), fixture.call(ref, { ...context, attempt: 2 })]);
      assert.equal(await fixture.effects(ref), 1);
    },
  },
  {
    name: 'succeeds if there is nothing left to do',
    async run(fixture) {
      if (!fixture.forestall) return;
      const { ref, payload } = await fixture.prepare();
      await fixture.forestall(ref);
      const before = await fixture.effects(ref);
      await fixture.call(ref, contextFor(payload));
      assert.equal(await fixture.effects(ref), before);
    },
  },
  {
    name: 'fails with a retryable error while the service is unavailable, and succeeds afterwards',
    async run(fixture) {
      const { ref, payload } = await fixture.prepare();
      const context = contextFor(payload);
      await fixture.fault('away');
      const error = await failureOf(fixture, ref, context);
      assert.equal(isFinal(error), false, 'an unavailable service recovers: this error must be retryable');
      await fixture.fault('none');
      await fixture.call(ref, { ...context, attempt: 2 });
      assert.equal(await fixture.effects(ref), 1);
    },
  },
  {
    name: 'ends as soon as its signal aborts, with a retryable error',
    async run(fixture) {
      const { ref, payload } = await fixture.prepare();
      await fixture.fault('silent');
      const stop = new AbortController();
      const asked = fixture.asked();
      const failure = failureOf(fixture, ref, contextFor(payload, { signal: stop.signal }));
      await Promise.race([asked, failure]);
      stop.abort(new Error('too slow'));
      const error = await failure;
      assert.equal(isFinal(error), false, 'the service refused nothing: this error must be retryable');
      await fixture.fault('none');
    },
  },
  {
    name: 'does not start if its signal has already aborted',
    async run(fixture) {
      const { ref, payload } = await fixture.prepare();
      const error = await failureOf(
        fixture,
        ref,
        contextFor(payload, { signal: AbortSignal.abort(new Error('late')) }),
      );
      assert.equal(isFinal(error), false);
      assert.equal(await fixture.effects(ref), 0);
    },
  },
  {
    name: 'fails with a final error if a retry cannot help',
    async run(fixture) {
      const { ref, payload } = await fixture.prepare();
      await fixture.fault('refusing');
      const error = await failureOf(fixture, ref, contextFor(payload));
      assert.equal(isFinal(error), true, `a refusal must be a NonRetryableEffectError, and is ${String(error)}`);
      await fixture.fault('none');
    },
  },
];
