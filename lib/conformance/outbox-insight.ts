import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import { deadLettered, failure, fetchAll, type OutboxRelayFixture, takeAll } from './outbox-relay-fixture.js';

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
