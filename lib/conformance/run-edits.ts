import assert from 'node:assert/strict';
import type { GivingUp } from '../engine/model/run-control.js';
import type { StepRecord } from '../engine/model/step-record.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import {
  alone,
  boom,
  claim,
  commit,
  create,
  find,
  history,
  newRun,
  ownedOne,
  type RunStoreFixture,
  stepOf,
  writeOf,
} from './run-store.js';

type Closed = Parameters<GivingUp>[0];

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

const rewrite = ({ storage: { acts, edits } }: EngineStorageFixture, step: StepRecord, givingUp: GivingUp = alone) =>
  acts.within(undefined, async (tx) => {
    const found = await edits.open(step.runId, tx);
    return edits.rewrite(found!, step, givingUp, tx);
  });

/** Guarantees for operators who change the history of a run. */
export const runEditsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'locked runs are returned in the order of their ids, those that exist',
    async run(fixture) {
      await create(at(fixture), newRun('b'));
      await create(at(fixture), newRun('a'));
      const { acts, edits } = fixture.storage;
      const found = await acts.within(undefined, (tx) => edits.lock(['b', 'unknown', 'a', 'b'], tx));
      assert.deepEqual(
        found.map(({ id, status }) => [id, status]),
        [
          ['a', 'pending'],
          ['b', 'pending'],
        ],
      );
    },
  },
  {
    name: 'a run that is opened for an edit has its whole history and the form of a claim',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [stepOf('a', 1), stepOf('a', 0)] }));
      const found = await fixture.storage.edits.open('a');
      assert.deepEqual(
        found?.steps.map(({ seq }) => seq),
        [0, 1],
      );
      assert.deepEqual([found?.claim.id, found?.claim.epoch, found?.run.status], ['a', run.epoch, 'running']);
      assert.equal(await fixture.storage.edits.open('unknown'), undefined);
    },
  },
  {
    name: 'a rewritten step is written, its run is taken from its owner and due at once, and its request is withdrawn',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [stepOf('a', 0), stepOf('a', 1)] }));
      const lost = new Set<string>();
      const stop = storage.store.onRuns((gone) => gone?.forEach((id) => lost.add(id)));
      const given: Closed[] = [];
      const done = stepOf('a', 1, { status: 'completed', settled: 1, output: '"operator"' });
      assert.equal(await rewrite(fixture, done, async (closed) => void given.push(closed)), true);
      stop();
      assert.deepEqual([...lost], ['a']);
      assert.deepEqual(
        given.map(({ withdrawn }) => withdrawn),
        [['a:1']],
      );
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 2)] })), ['a']);
      const [again] = await claim(storage);
      assert.deepEqual([again?.id, again!.epoch > run.epoch], ['a', true]);
      const steps = await history(storage, 'a');
      assert.deepEqual(
        steps.map(({ seq, status, output }) => [seq, status, output]),
        [
          [0, 'pending', null],
          [1, 'completed', '"operator"'],
        ],
      );
    },
  },
  {
    name: 'a failed run goes on with the outcome in place of a child, which is not tried again',
    async run(fixture) {
      const storage = at(fixture);
      const parent = await ownedOne(storage, 'p');
      const no = { status: 'failed', settled: 1, attempt: 1, failures: 1, error: '{"message":"no"}' } as const;
      const end = { status: 'failed', error: { message: 'no' }, resume: { failed: [0] } } as const;
      await create(storage, newRun('c', { parent: { id: 'p', seq: 0, close: 'cancel' } }));
      const [child] = await claim(storage);
      // Its failure was compensated, so it could not go on either.
      const undone = stepOf('c', -2, { name: 'undo', status: 'completed', settled: 2 });
      const charged = stepOf('c', 1, { status: 'completed', settled: 3 });
      await commit(storage, writeOf(child!, { steps: [stepOf('c', 0, no), undone, charged], transition: end }));
      const waited = stepOf('p', 0, { kind: 'child', name: 'order', ref: 'c' });
      await commit(storage, writeOf(parent, { steps: [{ ...waited, ...no }], transition: end }));
      const before = await history(storage, 'c');
      assert.equal(await rewrite(fixture, { ...waited, status: 'completed', settled: 1, output: '"paid"' }), true);
      assert.deepEqual([(await find(storage, 'c')).status, await history(storage, 'c')], ['failed', before]);
      const [again, ...others] = await claim(storage);
      assert.deepEqual([again?.id, others.length], ['p', 0]);
      assert.deepEqual(
        (await history(storage, 'p')).map(({ status, output }) => [status, output]),
        [['completed', '"paid"']],
      );
    },
  },
  {
    name: 'if its request cannot be withdrawn, a step is not rewritten',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [stepOf('a', 0)] }));
      if (!fixture.transaction) return;
      const done = stepOf('a', 0, { status: 'completed', settled: 1 });
      await assert.rejects(rewrite(fixture, done, boom), /boom/);
      assert.equal((await find(storage, 'a')).status, 'running');
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 1)] })), []);
    },
  },
];
