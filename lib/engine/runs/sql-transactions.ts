import type { Transaction } from '../../protocol/transaction.js';
import type { JoinedTransaction, SqlExecutor } from '../../sql/sql-executor.js';
import type { OpenTransaction, Transactions } from './run-catalog.js';

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

  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    return this.db.ormTransaction(work);
  }
}

const opened = (joined: JoinedTransaction): OpenTransaction => ({
  tx: joined.connection,
  afterCommit: (listener) => joined.afterCommit(listener),
});
