import { DatabaseError, InvalidTransactionError, TransactionLostError } from '../../../lib/core/errors.js';
import { SqlTransactions } from '../../../lib/engine/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { type CommitCutter, startCommitCutter } from '../../support/commit-cutter.js';
import { executorOf } from '../../support/engine-storage.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('ends sessions of others');

interface Session {
  id: number | string;
}

describeBackends('a transaction of the ORM', (at) => {
  let backend: OpenBackend;
  let cutter: CommitCutter;
  let db: SqlExecutor;
  beforeEach(async () => {
    backend = await at.open();
    cutter = await startCommitCutter(backend, 'never sent');
    db = executorOf({ orm: at.orm, handle: await backend.another({ orm: { port: cutter.port } }) });
    await db.run(sql`SELECT 1`);
  });
  afterEach(async () => {
    await backend.close();
    await cutter.close();
  });

  const own = raw(at.db === 'postgres' ? 'SELECT pg_backend_pid() AS id' : 'SELECT CONNECTION_ID() AS id');
  const end = (id: number | string) =>
    backend.query(at.db === 'postgres' ? `SELECT pg_terminate_backend(${id})` : `KILL ${id}`);

  it.each(['ormTransaction', 'ormSnapshot'] as const)(
    'by %s whose BEGIN is lost does nothing, and says that',
    async (by) => {
      const work = jest.fn();
      cutter.arm('before begin');
      await expect(db[by]!(work)).rejects.toMatchObject({ name: DatabaseError.name, transient: true });
      expect(cutter.cuts).toBe(1);
      expect(work).not.toHaveBeenCalled();
      await expect(db[by]!(() => Promise.resolve('done'))).resolves.toBe('done');
    },
  );

  it.each([
    ['by its handle', (handle: unknown) => db.join(handle)],
    ['without one', () => db.ambient!()!],
  ])('that is lost while nothing is under way is no fault of the code that joins it then, %s', async (_, join) => {
    const joined = new SqlTransactions(db).begin(async (handle) => {
      const { rows } = await db.join(handle).run<Session>(own);
      await end(rows[0]!.id);
      // Some ORMs hear of it before the next statement, and have no such transaction any more.
      for (let n = 0; n < 20; n++) {
        join(handle);
        await backend.query('SELECT 1');
      }
      for (;;) await join(handle).run(own);
    });
    await expect(joined).rejects.toBeInstanceOf(TransactionLostError);
  });

  it('that the code ends itself is its fault', async () => {
    const ended = new SqlTransactions(db).begin(async (handle) => {
      await rollBack(handle);
      for (;;) await db.join(handle).run(own);
    });
    await expect(ended).rejects.toBeInstanceOf(InvalidTransactionError);
  });
});

/** As code of the app that takes matters into its own hands. */
const rollBack = (handle: unknown): Promise<void> => {
  const { queryRunner, rollback } = handle as {
    queryRunner?: { rollbackTransaction(): Promise<void> };
    rollback?(): Promise<void>;
  };
  return queryRunner ? queryRunner.rollbackTransaction() : rollback!.call(handle);
};
