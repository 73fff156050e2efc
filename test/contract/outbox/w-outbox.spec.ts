import type { MikroORM } from '@mikro-orm/core';
import { InvalidTransactionError } from '../../../lib/core/errors.js';
import { render } from '../../../lib/sql/statement.js';
import type { JoinedTransaction, SqlConnection, SqlExecutor } from '../../../lib/sql/executor.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';
import {
  insertOf,
  inSavepoint,
  inTransaction,
  openOutbox,
  type OpenOutbox,
  queryIn,
} from '../../support/outbox-app.js';

/** An executor that notes what is asked of it and of the transactions it joins. */
function counting(executor: SqlExecutor): { executor: SqlExecutor; texts: string[] } {
  const texts: string[] = [];
  const seen = new WeakMap<SqlConnection, SqlConnection>();
  const counted = (connection: SqlConnection): SqlConnection => {
    const known = seen.get(connection) ?? {
      dialect: connection.dialect,
      run: (statement) => (texts.push(render(statement, connection.dialect).text), connection.run(statement)),
    };
    seen.set(connection, known);
    return known;
  };
  const join = (handle: unknown): JoinedTransaction => {
    const joined = executor.join(handle);
    return {
      ...joined,
      ...counted(joined),
      beforeCommit: (work) => joined.beforeCommit?.((tx) => work(counted(tx))) ?? false,
    };
  };
  const { run } = counted(executor);
  return { texts, executor: Object.assign(Object.create(executor) as SqlExecutor, { join, run }) };
}

describeDatabases('Outbox', (at) => {
  let backend: OpenBackend;
  let open: OpenOutbox;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 6 });
    open = await openOutbox(backend);
  });
  beforeEach(async () => {
    await backend.query('DELETE FROM outbox');
    open.told.local.length = open.told.published.length = 0;
  });
  afterAll(() => backend.close());

  const rows = () => backend.query('SELECT * FROM outbox ORDER BY sequence_id');
  const ids = async () => (await rows()).map((row) => row['mutation_id']);
  const json = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

  it('writes events as the published table has them', async () => {
    const text = `it's "?" $1 \\u0000 😀 \\`;
    const [id] = await open.outbox.publish({
      channel: `c ${text}`,
      name: text,
      data: { text },
      headers: { [text]: 1 },
    });
    const [row = {}] = await rows();
    expect(row).toMatchObject({
      mutation_id: id,
      channel: `c ${text}`,
      name: text,
      locked_by: null,
      lock_expiry: null,
    });
    expect([json(row['data']), json(row['headers'])]).toEqual([{ text }, { [text]: 1 }]);
    expect([Boolean(row['rejected']), Boolean(row['processed'])]).toEqual([false, false]);
    expect(row['created_at']).toBeInstanceOf(Date);
  });

  it('writes with the commit, and tells then which channels', async () => {
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      await open.outbox.publish([{ channel: 'a', name: 'e', mutationId: '1' }], { transaction });
      await open.outbox.publish({ channel: 'b', name: 'e', mutationId: '2' }, { transaction });
      expect(await ids()).toEqual([]);
      expect(open.told.local).toEqual([]);
    });
    expect(await ids()).toEqual(['1', '2']);
    expect(open.told).toEqual({ local: ['["a"]', '["b"]'], published: ['["a"]', '["b"]'] });
  });

  it('writes nothing that rolls back, not even to a savepoint, and tells nobody', async () => {
    const failing = inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      await open.outbox.publish({ channel: 'a', name: 'e' }, { transaction });
      throw new Error('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    expect(open.told.published).toEqual([]);
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      const nested = inSavepoint(backend, transaction, async (inner) => {
        await open.outbox.publish({ channel: 'a', name: 'e', mutationId: 'lost' }, { transaction: inner });
        throw new Error('inner');
      });
      await expect(nested).rejects.toThrow('inner');
      await open.outbox.publish({ channel: 'a', name: 'e', mutationId: 'kept' }, { transaction });
    });
    expect(await ids()).toEqual(['kept']);
  });

  it('refuses what is no open transaction, and what cannot be stored, before anything is written', async () => {
    const wrong = open.outbox.publish({ channel: 'a', name: 'e' }, { transaction: backend.handle });
    await expect(wrong).rejects.toThrow(InvalidTransactionError);
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      const nul = open.outbox.publish(
        [
          { channel: 'a', name: 'e' },
          { channel: 'a\0', name: 'e' },
        ],
        { transaction },
      );
      await expect(nul).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });
    expect(await ids()).toEqual([]);
  });

  it('rejects in a transaction of its own', async () => {
    const failing = inTransaction(backend, 'READ COMMITTED', async () => {
      await open.outbox.reject({ channel: 'a', name: 'e', mutationId: 'theirs' });
      throw new Error('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    const [row] = await rows();
    expect([row?.['mutation_id'], Boolean(row?.['rejected'])]).toEqual(['theirs', true]);
    expect(open.told.local).toEqual(['["a"]']);
  });

  it('costs one statement, however often it is called', async () => {
    const { executor, texts } = counting(executorOf(backend, backend.handle));
    const seen = await openOutbox(backend, { executor });
    texts.length = 0;
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      for (let i = 0; i < 5; i++) await seen.outbox.publish({ channel: `c${i}`, name: 'e' }, { transaction });
      expect(texts).toEqual([]);
    });
    expect(texts).toHaveLength(1);
    expect(await ids()).toHaveLength(5);
    await seen.outbox.publish([
      { channel: 'a', name: 'e' },
      { channel: 'b', name: 'e' },
    ]);
    expect(texts).toHaveLength(2);
    await inTransaction(backend, 'READ COMMITTED', () => Promise.resolve());
    expect(texts).toHaveLength(2);
  });

  it('keeps thousands of events of one transaction in order', async () => {
    const events = Array.from({ length: 5_000 }, (_, i) => ({ channel: `c${i % 700}`, name: 'e', mutationId: `${i}` }));
    await inTransaction(backend, 'READ COMMITTED', (transaction) => open.outbox.publish(events, { transaction }));
    expect(await ids()).toEqual(events.map(({ mutationId }) => mutationId));
  });

  if (at.db === 'postgres')
    it('puts what it publishes behind what the transaction inserted by itself', async () => {
      await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
        await open.outbox.publish({ channel: 'a', name: 'e', mutationId: 'published' }, { transaction });
        await queryIn(backend, transaction, insertOf('a', 'inserted'));
        await queryIn(backend, transaction, insertOf('b', 'inserted too'));
      });
      expect(await ids()).toEqual(['inserted', 'inserted too', 'published']);
    });

  if (at.orm === 'mikro-orm')
    it('joins the transaction around it without being asked', async () => {
      const { em } = backend.handle as MikroORM;
      const failing = em.fork().transactional(async () => {
        await open.outbox.publish({ channel: 'a', name: 'e' });
        throw new Error('mine');
      });
      await expect(failing).rejects.toThrow('mine');
      await em.fork().transactional(async () => {
        await open.outbox.publish({ channel: 'a', name: 'e', mutationId: 'kept' });
        expect(await ids()).toEqual([]);
      });
      expect(await ids()).toEqual(['kept']);
    });
});

describeDatabases('Outbox by another ordering', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 6 });
  });
  afterAll(() => backend.close());

  it.each(['insert', 'none'] as const)('%s: writes at once', async (ordering) => {
    const { outbox } = await openOutbox(backend, { ordering });
    await backend.query('DELETE FROM outbox');
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      await outbox.publish({ channel: 'a', name: 'e', mutationId: 'slow' }, { transaction });
      const [row] = (await queryIn(backend, transaction, 'SELECT COUNT(*) AS n FROM outbox')) as { n: unknown }[];
      expect(Number(row?.n)).toBe(1);
      if (ordering === 'none') await outbox.reject({ channel: 'a', name: 'e', mutationId: 'fast' });
    });
    const found = await backend.query('SELECT mutation_id FROM outbox ORDER BY sequence_id');
    expect(found.map((row) => row['mutation_id'])).toEqual(ordering === 'none' ? ['slow', 'fast'] : ['slow']);
  });
});
