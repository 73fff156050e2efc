import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { lockWaiter } from '../../support/lock-waiters.js';
import { insertOf, inTransaction, openOutbox, type OpenOutbox, queryIn } from '../../support/outbox-app.js';
import { contend, type Load } from '../../support/outbox-oracle.js';
import { watchOutbox } from '../../support/outbox-watch.js';
import { sized } from '../../support/tiers.js';

const TRANSACTIONS = sized(180, 60);

const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

describeDatabases('order of the outbox', (at) => {
  const plain = at.db === 'postgres';
  let backend: OpenBackend;
  let open: OpenOutbox;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 13 });
    open = await openOutbox(backend);
  });
  beforeEach(() => backend.query('DELETE FROM outbox'));
  afterAll(() => backend.close());

  const written = async () =>
    (await backend.query('SELECT mutation_id FROM outbox ORDER BY sequence_id')).map((row) => row['mutation_id']);
  const publish = (handle: unknown, channel: string, mutationId: string) =>
    open.outbox.publish({ channel, name: 'e', mutationId }, { transaction: handle });
  const insert = (handle: unknown, channel: string, mutationId: string) =>
    queryIn(backend, handle, insertOf(channel, mutationId));

  it.each(plain ? [publish, insert] : [publish])('1: whoever commits later has the greater number', async (put) => {
    const [first, second] = [gate(), gate()];
    const slow = inTransaction(backend, 'READ COMMITTED', async (handle) => {
      await put(handle, 'a', 'slow');
      first.open();
      await second.opened;
    });
    await first.opened;
    await inTransaction(backend, 'READ COMMITTED', (handle) => put(handle, 'a', 'fast'));
    expect(await written()).toEqual(['fast']);
    second.open();
    await slow;
    expect(await written()).toEqual(['fast', 'slow']);
  });

  it('1: a number is drawn while nobody else of the channel is between number and commit', async () => {
    const [holding, go] = [gate(), gate()];
    const slow = inTransaction(backend, 'READ COMMITTED', async (handle) => {
      await publish(handle, 'a', 'slow');
      // Called together with the writing of events, and the commit waits for it.
      open.executor.join(handle).beforeCommit?.(async () => {
        // The connection answers in order: the first of these may go ahead of the writing, the second comes after it.
        for (let i = 0; i < 2; i++) await queryIn(backend, handle, 'SELECT 1');
        holding.open();
        await go.opened;
      });
    });
    await holding.opened;
    let over = false;
    const behind = inTransaction(backend, 'READ COMMITTED', (handle) => publish(handle, 'a', 'behind')).then(
      () => (over = true),
    );
    await inTransaction(backend, 'READ COMMITTED', (handle) => publish(handle, 'elsewhere', 'free'));
    try {
      await lockWaiter(backend);
      expect(over).toBe(false);
    } finally {
      go.open();
      await Promise.allSettled([slow, behind]);
    }
    await Promise.all([slow, behind]);
    expect((await written()).filter((mutationId) => mutationId !== 'free')).toEqual(['slow', 'behind']);
  });

  if (plain)
    it('1: plain INSERTs are numbered under the same lock', async () => {
      const [holding, go] = [gate(), gate()];
      const slow = inTransaction(backend, 'READ COMMITTED', async (handle) => {
        await insert(handle, 'a', 'slow');
        // As the commit does.
        await queryIn(backend, handle, 'SET CONSTRAINTS ALL IMMEDIATE');
        holding.open();
        await go.opened;
      });
      await holding.opened;
      const behind = [insert, publish].map((put, i) =>
        inTransaction(backend, 'READ COMMITTED', (handle) => put(handle, 'a', `behind ${i}`)),
      );
      try {
        await lockWaiter(backend, 2);
        expect(await written()).toEqual([]);
      } finally {
        go.open();
        await Promise.allSettled([slow, ...behind]);
      }
      await Promise.all([slow, ...behind]);
      expect((await written())[0]).toBe('slow');
    });

  const clean = { lost: 0, extra: 0, inversions: 0, ownConflicts: 0, failures: [] };
  const run = async (load: Partial<Load>) => {
    const account = await contend(backend, open, {
      writers: 12,
      transactions: TRANSACTIONS,
      channels: 3,
      perTransaction: 1,
      ...load,
    });
    expect(account).toMatchObject(clean);
    return account;
  };

  describe.each(plain ? ([['publish'], ['insert'], ['publish', 'insert']] as const) : ([['publish']] as const))(
    'by %s %s',
    (...ways) => {
      it.each(['first', 'last', 'mixed'] as const)('2: follows the commits, writing %s', async (when) => {
        expect((await run({ when, ways })).committed).toBe(TRANSACTIONS);
      });

      it('3: makes no circle of waits when transactions write to many channels in any order', async () => {
        const account = await run({ channels: 12, perTransaction: 5, events: 2, ways });
        expect(account.committed).toBe(TRANSACTIONS * 5 * 2);
      });

      it('3: knows nothing of savepoints that were rolled back', async () => {
        const account = await run({ channels: 6, perTransaction: 3, events: 2, savepoints: true, ways });
        expect(account.committed).toBeGreaterThan(TRANSACTIONS * 6 * 0.6);
        expect(account.committed).toBeLessThan(TRANSACTIONS * 6 * 0.9);
      });
    },
  );

  it('3: makes no circle of channels that share a lock', async () => {
    const names = await collidingChannels(backend);
    const account = await run({ channels: names.length, perTransaction: 3, events: 2, nameOf: (n) => names[n] ?? '' });
    expect(account.committed).toBe(TRANSACTIONS * 6);
  });

  it('1: whoever has seen a number has seen all smaller ones of its channel', async () => {
    const watch = watchOutbox(backend);
    const write = async (writer: number) => {
      // Until somebody has looked in between often enough.
      for (let i = 0; i < 40 || (watch.looks <= 5 && i < 1_000); i++)
        await inTransaction(backend, 'READ COMMITTED', async (handle) => {
          await publish(handle, `c${i % 2}`, `${writer}-${i}`);
          if (plain && writer % 2) await insert(handle, `c${(i + 1) % 2}`, `${writer}-${i}-plain`);
        });
    };
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    await watch.stop();
    expect(watch.late).toEqual([]);
    expect(watch.looks).toBeGreaterThan(5);
  });
});

/** Three pairs of channels that the database hashes into one bucket each. */
async function collidingChannels(backend: OpenBackend): Promise<string[]> {
  const bucket =
    backend.db === 'postgres' ? `('x' || substr(md5(channel), 1, 3))::bit(12)::int` : 'crc32(channel) % 4096';
  await backend.query('CREATE TABLE names (channel varchar(20))');
  const names = Array.from({ length: 1_000 }, (_, i) => `('collide:${i}')`);
  await backend.query(`INSERT INTO names VALUES ${names.join(', ')}`);
  const rows = await backend.query<{ channel: string; bucket: number }>(
    `SELECT channel, ${bucket} AS bucket FROM names ORDER BY bucket`,
  );
  const pairs = rows.flatMap((row, i) => (rows[i + 1]?.bucket === row.bucket ? [row, rows[i + 1] as typeof row] : []));
  return [...new Set(pairs.map(({ channel }) => channel))].slice(0, 6);
}
