import type { SqlConnection, SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { IDLE_SECONDS } from '../../../lib/sql/pools.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { borrow } from '../../support/borrowed-connection.js';

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
