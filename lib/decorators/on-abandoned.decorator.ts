import type { AbandonedEffect } from '../effects/abandonment-listener.js';
import { checkedOperations } from './effect-option-checks.js';
import { listensToOperations } from './listens-to-operations.js';
import { ON_ABANDONED_METADATA } from './metadata.js';

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
