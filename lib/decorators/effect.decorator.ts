import type { EffectContext } from '../effects/effect-context.js';
import { checkName } from '../engine/model/names.js';
import { ConfigurationError } from '../errors.js';
import { checkEffectOptions } from './effect-option-checks.js';
import type { EffectOptions } from './effect-options.js';
import { EFFECT_METADATA } from './metadata.js';
import { methodRefusal } from './method-refusal.js';

/** The first parameter is the ref; the second, which may be left out, is the context. */
type EffectMethod = (ref: never, context: EffectContext) => unknown;

/**
 * Marks a method as the handler of calls to the outside world, which `Effects.enqueue` names by `name`. It is called
 * until it succeeds or is abandoned, by whichever process has it; perhaps more than once, with the same idempotency key.
 * What it returns is ignored, but for `alreadyAbsent()` and `scheduleUntil(date)`. It throws `NonRetryableEffectError`
 * when trying again would not help, and `RetryAfterError` to say when to try again, which counts as a try all the same;
 * anything else is tried again with backoff.
 *
 * @example
 * \@Effect('stripe', { attempts: 8, timeout: '20s' })
 * async deleteCustomer(id: string, { idempotencyKey, signal }: EffectContext) {
 *   const response = await this.stripe.delete(`/customers/${id}`, { idempotencyKey, signal });
 *   if (response.status === 404) return alreadyAbsent();
 * }
 *
 * @throws ConfigurationError at once when it stands on anything but an instance method; InvalidArgumentError for a
 *   name or an option that cannot be used.
 */
export function Effect(name: string, options: EffectOptions = {}) {
  checkName(name, 'The name of an effect');
  checkEffectOptions(options, `@Effect('${name}')`);
  return <Method extends EffectMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
    if (refusal) throw new ConfigurationError(`@Effect('${name}') stands on ${refusal}: put it on an instance method`);
    if (Reflect.hasOwnMetadata(EFFECT_METADATA, target, key)) {
      const location = `${target.constructor.name}.${String(key)}`;
      throw new ConfigurationError(`${location} carries @Effect twice: give each effect a method of its own`);
    }
    Reflect.defineMetadata(EFFECT_METADATA, { ...options, name }, target, key);
  };
}
