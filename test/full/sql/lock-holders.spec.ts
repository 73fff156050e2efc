import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { type LockHolder, sessionsOfProcess } from '../../../lib/sql/pools.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { inAppTransaction, writeAlone } from '../../support/app-transactions.js';
import { describeBackends, type OpenHandle } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { gate } from '../../support/gate.js';
import { serverShowingLocks } from '../../support/lock-waiters.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { until } from '../../support/until.js';
import type { RunningServer } from '../../support/servers/server.mjs';

describeBackends('whose lock it is that statements of ours wait for', ({ db, orm }) => {
  let server: RunningServer | undefined;
  /** Of its owner: others see nothing of locks. */
  let database: FreshDatabase;
  let app: OpenHandle;
  let executor: SqlExecutor;
  beforeAll(async () => {
    server = await serverShowingLocks(db);
    database = server ? await createDatabase(db, server.address) : await createDatabase(db);
    await database.query('CREATE TABLE entries (entry varchar(64) NOT NULL PRIMARY KEY)');
    app = await (orm === 'typeorm' ? openTypeOrm : openMikroOrm)(database, { poolMax: 4 });
    executor = (orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(app.handle as object);
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
    await server?.stop();
  });

  const own = db === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()';
  const insert = sql`INSERT INTO entries (entry) VALUES (${'locked'})`;

  it('is told: its session, its process, and for how long', async () => {
    const told = gate();
    const holders: LockHolder[] = [];
    executor.onLockWait!((found) => {
      holders.push(...found);
      told.open();
    });
    let session = 0;
    const waiting: Promise<unknown>[] = [];
    await executor.ormTransaction(async (_, tx) => {
      const { rows } = await tx.run<{ id: number }>(sql`SELECT ${raw(own)} AS id`);
      session = rows[0]!.id;
      await tx.run(insert);
      waiting.push(executor.run(insert).catch(() => undefined));
      waiting.push(executor.ormTransaction((__, other) => other.run(insert)).catch(() => undefined));
      await told.opened;
    });
    await Promise.all(waiting);
    const holder = holders.find((each) => each.session === session)!;
    expect(holder.process).toMatch(/127\.0\.0\.1|localhost/);
    expect(holder.waitedMs).toBeGreaterThanOrEqual(5_000);
    expect(holder.openMs).toBeGreaterThanOrEqual(5_000);
  });

  it('is ended where its process sends nothing and could, and not before', async () => {
    const open = orm === 'typeorm' ? openTypeOrm : openMikroOrm;
    const staying = {
      typeorm: db === 'postgres' ? { extra: { idleTimeoutMillis: 0 } } : {},
      'mikro-orm': { pool: { min: 1, max: 1 } },
    };
    const other = await open(database, { poolMax: 1, orm: staying[orm] });
    // Its connections are known from now on.
    await (orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(other.handle as object).run(sql`SELECT 1`);
    const silentForLong = (session: number) => ({
      postgres: `SELECT 1 FROM pg_stat_activity WHERE pid = ${session} AND query_start < clock_timestamp() - interval '13 seconds'`,
      mysql: `SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ${session} AND TIME > 13`,
    });
    const endsOf = (rows: unknown) => {
      const id = Number((rows as { id: number | string }[])[0]!.id);
      const ends = sessionsOfProcess().find(({ session }) => session === id)!;
      return [ends.session, ends.port] as const;
    };
    const speaks = async () => endsOf(await writeAlone(orm, other.handle, `SELECT ${own} AS id`));
    const idle = await speaks();
    const over = gate();
    const holding = gate();
    let holder: readonly [number, number] = [0, 0];
    const held = Promise.allSettled([
      inAppTransaction(orm, app.handle, async ({ query }) => {
        await query(`INSERT INTO entries (entry) VALUES ('held')`);
        holder = endsOf(await query(`SELECT ${own} AS id`));
        holding.open();
        await over.opened;
      }),
    ]);
    await holding.opened;
    const [session, port] = holder;
    const end = (...all: (readonly [number, number])[]) => executor.endSession!({ session, port, all });
    try {
      // Long enough for it to be ended, but its process speaks.
      const silent = async () => {
        await speaks();
        expect(await end([session, port], idle)).toBe(false);
        return (await database.query(silentForLong(session)[db === 'postgres' ? db : 'mysql'])).length === 1;
      };
      await until('the session is silent for long enough', silent, { everyMs: 1_000 });
      await speaks();
      expect(await end([session, port], idle)).toBe(false);
      expect(await end([session, port])).toBe(false);
      await until('nothing was sent for long enough', () => end([session, port], idle), { everyMs: 1_000 });
    } finally {
      over.open();
    }
    expect((await held)[0]!.status).toBe('rejected');
    await other.close();
  });
});
