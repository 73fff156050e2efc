import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import type { OutboxOrdering } from '../../../lib/outbox/events.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { inTransaction, openOutbox, type OpenOutbox } from '../../support/outbox-app.js';
import { contend } from '../../support/outbox-oracle.js';
import { watchOutbox } from '../../support/outbox-watch.js';

/** As long as MySQL's family takes them one by one, and together more than MariaDB takes in one statement. */
const LONG = 'x'.repeat(1_000_000);
const long = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    channel: `c${i % 3}`,
    name: 'e',
    mutationId: `${from + i}`,
    data: LONG,
  }));
const small = (channel: string, count: number) => Array.from({ length: count }, () => ({ channel, name: 'e' }));
const upTo = (count: number) => Array.from({ length: count }, (_, i) => String(i));

describeDatabases('a transaction with more events than a server takes in one statement', (at) => {
  let backend: OpenBackend;
  let open: OpenOutbox;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 8 });
    open = await openOutbox(backend);
  });
  beforeEach(() => backend.query('DELETE FROM outbox'));
  afterAll(() => backend.close());

  /** Events that became visible below a seen one of their channel while `work` was done. */
  const lateDuring = async (work: () => Promise<void>) => {
    const watch = watchOutbox(backend);
    try {
      await work();
    } finally {
      await watch.stop();
    }
    return watch.late;
  };
  const rows = () =>
    backend.query<{ mutation_id: string; size: unknown }>(
      `SELECT mutation_id, length(CAST(data AS char(2000000))) AS size FROM outbox ORDER BY sequence_id`,
    );
  const expectLong = async (count: number) => {
    const found = await rows();
    expect(found.map((row) => row.mutation_id)).toEqual(upTo(count));
    // With the quotes of JSON.
    expect(new Set(found.map(({ size }) => Number(size)))).toEqual(new Set([LONG.length + 2]));
  };

  it('commits long events in the order given', async () => {
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      await open.outbox.publish(long(0, 12), { transaction });
      await open.outbox.publish(long(12, 8), { transaction });
    });
    await expectLong(20);
  });

  it('commits them without a transaction of the app', async () => {
    await open.outbox.publish(long(0, 20));
    await expectLong(20);
    expect(open.told.published.at(-1)).toBe('["c0","c1","c2"]');
  });

  it('commits all of them or none', async () => {
    const writer = new SqlOutboxWriter(open.executor, open.tables, { local: () => 0, publish: () => 0 }, 'commit');
    const event = { mutationId: 'm', channel: 'a', name: 'e', rejected: false, data: null, headers: null };
    const events = [...Array.from({ length: 2_500 }, () => event), { ...event, data: 'no JSON' }];
    await expect(writer.writeAlone(events)).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });

  it('writes as many as there are', async () => {
    await inTransaction(backend, 'READ COMMITTED', async (transaction) => {
      await open.outbox.publish({ channel: 'a', name: 'e' }, { transaction });
      await open.outbox.publish(small('a', 150_000), { transaction });
    });
    const [row] = await backend.query('SELECT COUNT(*) AS n FROM outbox');
    expect(Number(row?.['n'])).toBe(150_001);
  });

  it('keeps the order of commits among thousands of small ones', async () => {
    const load = { writers: 4, transactions: 8, channels: 3, perTransaction: 2, events: 1_250 };
    const late = await lateDuring(async () => {
      const account = await contend(backend, open, load);
      expect(account).toMatchObject({ lost: 0, extra: 0, inversions: 0, ownConflicts: 0, failures: [] });
      expect(account.committed).toBe(20_000);
    });
    expect(late).toEqual([]);
  });

  it('makes no circle of waits when transactions write to their channels in opposite orders', async () => {
    const write = async (channels: readonly string[]) => {
      for (let i = 0; i < 4; i++)
        await inTransaction(backend, 'READ COMMITTED', (transaction) =>
          open.outbox.publish(
            channels.flatMap((channel) => small(channel, 1_500)),
            { transaction },
          ),
        );
    };
    const late = await lateDuring(async () => {
      await Promise.all([write(['a', 'b']), write(['b', 'a']), write(['a', 'b'])]);
    });
    expect(late).toEqual([]);
  });
});

describeDatabases('the same by another ordering', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 4 });
  });
  afterAll(() => backend.close());

  it.each<OutboxOrdering>(['insert', 'none'])('%s: writes them at once', async (ordering) => {
    const { outbox } = await openOutbox(backend, { ordering });
    await backend.query('DELETE FROM outbox');
    await inTransaction(backend, 'READ COMMITTED', (transaction) => outbox.publish(long(0, 20), { transaction }));
    const found = await backend.query('SELECT mutation_id FROM outbox ORDER BY sequence_id');
    expect(found.map((row) => row['mutation_id'])).toEqual(upTo(20));
  });
});
