import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { ManualClock } from '../../../lib/core/time.js';
import type { ChannelBatch, DangerousDelivery } from '../../../lib/outbox/deliveries.js';
import { type EventErasure, type OutboxEvent, wishesIn } from '../../../lib/outbox/events.js';
import type { AcquiredShard, ShardLease } from '../../../lib/outbox/shards.js';
import { relayNodeId, type RelayStorage } from '../../../lib/outbox/storage.js';

/** An empty outbox with a clock that the test controls. */
export interface OutboxRelayFixture {
  storage: RelayStorage;
  clock: ManualClock;
  /** Writes events in order, and returns their numbers. */
  write(...channels: string[]): Promise<string[]>;
  /** The greatest number in the table of events. */
  newest(): Promise<string>;
  shardOf(channel: string): number;
}

export const LEASE_MS = 30_000;
export const SHARDS = 64;
const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Takes every shard of a destination. */
export async function takeAll(
  { storage }: OutboxRelayFixture,
  owner = 'me',
  destination = 'broker',
): Promise<Map<number, AcquiredShard>> {
  await storage.destinations.register([destination], SHARDS);
  const taken = await storage.leases.acquire(owner, { destination, wanted: ALL, strays: 0, leaseMs: LEASE_MS });
  return new Map(taken.map((lease) => [lease.shard, lease]));
}

export async function fetchAll({ storage }: OutboxRelayFixture, more: object = {}): Promise<ChannelBatch[]> {
  const shards = ALL.map((shard) => ({ shard, after: '' }));
  const request = { destination: 'broker', shards, channels: 200, perChannel: 50, limit: 5_000, busy: [], ...more };
  const { batches } = await storage.source.fetch(request);
  return batches.sort((a, b) => (a.channel < b.channel ? -1 : 1));
}

export const idsOf = (events: readonly OutboxEvent[]): string[] => events.map(({ sequenceId }) => sequenceId);

/** Channels and numbers, for comparison. */
export const shown = (batches: readonly ChannelBatch[]): Record<string, string[]> =>
  Object.fromEntries(batches.map(({ channel, events }) => [channel, idsOf(events)]));

export interface Ack {
  lease: ShardLease;
  channel: string;
  ids: string[];
  clears: boolean;
}

export function ackOf(
  fixture: OutboxRelayFixture,
  leases: ReadonlyMap<number, ShardLease>,
  channel: string,
  ids: string[],
): Ack {
  return { lease: leases.get(fixture.shardOf(channel))!, channel, ids, clears: true };
}

export const failure = (delayMs: number, more: object = {}) => ({
  counts: 1 as const,
  delayMs,
  error: 'Error: no',
  blocks: false,
  ...more,
});

export const deadLettered = (event: OutboxEvent, more: object = {}) => ({
  event,
  attempts: 3,
  reason: 'failed' as const,
  error: 'Error: no',
  parksChannel: false,
  requeued: false,
  ...more,
});

/** Guarantees of reading, acknowledging and failing events. */
export const outboxDeliveryConformance: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'the first events of each channel are returned in order, no matter how many wait in one channel',
    async run(fixture) {
      await takeAll(fixture);
      const ids = await fixture.write('a', 'b', 'a', 'a', 'c', 'a');
      const batches = await fetchAll(fixture, { perChannel: 3 });
      assert.deepEqual(shown(batches), { a: [ids[0], ids[2], ids[3]], b: [ids[1]], c: [ids[4]] });
      assert.deepEqual(
        batches.map(({ channel, shard }) => shard === fixture.shardOf(channel)),
        [true, true, true],
      );
      const [event] = batches[0]!.events;
      const { sequenceId: _, mutationId, ...rest } = event!;
      assert.ok(mutationId.length > 0);
      const expected = { channel: 'a', name: 'changed', rejected: false, data: { n: 0 }, headers: { source: 'test' } };
      assert.deepEqual(rest, expected);
    },
  },
  {
    name: 'no events are returned for busy channels, nor for shards that were not requested',
    async run(fixture) {
      await takeAll(fixture);
      await fixture.write('a', 'b', 'c');
      assert.deepEqual(Object.keys(shown(await fetchAll(fixture, { busy: ['b'] }))), ['a', 'c']);
      const shards = [{ shard: fixture.shardOf('c'), after: '' }];
      assert.ok(!(await fetchAll(fixture, { shards })).some(({ shard }) => shard !== fixture.shardOf('c')));
    },
  },
  {
    name: 'a fetch that is limited to a few channels continues after the last of them, and starts again at the end',
    async run(fixture) {
      await takeAll(fixture);
      const names = Array.from({ length: 400 }, (_, n) => `channel-${n}`);
      const one = names.filter((name) => fixture.shardOf(name) === fixture.shardOf('channel-0'));
      assert.ok(one.length > 2);
      await fixture.write(...one);
      const seen: string[] = [];
      let after = '';
      do {
        const { batches, after: next } = await fixture.storage.source.fetch({
          destination: 'broker',
          shards: [{ shard: fixture.shardOf('channel-0'), after }],
          channels: 2,
          perChannel: 10,
          limit: 100,
          busy: [],
        });
        seen.push(...batches.map(({ channel }) => channel));
        after = next.get(fixture.shardOf('channel-0'))!;
      } while (after !== '');
      assert.deepEqual(seen.sort(), one.sort());
    },
  },
  {
    name: 'a shard counts as finished only after all of its channels were read',
    async run(fixture) {
      const channels = Array.from({ length: 200 }, (_, n) => `c${n}`);
      await fixture.write(...channels);
      const { batches, after } = await fixture.storage.source.fetch({
        destination: 'broker',
        shards: Array.from({ length: SHARDS }, (_, shard) => ({ shard, after: '' })),
        channels: 200,
        perChannel: 10,
        limit: 3,
        busy: [],
      });
      assert.ok(batches.length < channels.length, 'the limit is too small for all channels');
      const seen = new Set(batches.map(({ channel }) => channel));
      const passedOver = channels.filter((channel) => !seen.has(channel) && after.get(fixture.shardOf(channel)) === '');
      assert.deepEqual(passedOver, []);
    },
  },
  {
    name: 'acknowledged events are deleted, and the greatest number stays',
    async run(fixture) {
      const leases = await takeAll(fixture);
      const [a1, b1, a2] = (await fixture.write('a', 'b', 'a')) as [string, string, string];
      const { acknowledgements } = fixture.storage;
      assert.deepEqual(await acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a1, a2])]), [true]);
      assert.deepEqual(shown(await fetchAll(fixture)), { b: [b1] });
      assert.equal(await fixture.newest(), a2);
      assert.deepEqual(await acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'b', [b1])]), [true]);
      assert.equal(await fixture.newest(), a2);
      const [c1] = (await fixture.write('c')) as [string];
      assert.deepEqual(await acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'c', [c1])]), [true]);
      assert.equal(await fixture.newest(), c1);
      assert.deepEqual(await fetchAll(fixture), []);
    },
  },
  {
    name: 'an acknowledgement by number keeps events that became visible below it',
    async run(fixture) {
      const leases = await takeAll(fixture);
      const [first, second] = (await fixture.write('a', 'a')) as [string, string];
      await fixture.storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [second])]);
      assert.deepEqual(shown(await fetchAll(fixture)), { a: [first] });
    },
  },
  {
    name: 'a relay that lost a shard can acknowledge, fail and dead-letter nothing of it; in its other shards it can',
    async run(fixture) {
      const { storage, clock } = fixture;
      const old = await takeAll(fixture, 'me');
      const [a, b] = (await fixture.write('a', 'b')) as [string, string];
      const ports = storage.acknowledgements;
      clock.advance(LEASE_MS);
      assert.deepEqual(await ports.acknowledge('me', [ackOf(fixture, old, 'a', [a])]), [false], 'lapsed');
      const now = await takeAll(fixture, 'me');
      assert.deepEqual(await ports.acknowledge('me', [ackOf(fixture, old, 'a', [a])]), [false], 'an older epoch');
      const lease = old.get(fixture.shardOf('a'))!;
      assert.deepEqual(await ports.fail('me', [{ lease, channel: 'a', ...failure(0, { blocks: true }) }]), [false]);
      assert.deepEqual(await ports.countCrash('me', [{ lease, channel: 'a' }]), [undefined]);
      const [batch] = await fetchAll(fixture);
      assert.deepEqual(await ports.deadLetter('me', [{ lease, channel: 'a', ...deadLettered(batch!.events[0]!) }]), [
        false,
      ]);
      assert.deepEqual(await ports.acknowledge('other', [ackOf(fixture, now, 'a', [a])]), [false], 'another owner');
      assert.deepEqual(shown(await fetchAll(fixture)), { a: [a], b: [b] });
      assert.deepEqual(await storage.deadLetters.list({ destination: 'broker', limit: 9 }), []);
      const both = [ackOf(fixture, old, 'a', [a]), ackOf(fixture, now, 'b', [b])];
      assert.deepEqual(await ports.acknowledge('me', both), [false, true]);
    },
  },
  {
    name: 'an event that no longer exists is not acknowledged, the others are',
    async run(fixture) {
      const leases = await takeAll(fixture);
      const [a, b, c] = (await fixture.write('a', 'b', 'c')) as [string, string, string];
      const { acknowledgements } = fixture.storage;
      await acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'b', [b])]);
      const all = [
        ['a', a],
        ['b', b],
        ['c', c],
      ] as const;
      const acks = all.map(([channel, id]) => ackOf(fixture, leases, channel, [id]));
      assert.deepEqual(await acknowledgements.acknowledge('me', acks), [true, false, true]);
    },
  },
  {
    name: 'a failed first event waits for its next attempt, and its attempts are counted until it is acknowledged',
    async run(fixture) {
      const { storage, clock } = fixture;
      const leases = await takeAll(fixture);
      const [a] = (await fixture.write('a', 'b')) as [string, string];
      const lease = leases.get(fixture.shardOf('a'))!;
      await storage.acknowledgements.countCrash('me', [{ lease, channel: 'a' }]);
      const failed = [{ lease, channel: 'a', ...failure(1_000) }];
      assert.deepEqual(await storage.acknowledgements.fail('me', failed), [true]);
      assert.deepEqual(Object.keys(shown(await fetchAll(fixture))), ['b']);
      clock.advance(1_000);
      const [again] = await fetchAll(fixture);
      assert.deepEqual([again!.channel, again!.attempts, again!.crashes], ['a', 1, 0]);
      await storage.acknowledgements.fail('me', [{ lease, channel: 'a', ...failure(0, { counts: 0 }) }]);
      assert.equal((await fetchAll(fixture))[0]!.attempts, 1, 'that one did not count');
      await storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a])]);
      const [next] = (await fixture.write('a')) as [string];
      const [fresh] = await fetchAll(fixture);
      assert.deepEqual([fresh!.events[0]!.sequenceId, fresh!.attempts], [next, 0]);
    },
  },
  {
    name: 'processes that an event may have ended are listed in advance, each once, until it is acknowledged',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      const [a] = (await fixture.write('a', 'b', 'a')) as [string, string];
      const items = ['a', 'b'].map((channel) => ({ lease: leases.get(fixture.shardOf(channel))!, channel }));
      const [first] = items;
      const count = (more: readonly DangerousDelivery[]) => storage.acknowledgements.countCrash('me', more);
      const blamed = { ...first!, abandonedBy: 'you' };
      assert.deepEqual(await count([blamed, items[1]!]), [['you'], []], 'nobody else had the other one');
      assert.deepEqual(await count([blamed]), [['you']], 'as if its reply had been lost');
      assert.deepEqual(
        await count([{ ...first!, abandonedBy: 'he' }]),
        [['you']],
        'who had begun it has listed himself',
      );
      assert.deepEqual(
        (await fetchAll(fixture)).map(({ crashes }) => crashes),
        [2, 1],
      );
      await storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a])]);
      assert.deepEqual(
        (await fetchAll(fixture)).map(({ crashes }) => crashes),
        [0, 1],
      );
    },
  },
  {
    name: 'a process that has not died is removed from the lists, and a channel that was blocked because of it is free',
    async run(fixture) {
      const { storage } = fixture;
      const ports = storage.acknowledgements;
      const leases = await takeAll(fixture);
      await fixture.write('a', 'b', 'c');
      const [a, b, c] = ['a', 'b', 'c'].map((channel) => ({ lease: leases.get(fixture.shardOf(channel))!, channel }));
      assert.deepEqual(
        await ports.countCrash('me', [
          { ...a!, abandonedBy: 'you' },
          { ...b!, abandonedBy: 'you' },
        ]),
        [['you'], ['you']],
      );
      const blocked = failure(0, { blocks: true });
      assert.equal(await ports.withdraw('you'), 2, 'between the count and the block, which does not know it yet');
      await ports.fail('me', [
        { ...a!, ...blocked, died: ['you'] },
        { ...c!, ...blocked },
      ]);
      assert.deepEqual(Object.keys(shown(await fetchAll(fixture))), ['b']);
      assert.equal(await ports.withdraw('nobody'), 0);
      assert.equal(await ports.withdraw('you'), 1);
      const crashes = (await fetchAll(fixture)).map((batch) => [batch.channel, batch.crashes]);
      assert.deepEqual(crashes.sort(), [
        ['a', 0],
        ['b', 1],
      ]);
      assert.equal(await ports.withdraw('me'), 1);
      assert.deepEqual(
        (await storage.deadLetters.standing('broker', 9)).map(({ channel }) => channel),
        ['c'],
        'that one had failed',
      );
    },
  },
  {
    name: 'with several destinations an event is deleted after all of them have processed it',
    async run(fixture) {
      const { storage } = fixture;
      const [one, two] = [await takeAll(fixture, 'me', 'broker'), await takeAll(fixture, 'me', 'other')];
      const [a1, a2, b1] = (await fixture.write('a', 'a', 'b')) as [string, string, string];
      const ports = storage.acknowledgements;
      assert.deepEqual(await ports.acknowledge('me', [ackOf(fixture, one, 'a', [a1, a2])]), [true]);
      assert.deepEqual(shown(await fetchAll(fixture)), { b: [b1] });
      assert.deepEqual(shown(await fetchAll(fixture, { destination: 'other' })), { a: [a1, a2], b: [b1] });
      assert.deepEqual(await ports.acknowledge('me', [ackOf(fixture, two, 'a', [a1])]), [true]);
      assert.deepEqual(shown(await fetchAll(fixture, { destination: 'other' })), { a: [a2], b: [b1] });
      await storage.destinations.forget('other');
      assert.deepEqual(shown(await fetchAll(fixture)), { b: [b1] }, 'it is not delivered again');
      await ports.tidy(Array.from({ length: 64 }, (_, shard) => shard));
      assert.deepEqual(idsOf((await fetchAll(fixture)).flatMap(({ events }) => events)), [b1]);
      assert.equal(await fixture.newest(), b1);
    },
  },
];

const shards = (leases: readonly { shard: number }[]) => leases.map(({ shard }) => shard).sort((a, b) => a - b);

const wished = (workflow: string) => ({ on: 'ended', namespace: '', workflows: [workflow] });

/** A destination that wants the ends of one workflow. */
const wish = (name: string, workflow: string) => [name, JSON.stringify([wished(workflow)])] as const;

/** Guarantees of nodes, destinations and shard leases. */
export const outboxLeaseConformance: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'nodes are alive as long as they send heartbeats, and are deleted afterwards',
    async run({ storage: { nodes }, clock }) {
      const [a, b] = [relayNodeId('a'), relayNodeId('b')];
      assert.deepEqual(await nodes.beat(a, 1_000), [a]);
      assert.deepEqual(await nodes.beat(b, 1_000), [a, b].sort());
      clock.advance(900);
      assert.deepEqual(await nodes.beat(b, 1_000), [a, b].sort());
      clock.advance(200);
      assert.deepEqual(await nodes.beat(b, 1_000), [b]);
      await nodes.leave(b);
      assert.deepEqual(await nodes.beat(a, 1_000), [a]);
    },
  },
  {
    name: 'a node of another program keeps our relays out while it is alive',
    async run({ storage: { nodes }, clock }) {
      await nodes.beat(relayNodeId('ours'), 5_000);
      await nodes.admit();
      await nodes.beat('6a2d0b9e-connector', 1_000);
      await assert.rejects(nodes.admit(), { code: 'OUTBOX_OCCUPIED', nodeId: '6a2d0b9e-connector' });
      clock.advance(1_001);
      await nodes.admit();
    },
  },
  {
    name: 'destinations are known until they are deleted',
    async run({ storage: { destinations }, clock }) {
      const at = clock.now();
      await destinations.register(['b', 'a'], SHARDS);
      clock.advance(10);
      await destinations.register(['b'], SHARDS);
      assert.deepEqual(await destinations.known(), [
        { name: 'a', seenAt: at },
        { name: 'b', seenAt: at + 10 },
      ]);
      await destinations.forget('a');
      assert.deepEqual(
        (await destinations.known()).map(({ name }) => name),
        ['b'],
      );
    },
  },
  {
    name: 'what destinations want of runs is known until they no longer want it or are deleted',
    async run({ storage: { destinations } }) {
      const known = async () => wishesIn(await destinations.wants());
      assert.deepEqual(await known(), []);
      await destinations.register(['a', 'b', 'c'], SHARDS, new Map([wish('c', 'ü'), wish('a', 'x')]));
      const [a, c] = [
        { hook: 'a', wishes: [wished('x')] },
        { hook: 'c', wishes: [wished('ü')] },
      ];
      assert.deepEqual(await known(), [a, c]);
      await destinations.register(['c'], SHARDS);
      assert.deepEqual(await known(), [a]);
      await destinations.forget('a');
      await destinations.want(new Map([wish('a', 'x')]));
      assert.deepEqual(await known(), []);
    },
  },
  {
    name: 'what another version of a destination wants is known while its processes say so, and the last one for ever',
    async run({ storage: { destinations }, clock }) {
      const known = async () => wishesIn(await destinations.wants()).flatMap(({ wishes }) => wishes);
      const [old, next] = [wish('a', 'old'), wish('a', 'next')];
      await destinations.register(['a'], SHARDS, new Map([old]));
      clock.advance(200_000);
      await destinations.register(['a'], SHARDS, new Map([next]));
      await destinations.want(new Map([next]));
      assert.deepEqual(await known(), [wished('old'), wished('next')]);
      clock.advance(200_000);
      await destinations.want(new Map([old]));
      assert.deepEqual(await known(), [wished('next'), wished('old')]);
      clock.advance(200_000);
      await destinations.want(new Map([next]));
      assert.deepEqual(await known(), [wished('old'), wished('next')]);
      clock.advance(200_000);
      await destinations.want(new Map([next]));
      assert.deepEqual(await known(), [wished('next')]);
      clock.advance(86_400_000);
      assert.deepEqual(await known(), [wished('next')]);
    },
  },
  {
    name: 'wanted shards are taken at once, others after a lease; held shards are not taken',
    async run(fixture) {
      const { storage, clock } = fixture;
      await storage.destinations.register(['broker'], SHARDS);
      const ask = (owner: string, wanted: number[], strays: number) =>
        storage.leases.acquire(owner, { destination: 'broker', wanted, strays, leaseMs: LEASE_MS });
      assert.deepEqual(shards(await ask('a', [1, 2], 64)), [1, 2]);
      assert.deepEqual(await ask('b', [1, 2], 64), []);
      clock.advance(LEASE_MS);
      const strays = await ask('b', [5], 3);
      assert.equal(strays.length, 4);
      assert.ok(strays.some(({ shard }) => shard === 5) && !strays.some(({ shard }) => shard === 1 || shard === 2));
      assert.deepEqual(shards(await ask('c', [1, 2], 0)), [1, 2], 'they have lapsed');
    },
  },
  {
    name: 'each new owner has a greater epoch, and is told which other process had the shard and did not release it',
    async run(fixture) {
      const { storage, clock } = fixture;
      const first = (await takeAll(fixture, 'a')).get(7)!;
      assert.deepEqual([first.epoch, first.abandonedBy], [1, undefined]);
      await storage.leases.release('a', [first]);
      const second = (await takeAll(fixture, 'b')).get(7)!;
      assert.deepEqual([second.epoch, second.abandonedBy], [2, undefined]);
      clock.advance(LEASE_MS);
      const third = (await takeAll(fixture, 'c')).get(7)!;
      assert.deepEqual([third.epoch, third.abandonedBy], [3, 'b']);
      await storage.leases.release('b', [second]);
      assert.equal((await storage.leases.renew('c', LEASE_MS)).length, 64);
      clock.advance(LEASE_MS);
      const again = (await takeAll(fixture, 'c')).get(7)!;
      assert.deepEqual([again.epoch, again.abandonedBy], [4, undefined], 'it was only away');
    },
  },
  {
    name: 'a renewal returns the held shards, and renews no expired ones',
    async run(fixture) {
      const { storage, clock } = fixture;
      const taken = await takeAll(fixture, 'a');
      clock.advance(LEASE_MS - 1);
      assert.equal((await storage.leases.renew('a', LEASE_MS)).length, 64);
      clock.advance(LEASE_MS - 1);
      await storage.leases.release('a', [taken.get(3)!]);
      const left = await storage.leases.renew('a', LEASE_MS);
      assert.equal(left.length, 63);
      assert.deepEqual(
        left.find(({ shard }) => shard === 4),
        { destination: 'broker', shard: 4, epoch: 1 },
      );
      clock.advance(LEASE_MS);
      assert.deepEqual(await storage.leases.renew('a', LEASE_MS), []);
    },
  },
  {
    name: 'if many acquire at once, each shard has one owner',
    async run({ storage }) {
      await storage.destinations.register(['broker'], SHARDS);
      const wanted = Array.from({ length: SHARDS }, (_, shard) => shard);
      const asked = await Promise.all(
        ['a', 'b', 'c', 'd'].map((owner) =>
          storage.leases.acquire(owner, { destination: 'broker', wanted, strays: 0, leaseMs: LEASE_MS }),
        ),
      );
      const all = asked.flat();
      assert.equal(new Set(shards(all)).size, all.length);
      assert.ok(all.every(({ epoch }) => epoch === 1));
    },
  },
];

/** Guarantees of what people see of deliveries. */
export const outboxInsightConformance: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'people see who has which shards, and what needs somebody, counted up to a limit',
    async run(fixture) {
      const { storage, clock } = fixture;
      const leases = await takeAll(fixture);
      await storage.destinations.register(['other'], 64);
      const all = { owner: 'me', destination: 'broker', shards: 64, lapsed: 0 };
      const free = { owner: null, destination: 'other', shards: 64, lapsed: 0 };
      assert.deepEqual(await storage.insight.shards(), [all, free]);
      assert.equal(await storage.insight.waitsMs('broker', 10), null);
      await fixture.write('a', 'b', 'c', 'd');
      const [a, b, c] = await fetchAll(fixture);
      const since = clock.now();
      const lettered = [a, b].map((batch) => ({
        lease: leases.get(batch!.shard)!,
        channel: batch!.channel,
        ...deadLettered(batch!.events[0]!),
      }));
      await storage.acknowledgements.deadLetter('me', lettered);
      const lease = leases.get(c!.shard)!;
      await storage.acknowledgements.fail('me', [{ lease, channel: 'c', ...failure(0, { blocks: true }) }]);
      const none = { blocked: 0, parked: 0, requeued: 0, dead: 0, since: null };
      const broker = { destination: 'broker', ...none, blocked: 1, dead: 2, since };
      const found = await storage.insight.troubles(['other', 'broker'], 10);
      assert.deepEqual(found, [{ destination: 'other', ...none }, broker]);
      assert.deepEqual(await storage.insight.troubles(['broker'], 0), [{ ...broker, dead: 1 }]);
      assert.deepEqual(await storage.insight.troubles([], 10), []);
      assert.equal(typeof (await storage.insight.waitsMs('broker', 10)), 'number', 'an event of d waits');
      clock.advance(30_000);
      assert.deepEqual(await storage.insight.shards(), [{ ...all, lapsed: 64 }, free]);
    },
  },
];

/** An outbox that retains delivered events. */
export interface OutboxErasureFixture extends OutboxRelayFixture {
  erasure: EventErasure;
  /** The data of all events in the table, in their order. */
  data(): Promise<unknown[]>;
}

const page = { channel: 'a', after: '0', limit: 10 };

/** Guarantees of the erasure of events. */
export const outboxErasureConformance: ConformanceCase<OutboxErasureFixture>[] = [
  {
    name: 'delivered events lose their data, page by page; events that are still to be published are kept and told',
    async run(fixture) {
      const { erasure, storage } = fixture;
      const leases = await takeAll(fixture);
      const [a1, , a3, a4] = (await fixture.write('a', 'b', 'a', 'a')) as [string, string, string, string];
      await storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a1, a3])]);
      const none = await erasure.erase({ ...page, mutationIds: ['m-1', 'm-9'] });
      assert.deepEqual(none, { erased: 0, kept: [], next: undefined });
      const first = await erasure.erase({ ...page, limit: 2, mutationIds: ['m-2', 'm-3'] });
      assert.deepEqual(first, { erased: 1, kept: [], next: a3 });
      const second = await erasure.erase({ ...page, after: a3, limit: 2, mutationIds: ['m-2', 'm-3'] });
      const kept = [{ channel: 'a', mutationId: 'm-3', sequenceId: a4 }];
      assert.deepEqual(second, { erased: 0, kept, next: undefined });
      assert.deepEqual(await fixture.data(), [{ n: 0 }, { n: 1 }, null, { n: 3 }]);
      assert.deepEqual(await erasure.erase(page), { erased: 1, kept, next: undefined });
      assert.deepEqual(await erasure.erase(page), { erased: 0, kept, next: undefined });
      assert.deepEqual(await fixture.data(), [null, { n: 1 }, null, { n: 3 }]);
    },
  },
  {
    name: 'dead letters are kept unless they are discarded; requeued ones, which will be published, are always kept',
    async run(fixture) {
      const { erasure, storage } = fixture;
      const leases = await takeAll(fixture);
      await fixture.write('a', 'a', 'a');
      const [batch] = await fetchAll(fixture);
      const lease = leases.get(batch!.shard)!;
      const reasons = ['failed', 'behind', 'skipped'] as const;
      const items = batch!.events.map((event, n) => ({
        lease,
        channel: 'a',
        ...deadLettered(event, { reason: reasons[n], parksChannel: true }),
      }));
      for (const item of items) await storage.acknowledgements.deadLetter('me', [item]);
      const request = { ...page, destination: 'broker', discards: false };
      const kept = await erasure.eraseDead(request);
      assert.deepEqual([kept.erased, kept.kept.map(({ mutationId }) => mutationId)], [0, ['m-0', 'm-1', 'm-2']]);
      const numbers = batch!.events.map(({ sequenceId }) => sequenceId);
      await storage.deadLetters.requeue('broker', 'a', [numbers[2]!]);
      const one = await erasure.eraseDead({ ...request, discards: true, mutationIds: ['m-1', 'm-2'] });
      assert.deepEqual([one.erased, one.kept.map(({ mutationId }) => mutationId)], [1, ['m-2']]);
      const left = await storage.deadLetters.list({ destination: 'broker', limit: 10 });
      assert.deepEqual(
        left.map(({ mutationId }) => mutationId),
        ['m-0', 'm-2'],
      );
    },
  },
];

export const outboxLagConformance: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'the channels with the most pending events are listed first',
    async run(fixture) {
      const { deadLetters } = fixture.storage;
      await takeAll(fixture);
      await fixture.write('a', 'a', 'b');
      assert.deepEqual(await deadLetters.lag('broker', 1, 10), [{ channel: 'a', pending: 2 }]);
      await fixture.write('b', 'b');
      assert.deepEqual(await deadLetters.lag('broker', 1, 10), [{ channel: 'b', pending: 3 }]);
    },
  },
  {
    name: 'the lag of channels is counted up to a limit',
    async run(fixture) {
      await takeAll(fixture);
      await fixture.write('a', 'b', 'b', 'b', 'b');
      assert.deepEqual(await fixture.storage.deadLetters.lag('broker', 10, 3), [
        { channel: 'b', pending: 3 },
        { channel: 'a', pending: 1 },
      ]);
    },
  },
  {
    name: 'the lag of a destination is what itself has not delivered, whatever others have left',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      await takeAll(fixture, 'me', 'other');
      const [a1, b1] = (await fixture.write('a', 'b', 'a')) as [string, string];
      await storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'a', [a1])]);
      await storage.acknowledgements.acknowledge('me', [ackOf(fixture, leases, 'b', [b1])]);
      assert.deepEqual(await storage.deadLetters.lag('broker', 10, 10), [{ channel: 'a', pending: 1 }]);
      assert.deepEqual(await storage.deadLetters.lag('other', 10, 10), [
        { channel: 'a', pending: 2 },
        { channel: 'b', pending: 1 },
      ]);
    },
  },
  {
    name: 'of very many channels the events of those are counted whose first one is the oldest',
    async run(fixture) {
      await takeAll(fixture);
      const names = Array.from({ length: 201 }, (_, n) => `c${String(n).padStart(3, '0')}`);
      await fixture.write(...names, 'c200', 'c200');
      const { deadLetters } = fixture.storage;
      assert.deepEqual(await deadLetters.lag('broker', 1, 10), [{ channel: 'c000', pending: 1 }]);
      assert.deepEqual((await deadLetters.lag('broker', 201, 10))[0], { channel: 'c200', pending: 3 });
    },
  },
];
