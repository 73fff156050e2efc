import { checkEffectOptions, checkedOperations, methodRefusal } from './option-checks.js';
import type { EffectOptions } from './decorator-options.js';
import { EFFECT_METADATA, ON_ABANDONED_METADATA, ON_OPERATION_COMPLETE_METADATA } from './declarations.js';
import type { EffectContext } from '../effects/effect-handlers.js';
import type { AbandonedEffect } from '../effects/effect-listeners.js';
import { checkName } from '../engine/model/names.js';
import { ConfigurationError } from '../errors/setup-errors.js';

type AbandonmentMethod = (entry: AbandonedEffect) => unknown;

/**
 * Calls a method after a call of an operation was abandoned, for example to alert a person who then requeues it. It
 * runs once per abandonment, in the process that abandoned the call, after that is committed; not if the process dies
 * before. `Effects.listAbandoned` lists all abandoned calls. Errors of the method are logged and have no other effect.
 *
 * @example
 * \@OnAbandoned('erase')
 * async alert({ handler, subject, error }: AbandonedEffect): Promise<void> { … }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid operation name.
 */
export function OnAbandoned(operation: string | readonly string[]) {
  const operations = checkedOperations(operation, 'The operation of @OnAbandoned');
  return <Method extends AbandonmentMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => listensToOperations('OnAbandoned', ON_ABANDONED_METADATA, operations, { target, key, descriptor });
}

/** The second parameter is the transaction handle of the app's ORM, the third the operation; both are optional. */
type CompletionMethod = (subject: string, tx: never, operation: string) => unknown;

/**
 * Calls a method when all calls of an operation for a subject have succeeded, inside the transaction that settles the
 * last call. What the method writes with `tx` commits exactly once with that transaction; so do `WorkflowClient.signal`
 * and `Effects.enqueue` with `{ transaction: tx }`. When the method throws, the transaction rolls back and the last
 * call is made again after its lease. The method is called again after further calls are enqueued for the subject.
 *
 * Keep the method short: the transaction, and the calls of the same subject, wait for it.
 *
 * The process that settles the last call runs the method: provide the class wherever a handler of the operation is.
 *
 * @example
 * \@OnOperationComplete('erase')
 * async erased(subject: string, tx: EntityManager): Promise<void> {
 *   await tx.delete(ErasureRequest, { subject });
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid operation name.
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

/** Stores which operations a method listens to. @throws ConfigurationError */
function listensToOperations(
  decorator: string,
  metadataKey: string,
  operations: readonly string[],
  { target, key, descriptor }: { target: object; key: string | symbol; descriptor: unknown },
): void {
  const what = `@${decorator}('${operations.join("', '")}')`;
  const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
  if (refusal) throw new ConfigurationError(`${what} decorates ${refusal}: use it on an instance method`);
  if (Reflect.hasOwnMetadata(metadataKey, target, key)) {
    const location = `${target.constructor.name}.${String(key)}`;
    throw new ConfigurationError(`${location} has @${decorator} twice: use it once, with a list of operations`);
  }
  Reflect.defineMetadata(metadataKey, operations, target, key);
}

/** The first parameter is the ref; the second, which is optional, is the context. */
type EffectMethod = (ref: never, context: EffectContext) => unknown;

/**
 * Marks a method as the handler of calls to the outside world; `Effects.enqueue` refers to it by `name`. Any process
 * with the handler calls it until it succeeds or the call is abandoned. It may run more than once, with the same
 * idempotency key. Return values are ignored, except `alreadyAbsent()` and `scheduleUntil(date)`. Throw
 * `NonRetryableEffectError` when another try would not help, and `RetryAfterError` to set the time of the next try,
 * which still counts as a try. After any other error the call is retried with backoff.
 *
 * @example
 * \@Effect('stripe', { attempts: 8, timeout: '20s' })
 * async deleteCustomer(id: string, { idempotencyKey, signal }: EffectContext) {
 *   const response = await this.stripe.delete(`/customers/${id}`, { idempotencyKey, signal });
 *   if (response.status === 404) return alreadyAbsent();
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid name or option.
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
    if (refusal) throw new ConfigurationError(`@Effect('${name}') decorates ${refusal}: use it on an instance method`);
    if (Reflect.hasOwnMetadata(EFFECT_METADATA, target, key)) {
      const location = `${target.constructor.name}.${String(key)}`;
      throw new ConfigurationError(`${location} has @Effect twice: give each effect its own method`);
    }
    Reflect.defineMetadata(EFFECT_METADATA, { ...options, name }, target, key);
  };
}
