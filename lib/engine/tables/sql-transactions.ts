import type { Transaction } from '../../protocol/transaction.js';
import { commitLossOf, lossOf } from '../../sql/lost-transaction.js';
import type { JoinedTransaction, SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { OpenTransaction, Transactions } from '../model/run-catalog.js';

/** Transactions of the app's ORM; the SQL adapters find their connection in what travels as `Transaction`. */
export class SqlTransactions implements Transactions {
  constructor(private readonly db: SqlExecutor) {}

  join(handle: unknown): OpenTransaction {
    return opened(this.db.join(handle));
  }

  ambient(): OpenTransaction | undefined {
    const joined = this.db.ambient?.();
    return joined && opened(joined);
  }

  async begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    let begun = false;
    let failure: { thrown: unknown } | undefined;
    const inside = async (handle: unknown, tx: SqlConnection) => {
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
      // An ORM may throw what became of its ROLLBACK instead.
      if (failure) throw failure.thrown;
      throw (begun ? commitLossOf(error) : undefined) ?? error;
    }
  }
}

const opened = (joined: JoinedTransaction): OpenTransaction => ({
  tx: joined.connection,
  afterCommit: (listener) => joined.afterCommit(listener),
});
