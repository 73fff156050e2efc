import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import {
  ackOf,
  deadLettered,
  failure,
  fetchAll,
  idsOf,
  LEASE_MS,
  type OutboxRelayFixture,
  shown,
  SHARDS,
  takeAll,
} from './outbox-relay-fixture.js';

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
    name: 'crashes are counted in advance, and reset by the acknowledgement',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      const [a] = (await fixture.write('a', 'b', 'a')) as [string, string];
      const items = ['a', 'b'].map((channel) => ({ lease: leases.get(fixture.shardOf(channel))!, channel }));
      assert.deepEqual(await storage.acknowledgements.countCrash('me', items), [1, 1]);
      assert.deepEqual(await storage.acknowledgements.countCrash('me', items.slice(0, 1)), [2]);
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
