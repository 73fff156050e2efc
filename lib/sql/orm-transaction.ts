import { toDatabaseError } from './database-errors.js';
import type { OrmTransactionOptions } from './sql-executor.js';
import { retryTransaction } from './transaction-retry.js';

/**
 * Runs `work` in a transaction that an ORM opens and closes; retries it from the start after a conflict, unless `once`.
 * Errors of `work` are thrown unchanged; those of beginning and committing as `DatabaseError`.
 */
export function ormTransaction<Handle, T>(
  open: (inside: (handle: Handle) => Promise<T>) => Promise<T>,
  work: (handle: Handle) => Promise<T>,
  { once = false }: OrmTransactionOptions = {},
): Promise<T> {
  const attempt = async () => {
    let working = false;
    try {
      return await open(async (handle) => {
        working = true;
        const answer = await work(handle);
        working = false;
        return answer;
      });
    } catch (error) {
      throw working ? error : toDatabaseError(error);
    }
  };
  return once ? attempt() : retryTransaction(attempt);
}
