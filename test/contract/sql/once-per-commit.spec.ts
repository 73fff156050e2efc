import { OncePerCommit } from '../../../lib/core/transaction.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';

interface Nesting {
  transaction?<T>(work: (inner: unknown) => Promise<T>): Promise<T>;
  transactional?<T>(work: (inner: unknown) => Promise<T>): Promise<T>;
}

/** A savepoint of the app's, in which `work` fails. */
async function rolledBack(handle: unknown, work: (inner: unknown) => void): Promise<void> {
  const fail = (inner: unknown) => {
    work(inner);
    return Promise.reject(new Error('mine'));
  };
  const em = handle as Nesting;
  await expect(em.transaction ? em.transaction(fail) : em.transactional!(fail)).rejects.toThrow('mine');
}

describeBackends('what one commit tells by several writes', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  let told: string[][];
  let once: OncePerCommit<string>;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 2 });
    executor = executorOf(backend, backend.handle);
  });
  beforeEach(() => {
    told = [];
    once = new OncePerCommit((items) => told.push([...items]));
  });
  afterAll(() => backend.close());

  it('is told once, however often the transaction was joined', async () => {
    await executor.ormTransaction(async (handle, tx) => {
      once.add(tx, ['tx']);
      for (const item of ['a', 'b']) once.add(executor.join(handle), [item]);
      await rolledBack(handle, (inner) => once.add(executor.join(inner), ['lost']));
      expect(told).toEqual([]);
    });
    expect(told).toEqual([['tx', 'a', 'b']]);
  });

  it('is told of what came behind a savepoint that was rolled back', async () => {
    await executor.ormTransaction(async (handle, tx) => {
      await rolledBack(handle, () => once.add(tx, ['inside']));
      once.add(tx, ['behind']);
    });
    expect(told).toEqual([expect.arrayContaining(['behind'])]);
  });

  it('is told of each transaction by itself', async () => {
    for (const item of ['a', 'b'])
      await executor.ormTransaction((handle) => Promise.resolve(once.add(executor.join(handle), [item])));
    expect(told).toEqual([['a'], ['b']]);
  });
});
