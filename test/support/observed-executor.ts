import { render } from '../../lib/sql/statement.js';
import type { OrmTransactionOptions, SqlConnection, SqlExecutor, SqlTransaction } from '../../lib/sql/executor.js';
import type { Statement } from '../../lib/sql/statement.js';

export interface ObservedStatement {
  text: string;
  inTransaction: boolean;
  rows: number;
}

/** What an executor was asked, BEGIN and COMMIT included. */
export interface Observation {
  statements: ObservedStatement[];
  /** Commits, those of lone statements that write included, and lone reads apart. */
  readonly transactions: number;
  reset(): void;
}

export function observed(executor: SqlExecutor): { executor: SqlExecutor; observation: Observation } {
  const statements: ObservedStatement[] = [];
  const observe =
    (connection: SqlConnection, inTransaction: boolean): SqlConnection['run'] =>
    async <Row>(statement: Statement) => {
      const seen = { text: render(statement, connection.dialect).text.trim(), inTransaction, rows: 0 };
      statements.push(seen);
      const answer = await connection.run<Row>(statement);
      seen.rows = answer.rows.length;
      return answer;
    };
  const inside = (tx: SqlTransaction): SqlTransaction => ({
    dialect: tx.dialect,
    afterCommit: (listener) => tx.afterCommit(listener),
    run: observe(tx, true),
  });
  const bracket = async <T>(work: Promise<T>): Promise<T> => {
    statements.push({ text: 'BEGIN', inTransaction: true, rows: 0 });
    const answer = await work;
    statements.push({ text: 'COMMIT', inTransaction: true, rows: 0 });
    return answer;
  };
  const wrapped: SqlExecutor = Object.assign(Object.create(executor) as SqlExecutor, {
    dialect: executor.dialect,
    run: observe(executor, false),
    transaction: <T>(work: (tx: SqlTransaction) => Promise<T>) =>
      bracket(executor.transaction((tx) => work(inside(tx)))),
    ormTransaction: <T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>, options?: OrmTransactionOptions) =>
      bracket(executor.ormTransaction((handle, tx) => work(handle, inside(tx)), options)),
    join: (handle: unknown) => executor.join(handle),
    ...(executor.ambient && { ambient: () => executor.ambient!() }),
    ...(executor.listen && { listen: executor.listen.bind(executor) }),
  });
  return {
    executor: wrapped,
    observation: {
      statements,
      get transactions() {
        return statements.filter(({ text, inTransaction }) => !inTransaction || text === 'COMMIT').length;
      },
      reset: () => void statements.splice(0),
    },
  };
}

/** `SELECT durable_steps`: enough to tell statements apart in a report. */
export const shortOf = (text: string): string => {
  const [, verb = text] = /^(?:WITH [\s\S]*?\b(?=INSERT|UPDATE|DELETE|SELECT))?(\w+)/.exec(text) ?? [];
  const tables = [...new Set([...text.matchAll(/durable_(\w+)/g)].map(([, table]) => table))];
  return `${verb} ${tables.join('+')}`.trim();
};
