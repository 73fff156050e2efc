import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import { ackOf, type OutboxRelayFixture, takeAll } from './outbox-relay-fixture.js';

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
