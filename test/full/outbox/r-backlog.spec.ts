import { createNotifier } from '../../../lib/sql/notifier.js';
import { type Backend, backends, chosen } from '../../support/backends.js';
import { numbersTable } from '../../support/crowded-tables.js';
import { explained } from '../../support/explaining-executor.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { until } from '../../support/until.js';

/** One channel that stands still, and live ones. */
const STUCK = 40_000;
const MANY = 6_000;
/** A row for each shard, destination or node. */
const SMALL = new Set([
  'durable_outbox_shards',
  'durable_outbox_destinations',
  'durable_outbox_nodes',
  'durable_migrations',
]);

const describeBacklogs = (at: Backend): void =>
  describe(`a backlog [${at.db}]`, () => {
    let house: RelayHouse;
    const fill = (count: number, channel: string) =>
      house.backend.query(
        `INSERT INTO durable_outbox (mutation_id, channel, name, data) SELECT 'm', ${channel}, 'changed', '{"n":1}' FROM numbers WHERE n < ${count}`,
      );
    const block = (channel: string) =>
      house.backend.query(
        `INSERT INTO durable_outbox_channels (destination, channel, state) VALUES ('broker', '${channel}', 'blocked')`,
      );
    const options = {
      leaseMs: 30_000,
      publishTimeoutMs: 10_000,
      concurrency: 100,
      buffer: 4_000,
      channelsPerShard: 200,
    };

    beforeAll(async () => {
      house = await RelayHouse.open(at, 'none');
      await numbersTable(house.backend.query, STUCK);
    });
    afterEach(() => house.empty());
    afterAll(() => house?.close());

    it('of one channel that stands still leaves the latency of all others as it is', async () => {
      await fill(STUCK, `'stuck'`);
      await block('stuck');
      const written = new Map<string, number>();
      await house.start({ options: { ...options, pollMs: 100 } });
      const channels = channelsUpTo(200);
      for (let round = 0; round < 10; round++) {
        const some = channels.slice(round * 20, round * 20 + 20);
        await house.write(some, 1);
        for (const channel of some) written.set(channel, performance.now());
        await until('they are delivered', () => some.every((channel) => house.firsts(channel).length === 1));
      }
      const waits = house.log.map(({ channel, at: done }) => done - written.get(channel)!).sort((a, b) => a - b);
      expect(waits).toHaveLength(200);
      // Ten polls where nothing tells of events, and the work itself; most of the rounds may meet a busy machine.
      expect(waits[19]).toBeLessThan(1_500);
      expect(house.firsts('stuck')).toEqual([]);
    });

    it('of many channels is delivered whole, each channel in order, none left behind', async () => {
      await fill(MANY, `CONCAT('channel-', n)`);
      await fill(MANY, `CONCAT('channel-', n)`);
      await house.start({ options });
      await until('all is delivered', () => house.log.length === 2 * MANY);
      await until('all is acknowledged', async () => (await house.pending()) === 0);
      expect(house.repeated).toBe(0);
      expect(house.disordered).toEqual([]);
    });

    it('of one busy channel lets the others pass', async () => {
      await fill(STUCK / 4, `'busy'`);
      await house.write(channelsUpTo(50), 1);
      const deliver = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
      await house.start({ options, deliver });
      await until('all others', () =>
        channelsUpTo(50).every((channel) => house.log.some((entry) => entry.channel === channel)),
      );
      expect(house.log.filter(({ channel }) => channel === 'busy').length).toBeLessThan(STUCK / 8);
    });

    it('is read by index alone, whatever the planner knows', async () => {
      const found: string[] = [];
      for (const analysed of [false, true]) {
        await fill(STUCK, `'stuck'`);
        await block('stuck');
        await fill(MANY / 4, `CONCAT('channel-', n)`);
        if (analysed) await house.backend.query(`ANALYZE ${at.db === 'postgres' ? '' : 'TABLE '}durable_outbox`);
        await house.write(['poison'], 1, 'poison');
        const watched = explained(house.db, SMALL);
        const notifier = createNotifier(watched.executor, 'durable', () => undefined);
        const deliver = (events: readonly { name: string }[]) => {
          if (events.some(({ name }) => name === 'poison')) throw new Error('no');
        };
        const policy = policyOf({ onPoison: 'park', attempts: 2 });
        const started = await house.start({ db: watched.executor, deliver, options: { ...options, policy } });
        await until('all else is delivered', () => house.log.length === MANY / 4);
        await until(
          'it is put aside',
          async () => (await started.storage.deadLetters.list({ destination: 'broker', limit: 1 })).length === 1,
        );
        await started.storage.acknowledgements.tidy([1, 2, 3]);
        await started.storage.deadLetters.lag('broker', 10, 100);
        // Whether somebody else has locked rows is asked once, at the start.
        const scans = watched.scans.filter(({ text }) => !text.includes('lock_expiry'));
        for (const { statement, scanned, text } of scans) found.push(`${statement}: ${scanned}\n${text}`);
        expect(watched.looked).toBeGreaterThan(8);
        await notifier.stop();
        await house.empty();
      }
      expect(found).toEqual([]);
    });
  });

for (const at of chosen(
  'backlogs',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describeBacklogs(at);
