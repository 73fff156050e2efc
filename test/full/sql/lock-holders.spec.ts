import { type NodeLoad, SessionsOfGone } from '../../../lib/engine/nodes.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { type LockHolder, sessionsOfProcess } from '../../../lib/sql/pools.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenHandle } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { memoryStorage } from '../../support/engine-storage.js';
import { type Gate, gate } from '../../support/gate.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { findInstallation } from '../../support/servers/mysql-installation.mjs';
import { startMysql } from '../../support/servers/mysql.mjs';
import type { RunningServer } from '../../support/servers/server.mjs';

/** On MySQL only the performance schema knows who waits for whom, which the server of all tests has not. */
async function serverWithLocks(): Promise<RunningServer> {
  const installation = findInstallation('mysql');
  if (!('command' in installation)) throw new Error(installation.reason);
  return startMysql(installation, { flags: ['--performance-schema=ON'] });
}

const LOAD = { steps: 0, residents: 0, eventLoopP99Ms: 0, pool: null, errors: 0, notifications: 'polling' } as const;

describeBackends('whose lock it is that statements of ours wait for', ({ db, orm }) => {
  let server: RunningServer | undefined;
  /** Of its owner: others see nothing of locks. */
  let database: FreshDatabase;
  let app: OpenHandle;
  let executor: SqlExecutor;
  beforeEach(() => database.query('DELETE FROM entries'));
  beforeAll(async () => {
    if (db === 'mysql') server = await serverWithLocks();
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
  const lock = sql`SELECT entry FROM entries WHERE entry = ${'locked'} FOR UPDATE`;

  it('is told: its session, its process, and for how long', async () => {
    const told = gate();
    const holders: LockHolder[] = [];
    executor.onLockWait!((holder) => {
      holders.push(holder);
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

  it('are ended one after the other where their process is gone, and those of others are not', async () => {
    const other = await (orm === 'typeorm' ? openTypeOrm : openMikroOrm)(database, { poolMax: 4 });
    const outside = (orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(other.handle as object);
    const ended: number[] = [];
    const sessions: number[] = [];
    const load = (): NodeLoad => {
      const of = sessionsOfProcess().filter(({ session }) => sessions.includes(session));
      return { ...LOAD, sessions: of.map(({ session, port }) => [session, port]) };
    };
    const roster = memoryStorage().roster;
    const gone = new SessionsOfGone(roster, (session) => outside.endSession!(session));
    outside.onLockWait!(async ({ session, port }) => {
      if ((await gone.release(session, port!)) === undefined) return false;
      ended.push(session);
      return true;
    });
    const over = gate();
    /** Has the lock, or waits for it, and does nothing more once it has it. */
    const stands = async (begun: Gate) =>
      executor.ormTransaction(
        async (_, tx) => {
          const { rows } = await tx.run<{ id: number }>(sql`SELECT ${raw(own)} AS id`);
          sessions.push(Number(rows[0]!.id));
          const locks = tx.run(lock);
          begun.open();
          await locks;
          await over.opened;
        },
        { once: true },
      );
    await executor.run(insert);
    const standing: Promise<PromiseSettledResult<unknown>[]>[] = [];
    for (let n = 0; n < 2; n++) {
      const begun = gate();
      standing.push(Promise.allSettled([stands(begun)]));
      await begun.opened;
    }
    await roster.beat({ id: 'gone', namespace: '', roles: 'engine', load }, 1_000);
    try {
      await outside.ormTransaction((_, tx) => tx.run(lock), { once: true });
    } finally {
      over.open();
    }
    const outcomes = (await Promise.all(standing)).flat();
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(ended).toEqual(sessions);
    expect(await outside.endSession!({ session: sessions[0]! })).toBe(false);
    await other.close();
  });
});
