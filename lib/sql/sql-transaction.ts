import { InvalidTransactionError } from '../errors.js';
import type { Transaction } from '../protocol/transaction.js';
import type { SqlConnection, SqlExecutor, SqlTransaction } from './sql-executor.js';

/**
 * A transaction that a port was given, as the adapters of a database need it.
 *
 * @throws InvalidTransactionError for one of another storage.
 */
export function sqlTransaction(tx: Transaction): SqlTransaction {
  if ('run' in tx && 'dialect' in tx) return tx as SqlTransaction;
  throw new InvalidTransactionError(
    'The transaction is not one of this database: pass one that the same storage opened',
  );
}

/** Where a port runs a statement: in `tx` where it was given one, else by itself. */
export const connectionOf = (db: SqlExecutor, tx: Transaction | undefined): SqlConnection =>
  tx ? sqlTransaction(tx) : db;

/** `work` in `tx` where a port was given one, else in a transaction of its own. */
export const inTransaction = <T>(
  db: SqlExecutor,
  tx: Transaction | undefined,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> => (tx ? work(sqlTransaction(tx)) : db.transaction(work));
