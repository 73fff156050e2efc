import type { SqlConnection, SqlExecutor, SqlResult } from '../../lib/sql/executor.js';
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
export function holding(executor: SqlExecutor, column: keyof ClaimedTask | keyof ClaimedRun): Holding {
  const [held, goes] = [gate(), gate()];
  const through = async <T>(answering: Promise<T>): Promise<T> => {
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
    transaction: <T>(work: (tx: SqlConnection) => Promise<T>) => through(executor.transaction(work)),
    ...(executor.listen && { listen: executor.listen.bind(executor) }),
  });
  return { executor: wrapped, held: held.opened, letGo: () => goes.open() };
}
