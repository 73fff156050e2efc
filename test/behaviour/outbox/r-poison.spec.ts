import { NonRetryablePublishError } from '../../../lib/core/errors.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import type { OnPoison } from '../../../lib/outbox/destinations.js';
import { describeDatabases } from '../../support/backends.js';
import { type Deliver, policyOf, RelayHouse, type RelayBoot } from '../../support/relays.js';
import { until } from '../../support/until.js';

const LETTERS = [...'ABCDEFGH'];

/** Throws for events of this name. */
const refusing = (name: string, of: { broken: boolean }) => (events: readonly OutboxEvent[]) => {
  if (of.broken && events.some((event) => event.name === name)) throw new Error('refused');
};

describeDatabases('an event that cannot be delivered', (at) => {
  let house: RelayHouse;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterEach(() => house.empty());
  afterAll(() => house?.close());

  /** The second event of A is poison; every channel has three. */
  async function published(onPoison: OnPoison, of: { broken: boolean }, more: RelayBoot = {}) {
    await house.write(LETTERS, 1);
    await house.write(['A'], 1, 'poison');
    await house.write(LETTERS.slice(1), 1);
    await house.write(LETTERS, 1);
    const options = { policy: policyOf({ onPoison }) };
    return house.start({ options, deliver: refusing('poison', of), ...more });
  }
  const idsOf = async (channel: string) => {
    const rows = await house.backend.query('SELECT sequence_id FROM durable_outbox WHERE channel = ? ORDER BY 1', [
      channel,
    ]);
    return rows.map((row) => Number(row['sequence_id']));
  };
  const others = LETTERS.slice(1);
  const flowed = () => others.every((channel) => house.firsts(channel).length === 3);

  it('blocks its own channel alone, until somebody lets it try again', async () => {
    const of = { broken: true };
    const { storage } = await published('block', of);
    const blocked = () => storage.deadLetters.standing('broker', 10);
    await until('A is blocked and all others flow', async () => flowed() && (await blocked()).length === 1);
    const [channel] = await blocked();
    expect(channel).toMatchObject({ channel: 'A', state: 'blocked', attempts: 3, error: 'Error: refused' });
    expect(house.firsts('A')).toHaveLength(1);
    expect((await idsOf('A')).length).toBeGreaterThanOrEqual(2);
    of.broken = false;
    await storage.deadLetters.retry('broker', 'A');
    await until('A flows', () => house.firsts('A').length === 3);
    expect(house.disordered).toEqual([]);
    expect(house.repeated).toBe(0);
  });

  it('is not one that relays held when they lost their leases: they have not died, and say so', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = 0;
    const deliver: Deliver = async (_, { signal }) => {
      begun++;
      await Promise.race([gate, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
    };
    const options = {
      leaseMs: 600_000,
      heartbeatTimeoutMs: 1_500,
      publishTimeoutMs: 300_000,
      policy: policyOf({ crashes: 1 }),
    };
    const relays = [await house.start({ options, deliver }), await house.start({ options, deliver })];
    await house.write(['A'], 1);
    await until('one delivers it', () => begun === 1);
    // Whoever takes it next blames the other one, if that had it.
    for (let cut = 1; cut <= 5; cut++) {
      const before = begun;
      await house.expireLeases();
      await until(`it is delivered anew, cut ${cut}`, () => begun > before);
    }
    open();
    await until('A flows', async () => (await house.pending()) === 0);
    expect(await relays[0]!.storage.deadLetters.standing('broker', 10)).toEqual([]);
  });

  it('goes on behind a head that somebody skips', async () => {
    const { storage } = await published('block', { broken: true });
    await until('A is blocked', async () => (await storage.deadLetters.standing('broker', 10)).length === 1);
    expect(await storage.deadLetters.skip('broker', 'A')).toBe(true);
    await until('the rest of A', () => house.firsts('A').length === 2);
    const [dead] = await storage.deadLetters.list({ destination: 'broker', limit: 10 });
    expect(dead).toMatchObject({ channel: 'A', name: 'poison', reason: 'skipped' });
  });

  it('is put aside with its number, and comes again with it when it is given back', async () => {
    const of = { broken: true };
    const { storage } = await published('park', of);
    await until('all others flow, in A too', () => flowed() && house.firsts('A').length === 2);
    const dead = await storage.deadLetters.list({ destination: 'broker', limit: 10 });
    expect(dead).toHaveLength(1);
    expect(dead[0]).toMatchObject({ channel: 'A', name: 'poison', reason: 'failed', attempts: 3 });
    of.broken = false;
    await storage.deadLetters.requeue('broker', 'A');
    await until('it is delivered', () => house.firsts('A').length === 3);
    const last = house.log.filter(({ channel }) => channel === 'A').at(-1)!;
    expect(last).toMatchObject({ id: Number(dead[0]!.sequenceId), requeued: true });
    await until(
      'it is no longer dead',
      async () => (await storage.deadLetters.list({ destination: 'broker', limit: 10 })).length === 0,
    );
  });

  it('takes what follows in its channel along, and a requeue restores the order', async () => {
    const of = { broken: true };
    const { storage } = await published('park-channel', of);
    const deadOf = () => storage.deadLetters.list({ destination: 'broker', limit: 10 });
    await until('two are dead and all others flow', async () => flowed() && (await deadOf()).length === 2);
    await house.write(['A'], 1);
    await until('the next one joins them', async () => (await deadOf()).length === 3);
    expect((await deadOf()).map(({ reason }) => reason)).toEqual(['failed', 'behind', 'behind']);
    expect(house.firsts('A')).toHaveLength(1);
    of.broken = false;
    await storage.deadLetters.requeue('broker', 'A');
    await house.write(['A'], 2);
    await until('all of A', () => house.firsts('A').length === 6);
    expect(house.disordered).toEqual([]);
    expect(house.repeated).toBe(0);
    expect(await storage.deadLetters.standing('broker', 10)).toEqual([]);
  });

  it('is given back with what is just queueing behind it, whichever of the two commits first', async () => {
    const { storage } = house.boot();
    const { acknowledgements, deadLetters, source } = storage;
    await storage.destinations.register(['broker'], 64);
    const wanted = Array.from({ length: 64 }, (_, shard) => shard);
    const request = { destination: 'broker', wanted, strays: 0, leaseMs: 60_000 };
    const leases = new Map((await storage.leases.acquire('me', request)).map((lease) => [lease.shard, lease]));
    const shards = wanted.map((shard) => ({ shard, after: '' }));
    const look = { destination: 'broker', shards, channels: 50, perChannel: 5, limit: 500, busy: [] };
    for (let round = 0; round < 10; round++) {
      const channels = LETTERS.map((letter) => `${letter}${round}`);
      await house.write(channels, 2);
      const { batches } = await source.fetch(look);
      expect(batches.map(({ channel }) => channel).sort()).toEqual(channels);
      const buried = (at: number, reason: 'failed' | 'behind') =>
        batches.map(({ channel, shard, events }) => ({
          lease: leases.get(shard)!,
          channel,
          event: events[at]!,
          attempts: 1,
          reason,
          error: null,
          parksChannel: reason === 'failed',
          requeued: false,
        }));
      await acknowledgements.deadLetter('me', buried(0, 'failed'));
      const requeues = channels.map((channel) => deadLetters.requeue('broker', channel));
      await Promise.all([acknowledgements.deadLetter('me', buried(1, 'behind')), ...requeues]);
    }
    const dead = await deadLetters.list({ destination: 'broker', limit: 500 });
    expect(dead.filter(({ reason }) => reason !== 'requeued')).toEqual([]);
    expect(dead).toHaveLength(10 * 2 * LETTERS.length);
    expect((await deadLetters.standing('broker', 500)).every(({ state }) => state === 'requeued')).toBe(true);
  });

  it('is judged at once when its publisher says that nothing will help', async () => {
    let calls = 0;
    const deliver = (events: readonly OutboxEvent[]) => {
      if (!events.some(({ name }) => name === 'poison')) return;
      calls++;
      throw new NonRetryablePublishError('no such topic');
    };
    const { storage } = await published('park', { broken: true }, { deliver, batchSize: 1 });
    await until('all others flow, in A too', () => flowed() && house.firsts('A').length === 2);
    expect(calls).toBe(1);
    expect((await storage.deadLetters.list({ destination: 'broker', limit: 10 }))[0]).toMatchObject({
      reason: 'refused',
    });
  });

  it('is judged after it has killed three processes; what is beside it is blamed for nothing', async () => {
    await house.write(LETTERS, 2);
    await house.write(['X'], 1, 'deadly');
    await house.write(['X'], 1);
    let kills = 0;
    for (let life = 0; life < 5 && house.firsts('X').length === 0; life++) {
      const ended = { killed: false };
      const deliver = async (events: readonly OutboxEvent[]) => {
        if (!events.some(({ name }) => name === 'deadly')) return;
        kills++;
        ended.killed = true;
        mortal.kill();
        await new Promise(() => {});
      };
      const options = { policy: policyOf({ onPoison: 'park' }) };
      const mortal = house.boot({ options, deliver, batchSize: 1 });
      await mortal.relay.start();
      await until('it dies of X, or X is put aside', () => ended.killed || house.firsts('X').length > 0);
      if (ended.killed) await mortal.deadLetter();
    }
    expect(kills).toBe(3);
    await until('all others are delivered', async () => (await house.pending()) === 0);
    expect(LETTERS.map((letter) => house.firsts(letter).length)).toEqual(LETTERS.map(() => 2));
    const rows = await house.backend.query('SELECT channel, name, reason FROM durable_outbox_dead');
    expect(rows).toEqual([{ channel: 'X', name: 'deadly', reason: 'crashed' }]);
  });

  it('holds up nobody else by the length of its channel, which others than us may choose', async () => {
    const long = 'x'.repeat(300);
    const writing = house.write([long], 2);
    const wasWritten = house.backend.db === 'postgres';
    if (!wasWritten) await expect(writing).rejects.toThrow();
    await writing.catch(() => undefined);
    await house.write(LETTERS, 2);
    const failed = new Set<string>();
    const onceFailing = (events: readonly OutboxEvent[]) => {
      const { channel = '' } = events[0] ?? {};
      if (failed.has(channel)) return;
      failed.add(channel);
      throw new Error('not yet');
    };
    await house.start({ deliver: onceFailing });
    await house.start({ destination: 'other' });
    await until('all is delivered', async () => (await house.pending()) === 0);
    expect(house.firsts(long)).toHaveLength(wasWritten ? 2 : 0);
    expect(LETTERS.map((letter) => house.firsts(letter).length)).toEqual(LETTERS.map(() => 2));
  });
});
