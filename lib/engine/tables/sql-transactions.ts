import type { Transaction } from '../../protocol/transaction.js';
import { commitLossOf, lossOf } from '../../sql/lost-transaction.js';
import type { SqlExecutor, SqlTransaction } from '../../sql/sql-executor.js';
import type { Transactions } from '../model/run-catalog.js';

/** Transactions of the app's ORM. */
export class SqlTransactions implements Transactions {
  constructor(private readonly db: SqlExecutor) {}

  join(handle: unknown): Transaction {
    return this.db.join(handle);
  }

  ambient(): Transaction | undefined {
    return this.db.ambient?.();
  }

  async begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    let begun = false;
    let failure: { thrown: unknown } | undefined;
    const inside = async (handle: unknown, tx: SqlTransaction) => {
      begun = true;
      try {
        return await work(handle, tx);
      } catch (error) {
        failure = { thrown: (await lossOf(error, tx)) ?? error };
        throw failure.thrown;
      }
    };
    try {
      return await this.db.ormTransaction(inside, { once: true });
    } catch (error) {
      // An ORM may throw an error of its ROLLBACK instead.
      if (failure) throw failure.thrown;
      throw (begun ? commitLossOf(error) : undefined) ?? error;
    }
  }
}
