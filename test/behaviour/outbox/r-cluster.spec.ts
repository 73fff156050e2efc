import { ConsumerDestination } from '../../../lib/outbox/destinations.js';
import { SqlInbox } from '../../../lib/outbox/destinations.sql.js';
import { relayNodeId } from '../../../lib/outbox/storage.js';
import { rendezvous } from '../../../lib/outbox/shards.js';
import { sql } from '../../../lib/sql/statement.js';
import { systemClock } from '../../../lib/core/time.js';
import { describeDatabases } from '../../support/backends.js';
import { gate } from '../../support/gate.js';
import { channelsUpTo, RelayHouse, type TestRelay } from '../../support/relays.js';
import { until } from '../../support/until.js';

const CHANNELS = channelsUpTo(40);
const HOUR = 3_600_000;
/** Forty transactions at once take their time where a disk is slow. */
const PATIENT = { publishTimeoutMs: 15_000 };

describeDatabases('several relays', (at) => {
  let house: RelayHouse;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterEach(() => house.empty());
  afterAll(() => house?.close());

  const allDelivered = (count: number) => async () =>
    (await house.pending()) === 0 && CHANNELS.every((channel) => house.firsts(channel).length >= count);

  it('what was delivered and not acknowledged comes again with its number, and an inbox applies it once', async () => {
    await house.write(CHANNELS, 3);
    const lost = gate();
    const around = (name: string, call: () => unknown) => {
      if (name !== 'acknowledge') return call();
      lost.open();
      return new Promise(() => {});
    };
    await house.backend.query('CREATE TABLE applied (channel varchar(100), event bigint)');
    const inbox = new SqlInbox(house.db, house.tables);
    const handler = {
      patterns: ['*'],
      run: async ({ channel, sequenceId }: { channel: string; sequenceId: string }, handle: unknown) => {
        await house.db
          .join(handle)
          .run(sql`INSERT INTO applied (channel, event) VALUES (${channel}, ${Number(sequenceId)})`);
      },
    };
    const consumer = new ConsumerDestination(inbox, 'consumer', [handler]);
    const deliver = consumer.deliver.bind(consumer);
    const dying = await house.start({ around, deliver, options: PATIENT });
    await lost.opened;
    await until('much was delivered', () => house.log.length >= 60);
    await dying.deadLetter();
    const before = house.log.length;
    await house.start({ deliver, options: PATIENT });
    await until('all is delivered and acknowledged', allDelivered(3));
    expect(house.log.length).toBeGreaterThan(before);
    expect(house.repeated).toBeGreaterThan(0);
    expect(house.disordered).toEqual([]);
    const applied = await house.backend.query(
      'SELECT channel, event, COUNT(*) AS n FROM applied GROUP BY channel, event',
    );
    expect(applied).toHaveLength(CHANNELS.length * 3);
    expect(new Set(applied.map((row) => Number(row['n'])))).toEqual(new Set([1]));
  });

  it('share the shards, and hand them over without a gap or a second delivery, from one to four to two', async () => {
    const deliver = () => new Promise<void>((resolve) => setTimeout(resolve, 3));
    const relays: TestRelay[] = [await house.start({ deliver })];
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) {
        await house.write(CHANNELS, 1);
        written++;
      }
    })();
    for (let n = 0; n < 3; n++) {
      // The clocks of processes are of no consequence.
      const clock = { now: () => systemClock.now() + (n - 1) * HOUR };
      relays.push(await house.start({ deliver, clock }));
    }
    await until('each has shards', async () => {
      const owners = await house.owners();
      return relays.every(({ nodeId }) => (owners.get(nodeId) ?? 0) > 0);
    });
    await house.backend.query('DELETE FROM durable_outbox_nodes WHERE id = ?', [relays[1]!.nodeId]);
    const delivering = house.log.length;
    await until('it goes on', () => house.log.length > delivering + 200);
    await Promise.all(relays.slice(2).map(({ relay }) => relay.stop()));
    await until('two have them all', async () => {
      const owners = await house.owners();
      return relays.slice(0, 2).reduce((sum, { nodeId }) => sum + (owners.get(nodeId) ?? 0), 0) === 64;
    });
    writing = false;
    await writer;
    await until('all is delivered', allDelivered(written));
    expect(house.disordered).toEqual([]);
    expect(house.overlaps).toEqual([]);
    expect(house.repeated).toBe(0);
    expect(house.log).toHaveLength(written * CHANNELS.length);
  });

  it('that see nobody but themselves never publish the same, and share again in a beat when they see each other', async () => {
    let split = true;
    const alone = (self: () => string) => async (name: string, call: () => unknown) => {
      const answer = await call();
      return name === 'beat' && split ? [self()] : answer;
    };
    const ids: string[] = [];
    const start = async () => {
      const n = ids.length;
      ids.push('');
      const booted = house.boot({ around: alone(() => ids[n]!) });
      ids[n] = booted.nodeId;
      await booted.relay.start();
      return booted;
    };
    const [a, b] = [await start(), await start()];
    for (let n = 0; n < 10; n++) await house.write(CHANNELS, 1);
    await until('all is delivered', allDelivered(10));
    expect(house.repeated).toBe(0);
    expect((await house.owners()).get(a.nodeId)).toBe(64);
    split = false;
    const wanted = Array.from({ length: 64 }, (_, shard) => rendezvous([a.nodeId, b.nodeId], 'broker', shard));
    const share = wanted.filter((node) => node === b.nodeId).length;
    await until('they share', async () => (await house.owners()).get(b.nodeId) === share);
    await house.write(CHANNELS, 5);
    await until('all is delivered', allDelivered(15));
    expect(house.repeated).toBe(0);
    expect(house.overlaps).toEqual([]);
    expect(house.disordered).toEqual([]);
  });

  it("a shard whose rightful owner does not take it is anybody's after a lease", async () => {
    const idle = relayNodeId('idle');
    let looks = 0;
    const around = (name: string, call: () => unknown) => (name === 'acquire' && looks++, call());
    const options = { leaseMs: HOUR, heartbeatTimeoutMs: 1_500 };
    const { nodeId, storage } = await house.start({ around, options });
    const only = await house.owners();
    expect([...only.values()]).toEqual([64]);
    await storage.nodes.beat(idle, HOUR);
    const wanted = Array.from({ length: 64 }, (_, shard) => rendezvous([nodeId, idle], 'broker', shard));
    const share = wanted.filter((node) => node === idle).length;
    const free = async () => (await house.owners()).get('null') ?? 0;
    await until('its share is given up for it', async () => (await free()) === share);
    const before = looks;
    await until('somebody looks for free ones', () => looks > before + 1);
    expect(await free()).toBe(share);
    await house.backend.query('UPDATE durable_outbox_shards SET lease_until = lease_until - ? WHERE owner IS NULL', [
      HOUR,
    ]);
    await until('they are taken', async () => (await free()) === 0);
    await house.write(CHANNELS, 1);
    await until('all is delivered', allDelivered(1));
    await storage.nodes.leave(idle);
  });

  it('a start beside another connector is refused, and leaves nothing behind', async () => {
    const booted = house.boot();
    await booted.storage.nodes.beat('0d5b1c4e-0000-4000-8000-adbc', 60_000);
    await expect(booted.relay.start()).rejects.toMatchObject({ code: 'OUTBOX_OCCUPIED' });
    expect(await house.backend.query('SELECT id FROM durable_outbox_nodes')).toHaveLength(1);
    await booted.storage.nodes.leave('0d5b1c4e-0000-4000-8000-adbc');
    await house.write(['a'], 1);
    const utc =
      house.backend.db === 'postgres'
        ? `now() AT TIME ZONE 'utc' + interval '1 minute'`
        : 'UTC_TIMESTAMP() + INTERVAL 1 MINUTE';
    await house.backend.query(`UPDATE durable_outbox SET locked_by = 'adbc', lock_expiry = ${utc}`);
    await expect(booted.relay.start()).rejects.toMatchObject({ code: 'OUTBOX_OCCUPIED', nodeId: 'adbc' });
  });
});
