import assert from 'node:assert/strict';
import type { OutboxEvent } from '../outbox/model/outbox-event.js';
import type { ShardLease } from '../outbox/relay/shard-leases.js';
import type { ConformanceCase } from './case.js';
import {
  type Ack,
  ackOf,
  deadLettered,
  failure,
  fetchAll,
  idsOf,
  type OutboxRelayFixture,
  shown,
  takeAll,
} from './outbox-relay-fixture.js';

const ALL = Array.from({ length: 64 }, (_, shard) => shard);

interface Channel {
  ids: string[];
  events: readonly OutboxEvent[];
  lease: ShardLease;
  ack(ids: string[]): Ack;
}

/** A channel `a` with this many events, all of them fetched. */
async function channelOf(fixture: OutboxRelayFixture, count: number): Promise<Channel> {
  const leases = await takeAll(fixture);
  const ids = await fixture.write(...Array<string>(count).fill('a'));
  const [batch] = await fetchAll(fixture);
  const ack = (some: string[]) => ackOf(fixture, leases, 'a', some);
  return { ids, events: batch!.events, lease: leases.get(batch!.shard)!, ack };
}

const deadLetter = ({ storage }: OutboxRelayFixture, { lease, events }: Channel, at: number, more: object = {}) =>
  storage.acknowledgements.deadLetter('me', [{ lease, channel: 'a', ...deadLettered(events[at]!, more) }]);

const requeued = ({ storage }: OutboxRelayFixture) => storage.source.requeued('broker', ALL, 10);

const statesOf = async ({ storage }: OutboxRelayFixture) =>
  (await storage.deadLetters.standing('broker', 10)).map(({ channel, state }) => `${channel}: ${state}`);

const reasonsOf = async ({ storage }: OutboxRelayFixture) =>
  (await storage.deadLetters.list({ destination: 'broker', limit: 10 })).map(({ reason }) => reason);

const underway: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'a delivery in progress that blocks its channel does not undo a requeue',
    async run(fixture) {
      const { acknowledgements, deadLetters } = fixture.storage;
      const channel = await channelOf(fixture, 2);
      const [a1, a2] = channel.ids as [string, string];
      await deadLetter(fixture, channel, 0);
      assert.equal(await deadLetters.requeue('broker', 'a'), 1);
      const blocking = [{ lease: channel.lease, channel: 'a', ...failure(0, { blocks: true }) }];
      assert.deepEqual(await acknowledgements.fail('me', blocking), [true]);
      assert.deepEqual(await statesOf(fixture), ['a: requeued']);
      assert.equal(await deadLetters.retry('broker', 'a'), false);
      assert.equal(await deadLetters.skip('broker', 'a'), false);
      assert.deepEqual(shown(await requeued(fixture)), { a: [a1] });
      await acknowledgements.acknowledgeRequeued('me', [channel.ack([a1])]);
      const [head] = await fetchAll(fixture);
      assert.deepEqual(
        [idsOf(head!.events), head!.attempts],
        [[a2], 0],
        'then it is tried again with no attempts counted',
      );
    },
  },
  {
    name: 'an event that is being queued behind a dead letter is requeued together with it',
    async run(fixture) {
      const { acknowledgements, deadLetters } = fixture.storage;
      const channel = await channelOf(fixture, 3);
      const [a1, a2, a3] = channel.ids as [string, string, string];
      await deadLetter(fixture, channel, 0, { parksChannel: true });
      assert.equal(await deadLetters.requeue('broker', 'a'), 1);
      assert.deepEqual(await deadLetter(fixture, channel, 1, { reason: 'behind', attempts: 0 }), [true]);
      assert.deepEqual(await reasonsOf(fixture), ['requeued', 'requeued']);
      assert.deepEqual(shown(await requeued(fixture)), { a: [a1, a2] });
      await acknowledgements.acknowledgeRequeued('me', [channel.ack([a1])]);
      await acknowledgements.acknowledgeRequeued('me', [channel.ack([a2])]);
      assert.deepEqual(await statesOf(fixture), [], 'nothing parks it again');
      assert.deepEqual(shown(await fetchAll(fixture)), { a: [a3] });
    },
  },
  {
    name: 'a delivery in progress that would park its channel is retried after the requeued events',
    async run(fixture) {
      const { acknowledgements, deadLetters } = fixture.storage;
      const channel = await channelOf(fixture, 3);
      const [a1, a2, a3] = channel.ids as [string, string, string];
      await deadLetter(fixture, channel, 0);
      assert.equal(await deadLetters.requeue('broker', 'a'), 1);
      assert.deepEqual(await deadLetter(fixture, channel, 1, { parksChannel: true }), [true]);
      assert.deepEqual(await statesOf(fixture), ['a: requeued']);
      assert.deepEqual(shown(await requeued(fixture)), { a: [a1, a2] });
      await acknowledgements.acknowledgeRequeued('me', [channel.ack([a1])]);
      assert.deepEqual(await deadLetter(fixture, channel, 1, { parksChannel: true, requeued: true }), [true]);
      assert.deepEqual(await statesOf(fixture), ['a: parked'], 'it was itself requeued');
      assert.deepEqual(await reasonsOf(fixture), ['failed']);
      const [next] = await fetchAll(fixture);
      assert.deepEqual([idsOf(next!.events), next!.parked], [[a3], true]);
    },
  },
];

const settling: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'a requeued channel without requeued events is returned empty, and continues after its acknowledgement',
    async run(fixture) {
      const { acknowledgements, deadLetters } = fixture.storage;
      const channel = await channelOf(fixture, 2);
      await deadLetter(fixture, channel, 0);
      await deadLetters.requeue('broker', 'a');
      await deadLetter(fixture, channel, 0, { requeued: true });
      assert.deepEqual(shown(await requeued(fixture)), { a: [] });
      assert.deepEqual(await fetchAll(fixture), []);
      assert.deepEqual(await acknowledgements.acknowledgeRequeued('other', [channel.ack([])]), [false]);
      assert.deepEqual(await statesOf(fixture), ['a: requeued'], 'without the shard nothing is settled');
      assert.deepEqual(await acknowledgements.acknowledgeRequeued('me', [channel.ack([])]), [true]);
      assert.deepEqual(await statesOf(fixture), []);
      assert.deepEqual(shown(await fetchAll(fixture)), { a: channel.ids.slice(1) });
    },
  },
  {
    name: 'an empty acknowledgement settles only a channel that is being requeued',
    async run(fixture) {
      const { acknowledgements } = fixture.storage;
      const channel = await channelOf(fixture, 1);
      const blocking = [{ lease: channel.lease, channel: 'a', ...failure(0, { blocks: true }) }];
      await acknowledgements.fail('me', blocking);
      assert.deepEqual(await acknowledgements.acknowledgeRequeued('me', [channel.ack([])]), [true]);
      assert.deepEqual(await statesOf(fixture), ['a: blocked']);
    },
  },
];

/** Requeues all, and makes the first of them fail and crash, so that both are counted. */
async function failFirst(fixture: OutboxRelayFixture, { lease }: Channel): Promise<void> {
  const { acknowledgements, deadLetters } = fixture.storage;
  await deadLetters.requeue('broker', 'a');
  await acknowledgements.fail('me', [{ lease, channel: 'a', ...failure(1_000) }]);
  await acknowledgements.countCrash('me', [{ lease, channel: 'a' }]);
  assert.deepEqual(await requeued(fixture), [], 'it waits for its next attempt');
  fixture.clock.advance(1_000);
  const [again] = await requeued(fixture);
  assert.deepEqual([again!.attempts, again!.crashes], [1, 1]);
}

const counting: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'attempts and crashes of a requeued event are not passed on to the next event after its delivery',
    async run(fixture) {
      const { acknowledgements } = fixture.storage;
      const channel = await channelOf(fixture, 2);
      const [a1, a2] = channel.ids as [string, string];
      await deadLetter(fixture, channel, 0, { parksChannel: true });
      await deadLetter(fixture, channel, 1, { reason: 'behind' });
      await failFirst(fixture, channel);
      await acknowledgements.acknowledgeRequeued('me', [channel.ack([])]);
      assert.equal((await requeued(fixture))[0]!.attempts, 1, 'nothing was delivered');
      await acknowledgements.acknowledgeRequeued('me', [channel.ack([a1])]);
      const [next] = await requeued(fixture);
      assert.deepEqual([idsOf(next!.events), next!.attempts, next!.crashes], [[a2], 0, 0]);
    },
  },
  {
    name: 'attempts and crashes of a requeued event are not passed on to the next event after it is dead again',
    async run(fixture) {
      const channel = await channelOf(fixture, 2);
      await deadLetter(fixture, channel, 0, { parksChannel: true });
      await deadLetter(fixture, channel, 1, { reason: 'behind' });
      await failFirst(fixture, channel);
      assert.deepEqual(await deadLetter(fixture, channel, 0, { requeued: true }), [true]);
      const [next] = await requeued(fixture);
      assert.deepEqual([idsOf(next!.events), next!.attempts, next!.crashes], [channel.ids.slice(1), 0, 0]);
    },
  },
];

/** Effects of a requeue on deliveries in progress and on other requeues. */
export const outboxRequeueConformance: ConformanceCase<OutboxRelayFixture>[] = [...underway, ...settling, ...counting];
