import { checkedOperations } from './effect-option-checks.js';
import { listensToOperations } from './listens-to-operations.js';
import { ON_OPERATION_COMPLETE_METADATA } from './metadata.js';

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
