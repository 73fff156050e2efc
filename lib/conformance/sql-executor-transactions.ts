import { byFamily } from '../sql/dialects/dialect.js';
import assert from 'node:assert/strict';
import { DatabaseError } from '../errors/database-errors.js';
import { MissingTableError } from '../errors/setup-errors.js';
import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import { id, type Identifier, raw, sql } from '../sql/dialects/statement.js';
import { systemClock } from '../time/clock.js';
import type { ConformanceCase } from './case.js';
import {
  connectionId,
  freshTable,
  idsIn,
  insert,
  killConnection,
  signal,
  type SqlExecutorFixture,
} from './sql-executor-fixture.js';

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
  {
    name: 'reads the latest committed rows, if the executor has readLatest',
    run: async ({ executor, another }) => {
      if (!executor.readLatest) return;
      const table = await freshTable(executor);
      await insert(another, table, { id: 'a' });
      assert.deepEqual((await executor.readLatest(sql`SELECT id FROM ${table}`)).rows, [{ id: 'a' }]);
      await assert.rejects(executor.readLatest(sql`SELECT absent FROM ${table}`), DatabaseError);
      await insert(another, table, { id: 'b' });
      assert.deepEqual(await idsIn(executor, table), ['a', 'b']);
    },
  },
  {
    name: 'commits when the work resolves, and rolls back when it throws',
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
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
  },
  {
    name: 'rolls back a transaction whose statement failed, even if the error was caught',
    run: async ({ executor }) => {
      const table = await freshTable(executor);
      const work = executor.transaction(async (tx) => {
        await insert(tx, table, { id: 'a' });
        await insert(tx, table, { id: 'a' }).catch(() => undefined);
      });
      await assert.rejects(work, DatabaseError);
      assert.deepEqual(await idsIn(executor, table), []);
    },
  },
  {
    name: 'refuses statements after the end of their transaction',
    run: async ({ executor }) => {
      const table = await freshTable(executor);
      const tx = await executor.transaction((inside) => Promise.resolve(inside));
      await assert.rejects(insert(tx, table, { id: 'late' }), TypeError);
      assert.deepEqual(await idsIn(executor, table), []);
    },
  },
  {
    name: 'sees what others have committed in the meantime: READ COMMITTED',
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
      await executor.transaction(async (tx) => {
        assert.deepEqual(await idsIn(tx, table), []);
        await insert(another, table, { id: 'theirs' });
        assert.deepEqual(await idsIn(tx, table), ['theirs']);
      });
    },
  },
  {
    name: 'takes no gap locks: a query that found nothing blocks no insert',
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
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
  },
  {
    name: 'retries the victim of a deadlock',
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
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
    },
  },
  {
    name: 'retries a transaction that waited too long for a lock',
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
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
    },
  },
  {
    name: 'throws if the connection is lost, and continues with another one',
    run: async ({ executor, another }) => {
      const table = await freshTable(executor);
      const work = executor.transaction(async (tx) => {
        await insert(tx, table, { id: 'lost' });
        await killConnection(another, await connectionId(tx));
        await insert(tx, table, { id: 'never' });
      });
      await assert.rejects(work, isTransient);
      for (let i = 0; i < 20; i++) await recovered(executor, 1);
      assert.deepEqual(await idsIn(executor, table), []);
    },
  },
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
  {
    name: 'keeps values out of error messages',
    run: async ({ executor }) => {
      const table = await freshTable(executor);
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
    },
  },
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
