import pg from 'pg';
import { guardPgPool } from '../../../lib/sql/pg.js';
import type { LeftOpen } from '../../../lib/sql/pools.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { type RollbackRefuser, startRollbackRefuser } from '../../support/rollback-refuser.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes a database of its own, or a server');

type Client = pg.PoolClient & { readonly readyForQuery?: boolean };

/** The two forms of `connect`. */
const FORMS: Record<string, (pool: pg.Pool) => Promise<Client>> = {
  'a promise': (pool) => pool.connect(),
  'a callback': (pool) =>
    new Promise((resolve, reject) =>
      pool.connect((error, client, release) => {
        if (!client) return reject(error ?? new Error('There is no client'));
        expect(release).toBe(client.release);
        resolve(client);
      }),
    ),
};

describe('a pool of pg that is guarded', () => {
  let database: FreshDatabase;
  let refuser: RollbackRefuser;
  let left: LeftOpen[];
  const pools: pg.Pool[] = [];
  beforeAll(async () => {
    database = await createDatabase('postgres');
    await database.query('CREATE TABLE entries (entry varchar(64) NOT NULL)');
  });
  beforeEach(async () => {
    await database.query('DELETE FROM entries');
    refuser = await startRollbackRefuser(database);
    left = [];
  });
  afterEach(async () => {
    // Not awaited: a test that failed may have kept a client.
    for (const pool of pools.splice(0)) void pool.end();
    await refuser.close();
  });
  afterAll(() => database.close());

  const poolOf = (max: number): pg.Pool => {
    const { user, password, database: name } = database;
    const pool = new pg.Pool({ host: '127.0.0.1', port: refuser.port, user, password, database: name, max });
    pool.on('error', () => undefined);
    pools.push(pool);
    guardPgPool(pool, (each) => void left.push(each));
    return pool;
  };
  const leaveOpen = async (pool: pg.Pool, count = 1) => {
    const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
    for (const client of clients) await client.query('BEGIN');
    for (const client of clients) await client.query(`INSERT INTO entries VALUES ('half')`);
    for (const client of clients) client.release();
  };
  const entries = async () =>
    (await database.query<{ entry: string }>('SELECT entry FROM entries')).map((r) => r.entry);

  describe.each(Object.keys(FORMS))('answers by %s', (form) => {
    const connect = FORMS[form]!;

    it('with a client that has nothing under way, once what was left open on it is rolled back', async () => {
      const pool = poolOf(1);
      await leaveOpen(pool);
      const client = await connect(pool);
      expect(client.readyForQuery).toBe(true);
      await Promise.all([client.query(`INSERT INTO entries VALUES ('one')`), client.query('SELECT 2')]);
      client.release();
      expect(await entries()).toEqual(['one']);
      expect(left).toEqual([{ statement: 'INSERT INTO entries VALUES (…)' }]);
      expect(pool.totalCount).toBe(1);
    });

    it('with another client in place of those that refuse their ROLLBACK, which are destroyed', async () => {
      const pool = poolOf(3);
      await leaveOpen(pool, 3);
      refuser.refusing = true;
      const client = await connect(pool);
      await client.query(`INSERT INTO entries VALUES ('one')`);
      client.release();
      expect(await entries()).toEqual(['one']);
      expect(refuser.refused).toBeGreaterThanOrEqual(3);
      expect(pool.totalCount).toBe(1);
      const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`;
      await until('what was left open is gone', async () => (await database.query(open)).length === 0);
    });

    it('with the refusal where new clients refuse too', async () => {
      const pool = poolOf(2);
      // Not awaited: nobody can do that here.
      pool.on('connect', (client) => void client.query('BEGIN'));
      refuser.refusing = true;
      await expect(connect(pool)).rejects.toThrow('no ROLLBACK');
      expect(refuser.refused).toBe(3);
      expect(pool.totalCount).toBe(0);
      refuser.refusing = false;
      (await connect(pool)).release();
    });

    it('with another client where the one that was left open is lost meanwhile', async () => {
      const pool = poolOf(1);
      await leaveOpen(pool);
      // Returns when the session has ended: until then it may still answer.
      await database.query(
        `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
      );
      const client = await connect(pool);
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      client.release();
    });

    it('as ever, when it cannot connect', async () => {
      const pool = poolOf(1);
      await refuser.close();
      await expect(connect(pool)).rejects.toThrow();
    });
  });

  it('runs the queries of the pool apart from what was left open', async () => {
    const pool = poolOf(1);
    await leaveOpen(pool);
    await pool.query(`INSERT INTO entries VALUES ('one')`);
    expect(await entries()).toEqual(['one']);
  });

  it('calls back in the same turn as without a guard where there is nothing to roll back', async () => {
    const pool = poolOf(1);
    (await pool.connect()).release();
    let acquired = false;
    let inTheSameTurn = false;
    pool.on('acquire', () => {
      acquired = true;
      queueMicrotask(() => (acquired = false));
    });
    await new Promise<void>((resolve, reject) =>
      pool.connect((error, _, release) => {
        inTheSameTurn = acquired;
        release();
        if (error) reject(error);
        else resolve();
      }),
    );
    expect(inTheSameTurn).toBe(true);
  });
});
