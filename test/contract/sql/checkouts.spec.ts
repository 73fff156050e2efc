import { createClock } from '@sinonjs/fake-timers';
import { real } from '../../../lib/core/time.js';
import type { SqlConnection, SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { IDLE_SECONDS } from '../../../lib/sql/pools.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { borrow } from '../../support/borrowed-connection.js';
import { gate } from '../../support/gate.js';

/** Each way to a transaction of ours. */
const WAYS: Record<string, <T>(executor: SqlExecutor, work: (tx: SqlConnection) => Promise<T>) => Promise<T>> = {
  'a transaction': (executor, work) => executor.transaction(work),
  'a transaction of the ORM': (executor, work) => executor.ormTransaction((_, tx) => work(tx)),
  'a snapshot of the ORM': (executor, work) => executor.ormSnapshot!((_, tx) => work(tx)),
};

describeBackends('how long the server waits', (at) => {
  const isPostgres = at.db === 'postgres';
  const limits = isPostgres
    ? `current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('tcp_user_timeout') AS sending`
    : '@@SESSION.wait_timeout AS idle, @@SESSION.net_read_timeout AS sending';
  const limited = isPostgres
    ? { idle: `${IDLE_SECONDS}s`, sending: String(1_000 * IDLE_SECONDS) }
    : { idle: IDLE_SECONDS, sending: IDLE_SECONDS };
  let backend: OpenBackend;
  let executor: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 1 });
    executor = (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(backend.handle as object);
  });
  afterAll(() => backend.close());

  /** What the app sees on the one connection of its pool. */
  const ofTheApp = async () => {
    const connection = await borrow(backend);
    const answer = await connection.query(`SELECT ${limits}`);
    await connection.giveBack();
    return JSON.stringify(answer);
  };

  it.each(Object.keys(WAYS))('in %s is limited, and the app has its own limits after it', async (way) => {
    const before = await ofTheApp();
    const { rows } = await WAYS[way]!(executor, (tx) => tx.run(sql`SELECT ${raw(limits)}`));
    expect(rows).toEqual([limited]);
    expect(await ofTheApp()).toBe(before);
  });
});

/** Turns the time of our code by hand; drivers and servers keep theirs, and so do timers that were set before. */
function ourTime() {
  const before = { ...real };
  const clock = createClock();
  const made = new WeakSet<object>();
  const setTimeout = (work: () => void, ms: number) => {
    const timer = clock.setTimeout(work, ms) as unknown as NodeJS.Timeout;
    made.add(timer);
    return timer;
  };
  const clearTimeout = (timer: NodeJS.Timeout) =>
    made.has(timer) ? clock.clearTimeout(timer as never) : before.clearTimeout(timer);
  const from = clock.now;
  Object.assign(real, { setTimeout, clearTimeout, now: () => clock.now - from });
  return { tickAsync: clock.tickAsync, giveBack: () => Object.assign(real, before) };
}

describeBackends('a statement that waits for a lock', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  const id = 1;
  const lock = sql`SELECT id FROM waited WHERE id = ${id} FOR UPDATE`;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 3 });
    executor = (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(backend.handle as object);
    await backend.query('CREATE TABLE waited (id INT PRIMARY KEY)');
    await backend.query('INSERT INTO waited (id) VALUES (1)');
  });
  afterAll(() => backend.close());

  it.each(Object.keys(WAYS))('in %s is not given up when a statement before it would be', async (way) => {
    const [held, released] = [gate(), gate()];
    const holder = executor.transaction(async (tx) => {
      await tx.run(lock);
      held.open();
      await released.opened;
    });
    await held.opened;
    const time = ourTime();
    try {
      const begun = gate();
      const waiting = WAYS[way]!(executor, (tx) => {
        begun.open();
        return tx.run(lock);
      });
      const outcome = waiting.then(({ rows }) => rows.length, String);
      await begun.opened;
      for (let passed = 0; passed < 40_000; passed += 5_000) {
        await time.tickAsync(5_000);
        await backend.query('SELECT 1');
      }
      released.open();
      expect(await outcome).toBe(1);
    } finally {
      released.open();
      time.giveBack();
      await holder;
    }
  });
});
