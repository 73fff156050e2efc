import { ManualClock } from '../../../lib/core/time.js';
import { type NodeLoad, SessionsOfGone } from '../../../lib/engine/nodes.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { type LockHolder, sessionsOfProcess } from '../../../lib/sql/pools.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { describeBackends, type OpenHandle } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { memoryStorage } from '../../support/engine-storage.js';
import { type Gate, gate } from '../../support/gate.js';
import { lockWaiter } from '../../support/lock-waiters.js';
import { until } from '../../support/until.js';
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

  it('are ended where their process is gone, also those that stand in line, and those of others are not', async () => {
    const other = await (orm === 'typeorm' ? openTypeOrm : openMikroOrm)(database, { poolMax: 4 });
    const outside = (orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(other.handle as object);
    const ended: number[] = [];
    const sessions: number[] = [];
    const load = (): NodeLoad => {
      const of = sessionsOfProcess().filter(({ session }) => sessions.includes(session));
      return { ...LOAD, sessions: of.map(({ session, port }) => [session, port]) };
    };
    const clock = new ManualClock();
    const { roster } = memoryStorage(clock);
    const gone = new SessionsOfGone(roster, (session) => outside.endSession!(session), clock);
    outside.onLockWait!(async (holders) => {
      const known = holders.map(({ session, port }) => ({ session, port: port! }));
      ended.push(...(await gone.endAmong(known)).map(({ session }) => session));
      clock.advance(30_000);
    });
    const over = gate();
    /** Has the lock, or waits for it, and does nothing more once it has it. What is ours would show that it is alive. */
    const stands = (locked: Gate) =>
      inAppTransaction(orm, app.handle, async ({ query }) => {
        const [row] = (await query(`SELECT ${own} AS id`)) as { id: number | string }[];
        sessions.push(Number(row!.id));
        await query(`SELECT entry FROM entries WHERE entry = 'locked' FOR UPDATE`);
        locked.open();
        await over.opened;
      });
    await executor.run(insert);
    const locked = gate();
    const standing = [Promise.allSettled([stands(locked)])];
    await locked.opened;
    standing.push(Promise.allSettled([stands(gate())]));
    await lockWaiter({ db, query: database.query });
    await roster.beat({ id: 'gone', namespace: '', roles: 'engine', load }, 1_000);
    try {
      await outside.ormTransaction((_, tx) => tx.run(lock), { once: true });
    } finally {
      over.open();
    }
    const outcomes = (await Promise.all(standing)).flat();
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // The lock is free before whoever ended the session has heard of it.
    await until('both are told', () => ended.length === 2);
    expect(new Set(ended)).toEqual(new Set(sessions));
    await other.close();
  });
});
