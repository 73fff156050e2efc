import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { IDLE_SECONDS } from '../../../lib/sql/pools.js';
import { sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { write } from '../../support/app-transactions.js';
import { type Backend, describeBackends, type OpenBackend, type OpenHandle } from '../../support/backends.js';
import { type Gate, gate } from '../../support/gate.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

const insert = (entry: string) => `INSERT INTO entries (entry) VALUES ('${entry}')`;

/** Transactions that lock a key, and then do what they are told. */
const WORKS: Record<
  string,
  (executor: SqlExecutor, at: Backend, entry: string, then: () => Promise<void>) => Promise<void>
> = {
  ours: (executor, _, entry, then) =>
    executor.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO entries (entry) VALUES (${entry})`);
      await then();
    }),
  'the ORM': (executor, { orm }, entry, then) =>
    executor.ormTransaction(
      async (handle) => {
        await write(orm, handle, insert(entry));
        await then();
      },
      { once: true },
    ),
};

describeBackends('a transaction whose connection goes silent', (at) => {
  let backend: OpenBackend;
  let proxy: TcpProxy;
  let app: OpenHandle;
  let over: Gate;
  beforeAll(async () => {
    backend = await at.open();
    await backend.query('CREATE TABLE entries (entry varchar(64) NOT NULL PRIMARY KEY)');
  });
  beforeEach(async () => {
    await backend.query('DELETE FROM entries');
    over = gate();
    proxy = await startTcpProxy(backend);
    app = await backend.connect({ orm: { host: '127.0.0.1', port: proxy.port } });
  });
  afterEach(async () => {
    over.open();
    await proxy.close();
    await app.close();
  });
  afterAll(() => backend.close());

  const executorOf = () => (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(app.handle as object);

  /** Resolves once both have locked their keys. */
  const begin = async (then: () => Promise<void>): Promise<{ ends: Promise<PromiseSettledResult<unknown>[]> }> => {
    const executor = executorOf();
    const locked: Promise<void>[] = [];
    const works = Object.entries(WORKS).map(([entry, work]) => {
      const lock = gate();
      locked.push(lock.opened);
      return work(executor, at, entry, () => (lock.open(), then()));
    });
    const ends = Promise.allSettled(works);
    await Promise.race([Promise.all(locked), ends]);
    return { ends };
  };

  it('is ended by the server, and given up by the process, whose pool goes on', async () => {
    const { ends } = await begin(() => over.opened);
    proxy.sever();
    for (const entry of Object.keys(WORKS)) await backend.query(insert(entry));
    over.open();
    const lost = { status: 'rejected', reason: expect.objectContaining({ transient: true }) as unknown };
    expect(await ends).toEqual([lost, lost]);
    await Promise.all(
      Object.keys(WORKS).map(async (kind) => WORKS[kind]!(executorOf(), at, `${kind} again`, async () => {})),
    );
  });

  it('is not ended while the process is alive, however long its code waits for something else', async () => {
    const pause = at.db === 'postgres' ? 'pg_sleep' : 'SLEEP';
    const elsewhere = async () => void (await backend.query(`SELECT ${pause}(${IDLE_SECONDS + 5})`));
    const { ends } = await begin(elsewhere);
    const done = { status: 'fulfilled', value: undefined };
    expect(await ends).toEqual([done, done]);
  });
});
