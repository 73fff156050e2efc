import { ConsumerDestination, type Destination } from '../../../lib/outbox/destinations.js';
import { SqlInbox } from '../../../lib/outbox/destinations.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { inboxConformance } from '../conformance/outbox-channels.js';
import { write } from '../../support/app-transactions.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { type CommitCutter, startCommitCutter } from '../../support/commit-cutter.js';
import { executorOf } from '../../support/engine-storage.js';
import { anEvent, delivery } from '../../support/outbox-events.js';
import { until } from '../../support/until.js';

const TABLES = outboxTables('durable', { table: 'outbox', nodesTable: 'nodes', schema: undefined });
const { inbox: INBOX } = TABLES;

describeDatabases('consumers of the outbox', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  let cutter: CommitCutter;

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    executor = executorOf(backend);
    await migrate(executor, tablesWithPrefix('durable'));
    const id = at.db === 'postgres' ? 'bigserial' : 'bigint AUTO_INCREMENT';
    await backend.query(`CREATE TABLE effects (id ${id} PRIMARY KEY, seq bigint NOT NULL)`);
    cutter = await startCommitCutter(backend, 'INTO effects');
  });
  afterAll(async () => {
    await backend?.close();
    await cutter?.close();
  });
  beforeEach(async () => {
    await executor.run(sql`DELETE FROM ${INBOX}`);
    await backend.query('DELETE FROM effects');
  });

  it.each(inboxConformance)('$name', ({ run }) => run({ inbox: new SqlInbox(executor, TABLES) }));

  /** The consumer as another process has it, writing with the ORM's own handle. */
  const consumer = (handle: unknown = backend.handle, after: (seq: string) => void = () => undefined): Destination =>
    new ConsumerDestination(new SqlInbox(executorOf({ orm: at.orm, handle }), TABLES), 'counts', [
      {
        patterns: ['posts:*'],
        run: async ({ sequenceId }, tx) => {
          await write(at.orm, tx, `INSERT INTO effects (seq) VALUES (${sequenceId})`);
          after(sequenceId);
        },
      },
    ]);
  const effects = async () =>
    (await backend.query('SELECT seq FROM effects ORDER BY id')).map(({ seq }) => Number(seq));
  const deliverAll = async (destination: Destination, from: number, to: number) => {
    for (let n = from; n <= to; n++) await destination.deliver([anEvent(String(n))], delivery());
  };

  describe('a handler that goes on in a transaction that is over', () => {
    const careless = (inside: (tx: unknown) => Promise<unknown>) =>
      new ConsumerDestination(new SqlInbox(executor, TABLES), 'counts', [
        {
          patterns: ['posts:*'],
          run: async ({ sequenceId }, tx) => {
            await write(at.orm, tx, `INSERT INTO effects (seq) VALUES (${sequenceId})`);
            await inside(tx);
          },
        },
      ]);
    const isTaken = (destination: Destination) =>
      destination.deliver([anEvent('1')], delivery()).then(
        () => true,
        () => false,
      );

    it('takes an event only if what it wrote of it stays, though it has caught the error of its last statement', async () => {
      await backend.query('INSERT INTO effects (id, seq) VALUES (1000, 0)');
      const twice = (tx: unknown) =>
        write(at.orm, tx, 'INSERT INTO effects (id, seq) VALUES (1000, 0)').catch(() => undefined);
      const taken = await isTaken(careless(twice));
      expect((await effects()).sort()).toEqual(taken ? [0, 1] : [0]);
      expect(await isTaken(consumer())).toBe(true);
      expect((await effects()).sort()).toEqual([0, 1]);
    });

    it('takes no event in a transaction that was rolled back below it', async () => {
      expect(await isTaken(careless((tx) => write(at.orm, tx, 'ROLLBACK')))).toBe(false);
      await deliverAll(consumer(), 1, 2);
      expect(await effects()).toEqual([1, 2]);
    });
  });

  if (at.db === 'postgres')
    it('asks for no row by a plan that was kept from an empty table', async () => {
      const rows = 20_000;
      const scanned = async () => {
        const [row] = await backend.query<{ scanned: string; written: string }>(
          `SELECT seq_tup_read AS scanned, n_tup_ins + n_tup_upd AS written FROM pg_stat_user_tables WHERE relname = 'durable_inbox_positions'`,
        );
        return { scanned: Number(row?.scanned), written: Number(row?.written) };
      };
      await backend.query('ALTER TABLE durable_inbox_positions SET (autovacuum_enabled = false)');
      await backend.query('VACUUM durable_inbox_positions');
      await deliverAll(consumer(), 1, 8);
      const before = await scanned();
      await backend.query(
        `INSERT INTO durable_inbox_positions (consumer, channel, last_sequence_id) SELECT 'other', 'c' || n, 1 FROM generate_series(1, ${rows}) AS n`,
      );
      await deliverAll(consumer(), 9, 16);
      const after = await until('the rows are counted', async () => {
        await executor.run(sql`SELECT 1 AS one`);
        const now = await scanned();
        return now.written - before.written >= rows + 8 && now;
      });
      expect(after.scanned - before.scanned).toBeLessThan(rows);
    });

  it('scenario 8: a process that dies after the delivery and before its acknowledgement', async () => {
    await deliverAll(consumer(), 1, 3);
    // Nobody has heard of it: the next process delivers the same events again, and goes on.
    await deliverAll(consumer(await backend.another()), 1, 5);
    expect(await effects()).toEqual([1, 2, 3, 4, 5]);
  });

  it.each(['before commit', 'after commit'] as const)('scenario 8: a connection lost %s', async (cut) => {
    const there = consumer(await backend.another({ orm: { port: cutter.port } }));
    await deliverAll(there, 1, 1);
    const before = cutter.cuts;
    cutter.arm(cut);
    await expect(deliverAll(there, 2, 2)).rejects.toThrow();
    expect(cutter.cuts).toBe(before + 1);
    await deliverAll(consumer(), 1, 3);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('what a handler wrote is gone when it failed, with its position', async () => {
    const failing = consumer(backend.handle, (seq) => {
      if (seq === '2') throw new Error('after the write');
    });
    await expect(deliverAll(failing, 1, 3)).rejects.toThrow('after the write');
    expect(await effects()).toEqual([1]);
    await deliverAll(consumer(), 2, 3);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('processes that deliver the same at once: each event takes effect once, in order', async () => {
    const handles = [backend.handle, await backend.another(), await backend.another()];
    await Promise.all(handles.map((handle) => deliverAll(consumer(handle), 1, 25)));
    expect(await effects()).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
  });
});
