import assert from 'node:assert/strict';
import type { EventErasure } from '../outbox/erasure/event-erasure.js';
import type { ConformanceCase } from './case.js';
import { ackOf, deadLettered, fetchAll, type OutboxRelayFixture, takeAll } from './outbox-relay-fixture.js';

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
