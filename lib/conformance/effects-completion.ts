import assert from 'node:assert/strict';
import type { EffectGroup } from '../effects/effect-entry.js';
import type { OnCompletion } from '../effects/effect-storage.js';
import {
  ABANDONED,
  calls,
  claim,
  claimOne,
  type EffectsFixture,
  enqueue,
  ERASE,
  failed,
  holdingSink,
  LEASE_MS,
  SUCCEEDED,
  typesOf,
  withCheckedRows,
} from './effects-fixture.js';

/** Records completions. */
function noted(): { groups: EffectGroup[]; onCompletion: OnCompletion } {
  const groups: EffectGroup[] = [];
  return { groups, onCompletion: async (group) => void groups.push(group) };
}

const completions = async (fixture: EffectsFixture, group = ERASE): Promise<unknown[]> =>
  (await fixture.storage.audit.read(group))
    .filter(({ type }) => type === 'operation_completed')
    .map(({ details }) => details.entries);

/** Guarantees of completion. */
export const effectCompletionConformance = withCheckedRows([
  {
    name: 'I18 a group completes with the success of its last entry, and not before',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const { groups, onCompletion } = noted();
      const settled: string[] = [];
      for (const one of await claim(fixture))
        settled.push(await fixture.storage.settlements.settle(one, SUCCEEDED, onCompletion));
      assert.deepEqual(settled, ['settled', 'settled', 'completed']);
      assert.deepEqual(groups, [ERASE]);
      assert.deepEqual(await completions(fixture), [3]);
      const types = await typesOf(fixture);
      assert.deepEqual(types, [...Array<string>(3).fill('effect_succeeded'), 'operation_completed']);
    },
  },
  {
    name: 'I19 if several settle the last entries of a group at the same time, exactly one completes it',
    async run(fixture) {
      const subjects = Array.from({ length: 12 }, (_, n) => `user-${n}`);
      for (const subject of subjects)
        await enqueue(fixture, calls('a', 'b', 'c', 'd'), { operation: 'erase', subject });
      const { groups, onCompletion } = noted();
      const claimed = await claim(fixture);
      assert.equal(claimed.length, 48);
      const settled = await Promise.all(
        claimed.map((one) => fixture.storage.settlements.settle(one, SUCCEEDED, onCompletion)),
      );
      assert.equal(settled.filter((each) => each === 'completed').length, 12);
      assert.deepEqual(new Set(groups.map(({ subject }) => subject)), new Set(subjects));
      for (const subject of subjects)
        assert.deepEqual(await completions(fixture, { operation: 'erase', subject }), [4]);
    },
  },
  {
    name: 'I20: if the callback throws, the success is discarded and nothing is recorded',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      const claimed = await claimOne(fixture);
      const { settlements } = fixture.storage;
      const failing: OnCompletion = () => Promise.reject(new Error('no room'));
      await assert.rejects(settlements.settle(claimed, SUCCEEDED, failing), { message: 'no room' });
      const [row] = await fixture.rows();
      assert.deepEqual([row?.status, row?.token], ['in_flight', claimed.claim.token]);
      assert.deepEqual(await typesOf(fixture), []);
      fixture.clock.advance(LEASE_MS);
      const { groups, onCompletion } = noted();
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED, onCompletion), 'completed');
      assert.deepEqual([groups, await completions(fixture)], [[ERASE], [1]]);
    },
  },
  {
    name: 'I21 an abandoned or scheduled sibling prevents completion',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      const { settlements, requeue } = fixture.storage;
      const until = fixture.clock.now() + 1_000;
      await settlements.settle(a!, ABANDONED);
      await settlements.settle(b!, { status: 'scheduled', until, delayMs: 0 });
      assert.equal(await settlements.settle(c!, SUCCEEDED), 'settled');
      fixture.clock.advance(1_000);
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED), 'settled');
      assert.deepEqual(await completions(fixture), []);
      await requeue.requeue([a!.claim.entryId]);
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED), 'completed');
      assert.deepEqual(await completions(fixture), [3]);
    },
  },
  {
    name: 'I21 a failed sibling or one in flight prevents completion',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      const { settlements } = fixture.storage;
      await settlements.settle(a!, failed(0));
      assert.equal(await settlements.settle(b!, SUCCEEDED), 'settled');
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED), 'settled');
      assert.equal(await settlements.settle(c!, SUCCEEDED), 'completed');
    },
  },
  {
    name: 'I22, I23 operations and subjects are independent of each other; entries of the same operation and subject are one group',
    async run(fixture) {
      const groups = [
        { operation: 'erase', subject: 'x' },
        { operation: 'rectify', subject: 'x' },
        { operation: 'erase', subject: 'X' },
        { operation: 'erase', subject: 'x ' },
        { operation: 'Erase', subject: 'x' },
      ];
      for (const group of groups) await enqueue(fixture, calls('a'), group);
      await enqueue(fixture, calls('b'), groups[0]);
      const [first, ...others] = await claim(fixture);
      assert.equal(
        await fixture.storage.settlements.settle(first!, SUCCEEDED),
        'settled',
        'another entry has the same subject',
      );
      for (const one of others) assert.equal(await fixture.storage.settlements.settle(one, SUCCEEDED), 'completed');
      for (const group of groups) assert.deepEqual(await completions(fixture, group), [group === groups[0] ? 2 : 1]);
    },
  },
  {
    name: 'I24: entries enqueued later are a new generation, which completes once on its own',
    async run(fixture) {
      const { groups, onCompletion } = noted();
      const { settlements } = fixture.storage;
      for (const generation of [1, 2, 3]) {
        await enqueue(fixture, calls('a', 'b'));
        const [a, b] = await claim(fixture);
        assert.equal(await settlements.settle(a!, SUCCEEDED, onCompletion), 'settled');
        assert.equal(await settlements.settle(b!, SUCCEEDED, onCompletion), 'completed');
        assert.equal(groups.length, generation);
      }
      assert.deepEqual(await completions(fixture), [2, 4, 6]);
      const events = await fixture.storage.audit.read(ERASE);
      assert.equal(new Set(events.map(({ eventId }) => eventId)).size, 9);
      const first = await fixture.storage.audit.read(ERASE, { limit: 4 });
      assert.deepEqual(first, events.slice(0, 4), 'a page');
      const rest = await fixture.storage.audit.read(ERASE, { after: first[3]!.eventId, limit: 100 });
      assert.deepEqual(rest, events.slice(4), 'what follows it');
    },
  },
  {
    name: 'I24 an entry enqueued while a group completes belongs to it, or completes on its own',
    async run(fixture) {
      const { groups, onCompletion } = noted();
      const { settlements } = fixture.storage;
      await enqueue(fixture, calls('first'));
      for (let n = 0; n < 10; n++) {
        const [claimed] = await claim(fixture);
        await Promise.all([settlements.settle(claimed!, SUCCEEDED, onCompletion), enqueue(fixture, calls(`${n}`))]);
      }
      await settlements.settle(await claimOne(fixture), SUCCEEDED, onCompletion);
      const counts = await completions(fixture);
      assert.equal(counts.length, groups.length);
      assert.deepEqual(new Set(counts).size, counts.length, 'each generation once');
      assert.equal(counts.at(-1), 11);
    },
  },
  {
    name: 'I19 a settlement waits for another one of the same group, and the later one completes the group',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      const { sink, arrived, release } = holdingSink();
      const first = fixture.withSink(sink).settlements.settle(a!, SUCCEEDED);
      await arrived;
      // In the same group, with the smallest id: it was not locked before.
      const late = {
        entryId: '00000000-0000-7000-8000-000000000000',
        ...ERASE,
        handler: 'mail',
        ref: '"c"',
        payload: null,
      };
      await fixture.storage.store.enqueue([late]);
      const [c] = await claim(fixture);
      const { groups, onCompletion } = noted();
      const others = [b!, c!].map((one) => fixture.storage.settlements.settle(one, SUCCEEDED, onCompletion));
      assert.deepEqual(groups, []);
      release();
      const settled = [await first, ...(await Promise.all(others))];
      assert.deepEqual(settled.sort(), ['completed', 'settled', 'settled']);
      assert.deepEqual(groups, [ERASE]);
    },
  },
  {
    name: 'isComplete: true inside the transaction that completes the group, for others after its commit',
    async run(fixture) {
      const { insight, settlements } = fixture.storage;
      assert.equal(await insight.isComplete(ERASE), false, 'nothing was enqueued');
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      await settlements.settle(a!, SUCCEEDED);
      assert.equal(await insight.isComplete(ERASE), false);
      const seen: boolean[] = [];
      const look: OnCompletion = async (group, _, tx) => void seen.push(await insight.isComplete(group, tx));
      await settlements.settle(b!, SUCCEEDED, look);
      assert.deepEqual(seen, [true]);
      assert.equal(await insight.isComplete(ERASE), true);
      await enqueue(fixture, calls('c'));
      assert.equal(await insight.isComplete(ERASE), false, 'a new generation');
    },
  },
]);
