import { checkEffectOptions, checkedOperations, methodRefusal } from './option-checks.js';
import type { EffectOptions } from './decorator-options.js';
import { EFFECT_METADATA, ON_ABANDONED_METADATA, ON_OPERATION_COMPLETE_METADATA } from './declarations.js';
import type { EffectContext } from '../effects/effect-handler.js';
import type { AbandonedEffect } from '../effects/effect-listeners.js';
import { checkName } from '../engine/model/names.js';
import { ConfigurationError } from '../errors.js';

type AbandonmentMethod = (entry: AbandonedEffect) => unknown;

/**
 * Calls a method once a call of an operation was abandoned, in the process that did so and after that is durable: to
 * tell somebody who looks at it and requeues it. It is called once per abandonment, unless the process dies just then;
 * `Effects.listAbandoned` has them all. What it throws is logged, and changes nothing.
 *
 * @example
 * \@OnAbandoned('erase')
 * async alert({ handler, subject, error }: AbandonedEffect): Promise<void> { … }
 *
 * @throws ConfigurationError at once when it stands on anything but an instance method; InvalidArgumentError for an
 *   operation that cannot be one.
 */
export function OnAbandoned(operation: string | readonly string[]) {
  const operations = checkedOperations(operation, 'The operation of @OnAbandoned');
  return <Method extends AbandonmentMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => listensToOperations('OnAbandoned', ON_ABANDONED_METADATA, operations, { target, key, descriptor });
}

/** What the app's ORM hands to work inside a transaction is the second parameter, the operation the third; both may be left out. */
type CompletionMethod = (subject: string, tx: never, operation: string) => unknown;

/**
 * Calls a method when all calls of an operation for a subject have succeeded, inside of the transaction that settles the
 * last one: what it writes with `tx` commits with that, exactly once, and `WorkflowClient.signal` or `Effects.enqueue`
 * with `{ transaction: tx }` do so too. When it throws, the last call counts as not made, and is made again after its
 * lease. Calls that are enqueued for the subject later make it happen again.
 *
 * It should be short: the transaction, and the calls of the same subject, wait for it.
 *
 * Whichever process settles the last call is the one to tell: provide the class wherever a handler of the operation is.
 *
 * @example
 * \@OnOperationComplete('erase')
 * async erased(subject: string, tx: EntityManager): Promise<void> {
 *   await tx.delete(ErasureRequest, { subject });
 * }
 *
 * @throws ConfigurationError at once when it stands on anything but an instance method; InvalidArgumentError for an
 *   operation that cannot be one.
 */
export function OnOperationComplete(operation: string | readonly string[]) {
  const operations = checkedOperations(operation, 'The operation of @OnOperationComplete');
  return <Method extends CompletionMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void =>
    listensToOperations('OnOperationComplete', ON_OPERATION_COMPLETE_METADATA, operations, { target, key, descriptor });
}

/** Writes down which operations a method listens to. @throws ConfigurationError */
export function listensToOperations(
  decorator: string,
  metadataKey: string,
  operations: readonly string[],
  { target, key, descriptor }: { target: object; key: string | symbol; descriptor: unknown },
): void {
  const what = `@${decorator}('${operations.join("', '")}')`;
  const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
  if (refusal) throw new ConfigurationError(`${what} stands on ${refusal}: put it on an instance method`);
  if (Reflect.hasOwnMetadata(metadataKey, target, key)) {
    const location = `${target.constructor.name}.${String(key)}`;
    throw new ConfigurationError(`${location} carries @${decorator} twice: give one a list of operations`);
  }
  Reflect.defineMetadata(metadataKey, operations, target, key);
}

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
