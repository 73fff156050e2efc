import pg from 'pg';
import { DatabaseError } from '../../../lib/core/errors.js';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import { onAppPool, ownSessionsOr, type SqlExecutor, type SqlSessions } from '../../../lib/sql/executor.js';
import { OwnSessions, pgSource } from '../../../lib/sql/pg-sessions.js';
import type { PgAppPool } from '../../../lib/sql/pg.js';
import { sql } from '../../../lib/sql/statement.js';
import { backendOf, describeBackends, type OpenBackend } from '../../support/backends.js';
import { borrow } from '../../support/borrowed-connection.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorage, workerOn } from '../../support/engine-storage.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { gate } from '../../support/gate.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { startPgBouncer } from '../../support/servers/pgbouncer.mjs';
import { until } from '../../support/until.js';

needsOwner('looks at all sessions of its database, and ends some');

const SETTINGS = sql`SELECT current_setting('plan_cache_mode') AS mode, current_setting('jit') AS jit,
  current_setting('enable_seqscan') AS seqscan, current_setting('enable_bitmapscan') AS bitmapscan,
  current_setting('enable_sort') AS sort, current_setting('search_path') AS path, pg_backend_pid() AS pid`;

const OWN = { mode: 'force_generic_plan', jit: 'off', seqscan: 'off', bitmapscan: 'off', sort: 'off' };
const APPS = { mode: 'auto', seqscan: 'on', bitmapscan: 'on', sort: 'on' };

interface Settings {
  mode: string;
  path: string;
  pid: number;
}

const settingsIn = async (db: Pick<SqlExecutor, 'run'>): Promise<Settings> =>
  (await db.run<Settings>(SETTINGS)).rows[0]!;

/** Waits until a session of its own is open, and returns what it has. */
async function own(db: SqlExecutor): Promise<Settings> {
  let found: Settings;
  await until('a session of its own is open', async () => {
    found = await settingsIn(ownSessionsOr(db));
    return found.mode === OWN.mode;
  });
  return found!;
}

describeBackends(
  'sessions beside the pool of the app',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let sessions: SqlSessions;
    beforeEach(async () => {
      backend = await at.open({ poolMax: 3 });
      db = executorOf(backend);
      sessions = ownSessionsOr(db);
    });
    afterEach(() => backend.close());

    it('have settings of their own, and those of the app have not', async () => {
      expect(await own(db)).toMatchObject(OWN);
      expect(await sessions.transaction((tx) => settingsIn(tx))).toMatchObject(OWN);
      expect(await settingsIn(db)).toMatchObject(APPS);
      expect(await db.transaction((tx) => settingsIn(tx))).toMatchObject(APPS);
      expect(await db.ormTransaction((_, tx) => settingsIn(tx))).toMatchObject(APPS);
      expect(await settingsIn(ownSessionsOr(onAppPool(db)))).toMatchObject(APPS);
    });

    it('are not there for one that wraps the executor: it sees every statement', async () => {
      const seen: unknown[] = [];
      const wrapper = Object.create(db, {
        run: { value: (statement: never) => (seen.push(statement), db.run(statement)) },
      }) as SqlExecutor;
      await ownSessionsOr(wrapper).run(SETTINGS);
      expect(seen).toEqual([SETTINGS]);
    });

    it('are four at most, and whoever finds none free takes a connection of the pool', async () => {
      const done = gate();
      const held: Promise<Settings>[] = [];
      const all: Settings[] = [];
      // Each time one more is opened for whoever comes next.
      while (all.filter(({ mode }) => mode === OWN.mode).length < 4) {
        const pid = await own(db);
        const began = gate();
        held.push(
          sessions.transaction(async (tx) => {
            all.push(await settingsIn(tx));
            began.open();
            await done.opened;
            return pid;
          }),
        );
        await began.opened;
      }
      // One more would have been opened for the first of these.
      for (let n = 0; n < 20; n++) expect(await settingsIn(sessions)).toMatchObject(APPS);
      done.open();
      await Promise.all(held);
      expect(new Set(all.map(({ pid }) => pid)).size).toBe(4);
      expect(await settingsIn(sessions)).toMatchObject(OWN);
    });

    it('work while code of the app holds every connection of the pool', async () => {
      await own(db);
      const borrowed = await Promise.all(Array.from({ length: 3 }, () => borrow(backend)));
      expect(await sessions.transaction((tx) => settingsIn(tx))).toMatchObject(OWN);
      await Promise.all(borrowed.map((connection) => connection.giveBack()));
    });

    it('are replaced when they are lost', async () => {
      const { pid } = await own(db);
      const lost = sessions.transaction(async (tx) => {
        await backend.query(`SELECT pg_terminate_backend(${(await settingsIn(tx)).pid})`);
        return settingsIn(tx);
      });
      await expect(lost).rejects.toMatchObject({ name: DatabaseError.name, transient: true });
      expect((await own(db)).pid).not.toBe(pid);
    });

    it('are replaced when the server has ended them while they were free', async () => {
      const { pid } = await own(db);
      await backend.query(`SELECT pg_terminate_backend(${pid})`);
      const isThere = () => backend.query(`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`);
      await until('it has ended', async () => (await isThere()).length === 0);
      // The news may be on its way; whoever meets such a session gets an error that asks for another attempt.
      await until('another one is open', async () => {
        const found = await settingsIn(sessions).catch((error: unknown) => error);
        if (found instanceof DatabaseError) expect(found.transient).toBe(true);
        return (found as Settings).mode === OWN.mode && (found as Settings).pid !== pid;
      });
    });

    it('end with the pool', async () => {
      const another = await backend.connect({ orm: at.orm === 'typeorm' ? { applicationName: 'mine' } : {} });
      const { pid } = await own(executorOf({ orm: at.orm, handle: another.handle }));
      await another.close();
      const isThere = () => backend.query(`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`);
      await until('it has ended', async () => (await isThere()).length === 0);
    });

    it('are those of engine and workers', async () => {
      const { pid } = await own(db);
      const [before] = await backend.query<{ now: string }>('SELECT CAST(clock_timestamp() AS text) AS now');
      const storage = await sqlStorage(backend);
      const parts = engineParts(storage);
      parts.define('order', (ctx) => ctx.remote<number>('echo', 2));
      const worker = workerOn(storage, { echo: (input) => input });
      await parts.start();
      expect(await parts.client.startAndWait('order', null)).toBe(2);
      await worker.stop();
      await parts.stop();
      const isLater = `query_start > CAST('${before!.now}' AS timestamptz)`;
      const used = await backend.query(`SELECT ${isLater} AS used FROM pg_stat_activity WHERE pid = ${pid}`);
      expect(used).toEqual([{ used: true }]);
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

describe('sessions beside a pool of pg', () => {
  let database: FreshDatabase;
  const pools: pg.Pool[] = [];
  beforeAll(async () => {
    database = await createDatabase('postgres');
  });
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));
  afterAll(() => database.close());

  const poolOf = (options: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({ max: 2, ...options });
    pools.push(pool);
    return pool;
  };
  const addressed = () => {
    const { host, port, user, password, database: name } = database;
    return { host, port, user, password, database: name };
  };

  it('have what the app sets by its options, and ours', async () => {
    const db = driverExecutor(poolOf({ ...addressed(), options: '-c search_path=mine' }));
    expect(await own(db)).toMatchObject({ ...OWN, path: 'mine' });
  });

  it('have what the app sets by its connection string', async () => {
    const connectionString = `${database.url}?options=-c%20search_path%3Dhers`;
    expect(await own(driverExecutor(poolOf({ connectionString })))).toMatchObject({ ...OWN, path: 'hers' });
  });

  it('have what the app sets on each new connection', async () => {
    const pool = poolOf({ ...addressed(), password: () => Promise.resolve(database.password) });
    const prepare = (client: pg.PoolClient) =>
      client.query('SELECT 1').then(() => client.query('SET search_path = his'));
    pool.on('connect', prepare as never);
    expect(await own(driverExecutor(pool))).toMatchObject({ ...OWN, path: 'his' });
  });

  it('keep no pool from ending, whatever the app does with a new connection', async () => {
    const pool = poolOf(addressed());
    const began = gate();
    let connections = 0;
    const prepare = () => {
      if (++connections < 2) return undefined;
      began.open();
      return new Promise(() => undefined);
    };
    pool.on('connect', prepare as never);
    const db = driverExecutor(pool);
    expect(await settingsIn(ownSessionsOr(db))).toMatchObject(APPS);
    await began.opened;
    await pools.pop()!.end();
    expect(pool.ended).toBe(true);
  });

  it('are not opened any more once that has taken too long', async () => {
    let made = 0;
    class Client extends pg.Client {
      constructor(options: object) {
        super(options);
        made++;
      }
    }
    const known = gate();
    let asked = 0;
    const source = { Client: Client as unknown as PgAppPool['Client'], options: addressed() };
    const never = new Promise<typeof source>(() => undefined);
    const sourceOf = () => (++asked === 1 ? known.opened.then(() => source) : never);
    const sessions = new OwnSessions(sourceOf, undefined, 1);
    await until('it was given up, and another one is opened', () => {
      sessions.take(() => undefined);
      return asked > 1;
    });
    known.open();
    await new Promise(setImmediate);
    expect(made).toBe(0);
    await sessions.end();
  });

  it('are refused to no executor by what its class keeps to itself', async () => {
    class Own {
      readonly #rows = [{ mode: 'mine' }];
      run = () => Promise.resolve({ rows: this.rows(), affected: 1 });
      rows() {
        return this.#rows;
      }
    }
    const mine = new Own() as unknown as SqlExecutor;
    expect(await settingsIn(ownSessionsOr(onAppPool(mine)))).toEqual({ mode: 'mine' });
  });

  it('are closed when nobody has needed them for long', async () => {
    const sessions = new OwnSessions(() => pgSource(poolOf(addressed()) as unknown as PgAppPool), 1);
    const take = async () => {
      let taken: ReturnType<OwnSessions['take']>;
      await until('one is free', () => (taken = sessions.take(() => undefined)) !== undefined);
      return taken!;
    };
    const both = [await take(), await take()];
    expect(sessions.open).toBe(2);
    for (const { release } of both) release(false);
    await until('the one that is not used has become old', async () => {
      (await take()).release(false);
      return sessions.open === 1;
    });
    await sessions.end();
    expect(sessions.open).toBe(0);
  });
});

describeWithProgram('pgbouncer', 'sessions behind PgBouncer in transaction mode', (program) => {
  it.each([
    ['that refuses the settings', 'extra_float_digits'],
    ['that ignores the settings', 'extra_float_digits, options'],
  ])('%s are those of the pool, and that is said', async (_, ignores) => {
    const backend = await backendOf('typeorm', 'postgres').open();
    const bouncer = await startPgBouncer(program, backend, { ignores });
    const warnings: string[] = [];
    const hear = ({ message, code }: Error & { code?: string }) =>
      void (code === 'DURABLE_SESSIONS' && warnings.push(message));
    process.on('warning', hear);
    try {
      const handle = await backend.another({ orm: { port: bouncer.port } });
      const db = executorOf({ orm: 'typeorm', handle });
      await until('it was tried', async () => {
        expect(await settingsIn(ownSessionsOr(db))).toMatchObject(APPS);
        return warnings.length > 0;
      });
      expect(await settingsIn(ownSessionsOr(db))).toMatchObject(APPS);
      expect(warnings).toEqual([expect.stringMatching(/no sessions of its own.*sessions: 'app'/) as string]);
    } finally {
      process.removeListener('warning', hear);
      await backend.close();
      await bouncer.stop();
    }
  });
});
