import mysql from 'mysql2';
import pg from 'pg';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import type { PoolWait } from '../../../lib/sql/pools.js';
import { sql } from '../../../lib/sql/statement.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { type AppTransaction, inAppTransaction } from '../../support/app-transactions.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

/** Resolves with the first wait that is told of. */
const firstWait = (db: SqlExecutor, afterMs?: number): Promise<PoolWait> =>
  new Promise((resolve) => db.onPoolWait!(resolve, afterMs));

const ONE = sql`SELECT 1 AS one`;

describeBackends('a transaction of the app that has the only connection', (backend) => {
  let open: OpenBackend;
  let proxy: TcpProxy;
  let setting: string;
  beforeAll(async () => {
    open = await backend.open({ poolMax: 1 });
    proxy = await startTcpProxy(open);
    setting = open.orm === 'typeorm' ? 'poolSize' : 'pool.max';
  });
  afterAll(async () => {
    await proxy.close();
    await open.close();
  });

  /** What is told of while a transaction has its connection, on a pool of its own. */
  const whileHeld = async (handle: unknown, work: (tx: AppTransaction, told: Promise<PoolWait>) => Promise<void>) => {
    const db = executorOf({ ...open, handle });
    // A pool may take its time to open its first connection: that is not what is looked for.
    await db.run(ONE);
    const told = firstWait(db, 20);
    const waiting: Promise<unknown>[] = [];
    await inAppTransaction(open.orm, handle, async (tx) => {
      await tx.query('SELECT 1 AS one');
      waiting.push(
        db.run(ONE),
        db.ormTransaction(async () => undefined),
      );
      // Looked at below, once this transaction is over.
      for (const one of waiting) one.catch(() => undefined);
      await work(tx, told);
    }).catch(() => undefined);
    await Promise.allSettled(waiting);
    return told;
  };

  const endSleep = () =>
    open.db === 'postgres'
      ? open.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)'`)
      : open
          .query(`SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info = 'SELECT SLEEP(600)'`)
          .then(([row]) => open.query(`KILL QUERY ${Number(row!['id'])}`));

  it('is told of if it awaits a statement, or a transaction, that needs another one', async () => {
    const wait = await whileHeld(open.handle, async (_, told) => void (await told));
    expect(wait).toMatchObject({ why: 'held', waiting: 2, most: 1, enough: 6, setting });
  });

  it('is not blamed while its statements run', async () => {
    const handle = await open.another({ poolMax: 1 });
    const wait = await whileHeld(handle, async ({ query }, told) => {
      const running = query(open.db === 'postgres' ? 'SELECT pg_sleep(600)' : 'SELECT SLEEP(600)');
      await Promise.race([told, running]);
      await Promise.allSettled([endSleep(), running]);
    });
    expect(wait).toEqual({ why: 'busy', waitedMs: wait.waitedMs, waiting: 2, most: 1, setting });
  });

  it('is not blamed if a server opens no second one', async () => {
    const handle = await open.another({ poolMax: 2, orm: { host: '127.0.0.1', port: proxy.port } });
    const wait = await whileHeld(handle, async (_, told) => {
      proxy.silence(true);
      await told;
      proxy.silence(false);
    });
    expect(wait).toEqual({ why: 'opening', waitedMs: wait.waitedMs, waiting: 2, most: 2, setting });
  });
});

describeBackends(
  'a pool of a driver that gives up sooner than we do',
  (backend) => {
    let open: OpenBackend;
    beforeAll(async () => {
      open = await backend.open();
    });
    afterAll(() => open.close());

    const connection = () => {
      const { host, port, user, password, database } = open;
      return { host, port, user, password, database };
    };

    it('is told of at once', async () => {
      if (open.db === 'postgres') {
        const pool = new pg.Pool({ ...connection(), max: 1 });
        const client = await pool.connect();
        // Only now: the same limit holds for opening a connection, which a busy machine does slowly.
        pool.options.connectionTimeoutMillis = 50;
        const told = refusedBy(driverExecutor(pool));
        expect(await told).toMatchObject({ why: 'held', waiting: 1, most: 1, enough: 6, setting: 'max' });
        client.release();
        await pool.end();
        return;
      }
      const pool = mysql.createPool({ ...connection(), connectionLimit: 1, waitForConnections: false });
      const client = await pool.promise().getConnection();
      const told = refusedBy(driverExecutor(pool, { dialect: open.db }));
      expect(await told).toMatchObject({ why: 'held', waiting: 1, most: 1, enough: 6, setting: 'connectionLimit' });
      client.release();
      await pool.promise().end();
    });

    const refusedBy = async (db: SqlExecutor): Promise<PoolWait> => {
      const told = firstWait(db);
      await expect(db.run(ONE)).rejects.toMatchObject({ code: 'DATABASE', transient: true });
      return told;
    };
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
