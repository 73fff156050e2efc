import { DatabaseError, TransactionLostError } from '../errors.js';
import { answerWithin, STATEMENT_MS } from './answer-within.js';
import {
  isConflict,
  isConnectionLost,
  isLockTimeout,
  isReadOnly,
  isTransient,
  toDatabaseError,
} from './database-errors.js';
import type { SqlConnection } from './sql-executor.js';
import { sql } from './dialects/statement.js';

/**
 * What code of the app has thrown in a transaction: a `TransactionLostError` when it is the database that ended the
 * transaction, also where the app or its ORM has wrapped that; undefined when it is the code's own failure. A code such
 * as ECONNRESET may come from anywhere, so the connection itself is asked.
 */
export async function lossOf(thrown: unknown, tx: SqlConnection): Promise<TransactionLostError | undefined> {
  const causes = causesOf(thrown);
  const error = causes.find((cause) => (cause instanceof DatabaseError ? cause.transient : mayBeLoss(cause)));
  if (error === undefined) return undefined;
  // What the app makes of its own NOWAIT or lock_timeout is for it to say.
  if (isLockTimeout(error) && !isLockTimeout(ownOf(thrown))) return undefined;
  if (isConflict(error)) return lost(error, true);
  return isReadOnly(error) || (await isGone(tx)) ? lost(error) : undefined;
}

/** TypeORM and Knex let go of a lost connection by themselves; what comes then hears only that. */
const mayBeLoss = (error: unknown): boolean =>
  isTransient(error) || /already released|query already complete/.test(String((error as Partial<Error>).message));

/** A failure to commit what code of the app has done. */
export const commitLossOf = (error: unknown): TransactionLostError | undefined =>
  error instanceof DatabaseError && error.transient ? lost(error, isConflict(error)) : undefined;

const lost = (error: unknown, conflict = false): TransactionLostError =>
  error instanceof TransactionLostError ? error : new TransactionLostError(toDatabaseError(error), conflict);

async function isGone(tx: SqlConnection): Promise<boolean> {
  try {
    await answerWithin(STATEMENT_MS, tx.run(sql`SELECT 1`));
    return false;
  } catch (error) {
    // What is no error of the database says that the ORM has given the connection back already.
    return !(error instanceof DatabaseError) || isConnectionLost(error);
  }
}

/** What an error of the database says itself, also where we or an ORM have wrapped it; its `cause` may be another's. */
function ownOf(thrown: unknown): unknown {
  if (thrown instanceof DatabaseError && thrown.cause !== undefined) return ownOf(thrown.cause);
  const { code, errno, driverError } = (thrown ?? {}) as { code?: unknown; errno?: unknown; driverError?: unknown };
  return { code, errno, driverError };
}

/** The error and what it was caused by, the outermost first. */
function causesOf(thrown: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let next = thrown; typeof next === 'object' && next !== null && !causes.includes(next);) {
    causes.push(next);
    const { driverError, cause } = next as { driverError?: unknown; cause?: unknown };
    next = driverError ?? cause;
  }
  return causes;
}
