import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { onAppPool, ownSessionsOr, type SqlExecutor, type SqlSessions } from '../../../lib/sql/executor.js';
import { sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { describeBackends, type OpenBackend, type OpenHandle } from '../../support/backends.js';
import { gate } from '../../support/gate.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

const AT_ONCE = 4;

/** Where engines and workers do what they do by themselves. */
const PLACES: Record<string, (db: SqlExecutor) => SqlSessions> = {
  'sessions of their own': ownSessionsOr,
  'the pool of the app': (db) => ownSessionsOr(onAppPool(db)),
};

/** Until as many connections wait for a user. */
async function open(db: SqlSessions): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const all = gate();
    let held = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        db.transaction(async (tx) => {
          await tx.run(sql`SELECT 1`);
          if (++held === AT_ONCE) all.open();
          await all.opened;
        }),
      ),
    );
  }
}

describeBackends('connections that go silent while nobody uses them', (at) => {
  let backend: OpenBackend;
  let proxy: TcpProxy;
  let app: OpenHandle;
  beforeAll(async () => void (backend = await at.open()));
  beforeEach(async () => {
    proxy = await startTcpProxy(backend);
    app = await backend.connect({ orm: { host: '127.0.0.1', port: proxy.port }, poolMax: 2 * AT_ONCE });
  });
  afterEach(async () => {
    await proxy.close();
    await app.close();
  });
  afterAll(() => backend.close());

  for (const [place, of] of Object.entries(PLACES))
    it(`are found by the first statement, and no other waits for them: in ${place}`, async () => {
      const db = of((at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(app.handle as object));
      await open(db);
      proxy.blackHole();
      const lost = { transient: true, message: expect.stringContaining('has not responded') as string };
      await expect(db.run(sql`SELECT 1`)).rejects.toMatchObject(lost);
      for (let n = 0; n < AT_ONCE; n++) await db.run(sql`SELECT 1`);
      await open(db);
    });
});
