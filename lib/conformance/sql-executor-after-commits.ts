import assert from 'node:assert/strict';
import type { SqlExecutor, SqlTransaction } from '../sql/sql-executor.js';
import type { ConformanceCase } from './case.js';
import { freshTable, idsIn, insert, type SqlExecutorFixture } from './sql-executor-fixture.js';

type Open = (executor: SqlExecutor, work: (tx: SqlTransaction) => Promise<void>) => Promise<void>;

const casesOf = (name: string, open: Open): ConformanceCase<SqlExecutorFixture>[] => [
  {
    name: `calls after the commit of ${name}, once and in order, when others see the rows`,
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      let seen: Promise<string[]> | undefined;
      await open(executor, async (tx) => {
        tx.afterCommit(() => void (heard.push('first'), (seen = idsIn(another, table))));
        await insert(tx, table, { id: 'a' });
        tx.afterCommit(() => heard.push('second'));
        assert.deepEqual(await idsIn(another, table), []);
        assert.deepEqual(heard, []);
      });
      assert.deepEqual(heard, ['first', 'second']);
      assert.deepEqual(await seen, ['a']);
      await open(executor, async (tx) => void (await insert(tx, table, { id: 'b' })));
      assert.equal(heard.length, 2);
    },
  },
  {
    name: `calls nothing after a rollback of ${name}`,
    run: async ({ executor }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      const failure = new RangeError('mine');
      const failing = open(executor, async (tx) => {
        await insert(tx, table, { id: 'lost' });
        tx.afterCommit(() => heard.push('never'));
        throw failure;
      });
      await assert.rejects(failing, (error) => error === failure);
      await open(executor, async (tx) => void (await insert(tx, table, { id: 'next' })));
      assert.deepEqual(heard, []);
    },
  },
];

/** What waits for the commits of our own transactions, without which nobody is woken by them. */
export const sqlAfterCommitCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  ...casesOf('a transaction', (executor, work) => executor.transaction(work)),
  ...casesOf("the ORM's transaction", (executor, work) => executor.ormTransaction((_handle, tx) => work(tx))),
];
