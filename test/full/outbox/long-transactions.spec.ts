import { OutboxFeed } from '../../../lib/outbox/channels.js';
import { SqlChannelReader, SqlEventPruning } from '../../../lib/outbox/channels.sql.js';
import { backendOf } from '../../support/backends.js';
import { watching } from '../../support/channel-watch.js';
import { openTransactions } from '../../support/open-transactions.js';
import { channelsUpTo, RelayHouse } from '../../support/relays.js';
import { startPostgres } from '../../support/servers/postgres.mjs';
import { type ServerAddress, servers } from '../../support/test-servers.js';
import { until } from '../../support/until.js';

const CHANNELS = channelsUpTo(20);

/** PostgreSQL prepares no transactions unless it was started so. */
async function serverFor(address: ServerAddress): Promise<{ address: ServerAddress; stop(): Promise<void> }> {
  if (address.db !== 'postgres') return { address, stop: () => Promise.resolve() };
  return startPostgres({ flags: ['-c', 'max_prepared_transactions=5'] });
}

describe.each(servers)('an outbox beside transactions that do not end [$db]', (known) => {
  let server: Awaited<ReturnType<typeof serverFor>>;
  let house: RelayHouse;
  let end: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    server = await serverFor(known);
    house = await RelayHouse.open(backendOf('typeorm', known.db, server.address));
  });
  afterEach(async () => {
    await end?.();
    end = undefined;
    await house.empty();
  });
  afterAll(async () => {
    await house?.close();
    await server?.stop();
  });

  const rows = () => house.backend.query('SELECT sequence_id, processed FROM durable_outbox ORDER BY sequence_id');

  it('6: is published as fast as without them, and leaves one row as ever', async () => {
    await house.start({ options: { pollMs: 100 } });
    const lag = async (round: number) => {
      const times: number[] = [];
      for (let n = 0; n < 10; n++) {
        const from = performance.now();
        await house.write(CHANNELS, 1);
        const count = round * 10 + n + 1;
        await until('all are delivered', () => CHANNELS.every((channel) => house.firsts(channel).length === count));
        times.push(performance.now() - from);
      }
      // The fast ones: a machine that is busy is late with anything.
      return times.sort((a, b) => a - b)[2]!;
    };
    await lag(0);
    const before = await lag(1);
    end = await openTransactions(house.backend, server.address);
    const beside = await lag(2);
    expect(beside).toBeLessThan(before * 3 + 5_000);
    await until('all is acknowledged', async () => (await house.pending()) === 0);
    await until('one row is left', async () => (await rows()).length === 1);
    const left = await rows();
    expect(Number(left[0]?.['sequence_id'])).toBe(Math.max(...house.log.map(({ id }) => id)));
    expect(house.disordered).toEqual([]);
  });

  it('6: is read and pruned meanwhile', async () => {
    end = await openTransactions(house.backend, server.address);
    await house.write(CHANNELS, 3);
    const isDone = known.db === 'postgres' ? 'true' : '1';
    await house.backend.query(`UPDATE durable_outbox SET processed = ${isDone}`);
    const feed = new OutboxFeed(new SqlChannelReader(house.db, house.tables), {
      onError: () => undefined,
      pollMs: 20,
    });
    feed.start();
    try {
      const seen = await watching(feed, CHANNELS[0]!, { after: '0' });
      await until('it has read them', () => seen.told.length === 3);
    } finally {
      await feed.stop();
    }
    const pruning = new SqlEventPruning(house.db, house.tables);
    const newest = Number((await rows()).at(-1)?.['sequence_id']);
    await pruning.prune({ retainMs: 0, after: '0', limit: 1_000 });
    expect((await rows()).map((left) => Number(left['sequence_id']))).toEqual([newest]);
  });
});
