import { macrotask, ManualClock } from '../../../lib/core/time.js';
import type { DeliveryContext, RelayObserver, RelayOptions, RelaySignals } from '../../../lib/outbox/destinations.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { OutboxRelay } from '../../../lib/outbox/relay.js';
import { inMemoryRelayStorage, MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import { nodeServing, relayNodeId } from '../../../lib/outbox/storage.js';
import { intercepted } from '../../../lib/testing/crash-explorer.js';
import { gate } from '../../support/gate.js';
import { until } from '../../support/until.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

const OPTIONS: Omit<RelayOptions, 'nodeId'> = {
  leaseMs: 30_000,
  publishTimeoutMs: 10_000,
  concurrency: 10,
  buffer: 100,
  channelsPerShard: 10,
  eventsPerChannel: 5,
  pollMs: 1_000,
  debounceMs: 50,
  fixedRate: false,
  policy: { onPoison: 'block', attempts: 2, backoff: { delay: 0 }, crashes: 3 },
};
const quiet = { live: false, subscribe: () => () => undefined };

describe('a relay in memory', () => {
  const clock = new ManualClock();
  let tables: MemoryOutbox;
  let delivered: OutboxEvent[][];
  let around: (name: string, call: () => unknown) => unknown;
  const events = () => delivered.flat().map(({ channel, sequenceId }) => `${channel}${sequenceId}`);
  const append = (...channels: string[]) => {
    for (const channel of channels)
      tables.append({ mutationId: 'm', channel, name: 'n', rejected: false, data: null, headers: null });
  };
  const relay = (
    deliver: (events: readonly OutboxEvent[], context: DeliveryContext) => unknown = () => undefined,
    more: Partial<RelayOptions> = {},
    names = ['broker'],
    signals: RelaySignals = quiet,
    observer: RelayObserver = {},
  ) => {
    const destinations = names.map((name) => ({
      name,
      batchSize: 2,
      deliver: async (some: readonly OutboxEvent[], context: DeliveryContext) => {
        await deliver(some, context);
        delivered.push([...some]);
      },
    }));
    const options = { nodeId: relayNodeId('unit'), ...OPTIONS, ...more };
    const storage = intercepted(inMemoryRelayStorage(tables), (name, call) => around(name, call));
    return new OutboxRelay(storage, destinations, signals, observer, options);
  };
  beforeEach(() => {
    tables = new MemoryOutbox(clock);
    delivered = [];
    around = (_, call) => call();
  });

  it('gives each delivery a key that fits into a header, the same for each try', async () => {
    const keys = new Map<string, string[]>();
    const channels = ['posts:1', 'wpisy/Łódź', 'wpisy/Łódz', '投稿', 'ż'.repeat(180)];
    const started = relay(([event], { idempotencyKey }) => {
      const sent = new Headers({ 'idempotency-key': idempotencyKey }).get('idempotency-key')!;
      const tries = keys.get(event!.channel) ?? [];
      keys.set(event!.channel, [...tries, sent]);
      if (tries.length === 0) throw new Error('again');
    });
    append(...channels);
    for (let n = 0; n < 2; n++) await started.runOnce();
    expect(delivered).toHaveLength(channels.length);
    for (const tries of keys.values()) expect(tries).toEqual([tries[0], tries[0]]);
    const all = [...keys.values()].map(([key]) => key);
    expect(new Set(all).size).toBe(channels.length);
    for (const key of all) expect(key).toMatch(/^[!-~]{1,255}$/);
    expect(keys.get('posts:1')).toEqual(['posts:1:1', 'posts:1:1']);
  });

  it('delivers what there is, in batches, each channel in its order, and gives everything back', async () => {
    append('a', 'b', 'a', 'a', 'a', 'a', 'a', 'a');
    const one = relay();
    expect(await one.runOnce()).toBe(8);
    expect(events().filter((event) => event.startsWith('a'))).toEqual(['a1', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']);
    expect(delivered.map(({ length }) => length).sort()).toEqual([1, 1, 2, 2, 2]);
    expect(tables.pending.size).toBe(0);
    expect([...tables.shards.values()].every(({ owner }) => owner === undefined)).toBe(true);
    expect(tables.nodes.size).toBe(0);
    expect(await one.runOnce()).toBe(0);
  });

  it('delivers all there is also when a channel comes to its end while others are looked for', async () => {
    append('a', 'a', 'a');
    around = async (name, call) => {
      const answer = await call();
      if (name !== 'fetch') return answer;
      // What was under way, and so was not looked at, is done before the answer arrives.
      for (let n = 0; n < 10; n++) await macrotask();
      return answer;
    };
    expect(await relay(() => undefined, { eventsPerChannel: 1 }).runOnce()).toBe(3);
  });

  it.each([
    ['blocks a channel for a process that has died', false],
    ['blocks none for one that has come back since the last beat', true],
  ])('%s', async (_, isBack) => {
    append('a');
    // It takes no part in the shards again, of which it would be handed this one or not.
    const other = nodeServing(relayNodeId('unit'), ['another']);
    const { destinations, leases } = inMemoryRelayStorage(tables);
    await destinations.register(['broker'], 64);
    const wanted = [tables.shardOf('a')];
    await leases.acquire(other, { destination: 'broker', wanted, strays: 0, leaseMs: 1_000 });
    clock.advance(2_000);
    around = (name, call) => {
      if (name === 'countCrash' && isBack) tables.nodes.set(other, clock.now() + 30_000);
      return call();
    };
    await relay(undefined, { policy: { ...OPTIONS.policy, crashes: 1 } }).runOnce();
    expect([events(), tables.channel('broker', 'a').state]).toEqual(isBack ? [['a1'], undefined] : [[], 'blocked']);
  });

  it('is free of a block for one that came back between its last look and the block', async () => {
    append('a');
    const other = nodeServing(relayNodeId('unit'), ['another']);
    const { acknowledgements, destinations, leases } = inMemoryRelayStorage(tables);
    await destinations.register(['broker'], 64);
    await leases.acquire(other, { destination: 'broker', wanted: [tables.shardOf('a')], strays: 0, leaseMs: 1_000 });
    clock.advance(2_000);
    let withdrawn: number | undefined;
    around = async (name, call) => {
      if (name === 'fail') withdrawn = await acknowledgements.withdraw(other);
      return call();
    };
    await relay(undefined, { policy: { ...OPTIONS.policy, crashes: 1 } }).runOnce();
    expect([withdrawn, tables.channel('broker', 'a').state]).toEqual([1, 'blocked']);
    // It says so at several beats.
    expect(await acknowledgements.withdraw(other)).toBe(1);
    expect(tables.channel('broker', 'a').state).toBeUndefined();
  });

  it('tells of no late arrival when it delivers again what it could not acknowledge', async () => {
    append('a', 'a');
    const late: string[] = [];
    let refused = 0;
    // The shard went to another process meanwhile, and came back.
    around = (name, call) => (name === 'acknowledge' && refused++ === 0 ? [false] : call());
    const one = relay(undefined, {}, ['broker'], quiet, { late: ({ sequenceId }) => void late.push(sequenceId) });
    await one.start();
    await until('all is acknowledged', () => tables.pending.size === 0);
    await one.stop();
    expect(refused).toBeGreaterThan(1);
    expect(events()).toEqual(['a1', 'a2', 'a1', 'a2']);
    expect(late).toEqual([]);
  });

  it('finds the one of several events that cannot be delivered, and delivers those before it', async () => {
    append('a', 'a', 'a');
    const refuse = (some: readonly OutboxEvent[]) => {
      if (some.some(({ sequenceId }) => sequenceId === '2')) throw new Error('no');
    };
    const one = relay(refuse);
    for (let n = 0; n < 5; n++) await one.runOnce();
    expect(events()).toEqual(['a1']);
    const standing = await inMemoryRelayStorage(tables).deadLetters.standing('broker', 5);
    expect(standing).toMatchObject([{ channel: 'a', state: 'blocked', error: 'Error: no' }]);
    await inMemoryRelayStorage(tables).deadLetters.skip('broker', 'a');
    await one.runOnce();
    expect(events()).toEqual(['a1', 'a3']);
  });

  it.each(Object.keys(UNREADABLE))('counts what cannot be read as a failure of the publisher: %s', async (kind) => {
    append('a', 'b');
    const one = relay(([event]) => event?.channel === 'a' && throwUnreadable(kind));
    for (let n = 0; n < 3; n++) await one.runOnce();
    expect(events()).toEqual(['b2']);
    const standing = await inMemoryRelayStorage(tables).deadLetters.standing('broker', 5);
    expect(standing).toMatchObject([{ channel: 'a', state: 'blocked', attempts: 2 }]);
  });

  it('delivers to each destination, and an event goes once all have had it', async () => {
    append('a', 'b');
    const broken = { now: true };
    const refuse = (some: readonly OutboxEvent[]) => {
      if (broken.now && some[0]?.channel === 'b') throw new Error('no');
    };
    const both = relay(refuse, {}, ['one', 'two']);
    await both.runOnce();
    expect(tables.pending.has('a')).toBe(false);
    expect(tables.pending.has('b')).toBe(true);
    broken.now = false;
    await inMemoryRelayStorage(tables).deadLetters.retry('one', 'b');
    await inMemoryRelayStorage(tables).deadLetters.retry('two', 'b');
    await both.runOnce();
    expect(events().sort()).toEqual(['a1', 'a1', 'b2', 'b2']);
    expect(tables.pending.size).toBe(0);
  });

  it('delivers nothing where another process has the shards', async () => {
    append('a');
    const storage = inMemoryRelayStorage(tables);
    await storage.destinations.register(['broker'], 64);
    const wanted = Array.from({ length: 64 }, (_, shard) => shard);
    await storage.leases.acquire('other', { destination: 'broker', wanted, strays: 0, leaseMs: 30_000 });
    expect(await relay().runOnce()).toBe(0);
    clock.advance(60_001);
    expect(await relay().runOnce()).toBe(1);
  });

  it('is refused a publish that could outlast its lease', () => {
    expect(() => relay(undefined, { publishTimeoutMs: 15_001 })).toThrow(/publishTimeout is 15001/);
  });

  it('stops, when what was delivered cannot be written down, with the lease', async () => {
    append('a');
    const storage = inMemoryRelayStorage(tables);
    let tried = 0;
    storage.acknowledgements.acknowledge = () => {
      tried++;
      return Promise.reject(new Error('the disk is full'));
    };
    const destinations = [{ name: 'broker', batchSize: 1, deliver: () => Promise.resolve() }];
    const elapsed = new ManualClock();
    const options = { nodeId: relayNodeId('unit'), ...OPTIONS, elapsed };
    const one = new OutboxRelay(storage, destinations, quiet, {}, options);
    await one.start();
    await until('it was delivered', () => tried > 0);
    const stopped = one.stop();
    elapsed.advance(OPTIONS.leaseMs);
    await stopped;
    // Its own is over; all others were given back.
    expect([...tables.shards.values()].filter(({ owner }) => owner !== undefined)).toHaveLength(1);
  });

  describe('that was not started', () => {
    const owned = () => [...tables.shards.values()].filter(({ owner }) => owner !== undefined).length;

    it('goes on for longer than a lease', async () => {
      append('a', 'a', 'a', 'a', 'a');
      let renewed = 0;
      around = async (name, call) => {
        const answer = await call();
        if (name === 'renew') renewed++;
        return answer;
      };
      const slowly = async () => {
        const before = renewed;
        clock.advance(OPTIONS.leaseMs / 3);
        await until('a renewal', () => renewed > before);
      };
      const options = { heartbeatTimeoutMs: 60, elapsed: clock, eventsPerChannel: 1 };
      expect(await relay(slowly, options).runOnce()).toBe(5);
    });

    it('gives nothing back while something of it is under way, also when it can look no more', async () => {
      append('a', 'b', 'c');
      let looks = 0;
      around = (name, call) => {
        if (name === 'fetch' && ++looks > 1) throw new Error('the database is away');
        return call();
      };
      const held = gate();
      const run = relay(() => held.opened, { concurrency: 1 }).runOnce();
      let isOver = false;
      const over = run.catch((error: Error) => error.message).finally(() => (isOver = true));
      await until('it has looked again', () => looks > 1);
      for (let n = 0; n < 10; n++) await macrotask();
      expect([isOver, owned()]).toEqual([false, 64]);
      held.open();
      expect(await over).toBe('the database is away');
      expect([delivered.length, owned()]).toEqual([1, 0]);
    });

    it('has given everything back before it is started', async () => {
      append('a');
      const held = gate();
      const one = relay(() => held.opened);
      const run = one.runOnce();
      await until('it delivers', () => owned() > 0);
      const started = one.start();
      held.open();
      expect(await run).toBe(1);
      await started;
      expect(owned()).toBe(64);
      await one.stop();
      expect(owned()).toBe(0);
    });

    it('ends when it is stopped', async () => {
      append('a', 'b');
      const held = gate();
      const one = relay(() => held.opened, { concurrency: 1 });
      const run = one.runOnce();
      await until('it delivers', () => owned() > 0);
      const stopped = one.stop();
      held.open();
      await stopped;
      expect([await run, owned()]).toEqual([1, 0]);
      // Whoever asks meanwhile waits until everything has been given back.
      await one.start();
      const [, published] = await Promise.all([one.stop(), one.runOnce()]);
      expect([delivered.length, owned()]).toEqual([2, 0]);
      expect(published).toBeLessThanOrEqual(1);
    });
  });

  it('hears what is said after the clock was put back', async () => {
    let tell = (): void => undefined;
    const signals = {
      live: true,
      subscribe: (_: string, listener: () => void) => ((tell = listener), () => undefined),
    };
    const one = relay(undefined, { pollMs: 3_600_000 }, ['broker'], signals);
    await one.start();
    append('a');
    tell();
    await until('the first is delivered', () => delivered.length === 1);
    const today = Date.now();
    const now = jest.spyOn(Date, 'now').mockImplementation(() => today - 3_600_000);
    append('b');
    tell();
    await until('the second is delivered', () => delivered.length === 2);
    now.mockRestore();
    await one.stop();
  });

  it('may be started, stopped and started again', async () => {
    const one = relay();
    await one.start();
    await one.start();
    append('a');
    expect(await one.runOnce()).toBe(1);
    await one.stop();
    await one.stop();
    append('b');
    await one.start();
    expect((await one.runOnce()) + delivered.length).toBeGreaterThanOrEqual(2);
    await one.stop();
    expect(events().sort()).toEqual(['a1', 'b2']);
  });
});
