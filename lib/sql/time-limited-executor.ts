import { timeLeft } from '../time/time-limit.js';
import { toDatabaseError } from './database-errors.js';
import type { Dialect, TimeLimited } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import type { OrmTransactionOptions, SqlConnection, SqlExecutor, SqlResult, SqlTransaction } from './sql-executor.js';

/**
 * An executor whose reads the server ends when the time of the work that asks is over, see `withinTime`. Work without a
 * limit runs as on `db` itself.
 */
export function timeLimited(db: SqlExecutor): SqlExecutor {
  return {
    dialect: db.dialect,
    run: (statement) => run(db, statement),
    transaction: (work) => db.transaction((tx) => work(limitedIn(tx))),
    ormTransaction: <T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>, options?: OrmTransactionOptions) =>
      db.ormTransaction(work, options),
    join: (handle) => db.join(handle),
    ...(db.readLatest && { readLatest: db.readLatest.bind(db) }),
    ...(db.ormSnapshot && { ormSnapshot: db.ormSnapshot.bind(db) }),
    ...(db.onLeftOpen && { onLeftOpen: db.onLeftOpen.bind(db) }),
    ...(db.onPoolWait && { onPoolWait: db.onPoolWait.bind(db) }),
    ...(db.poolCounts && { poolCounts: db.poolCounts.bind(db) }),
    ...(db.ambient && { ambient: db.ambient.bind(db) }),
    ...(db.protectTables && { protectTables: db.protectTables.bind(db) }),
    ...(db.listen && { listen: db.listen.bind(db) }),
  };
}

async function run<Row>(db: SqlExecutor, statement: Statement): Promise<SqlResult<Row>> {
  const left = timeLeft();
  if (left === undefined) return db.run<Row>(statement);
  const { first, read } = limited(db.dialect, statement, left);
  // What waits for a connection has less time left when it comes: only then is it known how much.
  return first || isCrowded(db) ? db.transaction((tx) => limitedIn(tx).run<Row>(statement)) : db.run<Row>(read);
}

/** Whether a statement would have to wait for a connection. A pool that does not tell has some, as far as one knows. */
function isCrowded(db: SqlExecutor): boolean {
  const counts = db.poolCounts?.();
  return counts?.most !== undefined && counts.used >= counts.most;
}

/** In a transaction the limit is set anew before each statement. */
function limitedIn(tx: SqlTransaction): SqlTransaction {
  if (timeLeft() === undefined) return tx;
  return {
    dialect: tx.dialect,
    afterCommit: (listener) => tx.afterCommit(listener),
    run: async <Row>(statement: Statement) => {
      const { first, read } = limited(tx.dialect, statement, timeLeft() ?? 0);
      return first ? both<Row>(tx, first, read) : tx.run<Row>(read);
    },
  };
}

function limited(dialect: Dialect, statement: Statement, left: number): TimeLimited {
  if (left <= 0) throw toDatabaseError(new Error('The time of this work is over'));
  return dialect.limitTime(statement, Math.ceil(left));
}

async function both<Row>(tx: SqlConnection, first: Statement, read: Statement): Promise<SqlResult<Row>> {
  await tx.run(first);
  return tx.run<Row>(read);
}
