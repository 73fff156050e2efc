import { InvalidTransactionError } from '../../errors/argument-errors.js';
import { inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Transactions } from '../model/run-catalog.js';

/** If the work throws, written rows are not rolled back; only the commit listeners are not called. */
export class InMemoryTransactions implements Transactions {
  private readonly open = new Map<unknown, Transaction>();

  constructor(
    /** Returns the handle of each transaction. Default: an object without anything. */
    private readonly standIn?: () => unknown,
  ) {}

  join(handle: unknown): Transaction {
    const tx = this.open.get(handle);
    if (tx) return tx;
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
      const handle = this.standIn ? await this.standIn() : tx;
      this.open.set(handle, tx);
      try {
        return await work(handle, tx);
      } finally {
        // One object may stand for several transactions that are open at once.
        if (this.open.get(handle) === tx) this.open.delete(handle);
      }
    });
  }
}
