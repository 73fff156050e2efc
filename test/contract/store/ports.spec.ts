import { AsyncLocalStorage } from 'node:async_hooks';
import { ManualClock } from '../../../lib/core/time.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { createNotifier, type Notifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { inMemoryStoreStorage } from '../../../lib/store/store.memory.js';
import { sqlStoreStorage } from '../../../lib/store/store.sql.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { memoryTransactions } from '../../support/effects-in-memory.js';
import { executorOf } from '../../support/engine-storage.js';
import { lockWaiter } from '../../support/lock-waiters.js';
import { makeTables } from '../../support/our-tables.js';
import { until } from '../../support/until.js';
import { pubsubConformance, pubsubOn, storeConformance, type StoreFixture, storeOn } from '../conformance/store.js';

const cases = [...storeConformance, ...pubsubConformance];

describe('the store and its messages in memory', () => {
  it.each(cases)('$name', async ({ run }) => {
    const clock = new ManualClock();
    const transactions = memoryTransactions();
    await run({
      ...inMemoryStoreStorage(clock, undefined, transactions),
      clock,
      inTransaction: transactions.begin,
    });
  });
});

describeDatabases('the store and its messages in SQL', (at) => {
  const tables = tablesWithPrefix('durable');
  let backend: OpenBackend;
  let db: SqlExecutor;
  const started: Notifier[] = [];

  /** A notifier of a process. */
  function listening(executor: SqlExecutor): Notifier {
    const notifier = createNotifier(executor, 'durable', () => undefined, { checkTimeoutMs: 30_000 });
    started.push(notifier);
    notifier.start();
    return notifier;
  }

  const inTransaction = <T>(work: (tx: unknown) => Promise<T>): Promise<T> =>
    inAppTransaction(at.orm, backend.handle, ({ handle }) => work(handle));

  function fixture(): StoreFixture {
    const clock = new ManualClock();
    return {
      // Of this process alone, which hears at once.
      ...sqlStoreStorage(
        db,
        tables,
        createNotifier(db, 'durable', () => undefined),
        () => sql`${clock.now()}`,
      ),
      clock,
      inTransaction,
    };
  }

  const rolledBack = async (work: (tx: unknown) => Promise<unknown>): Promise<void> => {
    const back = new Error('rolled back');
    const ends = inTransaction(async (tx) => {
      await work(tx);
      throw back;
    });
    await expect(ends).rejects.toBe(back);
  };

  beforeAll(async () => {
    backend = await at.open({ poolMax: 12 });
    db = executorOf(backend);
    await makeTables(backend, { outbox: false });
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((notifier) => notifier.stop()));
    await db.run(sql`DELETE FROM ${tables.store}`);
  });
  afterAll(() => backend?.close());

  it.each(cases)('$name', async ({ run }) => {
    await run(fixture());
  });

  it('what a transaction has written is gone when it rolls back', async () => {
    const store = storeOn(fixture());
    await store.set('old', '1');
    await rolledBack(async (transaction) => {
      await store.set('a', '1', { transaction });
      await store.setIfNotExists('b', '1', { transaction });
      await store.increment('n', 1, { transaction });
      await store.delete('old', { transaction });
    });
    expect(await Promise.all(['a', 'b', 'n', 'old'].map((key) => store.get(key)))).toEqual([
      undefined,
      undefined,
      undefined,
      '1',
    ]);
  });

  it.each([
    ['commits, the key is taken', false],
    ['rolls back, the key is free', true],
  ])('who asks for a key waits for a transaction that has it; when that %s', async (_, isFree) => {
    const store = storeOn(fixture());
    // Outside of the transaction's context, which MikroORM would find.
    const outside = AsyncLocalStorage.snapshot();
    let asked: Promise<boolean> | undefined;
    const claimed = async (transaction: unknown) => {
      await store.setIfNotExists('job', 'first', { transaction });
      asked = outside(() => store.setIfNotExists('job', 'second'));
      await lockWaiter(backend);
    };
    try {
      await (isFree ? rolledBack(claimed) : inTransaction(claimed));
    } finally {
      await asked?.catch(() => undefined);
    }
    expect([await asked, await store.get('job')]).toEqual([isFree, isFree ? 'second' : 'first']);
  });

  it('what is written counts, although its time is over a moment later', async () => {
    let time = 1_000;
    const hints = createNotifier(db, 'durable', () => undefined);
    const store = storeOn(sqlStoreStorage(db, tables, hints, () => sql`${time++}`));
    for (let ttl = 1; ttl <= 20; ttl++) {
      expect(await store.setIfNotExists('job', String(ttl), { ttl: 1 })).toBe(true);
      time += 10;
      await store.increment(`n${ttl}`, 1, { ttl });
      expect([1, 2]).toContain(await store.increment(`n${ttl}`));
    }
  });

  it('who has waited for an entry finds it over, when its time has passed meanwhile', async () => {
    const store = storeOn(
      sqlStoreStorage(
        db,
        tables,
        createNotifier(db, 'durable', () => undefined),
      ),
    );
    // Outside of the transaction's context, which MikroORM would find.
    const outside = AsyncLocalStorage.snapshot();
    await store.set('n', '5', { ttl: 400 });
    let asked: Promise<number> | undefined;
    try {
      await rolledBack(async (transaction) => {
        await store.increment('n', 1, { transaction });
        asked = outside(() => store.increment('n'));
        await lockWaiter(backend);
        await until('its time is over', async () => (await outside(() => store.get('n'))) === undefined);
      });
    } finally {
      await asked?.catch(() => undefined);
    }
    expect([await asked, await store.get('n')]).toEqual([1, '1']);
  });

  it('a sweep passes over what others are writing anew', async () => {
    const { entries, clock } = fixture();
    const store = storeOn({ entries });
    for (const key of ['a', 'b', 'c']) await store.set(key, '1', { ttl: 1 });
    clock.advance(1);
    await inTransaction(async (transaction) => {
      expect(await store.setIfNotExists('b', 'anew', { transaction })).toBe(true);
      expect(await entries.sweep(10)).toBe(2);
    });
    expect([await store.get('b'), await entries.sweep(10)]).toEqual(['anew', 0]);
  });

  it('a message of a transaction that rolls back is not heard', async () => {
    const pubsub = pubsubOn(fixture());
    const heard: unknown[] = [];
    pubsub.subscribe('prices', (message) => heard.push(message));
    await rolledBack((transaction) => pubsub.publish('prices', '1', { transaction }));
    await pubsub.publish('prices', '2');
    expect(heard).toEqual(['2']);
  });

  // Elsewhere only a bus reaches them: test/contract/sql/wake.spec.ts.
  const onPostgres = at.db === 'postgres' ? it : () => undefined;
  onPostgres('other processes hear it, and that they may have missed some', async () => {
    const heard: unknown[] = [];
    const there = listening(executorOf({ orm: at.orm, handle: await backend.another() }));
    pubsubOn(sqlStoreStorage(db, tables, there)).subscribe('prices', (message) => heard.push(message));
    await until('it listens', () => there.live && heard.length > 0);
    expect(heard).toEqual([undefined]);
    const pubsub = pubsubOn(sqlStoreStorage(db, tables, listening(db)));
    await pubsub.publish('prices', 'x'.repeat(7_500));
    await rolledBack((transaction) => pubsub.publish('prices', 'never', { transaction }));
    await inTransaction((transaction) => pubsub.publish('prices', '2', { transaction }));
    await until('it is heard', () => heard.length === 3);
    expect(heard).toEqual([undefined, 'x'.repeat(7_500), '2']);
  });
});
