import type { SqlConnection, SqlExecutor } from '../../lib/sql/executor.js';

type Work = (executor: SqlExecutor, work: (tx: SqlConnection) => Promise<unknown>) => Promise<unknown>;

/** Each kind of work that takes a connection of the pool by itself. */
export const WORKS: Readonly<Record<string, Work>> = {
  'a lone statement': (executor, work) => work(executor),
  'a transaction': (executor, work) => executor.transaction(work),
  'a transaction of the ORM': (executor, work) => executor.ormTransaction((_, tx) => work(tx)),
  'a snapshot of the ORM': (executor, work) => executor.ormSnapshot!((_, tx) => work(tx)),
};
