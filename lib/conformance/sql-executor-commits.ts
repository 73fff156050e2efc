import assert from 'node:assert/strict';
import type { JoinedTransaction, SqlConnection, SqlExecutor, SqlTransaction } from '../sql/sql-executor.js';
import type { ConformanceCase } from './case.js';
import { connectionId, freshTable, idsIn, insert, type SqlExecutorFixture } from './sql-executor-fixture.js';

/** Adds a work in time for the commit. */
function before(joined: JoinedTransaction, work: (tx: SqlConnection) => Promise<unknown>): void {
  assert.equal(
    joined.beforeCommit?.(async (tx) => void (await work(tx))),
    true,
  );
}

/** Works right before the app's own commit. */
export const sqlCommitCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  {
    name: 'calls beforeCommit work once, all at the same time, with the same transaction, and waits for it',
    run: async ({ executor, another, appTransaction }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      const given: SqlConnection[] = [];
      const numbers: number[] = [];
      await appTransaction(async (handle) => {
        const joined = executor.join(handle);
        numbers.push(await connectionId(joined));
        for (const name of ['a', 'b']) {
          before(executor.join(handle), async (tx) => {
            given.push(tx);
            heard.push(name);
            assert.deepEqual(await idsIn(another, table), []);
            await insert(tx, table, { id: name });
            numbers.push(await connectionId(tx));
            heard.push('written');
          });
        }
        joined.afterCommit(() => heard.push('committed'));
        await insert(joined, table, { id: 'work' });
        assert.deepEqual(heard, []);
      });
      assert.deepEqual(heard, ['a', 'b', 'written', 'written', 'committed']);
      assert.equal(given[0], given[1]);
      assert.equal(new Set(numbers).size, 1);
      assert.deepEqual(await idsIn(another, table), ['a', 'b', 'work']);
      await appTransaction((handle) => insert(executor.join(handle), table, { id: 'next' }));
      assert.equal(heard.length, 5);
    },
  },
  {
    name: 'calls work that was added by beforeCommit work',
    run: async ({ executor, appTransaction }) => {
      const table = await freshTable(executor);
      await appTransaction((handle) => {
        before(executor.join(handle), async (tx) => {
          await insert(tx, table, { id: 'first' });
          before(executor.join(handle), (same) => insert(same, table, { id: 'second' }));
        });
        return Promise.resolve();
      });
      assert.deepEqual(await idsIn(executor, table), ['first', 'second']);
    },
  },
  {
    name: 'never calls beforeCommit work if the transaction is rolled back',
    run: async ({ executor, appTransaction }) => {
      const heard: string[] = [];
      const failing = appTransaction((handle) => {
        before(executor.join(handle), () => Promise.resolve(heard.push('never')));
        return Promise.reject(new Error('mine'));
      });
      await assert.rejects(failing, /mine/);
      await appTransaction(async (handle) => void (await connectionId(executor.join(handle))));
      assert.deepEqual(heard, []);
    },
  },
  {
    name: 'fails the commit if beforeCommit work throws',
    run: async ({ executor, another, appTransaction }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      const failure = new RangeError('mine');
      const failing = appTransaction(async (handle) => {
        const joined = executor.join(handle);
        await insert(joined, table, { id: 'lost' });
        before(joined, () => Promise.reject(failure));
        before(joined, async (tx) => {
          await insert(tx, table, { id: 'lost too' });
          heard.push('waited for');
        });
        joined.afterCommit(() => heard.push('never'));
      });
      await assert.rejects(failing, (error) => error === failure);
      assert.deepEqual(heard, ['waited for']);
      assert.deepEqual(await idsIn(another, table), []);
      await appTransaction((handle) => {
        before(executor.join(handle), (tx) => insert(tx, table, { id: 'next' }));
        return Promise.resolve();
      });
      assert.deepEqual(await idsIn(another, table), ['next']);
    },
  },
  {
    name: 'fails the commit with the error of the database, and the connection stays usable',
    run: async ({ executor, another, appTransaction }) => {
      const table = await freshTable(executor);
      await insert(another, table, { id: 'taken' });
      const failing = appTransaction((handle) => {
        before(executor.join(handle), (tx) => insert(tx, table, { id: 'taken' }));
        return Promise.resolve();
      });
      await assert.rejects(failing, { name: 'DatabaseError' });
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          appTransaction((handle) => insert(executor.join(handle), table, { id: `next ${i}` })),
        ),
      );
      assert.equal((await idsIn(another, table)).length, 9);
    },
  },
  {
    name: 'calls beforeCommit work before the outermost commit, not when a savepoint is released',
    run: async ({ executor, another, appTransaction, nestedTransaction }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      await appTransaction(async (handle) => {
        await nestedTransaction(handle, (inner) =>
          nestedTransaction(inner, (innermost) => {
            before(executor.join(innermost), async (tx) => {
              heard.push('innermost');
              await insert(tx, table, { id: 'innermost' });
            });
            return Promise.resolve();
          }),
        );
        assert.equal(heard.length, 0);
        before(executor.join(handle), () => Promise.resolve(heard.push('outer')));
      });
      assert.deepEqual(heard, ['innermost', 'outer']);
      assert.deepEqual(await idsIn(another, table), ['innermost']);
    },
  },
  {
    name: 'discards with a savepoint only the work that was added in it, at any depth',
    run: async ({ executor, appTransaction, nestedTransaction }) => {
      const heard: string[] = [];
      const add = (handle: unknown, name: string) =>
        before(executor.join(handle), () => Promise.resolve(heard.push(name)));
      const rolledBack = (handle: unknown, work: (inner: unknown) => Promise<void>) =>
        assert.rejects(
          nestedTransaction(handle, async (inner) => {
            await work(inner);
            throw new Error('inner');
          }),
          /inner/,
        );
      await appTransaction(async (handle) => {
        add(handle, 'outer');
        await rolledBack(handle, async (inner) => {
          add(inner, 'lost');
          await nestedTransaction(inner, (innermost) => Promise.resolve(add(innermost, 'lost with the one around it')));
        });
        await nestedTransaction(handle, async (inner) => {
          add(inner, 'kept');
          await rolledBack(inner, (innermost) => Promise.resolve(add(innermost, 'lost alone')));
          add(inner, 'kept too');
        });
        add(handle, 'last');
      });
      assert.deepEqual(heard, ['outer', 'kept', 'kept too', 'last']);
    },
  },
  {
    name: 'accepts no more work after the commit',
    run: async ({ executor, appTransaction }) => {
      const joined = await appTransaction((handle) => Promise.resolve(executor.join(handle)));
      const heard: string[] = [];
      assert.equal(
        joined.beforeCommit?.(() => Promise.resolve(void heard.push('late'))),
        false,
      );
      await appTransaction(async (handle) => void (await connectionId(executor.join(handle))));
      assert.deepEqual(heard, []);
    },
  },
];

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
