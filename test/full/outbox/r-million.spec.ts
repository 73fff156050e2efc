import { backends, chosen } from '../../support/backends.js';
import { numbersTable } from '../../support/crowded-tables.js';
import { explained } from '../../support/explaining-executor.js';
import { channelsUpTo, RelayHouse } from '../../support/relays.js';
import { sized } from '../../support/tiers.js';
import { until } from '../../support/until.js';

const STUCK = sized(1_000_000);
const LIVE = sized(10_000);
const MANY = sized(100_000);
const ROUNDS = 50;
/** The channels with a row are those that stand still: one. Analysed as such, it is read without an index. */
const SMALL = new Set([
  'durable_outbox_shards',
  'durable_outbox_destinations',
  'durable_outbox_nodes',
  'durable_outbox_channels',
]);
const OPTIONS = { leaseMs: 60_000, publishTimeoutMs: 20_000, concurrency: 100, buffer: 4_000, channelsPerShard: 200 };
const POLLING = { ...OPTIONS, pollMs: 100, eventsPerChannel: 50 };

// What grows is the database's; the ORMs do the same with it in the specs of smaller backlogs.
for (const at of chosen(
  'a million',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describe(`an outbox of a million [${at.db}]`, () => {
    let house: RelayHouse;
    const fill = (count: number, channel: string) =>
      house.backend.query(
        `INSERT INTO durable_outbox (mutation_id, channel, name, data) SELECT 'm', ${channel}, 'changed', '{"n":1}' FROM numbers WHERE n < ${count}`,
      );
    const clear = () => house.backend.query('TRUNCATE TABLE durable_outbox');
    const deliveredOf = (prefix: string) => house.log.filter(({ channel }) => channel.startsWith(prefix)).length;

    /** How long a tenth of the events of some channels wait until they are delivered, in milliseconds. */
    const waitsOf = async (prefix: string): Promise<number> => {
      const waits: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const some = channelsUpTo(20).map((name) => `${prefix}-${name}-${round}`);
        await house.write(some, 1);
        const from = performance.now();
        await until('they are delivered', () => some.every((channel) => house.firsts(channel).length === 1));
        for (const { at: done } of house.log.slice(-some.length)) waits.push(Math.max(0, done - from));
      }
      return Math.round(waits.sort((a, b) => a - b)[Math.floor(waits.length / 10)]!);
    };

    beforeAll(async () => {
      house = await RelayHouse.open(at, 'none');
      await numbersTable(house.backend.query, STUCK);
    });
    afterEach(async () => {
      await clear();
      await house.empty();
    });
    afterAll(() => house?.close());

    it('14: in one channel that stands still, beside 10,000 that do not, keeps none of those waiting', async () => {
      const before = await house.start({ options: POLLING });
      const alone = await waitsOf('alone');
      await before.relay.stop();
      await fill(STUCK, `'stuck'`);
      await house.backend.query(
        `INSERT INTO durable_outbox_channels (destination, channel, state) VALUES ('broker', 'stuck', 'blocked')`,
      );
      await fill(LIVE, `CONCAT('live-', n)`);
      const watched = explained(house.db, SMALL);
      await house.start({ db: watched.executor, options: POLLING });
      await until('all that live are delivered', () => deliveredOf('live-') === LIVE, { withinMs: 180_000 });
      const beside = await waitsOf('beside');
      process.stdout.write(`beside ${STUCK} on ${at.db}: ${beside} ms, beside none ${alone} ms\n`);
      // A relay that walked over the backlog would take seconds for each look, even for the fastest.
      expect(beside).toBeLessThan(3 * alone + 1_000);
      expect(deliveredOf('stuck')).toBe(0);
      // Whether somebody else has locked rows is asked once, at the start.
      const scans = watched.scans.filter(({ text }) => !text.includes('lock_expiry'));
      expect(scans.map(({ statement, scanned }) => `${statement}: ${scanned}`)).toEqual([]);
      expect(house.disordered).toEqual([]);
    });

    it('14: a tenth of it in as many channels is delivered whole, none left behind', async () => {
      await fill(MANY, `CONCAT('one-', n)`);
      const from = performance.now();
      const started = await house.start({ options: OPTIONS, checkTimeoutMs: 60_000 });
      await until('all are delivered', () => house.log.length >= MANY, { withinMs: 900_000, everyMs: 50 });
      const drained = async () => (await house.pending()) === 0;
      await until('all are acknowledged', drained, { everyMs: 100 });
      process.stdout.write(`100,000 channels on ${at.db}: ${Math.round(performance.now() - from)} ms\n`);
      expect(house.log).toHaveLength(MANY);
      expect(house.repeated).toBe(0);
      // A machine that is busy opens a connection late: the relay says so, and goes on.
      const others = started.errors.filter((error) => !String(error).includes('timeout expired'));
      expect(others).toEqual([]);
    });
  });
