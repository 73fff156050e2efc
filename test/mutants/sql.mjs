// @ts-check
/** What all of it stands on: transactions and their commits. */

const EXECUTOR = 'test/integration/sql/sql-executor.spec.ts';

/** @type {import('./mutant.mjs').Mutant[]} */
export const sqlMutants = [
  {
    id: 'repeatable-read',
    promise: 'P7',
    file: 'lib/sql/open-transaction.ts',
    from: "snapshot ? 'REPEATABLE READ' : 'READ COMMITTED'",
    to: "snapshot ? 'REPEATABLE READ' : 'REPEATABLE READ'",
    spec: EXECUTOR,
    test: 'sees what others have committed in the meantime: READ COMMITTED',
    on: 'typeorm on postgres',
  },
  {
    id: 'repeatable-read-of-mysql',
    promise: 'P7',
    file: 'lib/sql/driver-connection.ts',
    from: "rows[0]?.level === 'READ-COMMITTED'",
    to: "rows[0]?.level !== 'READ-COMMITTED'",
    spec: EXECUTOR,
    test: 'takes no gap locks: a query that found nothing blocks no insert',
    on: 'mikro-orm on mariadb',
  },
  {
    id: 'commits-what-failed',
    promise: 'P1',
    file: 'lib/sql/open-transaction.ts',
    from: 'if (this.failure) throw this.failure;',
    to: '',
    spec: EXECUTOR,
    test: 'rolls back a transaction whose statement failed, even if the error was caught',
    on: 'typeorm on mysql',
  },
  {
    id: 'tells-nobody-of-our-commits',
    promise: 'P5',
    file: 'lib/sql/open-transaction.ts',
    from: 'this.mayBeCommitted = true;',
    to: '',
    spec: EXECUTOR,
    test: 'once and in order, when others see the rows',
    on: 'typeorm on mysql',
  },
  {
    id: 'tells-of-what-rolled-back',
    promise: 'P1',
    file: 'lib/sql/typeorm-commit-listeners.ts',
    from: 'entry.depth <= depth',
    to: 'entry.depth > depth',
    spec: EXECUTOR,
    test: 'discards with a savepoint only the work that was added in it, at any depth',
    on: 'typeorm on postgres',
  },
  {
    id: 'victims-are-not-tried-again',
    promise: '7',
    file: 'lib/sql/orm-transaction.ts',
    from: '!isConflict(error) || tries >= attempts',
    to: 'isConflict(error) || tries >= attempts',
    spec: EXECUTOR,
    test: 'retries the victim of a deadlock',
    on: 'mikro-orm on mysql',
  },
  {
    id: 'clients-of-pg-come-as-they-are',
    promise: '7',
    file: 'lib/sql/pg-pool.ts',
    from: 'handOverClean<PgPoolClient>(pool, (client) => watched(client).end());',
    to: 'void handOverClean;',
    spec: 'test/integration/sql/pg-pool.spec.ts',
    test: 'with another client in place of those that refuse their ROLLBACK, which are destroyed',
  },
];
