import assert from 'node:assert/strict';
import { DatabaseError, InvalidTransactionError } from '../core/errors.js';
import { id, sql, type SqlValue } from '../sql/statement.js';
import { type ConformanceCase, valuesOf } from './case.js';
import {
  connectionId,
  idsIn,
  insert,
  onFreshTable,
  sqlAfterCommitCases,
  sqlCommitCases,
  type SqlExecutorFixture,
  sqlTransactionCases,
} from './sql-executor-transactions.js';

const isRefused = (error: unknown): boolean => {
  assert.ok(error instanceof InvalidTransactionError, `${String(error)} is no InvalidTransactionError`);
  assert.ok(error instanceof TypeError);
  assert.match(error.message, /pass|await/);
  return true;
};

/** Joined transactions of the app, and the ORM's handle in ours. */
export const sqlJoiningCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  onFreshTable(
    "P1: what commits with the app's transaction is stored, a rollback discards it",
    async ({ executor, another, appTransaction }, table) => {
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
  ),
  onFreshTable(
    'behaves the same in joined transactions and in its own',
    async ({ executor, appTransaction }, table) => {
      const key = `it's "?" $1 😀 \\`;
      const items = [{ id: 'a' }, { id: key }, { id: 'b' }];
      const rows = executor.dialect.rows(items, { id: 'key' });
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
  ),
  onFreshTable(
    'refuses anything but an open transaction, and says what to pass',
    async ({ executor, notTransactions, appTransaction }, table) => {
      for (const wrong of [undefined, null, 0, 'tx', {}, [], () => undefined, ...notTransactions]) {
        assert.throws(() => executor.join(wrong), isRefused);
      }
      const { handle, joined } = await appTransaction((open) =>
        Promise.resolve({ handle: open, joined: executor.join(open) }),
      );
      assert.throws(() => executor.join(handle), isRefused);
      await assert.rejects(insert(joined, table, { id: 'late' }), isRefused);
    },
  ),
  {
    name: 'refuses the transaction of another pool',
    run: async ({ another, appTransaction }) => {
      await appTransaction((handle) => {
        assert.throws(() => another.join(handle), isRefused);
        return Promise.resolve();
      });
    },
  },
  onFreshTable(
    'calls afterCommit work once after the commit, and never after a rollback',
    async ({ executor, another, appTransaction }, table) => {
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
  ),
  onFreshTable(
    'calls afterCommit work after the outermost commit if it was joined in a savepoint',
    async ({ executor, appTransaction, nestedTransaction }, table) => {
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
  ),
  onFreshTable(
    'rolls back with a savepoint only what was written in it',
    async ({ executor, appTransaction, nestedTransaction }, table) => {
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
  ),
  onFreshTable(
    "leaves the isolation level of the app's transactions alone",
    async ({ executor, another, appTransaction }, table) => {
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
  ),
  onFreshTable(
    "passes the ORM's handle of a transaction that the executor began",
    async ({ executor, another }, table) => {
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
  ),
  onFreshTable("retries the ORM's transaction if it lost against another one", async ({ executor }, table) => {
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
  }),
  onFreshTable(
    'sees the surrounding transaction, if the ORM knows it',
    async ({ executor, another, appTransaction, knowsAppTransactions = true }, table) => {
      if (!executor.ambient) return;
      const surrounding = knowsAppTransactions
        ? appTransaction
        : <T>(work: () => Promise<T>) => executor.ormTransaction(work);
      assert.equal(executor.ambient(), undefined);
      const heard: string[] = [];
      await surrounding(async () => {
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
  ),
];

const TEXTS = [
  '',
  ' ',
  "it's",
  '"quoted" `ticked`',
  'a\\b\\',
  '?',
  '$1 $2 :name @x %s',
  "'; DROP TABLE x; --",
  'é ß 漢字 😀 \u200d\ufeff',
  '\n\r\t\u001a\u0008',
  'null',
  '{"a":"\\u0000 \\ud800"}',
];

const isDatabaseError = (error: unknown): boolean => {
  assert.ok(error instanceof DatabaseError, `${String(error)} is no DatabaseError`);
  return true;
};

const longText = (): string => JSON.stringify({ text: '\\"\n\u0000\ud83d\ude00'.repeat(80_000) });

/** Bound values arrive unchanged, and counts are exact. */
export const sqlValueCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  onFreshTable('binds strings of any kind', async ({ executor }, table) => {
    for (const [n, text] of TEXTS.entries()) await insert(executor, table, { id: `${n}`, n, body: text });
    const { rows } = await executor.run<{ body: string }>(sql`SELECT body FROM ${table} ORDER BY n`);
    assert.deepEqual(valuesOf('body', rows), TEXTS);
    for (const text of TEXTS) {
      const found = await executor.run(sql`SELECT id FROM ${table} WHERE body = ${text}`);
      assert.equal(found.affected, 1, text);
    }
  }),
  {
    name: 'does not replace placeholders inside of literals',
    run: async ({ executor }) => {
      const { rows } = await executor.run<{ a: string; b: string }>(
        sql`SELECT '$1 ? it''s' AS a, CAST(${'x'} AS char(1)) AS b`,
      );
      assert.deepEqual({ ...rows[0] }, { a: "$1 ? it's", b: 'x' });
    },
  },
  onFreshTable('binds numbers, 64-bit integers, booleans and null', async ({ executor }, table) => {
    const numbers: SqlValue[] = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, -(2n ** 63n), 2n ** 63n - 1n, null];
    for (const [i, n] of numbers.entries()) await insert(executor, table, { id: `${i}`, n: n as number });
    const { rows } = await executor.run<{ n: number | string | null }>(sql`SELECT n FROM ${table} ORDER BY id`);
    const expected = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, '-9223372036854775808', '9223372036854775807', null];
    assert.deepEqual(valuesOf('n', rows), expected);
    const truths = await executor.run(sql`SELECT id FROM ${table} WHERE ${true} AND NOT ${false} AND n = ${2 ** 31}`);
    assert.equal(truths.affected, 1);
  }),
  onFreshTable('binds LIMIT, arithmetic and comparisons', async ({ executor }, table) => {
    for (let n = 0; n < 5; n++) await insert(executor, table, { id: `${n}`, n: 1_700_000_000_000 + n });
    const { rows } = await executor.run<{ id: string; later: number }>(
      sql`SELECT id, n + ${1} AS later FROM ${table} WHERE n > CAST(${1_700_000_000_000} AS decimal(20)) - ${0} ORDER BY n LIMIT ${2}`,
    );
    assert.deepEqual(
      rows.map((row) => [row.id, Number(row.later)]),
      [
        ['1', 1_700_000_000_002],
        ['2', 1_700_000_000_003],
      ],
    );
  }),
  onFreshTable('transports a string of one mebibyte', async ({ executor }, table) => {
    const body = longText();
    assert.ok(body.length > 2 ** 20);
    await insert(executor, table, { id: 'long', body });
    const rows = executor.dialect.rows([{ id: 'listed', body }], { id: 'key', body: 'text' });
    await executor.run(sql`INSERT INTO ${table} (id, body) SELECT r.id, r.body FROM ${rows} AS r`);
    const found = await executor.run<{ body: string }>(sql`SELECT body FROM ${table}`);
    assert.deepEqual(
      found.rows.map((row) => row.body === body),
      [true, true],
    );
  }),
  onFreshTable('refuses NUL with a typed error, or stores it', async ({ executor }, table) => {
    const key = 'a\u0000b';
    const refused = await insert(executor, table, { id: key }).then(() => undefined, isDatabaseError);
    assert.deepEqual(await idsIn(executor, table), refused ? [] : [key]);
  }),
  onFreshTable('counts inserted, matched, deleted and unchanged rows', async ({ executor }, table) => {
    const put = (...keys: string[]) => {
      const rows = executor.dialect.rows(
        keys.map((key) => ({ id: key })),
        { id: 'key' },
      );
      const statement = sql`INSERT INTO ${table} (id, n) SELECT r.id, 1 FROM ${rows} AS r`;
      return executor.run(executor.dialect.insertOrKeep(statement, id('id')));
    };
    const counts = [await put('a', 'b', 'c'), await put('b', 'd', 'c'), await put('d'), await put('e')];
    assert.deepEqual(valuesOf('affected', counts), [3, 1, 0, 1]);
    const lone = sql`INSERT INTO ${table} (id, n) VALUES (${'a'}, ${2})`;
    assert.equal((await executor.run(executor.dialect.insertOrKeep(lone, id('id')))).affected, 0);
    assert.equal((await executor.run(sql`UPDATE ${table} SET n = 1`)).affected, 5);
    assert.equal((await executor.run(sql`UPDATE ${table} SET n = 2 WHERE id = 'nobody'`)).affected, 0);
    assert.equal((await executor.run(sql`DELETE FROM ${table} WHERE id IN ('a', 'b')`)).affected, 2);
    assert.equal((await executor.run(sql`DELETE FROM ${table} WHERE id = 'a'`)).affected, 0);
  }),
  onFreshTable('inserts or updates on conflict', async ({ executor }, table) => {
    const put = (key: string, n: number) => {
      const onConflict = executor.dialect.onConflictUpdate(
        [id('id')],
        (incoming) => sql`n = ${table}.n + ${incoming('n')}`,
      );
      return executor.run(sql`INSERT INTO ${table} (id, n) VALUES (${key}, ${n}) ${onConflict}`);
    };
    await put('a', 1);
    await put('a', 10);
    await put('b', 5);
    const { rows } = await executor.run<{ n: number }>(sql`SELECT n FROM ${table} ORDER BY id`);
    assert.deepEqual(
      rows.map(({ n }) => Number(n)),
      [11, 5],
    );
  }),
  {
    name: 'expands JSON rows',
    run: async ({ executor }) => {
      const listed = [
        ...TEXTS.map((text, i) => ({ id: `${i}`, o: text, n: i, b: i % 2 === 0 })),
        { id: 'big', n: '9007199254740993' },
        { id: '', o: null, n: null, b: null },
      ];
      const rows = executor.dialect.rows(listed, { id: 'key', o: 'text', n: 'int', b: 'bool' });
      const found = await executor.run<Record<string, unknown>>(sql`SELECT r.id, r.o, r.n, r.b FROM ${rows} AS r`);
      const expected = listed.map(({ id: key, n, ...rest }) => ({ id: key, o: null, b: null, ...rest, n }));
      const plain = found.rows.map(({ b, ...row }) => ({ ...row, b: b === null ? null : Boolean(b) }));
      assert.deepEqual(new Set(plain), new Set(expected));
      const none = executor.dialect.rows([], { id: 'key' });
      assert.equal((await executor.run(sql`SELECT r.id FROM ${none} AS r`)).affected, 0);
    },
  },
  onFreshTable('finds rows by JSON rows with any keys', async ({ executor }, table) => {
    const keys = [...TEXTS, 'K', 'k', 'k ', 'ḱ'];
    for (const key of keys) await insert(executor, table, { id: key });
    const rows = executor.dialect.rows(
      keys.map((key) => ({ id: key })),
      { id: 'key' },
    );
    const found = await executor.run(sql`SELECT t.id FROM ${rows} AS r JOIN ${table} t ON t.id = r.id`);
    assert.equal(found.affected, keys.length);
  }),
  onFreshTable('E23: an over-long key is a typed error, never cut', async ({ executor }, table) => {
    const key = 'x'.repeat(192);
    await assert.rejects(insert(executor, table, { id: key }), isDatabaseError);
    const rows = executor.dialect.rows([{ id: key }], { id: 'key' });
    const listed = sql`INSERT INTO ${table} (id) SELECT r.id FROM ${rows} AS r`;
    await assert.rejects(executor.run(executor.dialect.insertOrKeep(listed, id('id'))), isDatabaseError);
    const nothing = executor.dialect.insertOrKeep(sql`INSERT INTO ${table} (id) VALUES (${null})`, id('id'));
    await assert.rejects(executor.run(nothing), isDatabaseError);
    assert.deepEqual(await idsIn(executor, table), []);
  }),
  onFreshTable(
    'E24: keys that differ in case, accent or a trailing space are different keys',
    async ({ executor }, table) => {
      const keys = ['Order-A', 'order-a', 'Ördér-A', 'Order-A ', 'Order-A\u0301'];
      for (const key of keys) await insert(executor, table, { id: key });
      assert.equal((await idsIn(executor, table)).length, keys.length);
      for (const key of keys) {
        const { rows } = await executor.run<{ id: string }>(sql`SELECT id FROM ${table} WHERE id = ${key}`);
        assert.deepEqual(valuesOf('id', rows), [key]);
      }
    },
  ),
];

/** Guarantees of every `SqlExecutor`, on every ORM and database. */
export const sqlExecutorConformance: readonly ConformanceCase<SqlExecutorFixture>[] = [
  ...sqlValueCases,
  ...sqlTransactionCases,
  ...sqlAfterCommitCases,
  ...sqlJoiningCases,
  ...sqlCommitCases,
];
