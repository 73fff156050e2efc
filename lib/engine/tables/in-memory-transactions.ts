import { InvalidTransactionError } from '../../errors.js';
import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Transactions } from '../model/run-catalog.js';

/** If the work throws, written rows are not rolled back; only the commit listeners are not called. */
export class InMemoryTransactions implements Transactions {
  private readonly open = new Set<unknown>();

  join(handle: unknown): Transaction {
    if (this.open.has(handle)) return handle as Transaction;
    throw new InvalidTransactionError(
      'In memory the only transaction to join is the handle of a ctx.transaction(…) that is running: ' +
        'omit `transaction`, or use the database of your ORM instead of memoryBackend()',
    );
  }

  ambient(): undefined {
    return undefined;
  }

  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    return inMemoryTransaction(undefined, async (tx) => {
      this.open.add(tx);
      try {
        return await work(tx, tx);
      } finally {
        this.open.delete(tx);
      }
    });
  }
}
