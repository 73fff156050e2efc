import assert from 'node:assert/strict';
import { relayNodeId } from '../outbox/relay/relay-storage.js';
import { wishesIn } from '../outbox/model/run-wishes.js';
import type { ConformanceCase } from './case.js';
import { LEASE_MS, type OutboxRelayFixture, SHARDS, takeAll } from './outbox-relay-fixture.js';

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
    name: 'each new owner has a greater epoch, and is told whether the previous one released the shard',
    async run(fixture) {
      const { storage, clock } = fixture;
      const first = (await takeAll(fixture, 'a')).get(7)!;
      assert.deepEqual([first.epoch, first.abandoned], [1, false]);
      await storage.leases.release('a', [first]);
      const second = (await takeAll(fixture, 'b')).get(7)!;
      assert.deepEqual([second.epoch, second.abandoned], [2, false]);
      clock.advance(LEASE_MS);
      const third = (await takeAll(fixture, 'c')).get(7)!;
      assert.deepEqual([third.epoch, third.abandoned], [3, true]);
      await storage.leases.release('b', [second]);
      assert.equal((await storage.leases.renew('c', LEASE_MS)).length, 64);
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
