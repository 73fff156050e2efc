import { DatabaseError, TransactionLostError } from '../errors/database-errors.js';
import { answerWithin, STATEMENT_MS } from './session.js';
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
 * Returns a `TransactionLostError` if the database ended the transaction in which app code threw, even if the app or
 * its ORM has wrapped the error; undefined if the code itself failed. Codes such as ECONNRESET may have any source, so
 * the connection itself is checked.
 */
export async function lossOf(thrown: unknown, tx: SqlConnection): Promise<TransactionLostError | undefined> {
  const causes = causesOf(thrown);
  const error = causes.find((cause) => (cause instanceof DatabaseError ? cause.transient : mayBeLoss(cause)));
  if (error === undefined) return undefined;
  // The app handles its own NOWAIT and lock_timeout.
  if (isLockTimeout(error) && !isLockTimeout(ownOf(thrown))) return undefined;
  if (isConflict(error)) return lost(error, true);
  return isReadOnly(error) || (await isGone(tx)) ? lost(error) : undefined;
}

/** TypeORM and Knex release a lost connection themselves; later statements only get these messages. */
const mayBeLoss = (error: unknown): boolean =>
  isTransient(error) || /already released|query already complete/.test(String((error as Partial<Error>).message));

/** A failure to commit the work of app code. */
export const commitLossOf = (error: unknown): TransactionLostError | undefined =>
  error instanceof DatabaseError && error.transient ? lost(error, isConflict(error)) : undefined;

const lost = (error: unknown, conflict = false): TransactionLostError =>
  error instanceof TransactionLostError ? error : new TransactionLostError(toDatabaseError(error), conflict);

async function isGone(tx: SqlConnection): Promise<boolean> {
  try {
    await answerWithin(STATEMENT_MS, tx.run(sql`SELECT 1`));
    return false;
  } catch (error) {
    // Any other error means that the ORM has already released the connection.
    return !(error instanceof DatabaseError) || isConnectionLost(error);
  }
}

/** The codes of a database error, even if it is wrapped; its `cause` may be another error. */
function ownOf(thrown: unknown): unknown {
  if (thrown instanceof DatabaseError && thrown.cause !== undefined) return ownOf(thrown.cause);
  const { code, errno, driverError } = (thrown ?? {}) as { code?: unknown; errno?: unknown; driverError?: unknown };
  return { code, errno, driverError };
}

/** The error and its causes, the outermost first. */
function causesOf(thrown: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let next = thrown; typeof next === 'object' && next !== null && !causes.includes(next);) {
    causes.push(next);
    const { driverError, cause } = next as { driverError?: unknown; cause?: unknown };
    next = driverError ?? cause;
  }
  return causes;
}
