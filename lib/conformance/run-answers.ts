import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import {
  alone,
  answerTo,
  boom,
  claim,
  claimOf,
  commit,
  find,
  history,
  ids,
  ownedOne,
  parked,
  type RunStoreFixture,
  settle,
  signIn,
  stepOf,
  writeOf,
} from './run-store.js';

/** Answers to runs without an owner. */
export const runAnswersConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'an answer to a parked run is recorded as the next one, and wakes the run',
    async run(at) {
      await parked(at, 'a', 3, 7);
      assert.deepEqual(await claim(at), []);
      assert.deepEqual(await settle(at, [answerTo('a', 2)]), ['a:2']);
      assert.deepEqual(await settle(at, [answerTo('a', 0, { output: '{"t":"ü😀\\u0000"}' })]), ['a:0']);
      const [first, open, third] = await history(at, 'a');
      assert.deepEqual([third?.status, third?.settled, third?.output, third?.startedAt], ['completed', 8, '2', 3]);
      assert.deepEqual([first?.status, first?.settled, first?.output], ['completed', 9, '{"t":"ü😀\\u0000"}']);
      assert.deepEqual(open, stepOf('a', 1));
      assert.deepEqual(ids(await claim(at)), ['a']);
    },
  },
  {
    name: 'an answer at a later attempt shows that those before it were lost, and who ran it',
    async run(at) {
      await parked(at, 'a', 4);
      const failed = { status: 'failed', output: null, error: '{"message":"no"}' } as const;
      const by = (attempt: number) => ({ by: { worker: 'wörker', attempt } });
      const answers = [answerTo('a', 0, by(3)), answerTo('a', 1, { ...failed, ...by(2) })];
      await settle(at, [...answers, answerTo('a', 2), answerTo('a', 3, by(999_999_999))]);
      assert.deepEqual(
        (await history(at, 'a')).map(({ status, attempt, failures, worker }) => [status, attempt, failures, worker]),
        [
          ['completed', 2, 0, 'wörker'],
          ['answered', 1, 0, 'wörker'],
          ['completed', 0, 0, null],
          // No such number of claims is believed.
          ['completed', 0, 0, 'wörker'],
        ],
      );
    },
  },
  {
    name: 'answers that arrive together are recorded in the given order',
    async run(at) {
      await parked(at, 'a', 4);
      await parked(at, 'b', 2);
      const answers = [answerTo('a', 3), answerTo('b', 1), answerTo('a', 0), answerTo('b', 0), answerTo('a', 1)];
      assert.deepEqual((await settle(at, answers)).sort(), ['a:0', 'a:1', 'a:3', 'b:0', 'b:1']);
      const orders = async (id: string) => (await history(at, id)).map(({ settled }) => settled);
      assert.deepEqual(
        [await orders('a'), await orders('b')],
        [
          [2, 3, null, 1],
          [2, 1],
        ],
      );
    },
  },
  {
    name: 'a failed attempt waits for the decision of an owner, and is not counted yet',
    async run(at) {
      await parked(at, 'a');
      const error = '{"message":"no","code":"X"}';
      await settle(at, [answerTo('a', 0, { status: 'failed', output: null, error })]);
      const [step] = await history(at, 'a');
      assert.deepEqual([step?.status, step?.settled, step?.error, step?.attempt], ['answered', null, error, 0]);
      assert.deepEqual(ids(await claim(at)), ['a']);
    },
  },
  {
    name: 'answers to a run that is owned, of another namespace or unknown stay where they are (T6)',
    async run(at) {
      const run = await ownedOne(at, 'owned');
      await commit(at, writeOf(run, { steps: [stepOf('owned', 0)] }));
      await parked(at, 'free');
      assert.deepEqual(await settle(at, [answerTo('free', 0)], 'another'), []);
      const taken: string[] = [];
      const answers = [answerTo('owned', 0), answerTo('free', 0), answerTo('unknown', 0)];
      await at.store.settleUnowned('', answers, async (stepIds) => void taken.push(...stepIds));
      assert.deepEqual(taken, ['free:0']);
      assert.deepEqual(await history(at, 'owned'), [stepOf('owned', 0)]);
    },
  },
  {
    name: 'answers to a run that has ended are taken, and change nothing',
    async run(at) {
      await parked(at, 'a');
      await at.control.close('a', 'cancelled', alone);
      const before = [await find(at, 'a'), await history(at, 'a')];
      assert.deepEqual(await settle(at, [answerTo('a', 0)]), ['a:0']);
      assert.deepEqual([await find(at, 'a'), await history(at, 'a')], before);
    },
  },
  {
    name: 'a blocked run gets its answers, and stays blocked',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const transition = { status: 'suspended', wakeAt: null, settled: 0, reason: 'programming_error' } as const;
      await commit(at, writeOf(run, { steps: [stepOf('a', 0)], transition }));
      assert.deepEqual(await settle(at, [answerTo('a', 0)]), ['a:0']);
      assert.equal((await history(at, 'a'))[0]?.status, 'completed');
      assert.deepEqual(await claim(at), []);
      const { status, reason, wakeAt } = await find(at, 'a');
      assert.deepEqual([status, reason, wakeAt], ['suspended', 'programming_error', null]);
    },
  },
  {
    name: 'an answer that arrives twice counts once, and the first one is kept',
    async run(at) {
      await parked(at, 'a', 2);
      const twice = [answerTo('a', 0, { output: '"first"' }), answerTo('a', 0, { output: '"second"' })];
      await settle(at, twice);
      await settle(at, [answerTo('a', 0, { status: 'failed', output: null, error: '{"message":"late"}' })]);
      await settle(at, [answerTo('a', 1)]);
      const steps = await history(at, 'a');
      assert.deepEqual(
        steps.map(({ output, settled, status }) => [output, settled, status]),
        [
          ['"first"', 1, 'completed'],
          ['1', 2, 'completed'],
        ],
      );
    },
  },
  {
    name: 'an answer to a step that waits for its next attempt, or is not a remote step, is dropped',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const wakeAt = at.clock.now() + 60_000;
      const steps = [stepOf('a', 0, { attempt: 1, wakeAt }), stepOf('a', 1, { kind: 'step' })];
      await commit(at, writeOf(run, { steps, transition: { status: 'suspended', wakeAt, settled: 0 } }));
      const answers = [answerTo('a', 0), answerTo('a', 1), answerTo('a', 2), answerTo('a', -1)];
      assert.deepEqual((await settle(at, answers)).sort(), ['a:-1', 'a:0', 'a:1', 'a:2']);
      assert.deepEqual(await history(at, 'a'), steps);
      assert.equal((await find(at, 'a')).wakeAt, wakeAt);
    },
  },
  {
    name: 'two engines that settle the same answers at once settle them once (E9)',
    async run(at) {
      await parked(at, 'a', 20);
      const answers = Array.from({ length: 20 }, (_, seq) => answerTo('a', seq));
      await Promise.all([settle(at, answers), settle(at, [...answers].reverse()), settle(at, answers)]);
      const orders = (await history(at, 'a')).map(({ settled }) => settled);
      assert.deepEqual(
        orders.sort((a, b) => a! - b!),
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
    },
  },
  {
    name: 'if the answers cannot be taken, nothing is recorded',
    async run(at) {
      await parked(at, 'a');
      await assert.rejects(at.store.settleUnowned('', [answerTo('a', 0)], boom), /boom/);
      assert.deepEqual(await history(at, 'a'), [stepOf('a', 0)]);
      assert.deepEqual(await claim(at), []);
      await settle(at, [answerTo('a', 0)]);
      assert.equal((await history(at, 'a'))[0]?.settled, 1);
    },
  },
  {
    name: 'answers after the death of an owner are recorded after its own records',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const steps = [stepOf('a', 0, { status: 'completed', settled: 1, output: '0' }), stepOf('a', 1)];
      await commit(at, writeOf(run, { steps }));
      await at.store.release([claimOf(run)], true);
      await settle(at, [answerTo('a', 1)]);
      assert.deepEqual(
        (await history(at, 'a')).map(({ settled }) => settled),
        [1, 2],
      );
    },
  },
  {
    name: 'an answer does not delay a run that was already due',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const wakeAt = at.clock.now() + 10;
      await commit(
        at,
        writeOf(run, { steps: [stepOf('a', 0)], transition: { status: 'suspended', wakeAt, settled: 0 } }),
      );
      at.clock.advance(1_000);
      await settle(at, [answerTo('a', 0)]);
      assert.equal((await find(at, 'a')).wakeAt, wakeAt);
      await signIn(at);
      assert.deepEqual(ids(await claim(at)), ['a']);
    },
  },
];
