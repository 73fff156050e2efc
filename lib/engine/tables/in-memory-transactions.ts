import { InvalidTransactionError } from '../../errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { OpenTransaction, Transactions } from '../model/run-catalog.js';

/**
 * Memory has no transactions: work gets a handle that only stands for one, so that what is written with it is told of
 * when the work is done. Nothing is rolled back.
 */
export class InMemoryTransactions implements Transactions {
  private readonly open = new WeakMap<object, (() => void)[]>();

  join(handle: unknown): OpenTransaction {
    const listeners = typeof handle === 'object' && handle !== null ? this.open.get(handle) : undefined;
    if (!listeners) {
      throw new InvalidTransactionError(
        'In memory there is no transaction to join but the handle of a ctx.transaction(…) that is running: ' +
          'leave `transaction` out, or use the database of your ORM in place of memoryBackend()',
      );
    }
    return { tx: handle as Transaction, afterCommit: (listener) => void listeners.push(listener) };
  }

  ambient(): undefined {
    return undefined;
  }

  async begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    const handle: Transaction = {};
    const listeners: (() => void)[] = [];
    this.open.set(handle, listeners);
    try {
      return await work(handle, handle);
    } finally {
      this.open.delete(handle);
      for (const listener of listeners) listener();
    }
  }
}
