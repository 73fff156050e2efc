import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import type { LeftOpen } from '../../../lib/sql/pools.js';
import { sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { endSession, inAppTransaction, write, writeAlone } from '../../support/app-transactions.js';
import { describeBackends, type OpenBackend, type OpenHandle } from '../../support/backends.js';
import { type BorrowedConnection, borrow } from '../../support/borrowed-connection.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { type RollbackRefuser, startRollbackRefuser } from '../../support/rollback-refuser.js';
import { until } from '../../support/until.js';
import { WORKS } from '../../support/works-on-connections.js';

const executorOf = ({ orm, handle }: Pick<OpenBackend, 'orm' | 'handle'>): SqlExecutor =>
  (orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(handle as object);

const insert = (entry: string) => sql`INSERT INTO entries (entry) VALUES (${entry})`;

describeBackends('a transaction that code of the app leaves open', (at) => {
  /** Its one connection is the one that was left open. */
  const ONE = { poolMax: 1 };
  let standing: OpenBackend;
  /** `standing`, unless the test has asked for a pool of its own. */
  let backend: OpenBackend;
  let own: OpenHandle | undefined;
  beforeAll(async () => {
    standing = await at.open(ONE);
    await standing.query('CREATE TABLE entries (entry varchar(64) NOT NULL)');
  });
  beforeEach(async () => {
    backend = standing;
    await standing.query('DELETE FROM entries');
  });
  afterEach(async () => {
    await own?.close();
    own = undefined;
  });
  afterAll(() => standing?.close());

  /** For a test that needs a connection which nobody has watched, or that leaves one of no use. */
  const withOwnPool = async () => {
    own = await standing.connect(ONE);
    backend = { ...standing, handle: own.handle };
  };

  const entries = async () =>
    (await backend.query<{ entry: string }>('SELECT entry FROM entries ORDER BY entry')).map(({ entry }) => entry);
  const leave = async (connection: BorrowedConnection) => {
    await connection.query('START TRANSACTION');
    await connection.query(`INSERT INTO entries (entry) VALUES ('half 4711')`);
    await connection.giveBack();
  };
  const watching = () => {
    const left: LeftOpen[] = [];
    const executor = executorOf(backend);
    executor.onLeftOpen!((each) => void left.push(each));
    return { executor, left };
  };

  it.each(Object.keys(WORKS))('is not joined by %s, and somebody hears of it', async (kind) => {
    const { executor, left } = watching();
    await executor.run(sql`SELECT 1`);
    await leave(await borrow(backend));
    await WORKS[kind]!(executor, (tx) => tx.run(insert('ours')));
    expect(await entries()).toEqual(['ours']);
    await until('somebody has heard of it', () => left.length > 0);
    expect(left).toEqual([{ statement: expect.stringContaining('INSERT INTO entries (entry) VALUES (') as string }]);
    expect(left[0]!.statement).not.toContain('4711');
  });

  it.each(Object.keys(WORKS))('before anybody watched the connection is not joined by %s', async (kind) => {
    await withOwnPool();
    await leave(await borrow(backend));
    const { executor } = watching();
    await WORKS[kind]!(executor, (tx) => tx.run(insert('ours')));
    expect(await entries()).toEqual(['ours']);
  });

  it('is over once its connection is given back: what it had locked is free', async () => {
    const { executor, left } = watching();
    await executor.run(insert('locked'));
    const connection = await borrow(backend);
    await connection.query('START TRANSACTION');
    await connection.query(`UPDATE entries SET entry = 'half' WHERE entry = 'locked'`);
    await connection.giveBack();
    await backend.query(`UPDATE entries SET entry = 'free' WHERE entry = 'locked'`);
    expect(await entries()).toEqual(['free']);
    await until('somebody has heard of it', () => left.length > 0);
  });

  it('is not joined by what comes with the next transaction of the app', async () => {
    const { executor, left } = watching();
    await executor.run(sql`SELECT 1`);
    await leave(await borrow(backend));
    const failing = inAppTransaction(backend.orm, backend.handle, async ({ handle, query }) => {
      await query(`INSERT INTO entries (entry) VALUES ('theirs')`);
      await executor.join(handle).run(insert('ours'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await entries()).toEqual([]);
    await inAppTransaction(backend.orm, backend.handle, ({ handle }) => executor.join(handle).run(insert('ours')));
    expect(await entries()).toEqual(['ours']);
    await until('somebody has heard of it', () => left.length > 0);
    expect(left).toHaveLength(1);
  });

  it('is not there where the app ended it: nobody hears of anything', async () => {
    const { executor, left } = watching();
    await executor.run(sql`SELECT 1`);
    for (const end of ['COMMIT', 'ROLLBACK']) {
      const connection = await borrow(backend);
      await connection.query('START TRANSACTION');
      await connection.query(`INSERT INTO entries (entry) VALUES ('${end}')`);
      await connection.query(end);
      await connection.giveBack();
    }
    await inAppTransaction(backend.orm, backend.handle, (tx) => tx.query(`INSERT INTO entries (entry) VALUES ('app')`));
    const failing = executor.ormTransaction((handle) => write(backend.orm, handle, 'INSERT INTO nowhere VALUES (1)'));
    await expect(failing).rejects.toThrow();
    await expect(executor.run(sql`INSERT INTO nowhere VALUES (1)`)).rejects.toThrow();
    await executor.ormTransaction((_, tx) => tx.run(insert('ours')));
    expect((await entries()).sort()).toEqual(['COMMIT', 'app', 'ours']);
    expect(left).toEqual([]);
  });

  it.each(['ours', 'the app'])('is not there where the connection was lost in one of %s', async (whose) => {
    await withOwnPool();
    const { executor, left } = watching();
    await executor.run(sql`SELECT 1`);
    const dying = async (handle: unknown) => {
      await write(backend.orm, handle, `INSERT INTO entries (entry) VALUES ('lost')`);
      await endSession(backend, handle);
      await write(backend.orm, handle, `INSERT INTO entries (entry) VALUES ('too late')`);
    };
    const failing =
      whose === 'ours'
        ? executor.ormTransaction(dying, { once: true })
        : inAppTransaction(backend.orm, backend.handle, ({ handle }) => dying(handle));
    await expect(failing).rejects.toThrow();
    await executor.run(insert('ours'));
    expect(await entries()).toEqual(['ours']);
    expect(left).toEqual([]);
  });

  it('is not there where an answer of ours says that the connection is of no use', async () => {
    await withOwnPool();
    const { executor, left } = watching();
    await executor.run(sql`SELECT 1`);
    if (at.db !== 'postgres') await backend.query(`CREATE PROCEDURE lose() SIGNAL SQLSTATE '08S01'`);
    const lose =
      at.db === 'postgres' ? sql`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P01'; END $$` : sql`CALL lose()`;
    let tries = 0;
    await executor
      .transaction(async (tx) => {
        await tx.run(insert(`try ${++tries}`));
        if (tries === 1) await tx.run(lose);
      })
      .catch(() => undefined);
    await executor.run(insert('ours'));
    expect(await entries()).toEqual(['ours']);
    expect(left).toEqual([]);
  });

  if (at.db !== 'postgres') {
    it.each(Object.keys(WORKS))('is not begun by %s on a session without autocommit', async (kind) => {
      await withOwnPool();
      const { executor, left } = watching();
      await executor.run(sql`SELECT 1`);
      const connection = await borrow(backend);
      await connection.query('SET autocommit = 0');
      await connection.giveBack();
      await executor.run(sql`SELECT entry FROM entries`);
      await WORKS[kind]!(executor, (tx) => tx.run(insert('ours')));
      expect(await entries()).toEqual(['ours']);
      await backend.query(`INSERT INTO entries (entry) VALUES ('seen')`);
      expect((await executor.run(sql`SELECT entry FROM entries`)).rows).toHaveLength(2);
      expect(left).toEqual([]);
    });
  }

  if (at.db === 'postgres') {
    it.each(Object.keys(WORKS))('and has failed does not fail %s', async (kind) => {
      const { executor, left } = watching();
      await executor.run(sql`SELECT 1`);
      const connection = await borrow(backend);
      await connection.query('BEGIN');
      await expect(connection.query('SELECT 1 / 0')).rejects.toThrow();
      await connection.giveBack();
      await WORKS[kind]!(executor, (tx) => tx.run(insert('ours')));
      expect(await entries()).toEqual(['ours']);
      await until('somebody has heard of it', () => left.length > 0);
      expect(left).toHaveLength(1);
    });
  }
});

describeBackends('a transaction whose ROLLBACK was refused', (at) => {
  let database: FreshDatabase;
  let refuser: RollbackRefuser;
  /** Of each test: its one connection is lost. */
  let app: OpenHandle;
  beforeAll(async () => {
    database = await createDatabase(at.db);
    await database.query('CREATE TABLE entries (entry varchar(64) NOT NULL)');
    refuser = await startRollbackRefuser(database);
  });
  beforeEach(async () => {
    await database.query('DELETE FROM entries');
    Object.assign(refuser, { refusing: false, refused: 0 });
    const through = { ...database, host: '127.0.0.1', port: refuser.port };
    app = await (at.orm === 'typeorm' ? openTypeOrm : openMikroOrm)(through, { poolMax: 1 });
  });
  afterEach(() => app.close());
  afterAll(async () => {
    await refuser?.close();
    await database?.close();
  });
  const entries = () => database.query('SELECT entry FROM entries');
  const open =
    at.db === 'postgres'
      ? `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`
      : `SELECT count(*) AS n FROM information_schema.innodb_trx t
      JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE()`;
  const isGone = async () => Number((await database.query<{ n: number | string }>(open))[0]?.n) === 0;

  it.each(['ours', 'the app'])('leaves no half for the next one to commit, where it was of %s', async (whose) => {
    const executor = executorOf({ orm: at.orm, handle: app.handle });
    await executor.run(sql`SELECT 1`);
    refuser.refusing = true;
    const half = `INSERT INTO entries (entry) VALUES ('half')`;
    const failing =
      whose === 'ours'
        ? executor.ormTransaction(async (_, tx) => {
            await tx.run(insert('half'));
            throw new Error('no');
          })
        : inAppTransaction(at.orm, app.handle, async (tx) => {
            await tx.query(half);
            throw new Error('no');
          });
    await expect(failing).rejects.toThrow();
    expect(refuser.refused).toBeGreaterThan(0);
    refuser.refusing = false;
    await executor.ormTransaction((_, tx) => tx.run(insert('next')));
    expect(await entries()).toEqual([{ entry: 'next' }]);
    await until('the half is gone', isGone);
  });

  it.each(['a statement', 'a transaction'])(
    'takes its connection with it: %s of the app gets another',
    async (kind) => {
      const executor = executorOf({ orm: at.orm, handle: app.handle });
      await executor.run(sql`SELECT 1`);
      refuser.refusing = true;
      const failing = inAppTransaction(at.orm, app.handle, async (tx) => {
        await tx.query(`INSERT INTO entries (entry) VALUES ('half')`);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow();
      const next = `INSERT INTO entries (entry) VALUES ('next')`;
      if (kind === 'a statement') await writeAlone(at.orm, app.handle, next);
      else await inAppTransaction(at.orm, app.handle, (tx) => tx.query(next));
      expect(refuser.refused).toBeGreaterThan(0);
      expect(await entries()).toEqual([{ entry: 'next' }]);
      await until('the half is gone', isGone);
    },
  );
});
