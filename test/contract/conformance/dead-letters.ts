import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { OutboxOperations } from '../../../lib/outbox/outbox.js';
import type { ShardLease } from '../../../lib/outbox/shards.js';
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
} from './outbox.js';

/** All shards, so that the family's hash function does not matter. */
const ALL = Array.from({ length: 64 }, (_, shard) => shard);

const dead = ({ storage }: OutboxRelayFixture, channel?: string) =>
  storage.deadLetters.list({ destination: 'broker', limit: 10, ...(channel === undefined ? {} : { channel }) });

/** Guarantees of operations on undelivered events. */
export const outboxDeadLetterConformance: ConformanceCase<OutboxRelayFixture>[] = [
  {
    name: 'a parked event is listed among the dead letters with its number, and its channel continues',
    async run(fixture) {
      const leases = await takeAll(fixture);
      const [a1, a2] = (await fixture.write('a', 'a')) as [string, string];
      const [batch] = await fetchAll(fixture);
      const lease = leases.get(batch!.shard)!;
      const items = [{ lease, channel: 'a', ...deadLettered(batch!.events[0]!) }];
      assert.deepEqual(await fixture.storage.acknowledgements.deadLetter('me', items), [true]);
      assert.deepEqual(shown(await fetchAll(fixture)), { a: [a2] });
      const [event] = await dead(fixture);
      const { failedAt, ...rest } = event!;
      assert.equal(failedAt, fixture.clock.now());
      const expected = {
        ...batch!.events[0]!,
        destination: 'broker',
        attempts: 3,
        reason: 'failed',
        error: 'Error: no',
      };
      assert.deepEqual(rest, expected);
      assert.equal(rest.sequenceId, a1);
    },
  },
  {
    name: 'the dead letters among some events are told in the order of time, once per destination',
    async run(fixture) {
      const { storage, clock } = fixture;
      const leases = await takeAll(fixture);
      await storage.destinations.register(['broker', 'another'], 64);
      await fixture.write('a', 'a', 'b');
      const [a, b] = await fetchAll(fixture);
      const letter = (batch: typeof a, n: number) => {
        const { shard, channel, events } = batch!;
        return [{ lease: leases.get(shard)!, channel, ...deadLettered(events[n]!) }];
      };
      await storage.acknowledgements.deadLetter('me', letter(b, 0));
      clock.advance(5);
      await storage.acknowledgements.deadLetter('me', letter(a, 0));
      const event = (batch: typeof a, n: number, run: number) => {
        return { run, mutationId: batch!.events[n]!.mutationId };
      };
      const events = { events: [event(a, 0, 0), event(a, 1, 0), event(b, 0, 1)], channels: ['a', 'b', 'none'] };
      const moments = await storage.deadLetterStory.moments(events, { limit: 10 });
      assert.deepEqual(
        moments.map(({ at, run, letter: { channel, destination, reason } }) => [
          at - clock.now(),
          run,
          channel,
          destination,
          reason,
        ]),
        [
          [-5, 1, 'b', 'broker', 'failed'],
          [0, 0, 'a', 'broker', 'failed'],
        ],
      );
      const next = await storage.deadLetterStory.moments(events, { past: moments[0]!, limit: 10 });
      assert.deepEqual(next, moments.slice(1));
      const inA = await storage.deadLetterStory.moments({ ...events, channels: ['a'] }, { limit: 10 });
      assert.deepEqual(inA, moments.slice(1));
      assert.deepEqual(await storage.deadLetterStory.moments({ events: [], channels: [] }, { limit: 10 }), []);
    },
  },
  {
    name: 'a parked channel returns the following events to be queued, and a requeue delivers all of them in order first',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      const [a1, a2, a3] = (await fixture.write('a', 'a', 'a')) as [string, string, string];
      const [batch] = await fetchAll(fixture, { perChannel: 1 });
      const lease = leases.get(batch!.shard)!;
      const first = { lease, channel: 'a', ...deadLettered(batch!.events[0]!, { parksChannel: true }) };
      await storage.acknowledgements.deadLetter('me', [first]);
      const [behind] = await fetchAll(fixture, { perChannel: 1 });
      assert.equal(behind!.parked, true);
      const second = { lease, channel: 'a', ...deadLettered(behind!.events[0]!, { reason: 'behind', attempts: 0 }) };
      assert.deepEqual(await storage.acknowledgements.deadLetter('me', [second]), [true]);
      assert.deepEqual(idsOf(await dead(fixture)), [a1, a2]);
      const [stands] = await storage.deadLetters.standing('broker', 10);
      assert.deepEqual([stands!.channel, stands!.state], ['a', 'parked']);
      assert.equal(await storage.deadLetters.requeue('broker', 'a'), 2);
      assert.deepEqual(await fetchAll(fixture), [], 'the dead letters go first');
      const [back] = await storage.source.requeued('broker', ALL, 10);
      assert.deepEqual([back!.channel, back!.shard, idsOf(back!.events)], ['a', batch!.shard, [a1, a2]]);
      await storage.acknowledgements.acknowledgeRequeued('me', [ackOf(fixture, leases, 'a', [a1])]);
      assert.deepEqual(idsOf((await storage.source.requeued('broker', ALL, 10))[0]!.events), [a2]);
      assert.deepEqual(await fetchAll(fixture), []);
      await storage.acknowledgements.acknowledgeRequeued('me', [ackOf(fixture, leases, 'a', [a2])]);
      assert.deepEqual(await storage.source.requeued('broker', ALL, 10), []);
      assert.deepEqual(shown(await fetchAll(fixture)), { a: [a3] });
      assert.equal((await fetchAll(fixture))[0]!.parked, false);
      assert.deepEqual(await dead(fixture), []);
    },
  },
  {
    name: 'single dead letters can be requeued; a channel with others queued stays parked',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      const [a1, a2] = (await fixture.write('a', 'a')) as [string, string];
      const [batch] = await fetchAll(fixture);
      const lease = leases.get(batch!.shard)!;
      const [x, y] = batch!.events;
      await storage.acknowledgements.deadLetter('me', [
        { lease, channel: 'a', ...deadLettered(x!, { parksChannel: true }) },
        { lease, channel: 'a', ...deadLettered(y!, { reason: 'behind' }) },
      ]);
      assert.equal(await storage.deadLetters.requeue('broker', 'a', [a1]), 1);
      await storage.acknowledgements.acknowledgeRequeued('me', [ackOf(fixture, leases, 'a', [a1])]);
      assert.deepEqual(idsOf(await dead(fixture, 'a')), [a2]);
      assert.equal((await storage.deadLetters.standing('broker', 10))[0]!.state, 'parked');
      assert.equal(await storage.deadLetters.requeue('broker', 'a', ['999999']), 0);
    },
  },
  {
    name: 'a blocked channel stops until it is retried',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      await fixture.write('a', 'b');
      const lease = leases.get(fixture.shardOf('a'))!;
      await storage.acknowledgements.fail('me', [{ lease, channel: 'a', ...failure(0, { blocks: true }) }]);
      fixture.clock.advance(1_000_000);
      await takeAll(fixture);
      assert.deepEqual(Object.keys(shown(await fetchAll(fixture))), ['b']);
      const [stands] = await storage.deadLetters.standing('broker', 10);
      assert.deepEqual(
        [stands!.channel, stands!.state, stands!.attempts, stands!.error],
        ['a', 'blocked', 1, 'Error: no'],
      );
      assert.equal(await storage.deadLetters.retry('broker', 'b'), false);
      assert.equal(await storage.deadLetters.retry('broker', 'a'), true);
      const [again] = await fetchAll(fixture);
      assert.deepEqual([again!.channel, again!.attempts], ['a', 0]);
    },
  },
  {
    name: 'blocked channels of a destination can be retried one batch after the other, without affecting other channels or destinations',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      await takeAll(fixture, 'me', 'other');
      await fixture.write('a', 'b', 'c');
      const failing = (channel: string, blocks: boolean) => ({
        lease: leases.get(fixture.shardOf(channel))!,
        channel,
        ...failure(1_000, { blocks }),
      });
      await storage.acknowledgements.fail('me', [failing('a', true), failing('b', true), failing('c', false)]);
      const retry = (destination: string, after: string, limit: number) =>
        storage.deadLetters.retrySome(destination, { after, limit });
      assert.deepEqual(await retry('other', '', 10), { retried: 0 });
      assert.equal((await storage.deadLetters.standing('broker', 10)).length, 2);
      assert.deepEqual(await retry('broker', '', 1), { retried: 1, last: 'a' });
      assert.deepEqual(await retry('broker', 'a', 1), { retried: 1 });
      assert.deepEqual(Object.keys(shown(await fetchAll(fixture))).sort(), ['a', 'b'], 'c waits for its next try');
      assert.deepEqual(await retry('broker', '', 10), { retried: 0 });
    },
  },
  {
    name: 'the head of a blocked channel can be skipped',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      const [a1, a2] = (await fixture.write('a', 'a')) as [string, string];
      assert.equal(await storage.deadLetters.skip('broker', 'a'), false, 'it is not blocked');
      const lease = leases.get(fixture.shardOf('a'))!;
      const blocked = [{ lease, channel: 'a', ...failure(0, { blocks: true }) }];
      await storage.acknowledgements.fail('me', blocked);
      assert.equal(await storage.deadLetters.skip('broker', 'a'), true);
      assert.deepEqual(shown(await fetchAll(fixture)), { a: [a2] });
      const [skipped] = await dead(fixture);
      assert.deepEqual([skipped!.sequenceId, skipped!.reason], [a1, 'skipped']);
      await storage.acknowledgements.fail('me', blocked);
      assert.equal(await storage.deadLetters.skip('broker', 'a'), true);
      assert.equal(await fixture.newest(), a2, 'it was the newest of all');
    },
  },
  {
    name: 'old dead letters are purged, the oldest first; those that were requeued are still delivered',
    async run(fixture) {
      const { storage, clock } = fixture;
      const leases = await takeAll(fixture);
      const numbers = await fixture.write('a', 'b', 'c', 'd');
      for (const batch of await fetchAll(fixture)) {
        const item = { lease: leases.get(batch.shard)!, channel: batch.channel, ...deadLettered(batch.events[0]!) };
        await storage.acknowledgements.deadLetter('me', [item]);
        clock.advance(1_000);
      }
      await storage.deadLetters.requeue('broker', 'a');
      assert.equal(await storage.deadLetterRemoval.purge(5_000, 10), 0);
      assert.equal(await storage.deadLetterRemoval.purge(2_000, 1), 1);
      assert.deepEqual(idsOf(await dead(fixture)), [numbers[0], numbers[2], numbers[3]]);
      assert.equal(await storage.deadLetterRemoval.purge(2_000, 10), 1);
      assert.equal(await storage.deadLetterRemoval.purge(0, 10), 1);
      const left = await dead(fixture);
      assert.deepEqual(
        left.map(({ sequenceId, reason }) => [sequenceId, reason]),
        [[numbers[0], 'requeued']],
      );
    },
  },
  {
    name: 'what operators do about events is one transaction with an act; calls without an actor leave none',
    async run(fixture) {
      const { storage } = fixture;
      const leases = await takeAll(fixture);
      await fixture.write('a');
      const [batch] = await fetchAll(fixture);
      const lease = leases.get(batch!.shard)!;
      await storage.acknowledgements.deadLetter('me', [{ lease, channel: 'a', ...deadLettered(batch!.events[0]!) }]);
      const operations = new OutboxOperations(storage, () => undefined);
      const ada = { actor: 'ada', reason: 'the broker is back' };
      await assert.rejects(operations.skip('a', { reason: 'nobody' }), { code: 'INVALID_ARGUMENT' });
      await operations.retryAll();
      assert.equal(await operations.requeue('a', ada), 1);
      assert.equal(await operations.retry('a', ada), false);
      assert.equal(await operations.skip('a', ada), false);
      assert.equal(await operations.retryAll(ada), 0);
      await operations.forget('broker', ada);
      const acts = (await storage.acts.list({ namespace: '', limit: 10 })).acts;
      assert.deepEqual(
        acts.map(({ kind, target, action, outcome }) => [kind, target, action, outcome]),
        [
          ['destination', 'broker', 'forget', 'forgotten'],
          ['destination', 'broker', 'retry all', 'nothing to do'],
          ['channel', 'a', 'skip', 'nothing to do'],
          ['channel', 'a', 'retry', 'nothing to do'],
          ['channel', 'a', 'requeue', 'done'],
        ],
      );
      assert.deepEqual(acts.at(-1)?.details, { destination: 'broker', count: 1 });
    },
  },
];

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
