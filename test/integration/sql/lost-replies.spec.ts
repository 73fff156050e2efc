import { DatabaseError } from '../../../lib/errors.js';
import type { SqlExecutor, SqlTransaction } from '../../../lib/sql/sql-executor.js';
import { raw } from '../../../lib/sql/dialects/statement.js';
import { describeBackends, type OpenBackend, type OpenHandle } from '../../support/backends.js';
import { type CommitCutter, type Cut, startCommitCutter } from '../../support/commit-cutter.js';
import { executorOf } from '../../support/db-transports.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';

type Work = (tx: SqlTransaction) => Promise<void>;

const OPENED: Record<string, (executor: SqlExecutor, work: Work) => Promise<void>> = {
  transaction: (executor, work) => executor.transaction(work),
  ormTransaction: (executor, work) => executor.ormTransaction((_handle, tx) => work(tx)),
};

describeBackends('what waits for a commit', (at) => {
  let serial = 0;
  let backend: OpenBackend;
  let cutter: CommitCutter;
  let opened: OpenHandle;
  let executor: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open();
    await backend.query('CREATE TABLE cut_here (n integer)');
    cutter = await startCommitCutter(backend, 'cut_here');
    const through = { ...backend, host: '127.0.0.1', port: cutter.port };
    opened = await (at.orm === 'typeorm' ? openTypeOrm : openMikroOrm)(through, { poolMax: 2 });
    executor = executorOf(backend, opened.handle);
  });
  afterAll(async () => {
    await opened.close();
    await cutter.close();
    await backend.close();
  });

  const heardOf = async (name: string, cut: Cut, fails = false) => {
    let [tries, heard] = [0, 0];
    await OPENED[name]!(executor, async (tx) => {
      if (++tries === 1 && !fails) cutter.arm(cut);
      tx.afterCommit(() => heard++);
      // Another text each time: of a prepared statement the cutter would see no name.
      await tx.run(raw(`INSERT INTO cut_here VALUES (${++serial})`));
      if (fails) throw new DatabaseError('The connection was lost', true, { cause: { code: 'ECONNRESET' } });
    }).catch((error: unknown) => expect(error).toMatchObject({ transient: true }));
    return { tries, heard };
  };

  describe.each(Object.keys(OPENED))('of %s', (name) => {
    it.each<Cut>(['before commit', 'after commit'])('is called, too, where the connection is lost %s', async (cut) => {
      expect(await heardOf(name, cut)).toEqual({ tries: 1, heard: 1 });
    });

    it('is called once where the COMMIT is refused and all of it runs again', async () => {
      expect(await heardOf(name, 'as conflict')).toEqual({ tries: 2, heard: 1 });
    });

    it('is not where the connection was lost before', async () => {
      expect(await heardOf(name, 'before commit', true)).toEqual({ tries: 1, heard: 0 });
    });
  });
});
