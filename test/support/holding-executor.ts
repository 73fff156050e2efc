import type { SqlExecutor, SqlResult, SqlTransaction } from '../../lib/sql/executor.js';
import type { ClaimedRow as ClaimedRun } from '../../lib/engine/tables.sql.js';
import type { ClaimedRow as ClaimedTask } from '../../lib/worker/tasks.sql.js';
import { gate } from './gate.js';

export interface Holding {
  executor: SqlExecutor;
  /** Resolves once an answer is held. */
  readonly held: Promise<void>;
  /** What is held comes, and everything after it at once. */
  letGo(): void;
}

const rowsOf = (answer: unknown): unknown[] =>
  Array.isArray(answer) ? answer : ((answer as Partial<SqlResult<unknown>> | undefined)?.rows ?? []);

/**
 * The executor of a process that hears late of what it has done: the first answer with a row that has this column is
 * held, of a statement as of a whole transaction.
 */
export const holding = (executor: SqlExecutor, column: keyof ClaimedTask | keyof ClaimedRun): Holding =>
  holdingAnswers(executor, column, (tx) => tx);

/** The same of a statement within a transaction, which keeps its locks meanwhile. */
export const holdingWithin = (executor: SqlExecutor, column: string): Holding =>
  holdingAnswers(executor, column, (tx, through) => ({
    dialect: tx.dialect,
    afterCommit: (listener) => tx.afterCommit(listener),
    run: (statement) => through(tx.run(statement)),
  }));

/** The executor of a process that stands still before its first COMMIT. */
export function holdingCommit(executor: SqlExecutor): Holding {
  const [held, goes] = [gate(), gate()];
  const before: SqlExecutor['transaction'] = (work) =>
    executor.transaction(async (tx) => {
      const answer = await work(tx);
      held.open();
      await goes.opened;
      return answer;
    });
  const wrapped = Object.assign(Object.create(executor) as SqlExecutor, { transaction: before });
  return { executor: wrapped, held: held.opened, letGo: () => goes.open() };
}

type Through = <T>(answering: Promise<T>) => Promise<T>;

function holdingAnswers(
  executor: SqlExecutor,
  column: string,
  inside: (tx: SqlTransaction, through: Through) => SqlTransaction,
): Holding {
  const [held, goes] = [gate(), gate()];
  const through: Through = async (answering) => {
    const answer = await answering;
    const [row] = rowsOf(answer);
    if (typeof row !== 'object' || row === null || !(column in row)) return answer;
    held.open();
    await goes.opened;
    return answer;
  };
  const wrapped: SqlExecutor = Object.assign(Object.create(executor) as SqlExecutor, {
    dialect: executor.dialect,
    run: (statement: Parameters<SqlExecutor['run']>[0]) => through(executor.run(statement)),
    transaction: <T>(work: (tx: SqlTransaction) => Promise<T>) =>
      through(executor.transaction((tx) => work(inside(tx, through)))),
    ...(executor.listen && { listen: executor.listen.bind(executor) }),
  });
  return { executor: wrapped, held: held.opened, letGo: () => goes.open() };
}
