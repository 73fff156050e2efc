import { DatabaseError } from '../../../lib/core/errors.js';
import { macrotask, ManualClock } from '../../../lib/core/time.js';
import { AcknowledgementBatcher, Deliverer } from '../../../lib/outbox/deliveries.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { OutboxRelay } from '../../../lib/outbox/relay.js';
import { inMemoryRelayStorage, MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import type { RelayOptions } from '../../../lib/outbox/destinations.js';
import { HeldShards } from '../../../lib/outbox/shards.js';
import type { RelayStorage } from '../../../lib/outbox/storage.js';
import { interceptedPort } from '../../../lib/testing/crash-explorer.js';
import { gate } from '../../support/gate.js';
import { relayOptions } from '../../support/relays.js';
import { until } from '../../support/until.js';

const ALL = Array.from({ length: 64 }, (_, shard) => shard);
const LEASE_MS = 30_000;
const clock = new ManualClock();
let tables: MemoryOutbox;
let storage: RelayStorage;
const append = (channel: string, more: Partial<OutboxEvent> = {}): OutboxEvent =>
  tables.append({ mutationId: 'm', channel, name: 'n', rejected: false, data: null, headers: null, ...more });
const idsOf = (events: readonly OutboxEvent[]) => events.map(({ sequenceId }) => sequenceId);
const deadIds = () => idsOf(tables.deadOf('broker'));

type Deliver = (events: readonly OutboxEvent[]) => void | Promise<void>;

const relay = (deliver: Deliver = () => undefined, attempts = 1, more: Partial<RelayOptions> = {}) => {
  const policy = { onPoison: 'park', attempts, backoff: { delay: 0 }, crashes: 3 } as const;
  const destination = { name: 'broker', batchSize: 5, deliver: async (some: readonly OutboxEvent[]) => deliver(some) };
  const signals = { live: true, subscribe: () => () => undefined };
  const options = relayOptions('unit', { policy, eventsPerChannel: 400, ...more });
  return new OutboxRelay(storage, [destination], signals, {}, options);
};

beforeEach(() => {
  tables = new MemoryOutbox(clock);
  storage = inMemoryRelayStorage(tables);
});

describe('channels of which the dead are given back', () => {
  const refusing = (tried: string[]) => (events: readonly OutboxEvent[]) => {
    tried.push(idsOf(events).join());
    if (events.some(({ name }) => name === 'poison')) throw new Error('refused');
  };

  /** As a process does that dies before it says that nothing is left of what was given back. */
  async function buryAgain(): Promise<void> {
    const taken = await storage.leases.acquire('mortal', {
      destination: 'broker',
      wanted: ALL,
      strays: 0,
      leaseMs: LEASE_MS,
    });
    const items = tables.deadOf('broker').map((event) => ({
      lease: taken.find(({ shard }) => shard === tables.shardOf(event.channel))!,
      channel: event.channel,
      event,
      attempts: 1,
      reason: 'failed' as const,
      error: null,
      parksChannel: false,
      requeued: true,
    }));
    await storage.acknowledgements.deadLetter('mortal', items);
    await storage.leases.release('mortal', taken);
  }

  it('go on where a process died after it had buried the last again, however many they are', async () => {
    const channels = Array.from({ length: 50 }, (_, n) => `c${n}`);
    for (const channel of channels) append(channel, { name: 'poison' });
    await relay(refusing([])).runOnce();
    for (const channel of channels) await storage.deadLetters.requeue('broker', channel);
    await buryAgain();
    for (const channel of channels) append(channel);
    append('z', { name: 'poison' });
    await relay(refusing([])).runOnce();
    await storage.deadLetters.requeue('broker', 'z');
    const tried: string[] = [];
    await relay(refusing(tried)).runOnce();
    expect(tables.pending.size).toBe(0);
    expect(tried).toContain('101');
    expect(await storage.deadLetters.standing('broker', 100)).toEqual([]);
  });

  it('have each of them tried as often as the policy says', async () => {
    append('a', { name: 'poison' });
    append('a', { name: 'poison' });
    await relay(refusing([])).runOnce();
    expect(await storage.deadLetters.requeue('broker', 'a')).toBe(2);
    const tried: string[] = [];
    const one = relay(refusing(tried), 3);
    for (let n = 0; n < 5; n++) await one.runOnce();
    expect(tried).toEqual(['1,2', '1', '1', '2', '2', '2']);
  });

  it('are not delivered again if a delivery ends while such channels are read', async () => {
    append('a', { name: 'poison' });
    await relay(refusing([])).runOnce();
    await storage.deadLetters.requeue('broker', 'a');
    const elapsed = new ManualClock();
    const goes = gate();
    let looks = 0;
    const { source } = storage;
    const requeued: typeof source.requeued = async (...asked) => {
      const batches = await source.requeued(...asked);
      elapsed.advance(1_000);
      if (++looks === 2) {
        goes.open();
        await until('it is acknowledged', () => deadIds().length === 0);
        await macrotask();
      }
      return batches;
    };
    storage = { ...storage, source: Object.assign(Object.create(source) as typeof source, { requeued }) };
    const tried: string[] = [];
    const deliver = async (events: readonly OutboxEvent[]) => {
      tried.push(idsOf(events).join());
      await goes.opened;
    };
    await relay(deliver, 1, { elapsed }).runOnce();
    expect(looks).toBeGreaterThan(1);
    expect(tried).toEqual(['1']);
  });

  it('are delivered at once if they were requeued while others of the channel are delivered', async () => {
    append('a', { name: 'poison' });
    await relay(refusing([])).runOnce();
    append('a');
    const elapsed = new ManualClock();
    const goes = gate();
    const { source } = storage;
    const requeued: typeof source.requeued = async (...asked) => {
      const batches = await source.requeued(...asked);
      if (batches.length === 0) elapsed.advance(1_000);
      else {
        goes.open();
        await until('it is acknowledged', () => tables.pending.size === 0);
        await macrotask();
      }
      return batches;
    };
    const { deadLetters } = storage;
    storage = { ...storage, source: Object.assign(Object.create(source) as typeof source, { requeued }) };
    const tried: string[] = [];
    const deliver = async (events: readonly OutboxEvent[]) => {
      tried.push(idsOf(events).join());
      if (tried.length > 1) return;
      await deadLetters.requeue('broker', 'a');
      await goes.opened;
    };
    await relay(deliver, 1, { elapsed }).runOnce();
    expect(tried).toEqual(['2', '1']);
  });

  it('leave nothing of channels that are empty and have no dead', async () => {
    append('a');
    append('requeued', { name: 'poison' });
    append('skipped', { name: 'poison' });
    await relay(refusing([])).runOnce();
    await storage.deadLetters.requeue('broker', 'requeued');
    await relay().runOnce();
    append('skipped', { name: 'poison' });
    await relay(refusing([]), 1, { policy: { onPoison: 'block', attempts: 1, backoff: {}, crashes: 3 } }).runOnce();
    expect(await storage.deadLetters.standing('broker', 10)).toMatchObject([{ channel: 'skipped' }]);
    expect(await storage.deadLetters.skip('broker', 'skipped')).toBe(true);
    expect([...tables.channels.keys()]).toEqual([]);
  });
});

describe('what follows a dead event in a parked channel', () => {
  const BIG = 'x'.repeat(1_500_000);
  let written: string[][];
  const left = () => idsOf(tables.waiting('broker', 'a'));

  /** Carries so many events of it to one of two destinations, with burials that may fail. */
  async function carried(count: number, data: string, failing: (ids: string[], lose: () => void) => Error | undefined) {
    const { acknowledgements, destinations, leases } = storage;
    await destinations.register(['broker', 'other'], 64);
    const shard = tables.shardOf('a');
    const [lease] = await leases.acquire('me', {
      destination: 'broker',
      wanted: [shard],
      strays: 0,
      leaseMs: LEASE_MS,
    });
    const events = Array.from({ length: count }, () => append('a', { data }));
    const elapsed = new ManualClock();
    const shards = new HeldShards();
    const held = shards.add(lease!, elapsed.now() + LEASE_MS);
    written = [];
    const deadLetter = acknowledgements.deadLetter.bind(acknowledgements);
    acknowledgements.deadLetter = async (owner, items) => {
      const ids = idsOf(items.map(({ event }) => event));
      const error = failing(ids, () => shards.lose(held));
      if (error) throw error;
      written.push(ids);
      return deadLetter(owner, items);
    };
    const destination = { name: 'broker', batchSize: 5, deliver: () => Promise.resolve() };
    const policy = { onPoison: 'park-channel', attempts: 1, backoff: { delay: 0 }, crashes: 3 } as const;
    const look = () => Promise.resolve();
    const options = { publishTimeoutMs: 1_000, policy, elapsed, look, onDelay: () => undefined };
    const deliverer = new Deliverer(
      destination,
      new AcknowledgementBatcher('me', acknowledgements),
      shards,
      {},
      options,
    );
    const counts = { attempts: 0, crashes: 0, requeued: false, abandonedBy: undefined, parked: true };
    const { settled } = await deliverer.deliverBatch({ shard, channel: 'a', events, held, ...counts });
    await settled;
  }

  it('joins it in order, a part at a time, also when the database is away for a moment', async () => {
    let calls = 0;
    await carried(4, BIG, () => (++calls === 1 ? new Error('away') : undefined));
    expect(written).toEqual([['1'], ['2'], ['3'], ['4']]);
    expect(deadIds()).toEqual(['1', '2', '3', '4']);
  });

  it('is there for the next owner from the first part that was not written', async () => {
    await carried(4, BIG, (ids, lose) => {
      if (!ids.includes('2')) return undefined;
      lose();
      return new Error('away');
    });
    expect([deadIds(), left()]).toEqual([['1'], ['2', '3', '4']]);
  });

  it('is not written past one that the database refuses', async () => {
    let tries = 0;
    await carried(3, 'short', (ids, lose) => {
      if (!ids.includes('1')) return undefined;
      if (++tries > 2) lose();
      return new DatabaseError('cannot be stored', false);
    });
    expect([deadIds(), left()]).toEqual([[], ['1', '2', '3']]);
  });

  it('takes few writes where it is short', async () => {
    let calls = 0;
    const counted = interceptedPort(storage.acknowledgements, (name, call) => {
      if (name === 'deadLetter') calls++;
      return call();
    });
    storage = { ...storage, acknowledgements: counted };
    Object.assign(tables.channel('broker', 'a'), { state: 'parked' });
    for (let n = 0; n < 400; n++) append('a');
    await relay().runOnce();
    expect(deadIds()).toHaveLength(400);
    expect(calls).toBeLessThanOrEqual(4);
  });
});
