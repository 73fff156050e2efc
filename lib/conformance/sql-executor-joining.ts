import assert from 'node:assert/strict';
import { InvalidTransactionError } from '../errors/argument-errors.js';
import { id, sql } from '../sql/dialects/statement.js';
import type { ConformanceCase } from './case.js';
import { connectionId, freshTable, idsIn, insert, type SqlExecutorFixture } from './sql-executor-fixture.js';

const isRefused = (error: unknown): boolean => {
  assert.ok(error instanceof InvalidTransactionError, `${String(error)} is no InvalidTransactionError`);
  assert.ok(error instanceof TypeError);
  assert.match(error.message, /pass|await/);
  return true;
};

/** Joined transactions of the app, and the ORM's handle in ours. */
export const sqlJoiningCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  {
    name: "P1: what commits with the app's transaction is stored, a rollback discards it",
    run: async ({ executor, another, appTransaction }) => {
      const table = await freshTable(executor);
      await appTransaction(async (handle) => {
        const connection = executor.join(handle);
        assert.equal((await insert(connection, table, { id: 'kept', n: 1 })).affected, 1);
        assert.deepEqual(await idsIn(another, table), []);
        assert.deepEqual(await idsIn(connection, table), ['kept']);
      });
      const failure = new Error('mine');
      const lost = appTransaction(async (handle) => {
        await insert(executor.join(handle), table, { id: 'lost' });
        throw failure;
      });
      await assert.rejects(lost, (error) => error === failure);
      assert.deepEqual(await idsIn(another, table), ['kept']);
    },
  },
  {
    name: 'behaves the same in joined transactions and in its own',
    run: async ({ executor, appTransaction }) => {
      const table = await freshTable(executor);
      const key = `it's "?" $1 😀 \\`;
      const items = [{ id: 'a' }, { id: key }, { id: 'b' }];
      const rows = executor.dialect.rows(JSON.stringify(items), { id: 'key' });
      await insert(executor, table, { id: 'a' });
      await appTransaction(async (handle) => {
        const connection = executor.join(handle);
        const listed = sql`INSERT INTO ${table} (id, n, body) SELECT r.id, ${2n ** 60n}, ${key} FROM ${rows} AS r`;
        assert.equal((await connection.run(connection.dialect.insertOrKeep(listed, id('id')))).affected, 2);
        const found = await connection.run(sql`SELECT id, n, body FROM ${table} WHERE id = ${key}`);
        assert.deepEqual(
          found.rows.map((row) => ({ ...(row as object) })),
          [{ id: key, n: String(2n ** 60n), body: key }],
        );
        assert.equal((await connection.run(sql`UPDATE ${table} SET n = 1 WHERE id <> 'a'`)).affected, 2);
        assert.equal((await connection.run(sql`DELETE FROM ${table} WHERE id = ${'b'}`)).affected, 1);
        const [limited] = (await connection.run<{ n: number }>(sql`SELECT n FROM ${table} WHERE n = 1 LIMIT ${1}`))
          .rows;
        assert.equal(limited?.n, 1);
      });
    },
  },
  {
    name: 'refuses anything but an open transaction, and says what to pass',
    run: async ({ executor, notTransactions, appTransaction }) => {
      for (const wrong of [undefined, null, 0, 'tx', {}, [], () => undefined, ...notTransactions]) {
        assert.throws(() => executor.join(wrong), isRefused);
      }
      const table = await freshTable(executor);
      const { handle, joined } = await appTransaction((open) =>
        Promise.resolve({ handle: open, joined: executor.join(open) }),
      );
      assert.throws(() => executor.join(handle), isRefused);
      await assert.rejects(insert(joined, table, { id: 'late' }), isRefused);
    },
  },
  {
    name: 'refuses the transaction of another pool',
    run: async ({ another, appTransaction }) => {
      await appTransaction((handle) => {
        assert.throws(() => another.join(handle), isRefused);
        return Promise.resolve();
      });
    },
  },
  {
    name: 'calls afterCommit work once after the commit, and never after a rollback',
    run: async ({ executor, another, appTransaction }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      let seen: Promise<string[]> | undefined;
      await appTransaction(async (handle) => {
        const joined = executor.join(handle);
        await insert(joined, table, { id: 'a' });
        joined.afterCommit(() => void (heard.push('first'), (seen = idsIn(another, table))));
        executor.join(handle).afterCommit(() => heard.push('second'));
        assert.deepEqual(heard, []);
      });
      assert.deepEqual(heard.sort(), ['first', 'second']);
      assert.deepEqual(await seen, ['a']);
      const rolledBack = appTransaction(async (handle) => {
        executor.join(handle).afterCommit(() => heard.push('never'));
        await Promise.reject(new Error('mine'));
      });
      await assert.rejects(rolledBack, /mine/);
      await appTransaction((handle) => insert(executor.join(handle), table, { id: 'b' }));
      assert.deepEqual(heard, ['first', 'second']);
    },
  },
  {
    name: 'calls afterCommit work after the outermost commit if it was joined in a savepoint',
    run: async ({ executor, appTransaction, nestedTransaction }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      const nest = (handle: unknown, name: string) =>
        nestedTransaction(handle, async (inner) => {
          const joined = executor.join(inner);
          await insert(joined, table, { id: name });
          joined.afterCommit(() => heard.push(name));
        });
      await appTransaction(async (handle) => {
        executor.join(handle).afterCommit(() => heard.push('outer'));
        await nest(handle, 'inner');
        await nestedTransaction(handle, (inner) => nest(inner, 'innermost'));
        assert.deepEqual(heard, []);
      });
      assert.deepEqual(heard.sort(), ['inner', 'innermost', 'outer']);
      const rolledBack = appTransaction(async (handle) => {
        await nest(handle, 'never');
        throw new Error('mine');
      });
      await assert.rejects(rolledBack, /mine/);
      assert.deepEqual(heard, ['inner', 'innermost', 'outer']);
      assert.deepEqual(await idsIn(executor, table), ['inner', 'innermost']);
    },
  },
  {
    name: 'rolls back with a savepoint only what was written in it',
    run: async ({ executor, appTransaction, nestedTransaction }) => {
      const table = await freshTable(executor);
      await appTransaction(async (handle) => {
        await insert(executor.join(handle), table, { id: 'kept' });
        const nested = nestedTransaction(handle, async (inner) => {
          await insert(executor.join(inner), table, { id: 'lost' });
          throw new Error('inner');
        });
        await assert.rejects(nested, /inner/);
        await insert(executor.join(handle), table, { id: 'kept too' });
      });
      assert.deepEqual(await idsIn(executor, table), ['kept', 'kept too']);
    },
  },
  {
    name: "leaves the isolation level of the app's transactions alone",
    run: async ({ executor, another, appTransaction }) => {
      const table = await freshTable(executor);
      const level = async (between: () => Promise<unknown>) => {
        await between();
        return appTransaction(async (handle) => {
          const connection = executor.join(handle);
          const before = await idsIn(connection, table);
          await insert(another, table, { id: `${before.length}` });
          return (await idsIn(connection, table)).length > before.length ? 'READ COMMITTED' : 'REPEATABLE READ';
        });
      };
      const own = await level(() => Promise.resolve());
      const failing = () => insert(executor, id('conformance_nowhere'), { id: 'a' }).catch(() => undefined);
      const working = (_: unknown, i: number) => insert(executor, table, { id: `own ${i}` });
      assert.equal(await level(() => Promise.all(Array.from({ length: 8 }, failing))), own);
      assert.equal(await level(() => Promise.all(Array.from({ length: 8 }, working))), own);
    },
  },
  {
    name: "passes the ORM's handle of a transaction that the executor began",
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
      const heard: string[] = [];
      await executor.ormTransaction(async (handle, tx) => {
        const joined = executor.join(handle);
        await insert(tx, table, { id: 'ours' });
        await insert(joined, table, { id: 'theirs' });
        assert.equal(await connectionId(tx), await connectionId(joined));
        joined.afterCommit(() => heard.push('committed'));
        assert.deepEqual(await idsIn(another, table), []);
        await insert(another, table, { id: 'meanwhile' });
        assert.equal((await idsIn(tx, table)).length, 3);
      });
      assert.deepEqual(heard, ['committed']);
      const failure = new RangeError('mine');
      const lost = executor.ormTransaction(async (_handle, tx) => {
        await insert(tx, table, { id: 'lost' });
        throw failure;
      });
      await assert.rejects(lost, (error) => error === failure);
      assert.deepEqual(await idsIn(another, table), ['meanwhile', 'ours', 'theirs']);
    },
  },
  {
    name: "retries the ORM's transaction if it lost against another one",
    run: async ({ executor }) => {
      const table = await freshTable(executor);
      let runs = 0;
      const told: string[] = [];
      await executor.ormTransaction(async (_handle, tx) => {
        const name = `run ${++runs}`;
        tx.afterCommit(() => told.push(name));
        await insert(tx, table, { id: name });
        // As ORMs wrap driver errors.
        if (runs < 3) throw Object.assign(new Error('wrapped'), { driverError: { code: '40P01', errno: 1213 } });
      });
      assert.deepEqual(await idsIn(executor, table), ['run 3']);
      assert.deepEqual(told, ['run 3']);
    },
  },
  {
    name: 'sees the surrounding transaction, if the ORM knows it',
    run: async ({ executor, another, appTransaction }) => {
      if (!executor.ambient) return;
      const table = await freshTable(executor);
      assert.equal(executor.ambient(), undefined);
      const heard: string[] = [];
      await appTransaction(async () => {
        const ambient = executor.ambient?.();
        assert.ok(ambient, 'the surrounding transaction is not seen');
        await insert(ambient, table, { id: 'a' });
        ambient.afterCommit(() => heard.push('committed'));
        assert.deepEqual(await idsIn(another, table), []);
        // Our own statements stay outside of it.
        assert.deepEqual(await idsIn(executor, table), []);
        await executor.ormTransaction((_handle, tx) => insert(tx, table, { id: 'own' }));
        assert.deepEqual(await idsIn(another, table), ['own']);
      });
      assert.equal(executor.ambient(), undefined);
      assert.deepEqual(heard, ['committed']);
      assert.deepEqual(await idsIn(another, table), ['a', 'own']);
    },
  },
];
