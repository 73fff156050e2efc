import { InvalidTransactionError } from '../errors.js';
import type { Transaction } from '../protocol/transaction.js';
import type { SqlConnection, SqlExecutor, SqlTransaction } from './sql-executor.js';

/**
 * Casts the transaction of a port to the type that the database adapters need.
 *
 * @throws InvalidTransactionError for a transaction of another storage.
 */
export function sqlTransaction(tx: Transaction): SqlTransaction {
  if ('run' in tx && 'dialect' in tx && 'afterCommit' in tx) return tx as SqlTransaction;
  throw new InvalidTransactionError(
    'The transaction does not belong to this database: pass one that the same storage opened',
  );
}

/** The connection of a port's statement: `tx` if it was given, else the executor. */
export const connectionOf = (db: SqlExecutor, tx: Transaction | undefined): SqlConnection =>
  tx ? sqlTransaction(tx) : db;

/** Runs `work` in `tx` if it was given, else in a new transaction. */
export const inTransaction = <T>(
  db: SqlExecutor,
  tx: Transaction | undefined,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> => (tx ? work(sqlTransaction(tx)) : db.transaction(work));
