import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import type { LockHolder } from '../../../lib/sql/pools.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenHandle } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { gate } from '../../support/gate.js';
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

describeBackends('whose lock it is that statements of ours wait for', ({ db, orm }) => {
  let server: RunningServer | undefined;
  /** Of its owner: others see nothing of locks. */
  let database: FreshDatabase;
  let app: OpenHandle;
  let executor: SqlExecutor;
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
});
