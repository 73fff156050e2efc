import { MikroORM } from '@mikro-orm/core';
import mysql from 'mysql2';
import type { DataSource } from 'typeorm';
import {
  sqlAfterCommitCases,
  sqlCommitCases,
  type SqlExecutorFixture,
  sqlTransactionCases,
} from '../../../lib/conformance/sql-executor-transactions.js';
import { sqlExecutorConformance, sqlJoiningCases, sqlValueCases } from '../../../lib/conformance/sql-executor.js';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import { ownSessionsOr, type SqlExecutor, type SqlSessions } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { backendOf, describeBackends, type OpenBackend } from '../../support/backends.js';
import { byText, type Client, type DriverPool, poolOn } from '../../support/driver-pools.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { servers } from '../../support/test-servers.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { until } from '../../support/until.js';

needsOwner('makes tables of its own');

const work = <T>(handle: unknown, inside: (handle: unknown) => Promise<T>): Promise<T> => {
  if (handle instanceof MikroORM) return (handle as MikroORM).em.fork().transactional(inside);
  const manager = handle as { transaction?: unknown; transactional?: unknown };
  return 'transaction' in manager
    ? (handle as DataSource).transaction(inside)
    : (handle as MikroORM['em']).transactional(inside);
};

const executorOf = (handle: unknown) =>
  handle instanceof MikroORM ? mikroOrmExecutor(handle) : typeOrmExecutor(handle as DataSource);

function notTransactionsOf(handle: unknown): unknown[] {
  if (handle instanceof MikroORM) {
    const { em } = handle as MikroORM;
    return [handle, em, em.fork(), { queryRunner: {} }];
  }
  const dataSource = handle as DataSource;
  return [dataSource, dataSource.manager, dataSource.createQueryRunner(), dataSource.createQueryRunner().manager];
}

/** The same, with its lone statements and transactions in sessions of its own, of which one is open. */
async function inOwnSessions(db: SqlExecutor): Promise<SqlExecutor> {
  const own = ownSessionsOr(db);
  const mode = sql`SELECT current_setting('plan_cache_mode') AS mode`;
  const isOpen = async () => (await own.run<{ mode: string }>(mode)).rows[0]?.mode === 'force_generic_plan';
  await until('a session of its own is open', isOpen);
  const sessions: SqlSessions = {
    dialect: own.dialect,
    run: (statement) => own.run(statement),
    transaction: (inside) => own.transaction(inside),
    readLatest: (read) => own.readLatest!(read),
  };
  return Object.assign(Object.create(db) as SqlExecutor, sessions);
}

describe.each(['typeorm', 'mikro-orm'] as const)('SqlExecutor in sessions of its own [%s on postgres]', (orm) => {
  let backend: OpenBackend;
  let fixture: SqlExecutorFixture;
  beforeAll(async () => {
    backend = await backendOf(orm, 'postgres').open({ poolMax: 6 });
    const { handle } = backend;
    fixture = {
      executor: await inOwnSessions(executorOf(handle)),
      another: await inOwnSessions(executorOf(await backend.another())),
      appTransaction: (inside) => work(handle, inside),
      knowsAppTransactions: orm !== 'typeorm',
      nestedTransaction: work,
      notTransactions: notTransactionsOf(handle),
    };
  });
  afterAll(() => backend.close());

  it.each(sqlExecutorConformance)('$name', (conformance) => conformance.run(fixture));
});

describeBackends('SqlExecutor', (at) => {
  let backend: OpenBackend;
  let fixture: SqlExecutorFixture;
  const unhandled: unknown[] = [];
  const remember = (error: unknown) => void unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', remember);
    backend = await at.open({ poolMax: 6 });
    const { handle } = backend;
    fixture = {
      executor: executorOf(handle),
      another: executorOf(await backend.another()),
      appTransaction: (inside) => work(handle, inside),
      knowsAppTransactions: at.orm !== 'typeorm',
      nestedTransaction: work,
      notTransactions: notTransactionsOf(handle),
    };
  });

  afterAll(async () => {
    await backend.close();
    process.removeListener('unhandledRejection', remember);
    expect(unhandled).toEqual([]);
  });

  it.each(sqlExecutorConformance)('$name', (conformance) => conformance.run(fixture));
});

let savepoints = 0;

async function inSavepoint<T>(client: Client, inside: (client: Client) => Promise<T>): Promise<T> {
  const name = `app_${++savepoints}`;
  await client.query(`SAVEPOINT ${name}`);
  try {
    const answer = await inside(client);
    await client.query(`RELEASE SAVEPOINT ${name}`);
    return answer;
  } catch (error) {
    await client.query(`ROLLBACK TO SAVEPOINT ${name}`);
    throw error;
  }
}

describe.each(servers)('SqlExecutor [driver on $db]', ({ db }) => {
  let database: FreshDatabase;
  const pools: DriverPool[] = [];

  const open = () => {
    const opened = poolOn(database);
    pools.push(opened);
    return opened;
  };

  beforeAll(async () => {
    database = await createDatabase(db);
  });

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.close();
  });

  describe('transactions that it has opened itself', () => {
    let fixture: SqlExecutorFixture;

    beforeAll(() => {
      const { executor } = open();
      fixture = {
        executor,
        another: open().executor,
        appTransaction: (inside) => executor.ormTransaction(inside),
        nestedTransaction: (handle, inside) => inside(handle),
        notTransactions: [executor],
      };
    });

    const cases = [
      ...sqlValueCases,
      ...sqlTransactionCases,
      ...sqlAfterCommitCases,
      // Nobody can begin a savepoint in them.
      ...[...sqlJoiningCases, ...sqlCommitCases].filter(({ name }) => !/savepoint/.test(name)),
    ];
    it.each(cases)('$name', (conformance) => conformance.run(fixture));
  });

  describe('clients on which the app has sent BEGIN', () => {
    let fixture: SqlExecutorFixture;
    let idle: Client;

    beforeAll(async () => {
      const { executor, pool, connect } = open();
      idle = await connect();
      fixture = {
        executor,
        another: open().executor,
        appTransaction: (inside) => byText(connect, inside),
        knowsAppTransactions: false,
        nestedTransaction: (handle, inside) => inSavepoint(handle as Client, inside),
        notTransactions: [pool, idle],
      };
    });

    afterAll(() => idle.release());

    it.each([...sqlJoiningCases, ...sqlCommitCases])('$name', (conformance) => conformance.run(fixture));
  });
});

describe.each(servers)('the end of a transaction that the app has begun by a text [$db]', ({ db }) => {
  let database: FreshDatabase;
  let pool: DriverPool;
  const [isPostgres, failing] = [db === 'postgres', 'SELECT * FROM not_there'];

  beforeAll(async () => {
    database = await createDatabase(db);
    pool = poolOn(database);
    await pool.executor.run(sql`CREATE TABLE heard (id INTEGER PRIMARY KEY)`);
  });
  beforeEach(() => pool.executor.run(sql`DELETE FROM heard`));
  afterAll(async () => {
    await pool.end();
    await database.close();
  });

  const insert = (n: number) => sql`INSERT INTO heard (id) VALUES (${n})`;
  const stored = async () =>
    (await pool.executor.run<{ id: number }>(sql`SELECT id FROM heard ORDER BY id`)).rows.length;

  /** Begun and joined, with work before its commit and after it. */
  async function begun({ works = true } = {}) {
    const client = await pool.connect();
    await client.query('BEGIN');
    const joined = pool.executor.join(client);
    const told: string[] = [];
    await joined.run(insert(1));
    if (works) joined.beforeCommit?.(async (last) => void (await last.run(insert(2)), told.push('before')));
    joined.afterCommit(() => told.push('after'));
    return { client, joined, told };
  }

  it.each(['COMMIT', 'commit;', '/* of an app */ COMMIT', '-- of an app\nCOMMIT', 'COMMIT WORK'])(
    'is seen in: %s',
    async (text) => {
      const { client, told } = await begun();
      await client.query(text);
      expect(told).toEqual(['before', 'after']);
      client.release();
      expect(await stored()).toBe(2);
    },
  );

  it.each([true, false])(
    'waits for the COMMIT of a client that is returned before its answer (works: %s)',
    async (works) => {
      const { client, told } = await begun({ works });
      const answer = client.query('COMMIT');
      client.release();
      await answer;
      expect(told).toEqual(works ? ['before', 'after'] : ['after']);
      expect(await stored()).toBe(works ? 2 : 1);
    },
  );

  it('is not another BEGIN on PostgreSQL, and is one on the others', async () => {
    const { client, joined, told } = await begun();
    await client.query(isPostgres ? 'BEGIN' : 'START TRANSACTION');
    expect(told).toEqual(isPostgres ? [] : ['before', 'after']);
    if (isPostgres) await joined.run(insert(3));
    else await expect(joined.run(insert(3))).rejects.toThrow(/ended/);
    await client.query('COMMIT');
    client.release();
    expect(told).toEqual(['before', 'after']);
    expect(await stored()).toBe(isPostgres ? 3 : 2);
  });

  it('is what MySQL and MariaDB commit by themselves before a definition', async () => {
    const { client, told } = await begun();
    await client.query('CREATE TABLE apart (id INTEGER)');
    expect(told).toEqual(isPostgres ? [] : ['before', 'after']);
    await client.query('COMMIT');
    expect(told).toEqual(['before', 'after']);
    await client.query('DROP TABLE apart');
    client.release();
    expect(await stored()).toBe(2);
  });

  it('is refused where it is hidden behind another statement', async () => {
    const { client, told } = await begun();
    await expect(client.query('SELECT 1; COMMIT')).rejects.toThrow(/statement of its own/);
    if (isPostgres) await expect(client.query("PREPARE TRANSACTION 'a'")).rejects.toThrow(/statement of its own/);
    await client.query('ROLLBACK');
    client.release();
    expect([told, await stored()]).toEqual([[], 0]);
  });

  it('is told of only if the server has committed', async () => {
    const { client, told } = await begun({ works: false });
    await expect(client.query(failing)).rejects.toThrow(/not_there/);
    await client.query('COMMIT');
    client.release();
    expect([told, await stored()]).toEqual(isPostgres ? [[], 0] : [['after'], 1]);
  });

  it('is heard with a callback, too', async () => {
    const { client, told } = await begun({ works: false });
    if (isPostgres) await expect(client.query(failing)).rejects.toThrow(/not_there/);
    const { connection = client } = client as { connection?: unknown };
    const callback = (isPostgres ? client : connection) as {
      query(text: string, heard: (error: unknown) => void): void;
    };
    const error = await new Promise((heard) => callback.query('COMMIT', heard));
    client.release();
    expect([error, told, await stored()]).toEqual([null, ...(isPostgres ? [[], 0] : [['after'], 1])]);
  });

  it('leaves nothing to the next transaction where it was rolled back behind another statement', async () => {
    const { client, told } = await begun();
    const sent = client.query('SELECT 1; ROLLBACK');
    // `mysql2` sends one statement at a time, unless the pool is told otherwise.
    if (isPostgres) await sent;
    else await expect(sent).rejects.toThrow(/syntax/i);
    if (!isPostgres) await client.query('ROLLBACK');
    client.release();
    await byText(pool.connect, async (next) => pool.executor.join(next).run(insert(7)));
    await pool.executor.transaction((tx) => tx.run(insert(8)));
    expect([told, await stored()]).toEqual([[], 2]);
  });

  it('does not come where work before it fails', async () => {
    const { client, joined, told } = await begun();
    joined.beforeCommit?.(() => Promise.reject(new Error('not now')));
    await expect(client.query('COMMIT')).rejects.toThrow('not now');
    await client.query('ROLLBACK');
    client.release();
    expect([told, await stored()]).toEqual([['before'], 0]);
  });

  it('is that of its client alone', async () => {
    const [first, other] = [await begun(), await pool.connect()];
    await other.query('BEGIN');
    await other.query('COMMIT');
    expect(first.told).toEqual([]);
    await first.client.query('ROLLBACK');
    first.client.release();
    other.release();
    expect([first.told, await stored()]).toEqual([[], 0]);
  });
});

/** Each way in which `mysql2` sends COMMIT; its callback connections are what its promises wrap. */
const COMMITS: Record<string, (connection: mysql.PoolConnection) => Promise<unknown>> = {
  'commit()': (connection) => connection.promise().commit(),
  'a text and a callback': (connection) =>
    new Promise((resolve, reject) => {
      connection.query({ sql: 'commit' }, (error, answer) => (error ? reject(error) : resolve(answer)));
    }),
  'execute()': (connection) => connection.promise().execute('COMMIT'),
  'a text that nobody hears of': async (connection) => void connection.query('COMMIT'),
};

describe.each(servers.filter(({ db }) => db !== 'postgres'))('a callback connection of mysql2 [$db]', ({ db }) => {
  it.each(Object.entries(COMMITS))('is joined, and what waits for it runs with %s', async (_, commit) => {
    const database = await createDatabase(db);
    const { host, port, user, password } = database;
    const pool = mysql.createPool({ host, port, user, password, database: database.database });
    try {
      const executor = driverExecutor(pool, db === 'mariadb' ? { dialect: 'mariadb' } : {});
      await executor.run(sql`CREATE TABLE heard (id INTEGER PRIMARY KEY)`);
      const connection = await new Promise<mysql.PoolConnection>((resolve, reject) => {
        pool.getConnection((error, given) => (error ? reject(error) : resolve(given)));
      });
      await connection.promise().beginTransaction();
      const joined = executor.join(connection);
      const insert = (id: number) => sql`INSERT INTO heard (id) VALUES (${id})`;
      await joined.run(insert(1));
      expect(joined.beforeCommit?.(async (last) => void (await last.run(insert(2))))).toBe(true);
      const committed = new Promise<void>((resolve) => joined.afterCommit(resolve));
      await Promise.all([commit(connection), committed]);
      expect(joined.beforeCommit?.(async () => undefined)).toBe(false);
      connection.release();
      expect((await executor.run(sql`SELECT id FROM heard`)).rows).toHaveLength(2);
    } finally {
      await pool.promise().end();
      await database.close();
    }
  });
});
