import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import {
  insertOf,
  inTransaction,
  type Isolation,
  openOutbox,
  type OpenOutbox,
  queryIn,
} from '../../support/outbox-app.js';
import { contend } from '../../support/outbox-oracle.js';
import { sized } from '../../support/tiers.js';

/** Of the eight writers of one test together, and of each of the twelve of the other. */
const TRANSACTIONS = sized(96, 32);
const OF_EACH_WRITER = sized(10, 5);

const LEVELS: readonly Isolation[] = ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'];

describeDatabases('isolation of transactions that write to an outbox', (at) => {
  const ways = at.db === 'postgres' ? (['publish', 'insert'] as const) : (['publish'] as const);
  let backend: OpenBackend;
  let open: OpenOutbox;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 13 });
    open = await openOutbox(backend);
  });
  afterAll(() => backend.close());

  it.each(LEVELS)('4: %s: order is kept, and only what the app contends for makes it fail', async (isolation) => {
    for (const way of ways) {
      const load = { writers: 8, transactions: TRANSACTIONS, channels: 3, perTransaction: 2, ways: [way], isolation };
      const account = await contend(backend, open, load);
      expect(account).toMatchObject({ lost: 0, extra: 0, inversions: 0, failures: [] });
      if (isolation === 'READ COMMITTED' || at.db !== 'postgres') expect(account.ownConflicts).toBe(0);
      expect(account.committed).toBe((TRANSACTIONS - account.ownConflicts) * 2);
    }
  });

  it.each(LEVELS)('4: %s: transactions that have nothing in common but a hot channel never fail', async (isolation) => {
    await backend.query('DELETE FROM outbox');
    // As autovacuum leaves a table of which everything has been published: of so few pages the planner reads all.
    if (at.db === 'postgres') await backend.query('VACUUM outbox');
    await backend.query('DROP TABLE IF EXISTS apart');
    await backend.query('CREATE TABLE apart (id int PRIMARY KEY)');
    const write = async (writer: number) => {
      for (let i = 0; i < OF_EACH_WRITER; i++)
        await inTransaction(backend, isolation, async (transaction) => {
          await open.outbox.publish({ channel: 'hot', name: 'e' }, { transaction });
          if (at.db === 'postgres') await queryIn(backend, transaction, insertOf('hot', 'plain'));
          await queryIn(backend, transaction, `INSERT INTO apart VALUES (${writer * 100 + i})`);
          await open.outbox.publish({ channel: `own ${writer}`, name: 'e' }, { transaction });
        });
    };
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    const [row] = await backend.query('SELECT COUNT(*) AS n FROM outbox');
    expect(Number(row?.['n'])).toBe(12 * OF_EACH_WRITER * (at.db === 'postgres' ? 3 : 2));
  });
});
