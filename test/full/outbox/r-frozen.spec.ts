import { type Backend, describeDatabases } from '../../support/backends.js';
import { type Freezing, freezing } from '../../support/freezing-executor.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { until } from '../../support/until.js';

const CHANNELS = channelsUpTo(20);
const LEASE_MS = 900;
/** A lease that runs out once more than the test wants is no reason to put anything aside. */
const POLICY = policyOf({ onPoison: 'park', attempts: 2, crashes: 1_000 });
const OPTIONS = { leaseMs: LEASE_MS, publishTimeoutMs: 300, policy: POLICY };
/** Of who delivers nothing until it is dead, however often its calls are given up. */
const ENDLESS = { ...OPTIONS, policy: { ...POLICY, attempts: 1_000 } };

// What is locked is the database's, whichever ORM asks.
const only = ({ orm }: Backend) => orm === 'typeorm';

const describeFrozen = (at: Backend): void => {
  let house: RelayHouse;
  let frozen: Freezing;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterEach(async () => {
    frozen?.thaw();
    await house.empty();
  });
  afterAll(() => house?.close());

  const refuse = (events: readonly { name: string }[]) => {
    if (events.some(({ name }) => name === 'poison')) throw new Error('refused');
  };

  /** It stops after the `nth` statement of a call of this port, and never says anything again. False: there are fewer. */
  async function standsStillIn(port: string, nth: number): Promise<boolean> {
    frozen = freezing(house.db);
    let calls = 0;
    const around = async (name: string, call: () => unknown) => {
      if (name !== port) return call();
      frozen.arm(nth);
      const answer = await call();
      frozen.disarm();
      calls++;
      return answer;
    };
    const zombie = house.boot({ db: frozen.executor, around, deliver: refuse, options: OPTIONS });
    // Who stands still while it signs in never has started.
    void zombie.relay.start().catch(() => undefined);
    await until('it stands still, or has come through', () => frozen.isFrozen || calls > 0);
    zombie.kill();
    return frozen.isFrozen;
  }

  const isPending = at.db === 'postgres' ? 'NOT processed' : 'processed = 0';
  const PORTS = ['acquire', 'renew', 'beat', 'acknowledge', 'fail', 'countCrash', 'deadLetter'];
  // What MySQL and MariaDB have locked for an event that is put aside is free when the connection ends.
  const ports = at.db === 'postgres' ? PORTS : PORTS.filter((port) => port !== 'deadLetter');

  it.each(ports)('%s, after any of its statements, leaves to others all that was its', async (port) => {
    for (let nth = 1; ; nth++) {
      if (port === 'countCrash') await house.start({ options: ENDLESS, deliver: () => new Promise(() => {}) });
      await house.write(CHANNELS, 1);
      await house.write(['poison'], 1, 'poison');
      if (port === 'countCrash') await abandon();
      const stood = await standsStillIn(port, nth);
      await house.start({ deliver: refuse, options: OPTIONS });
      await until('all is delivered or put aside', async () => (await house.pending()) === 0);
      expect(house.disordered).toEqual([]);
      expect(CHANNELS.map((channel) => house.firsts(channel).length)).toEqual(CHANNELS.map(() => 1));
      expect(await house.backend.query('SELECT channel FROM durable_outbox_dead')).toEqual([{ channel: 'poison' }]);
      frozen.thaw();
      await house.empty();
      if (!stood) break;
    }
  });

  it('acknowledge, after any of its statements, leaves the next event of a channel nothing of what was counted of one that is gone', async () => {
    for (let nth = 1; ; nth++) {
      await house.write(['a'], 2);
      await house.backend.query(
        `INSERT INTO durable_outbox_channels (destination, channel, crashed) VALUES ('broker', 'a', '[one][two]')`,
      );
      const stood = await standsStillIn('acknowledge', nth);
      // In one statement: what it still had under way may be written in between.
      const [seen] = await house.backend.query<{ events: unknown; counted: unknown }>(
        `SELECT (SELECT count(*) FROM durable_outbox WHERE ${isPending}) AS events,
          (SELECT count(*) FROM durable_outbox_channels WHERE channel = 'a') AS counted`,
      );
      expect({ gone: Number(seen?.events) < 2, counted: Number(seen?.counted) }).not.toEqual({
        gone: true,
        counted: 1,
      });
      frozen.thaw();
      await house.empty();
      if (!stood) break;
    }
  });

  /** All shards as after the death of their owner. */
  async function abandon(): Promise<void> {
    await until('it has all', async () => [...(await house.owners()).values()][0] === 64);
    house.killAll();
    await house.backend.query('UPDATE durable_outbox_shards SET lease_until = 0');
  }
};

describeDatabases('a process that stands still in the middle of', describeFrozen, { only });
