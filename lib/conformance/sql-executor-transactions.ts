import assert from 'node:assert/strict';
import { DatabaseError, MissingTableError } from '../core/errors.js';
import { systemClock } from '../core/time.js';
import { byFamily } from '../sql/dialects.js';
import type { JoinedTransaction, SqlConnection, SqlExecutor, SqlTransaction } from '../sql/executor.js';
import { createTable, KEY } from '../sql/migrations/schema-steps.js';
import { id, type Identifier, raw, sql } from '../sql/statement.js';
import { type ConformanceCase, valuesOf } from './case.js';

/** An app with its own pool, and a second process on the same database. */
export interface SqlExecutorFixture {
  executor: SqlExecutor;
  another: SqlExecutor;
  /** Runs `work` in a transaction of the app's ORM, with the handle of its callback. */
  appTransaction<T>(work: (handle: unknown) => Promise<T>): Promise<T>;
  /** False: `ambient` knows only transactions that the executor opens itself. Default true. */
  knowsAppTransactions?: boolean;
  /** The same inside another one: a savepoint. */
  nestedTransaction<T>(handle: unknown, work: (handle: unknown) => Promise<T>): Promise<T>;
  /** Values that an app might pass by mistake. */
  notTransactions: readonly unknown[];
}

/** A case that gets a new table (id key, n bigint, body text). */
export const onFreshTable = (
  name: string,
  run: (fixture: SqlExecutorFixture, table: Identifier) => Promise<void>,
): ConformanceCase<SqlExecutorFixture> => ({
  name,
  run: async (fixture) => run(fixture, await freshTable(fixture.executor)),
});

let tables = 0;

async function freshTable(executor: SqlExecutor): Promise<Identifier> {
  const table = id(`conformance_${++tables}`);
  const columns = [`id ${KEY} NOT NULL PRIMARY KEY`, 'n bigint', `body ${executor.dialect.textType}`];
  await executor.run(createTable(executor.dialect, table, columns).statement);
  return table;
}

export interface Item {
  id: string;
  n?: number | bigint | null;
  body?: string | null;
}

export const insert = (on: SqlConnection, table: Identifier, { id: key, n = null, body = null }: Item) =>
  on.run(sql`INSERT INTO ${table} (id, n, body) VALUES (${key}, ${n}, ${body})`);

export async function idsIn(on: SqlConnection, table: Identifier): Promise<string[]> {
  const { rows } = await on.run<{ id: string }>(sql`SELECT id FROM ${table} ORDER BY id`);
  return valuesOf('id', rows);
}

/** The server's id of this connection. */
export async function connectionId(on: SqlConnection): Promise<number> {
  const ask = byFamily(on.dialect, { postgres: () => raw('pg_backend_pid()'), mysql: () => raw('CONNECTION_ID()') });
  const { rows } = await on.run<{ id: number }>(sql`SELECT ${ask} AS id`);
  return Number(rows[0]?.id);
}

/** Ends a connection from the server's side, like a restart or an administrator. */
export async function killConnection(by: SqlConnection, connection: number): Promise<void> {
  await byFamily(by.dialect, {
    postgres: () => by.run(sql`SELECT pg_terminate_backend(${connection})`),
    mysql: () => by.run(raw(`KILL ${connection}`)),
  });
}

/** A promise and its resolve function, to synchronize two transactions. */
function signal(): { reached: Promise<void>; reach: () => void } {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach };
}

const isTransient = (error: unknown): boolean => {
  assert.ok(error instanceof DatabaseError && error.transient, `${String(error)} is no transient DatabaseError`);
  return true;
};

/** Less than the difference of two time zones, more than a delay on a busy machine. */
const SAME_TIME_MS = 600_000;

const touch = (on: SqlConnection, table: Identifier, key: string) =>
  on.run(sql`UPDATE ${table} SET n = n + 1 WHERE id = ${key}`);

async function valueOf(on: SqlConnection, table: Identifier, key: string): Promise<number> {
  const { rows } = await on.run<{ n: number }>(sql`SELECT n FROM ${table} WHERE id = ${key}`);
  return Number(rows[0]?.n);
}

/** The database's own time; process clocks are never used. */
async function nowOf(on: SqlConnection): Promise<number> {
  const { rows } = await on.run<{ now: number }>(sql`SELECT ${on.dialect.now} AS now`);
  return Number(rows[0]?.now);
}

const setTimeZone = (on: SqlConnection, zone: string | undefined) =>
  byFamily(on.dialect, {
    postgres: () =>
      on.run(raw(zone ? `SET LOCAL TIME ZONE INTERVAL '${zone}' HOUR TO MINUTE` : 'SET LOCAL TIME ZONE DEFAULT')),
    mysql: () => on.run(raw(zone ? `SET time_zone = '${zone}'` : 'SET time_zone = DEFAULT')),
  });

const setLockTimeout = (on: SqlConnection, seconds: 1 | undefined) =>
  byFamily(on.dialect, {
    postgres: () =>
      on.run(raw(seconds ? `SET LOCAL lock_timeout = '${seconds}s'` : 'SET LOCAL lock_timeout = DEFAULT')),
    mysql: () => on.run(raw(`SET innodb_lock_wait_timeout = ${seconds ?? 'DEFAULT'}`)),
  });

/** Runs a statement until one works: dead connections of the pool are detected one by one. */
async function recovered(executor: SqlExecutor, tries: number): Promise<void> {
  for (let i = 1; ; i++) {
    try {
      await nowOf(executor);
      return;
    } catch (error) {
      isTransient(error);
      if (i === tries) throw error;
    }
  }
}

/** Transactions of our own, and the failures they survive. */
export const sqlTransactionCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  onFreshTable(
    'reads the latest committed rows, if the executor has readLatest',
    async ({ executor, another }, table) => {
      if (!executor.readLatest) return;
      await insert(another, table, { id: 'a' });
      assert.deepEqual((await executor.readLatest(sql`SELECT id FROM ${table}`)).rows, [{ id: 'a' }]);
      await assert.rejects(executor.readLatest(sql`SELECT absent FROM ${table}`), DatabaseError);
      await insert(another, table, { id: 'b' });
      assert.deepEqual(await idsIn(executor, table), ['a', 'b']);
    },
  ),
  onFreshTable(
    'commits when the work resolves, and rolls back when it throws',
    async ({ executor, another }, table) => {
      const answer = await executor.transaction(async (tx) => {
        await insert(tx, table, { id: 'kept' });
        assert.deepEqual(await idsIn(another, table), []);
        return 'answer';
      });
      assert.equal(answer, 'answer');
      const failure = new RangeError('mine');
      await assert.rejects(
        executor.transaction(async (tx) => {
          await insert(tx, table, { id: 'lost' });
          throw failure;
        }),
        (error) => error === failure,
      );
      assert.deepEqual(await idsIn(another, table), ['kept']);
    },
  ),
  onFreshTable(
    'rolls back a transaction whose statement failed, even if the error was caught',
    async ({ executor }, table) => {
      const work = executor.transaction(async (tx) => {
        await insert(tx, table, { id: 'a' });
        await insert(tx, table, { id: 'a' }).catch(() => undefined);
      });
      await assert.rejects(work, DatabaseError);
      assert.deepEqual(await idsIn(executor, table), []);
    },
  ),
  onFreshTable('refuses statements after the end of their transaction', async ({ executor }, table) => {
    const tx = await executor.transaction((inside) => Promise.resolve(inside));
    await assert.rejects(insert(tx, table, { id: 'late' }), TypeError);
    assert.deepEqual(await idsIn(executor, table), []);
  }),
  onFreshTable(
    'sees what others have committed in the meantime: READ COMMITTED',
    async ({ executor, another }, table) => {
      await executor.transaction(async (tx) => {
        assert.deepEqual(await idsIn(tx, table), []);
        await insert(another, table, { id: 'theirs' });
        assert.deepEqual(await idsIn(tx, table), ['theirs']);
      });
    },
  ),
  onFreshTable(
    'takes no gap locks: a query that found nothing blocks no insert',
    async ({ executor, another }, table) => {
      await insert(executor, table, { id: 'a', n: 1 });
      await insert(executor, table, { id: 'z', n: 1 });
      await executor.transaction(async (tx) => {
        await tx.run(sql`SELECT id FROM ${table} WHERE id > ${'b'} AND id < ${'y'} FOR UPDATE`);
        await another.transaction(async (other) => {
          await setLockTimeout(other, 1);
          await insert(other, table, { id: 'm', n: 1 });
          await setLockTimeout(other, undefined);
        });
      });
      assert.deepEqual(await idsIn(executor, table), ['a', 'm', 'z']);
    },
  ),
  onFreshTable('retries the victim of a deadlock', async ({ executor, another }, table) => {
    for (const key of ['a', 'b']) await insert(executor, table, { id: key, n: 0 });
    const [first, second] = [signal(), signal()];
    let runs = 0;
    const told: number[] = [];
    const crossing = (on: SqlExecutor, keys: [string, string], mine: typeof first, theirs: typeof first) =>
      on.transaction(async (tx) => {
        const run = ++runs;
        tx.afterCommit(() => told.push(run));
        await touch(tx, table, keys[0]);
        mine.reach();
        await theirs.reached;
        await touch(tx, table, keys[1]);
      });
    await Promise.all([crossing(executor, ['a', 'b'], first, second), crossing(another, ['b', 'a'], second, first)]);
    assert.ok(runs > 2, 'there was no deadlock');
    assert.equal(told.length, 2);
    assert.ok(told.includes(runs), 'the try that committed is not told of');
    assert.deepEqual([await valueOf(executor, table, 'a'), await valueOf(executor, table, 'b')], [2, 2]);
  }),
  onFreshTable('retries a transaction that waited too long for a lock', async ({ executor, another }, table) => {
    await insert(executor, table, { id: 'a', n: 0 });
    const [held, free] = [signal(), signal()];
    const holder = another.transaction(async (tx) => {
      await touch(tx, table, 'a');
      held.reach();
      await free.reached;
    });
    await held.reached;
    let runs = 0;
    const told: string[] = [];
    await executor.transaction(async (tx) => {
      if (++runs === 2) free.reach();
      const name = `run ${runs}`;
      tx.afterCommit(() => told.push(name));
      await setLockTimeout(tx, runs === 1 ? 1 : undefined);
      await insert(tx, table, { id: `run ${runs}` });
      await touch(tx, table, 'a');
    });
    await holder;
    assert.equal(runs, 2);
    assert.deepEqual(told, ['run 2']);
    assert.equal(await valueOf(executor, table, 'a'), 2);
    assert.deepEqual(await idsIn(executor, table), ['a', 'run 2']);
  }),
  onFreshTable(
    'throws if the connection is lost, and continues with another one',
    async ({ executor, another }, table) => {
      const work = executor.transaction(async (tx) => {
        await insert(tx, table, { id: 'lost' });
        await killConnection(another, await connectionId(tx));
        await insert(tx, table, { id: 'never' });
      });
      await assert.rejects(work, isTransient);
      for (let i = 0; i < 20; i++) await recovered(executor, 1);
      assert.deepEqual(await idsIn(executor, table), []);
    },
  ),
  {
    name: 'survives if its idle connections are killed',
    run: async ({ executor, another }) => {
      const ids = await Promise.all(
        [0, 1, 2, 3].map(() => executor.transaction(async (tx) => [await connectionId(tx), await nowOf(tx)])),
      );
      for (const [connection = 0] of ids) await killConnection(another, connection).catch(isDeadAlready);
      await recovered(executor, 5);
      await Promise.all([0, 1, 2, 3].map(() => recovered(executor, 5)));
    },
  },
  {
    name: 'throws a MissingTableError if a table is missing',
    run: async ({ executor }) => {
      await assert.rejects(executor.run(sql`SELECT * FROM ${id('conformance_nowhere')}`), MissingTableError);
      await assert.rejects(
        executor.transaction((tx) => tx.run(sql`DELETE FROM ${id('conformance_nowhere')}`)),
        MissingTableError,
      );
    },
  },
  onFreshTable('keeps values out of error messages', async ({ executor }, table) => {
    const secret = 'a-secret-key';
    await insert(executor, table, { id: secret });
    const isDiscreet = (error: unknown): boolean => {
      assert.ok(error instanceof DatabaseError && !error.transient);
      assert.ok(error.cause, 'the cause is lost');
      return !error.message.includes(secret);
    };
    await assert.rejects(insert(executor, table, { id: secret }), isDiscreet);
    const wrong = sql`INSERT INTO ${table} (id, n) VALUES ('x', ${executor.dialect.cast(secret, 'bigint')} / 0)`;
    await executor.run(wrong).then(() => undefined, isDiscreet);
  }),
  {
    name: 'returns the time of the database in any time zone',
    run: async ({ executor }) => {
      const before = systemClock.now();
      const now = await nowOf(executor);
      assert.ok(Math.abs(now - before) < SAME_TIME_MS, `${now} is not ${before}`);
      await executor.transaction(async (tx) => {
        for (const zone of ['+05:45', '-11:00']) {
          await setTimeZone(tx, zone);
          const late = systemClock.now() - (await nowOf(tx));
          assert.ok(Math.abs(late) < SAME_TIME_MS, `the time of ${zone} is another`);
        }
        await setTimeZone(tx, undefined);
      });
      const [first, later] = [await nowOf(executor), await nowOf(executor)];
      assert.ok(later >= first);
    },
  },
];

/** Two of them may have been the same connection. */
const isDeadAlready = (error: unknown): void => assert.ok(error instanceof DatabaseError);

/** Adds a work in time for the commit. */
function before(joined: JoinedTransaction, work: (tx: SqlConnection) => Promise<unknown>): void {
  assert.equal(
    joined.beforeCommit?.(async (tx) => void (await work(tx))),
    true,
  );
}

/** Works right before the app's own commit. */
export const sqlCommitCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  onFreshTable(
    'calls beforeCommit work once, all at the same time, with the same transaction, and waits for it',
    async ({ executor, another, appTransaction }, table) => {
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
  ),
  onFreshTable('calls work that was added by beforeCommit work', async ({ executor, appTransaction }, table) => {
    await appTransaction((handle) => {
      before(executor.join(handle), async (tx) => {
        await insert(tx, table, { id: 'first' });
        before(executor.join(handle), (same) => insert(same, table, { id: 'second' }));
      });
      return Promise.resolve();
    });
    assert.deepEqual(await idsIn(executor, table), ['first', 'second']);
  }),
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
  onFreshTable('fails the commit if beforeCommit work throws', async ({ executor, another, appTransaction }, table) => {
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
  }),
  onFreshTable(
    'fails the commit with the error of the database, and the connection stays usable',
    async ({ executor, another, appTransaction }, table) => {
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
  ),
  onFreshTable(
    'calls beforeCommit work before the outermost commit, not when a savepoint is released',
    async ({ executor, another, appTransaction, nestedTransaction }, table) => {
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
  ),
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
  onFreshTable(
    `calls after the commit of ${name}, once and in order, when others see the rows`,
    async ({ executor, another }, table) => {
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
  ),
  onFreshTable(`calls nothing after a rollback of ${name}`, async ({ executor }, table) => {
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
  }),
];

/** What waits for the commits of our own transactions, without which nobody is woken by them. */
export const sqlAfterCommitCases: readonly ConformanceCase<SqlExecutorFixture>[] = [
  ...casesOf('a transaction', (executor, work) => executor.transaction(work)),
  ...casesOf("the ORM's transaction", (executor, work) => executor.ormTransaction((_handle, tx) => work(tx))),
];
