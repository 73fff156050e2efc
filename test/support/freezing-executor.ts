import type { SqlConnection, SqlExecutor, SqlTransaction } from '../../lib/sql/executor.js';
import { gate } from './gate.js';

export interface Freezing {
  executor: SqlExecutor;
  /** From now on the answer to the `nth` statement, from 1, reaches nobody: the process stands still there. */
  arm(nth: number): void;
  /** Called off, where it has not come so far. */
  disarm(): void;
  /** Resolves when it stands still. */
  readonly frozen: Promise<void>;
  readonly isFrozen: boolean;
  /** Ends what it had open. */
  thaw(): void;
}

/** The executor of a process that stands still between two statements, with its transaction open where it has one. */
export function freezing(executor: SqlExecutor): Freezing {
  const [frozen, thawed] = [gate(), gate()];
  let left = Number.POSITIVE_INFINITY;
  let isFrozen = false;
  const through = async <T>(statement: Promise<T>): Promise<T> => {
    const isLast = --left === 0;
    const answer = await statement;
    if (!isLast) return answer;
    isFrozen = true;
    frozen.open();
    await thawed.opened;
    throw new Error('The process went on long after');
  };
  const on = (connection: SqlConnection): SqlConnection => ({
    dialect: connection.dialect,
    run: (statement) => through(connection.run(statement)),
  });
  const wrapped: SqlExecutor = Object.assign(Object.create(executor) as SqlExecutor, {
    dialect: executor.dialect,
    run: on(executor).run,
    transaction: <T>(work: (tx: SqlTransaction) => Promise<T>) =>
      executor.transaction((tx) => work({ ...on(tx), afterCommit: (listener) => tx.afterCommit(listener) })),
    ...(executor.listen && { listen: executor.listen.bind(executor) }),
  });
  return {
    executor: wrapped,
    arm: (nth) => void (left = nth),
    disarm: () => void (left = Number.POSITIVE_INFINITY),
    frozen: frozen.opened,
    get isFrozen() {
      return isFrozen;
    },
    thaw: () => thawed.open(),
  };
}
