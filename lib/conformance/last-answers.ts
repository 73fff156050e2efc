import assert from 'node:assert/strict';
import type { GivingUp } from '../engine/model/run-control.js';
import type { ClaimedRun } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import {
  alone,
  answerTo,
  claim,
  commit,
  create,
  history,
  newRun,
  ownedOne,
  type RunStoreFixture,
  settle,
  stepOf,
  writeOf,
} from './run-store.js';

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** An owned run with a step to compensate and open remote steps; three have answers, the second step's first. */
async function asked(fixture: RunStoreFixture, id: string): Promise<ClaimedRun> {
  const run = await ownedOne(fixture, id);
  const steps = [
    stepOf(id, 0, { kind: 'step', status: 'completed', settled: 1, output: '0' }),
    ...[1, 2, 3, 4].map((seq) => stepOf(id, seq, { attempt: seq === 3 ? 2 : 0 })),
    stepOf(id, 5, { kind: 'child' }),
    stepOf(id, -1),
  ];
  assert.deepEqual(await commit(fixture, writeOf(run, { steps, extras: { unwinds: true } })), []);
  return run;
}

const answered = (id: string): Awaited<ReturnType<GivingUp>> => [
  answerTo(id, 1, { createdAt: 9 }),
  answerTo(id, 2, { createdAt: 8 }),
  answerTo(id, 3, { createdAt: 10, status: 'failed', output: null, error: '{"message":"no"}' }),
  ...[0, 5, -1, 7].map((seq) => answerTo(id, seq, { createdAt: 11, output: '"other"' })),
  answerTo('other', 4),
];

const outcomes = async (fixture: RunStoreFixture, id: string) =>
  (await history(fixture, id)).map(({ seq, status, settled, output }) => [seq, status, settled, output]);

const SETTLED = [
  [-1, 'pending', null, null],
  [0, 'completed', 1, '0'],
  [1, 'completed', 3, '1'],
  [2, 'completed', 2, '2'],
  [3, 'failed', 4, null],
  [4, 'pending', null, null],
  [5, 'pending', null, null],
];
const UNTOUCHED = SETTLED.map(([seq, status, settled, output]) =>
  Number(seq) > 0 ? [seq, 'pending', null, null] : [seq, status, settled, output],
);

const OUTPUTS = SETTLED.map(([seq, ...rest]) => (seq === 3 ? [seq, 'pending', null, null] : [seq, ...rest]));

const failing = { status: 'compensating', closing: 'failed', error: { message: 'x' }, settled: 1 } as const;

/** Written answers that were not taken when their run is closed. */
export const lastAnswersConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'if a run is cancelled, answers that workers had written become the outcomes of their steps, in the order of writing',
    async run(fixture) {
      const storage = at(fixture);
      await asked(storage, 'a');
      assert.equal(await storage.control.close('a', 'cancelled', async () => answered('a')), 'closing');
      assert.deepEqual(await outcomes(storage, 'a'), SETTLED);
      const [failed] = (await history(storage, 'a')).filter(({ seq }) => seq === 3);
      assert.deepEqual([failed?.attempt, failed?.error, failed?.finishedAt], [3, '{"message":"no"}', 10]);
      // An answer that arrives before the run is claimed is recorded too.
      await settle(storage, [answerTo('a', -1)]);
      assert.deepEqual((await outcomes(storage, 'a'))[0], [-1, 'completed', 5, '-1']);
    },
  },
  {
    name: 'of a failure, an output is kept only if it was refused by its schema, before and after the run is closed',
    async run(fixture) {
      const storage = at(fixture);
      const run = await asked(storage, 'a');
      await commit(storage, writeOf(run, { transition: { status: 'suspended', wakeAt: null, settled: 1 } }));
      const failure = (seq: number, name: string) =>
        answerTo('a', seq, { status: 'failed', output: '"value"', error: JSON.stringify({ message: 'no', name }) });
      const late = async () => [failure(3, 'RefusedOutputError'), failure(4, 'Error')];
      await settle(storage, [failure(1, 'RefusedOutputError'), failure(2, 'Error')]);
      assert.deepEqual((await outcomes(storage, 'a')).slice(2, 4), [
        [1, 'answered', null, '"value"'],
        [2, 'answered', null, null],
      ]);
      assert.equal(await storage.control.close('a', 'cancelled', late), 'closing');
      assert.deepEqual((await outcomes(storage, 'a')).slice(4, 6), [
        [3, 'failed', 2, '"value"'],
        [4, 'failed', 3, null],
      ]);
    },
  },
  {
    name: 'if a run fails on its own, these answers become the outcomes too; a stale write changes nothing',
    async run(fixture) {
      const storage = at(fixture);
      const run = await asked(storage, 'a');
      const write = writeOf(run, { withdraws: ['a:1'], transition: failing });
      const stale = { ...write, epoch: run.epoch - 1 };
      assert.deepEqual(await storage.store.commit([stale], async () => answered('a')), [stale]);
      assert.deepEqual(await outcomes(storage, 'a'), UNTOUCHED);
      assert.deepEqual(await storage.store.commit([write], async () => answered('a')), []);
      assert.deepEqual(await outcomes(storage, 'a'), SETTLED);
      await settle(storage, [answerTo('a', -1)]);
      assert.deepEqual((await outcomes(storage, 'a'))[0], [-1, 'completed', 5, '-1']);
    },
  },
  {
    name: 'if a run fails with nothing to compensate, these outputs count for its retry, and these failures are forgotten',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const no = { status: 'failed', settled: 1, error: '{"message":"no"}' } as const;
      const steps = [
        stepOf('a', 0, { ...no, attempt: 1, failures: 1 }),
        ...[1, 2, 3, 4].map((seq) => stepOf('a', seq)),
      ];
      const resume = { failed: [0], delivered: 1 };
      const write = writeOf(run, {
        steps,
        withdraws: ['a:1'],
        transition: { status: 'failed', error: { message: 'x' }, resume },
      });
      assert.deepEqual(await storage.store.commit([write], async () => answered('a')), []);
      const all = [[0, 'failed', 1, null], ...SETTLED.slice(2, 6)];
      assert.deepEqual(await outcomes(storage, 'a'), all);
      assert.equal(await storage.control.retry('a', alone), 'retried');
      const open = all.map(([seq, ...rest]) =>
        seq === 0 || seq === 3 ? [seq, 'pending', null, null] : [seq, ...rest],
      );
      assert.deepEqual(await outcomes(storage, 'a'), open);
      assert.deepEqual((await claim(storage))[0]?.resume, { forgiven: { 0: 1, 3: 1 } });
    },
  },
  {
    name: 'if a run is ended from outside, only outputs count: its parent may go on with it',
    async run(fixture) {
      const storage = at(fixture);
      const done = { kind: 'step', status: 'completed', settled: 1, output: '0' } as const;
      const steps = [stepOf('a', 0, done), ...[1, 2, 3, 4].map((seq) => stepOf('a', seq))];
      for (const how of ['cancelled', 'terminated'] as const) {
        const run = await ownedOne(storage, how);
        await commit(storage, writeOf(run, { steps: steps.map((step) => ({ ...step, runId: how })) }));
        assert.equal(await storage.control.close(how, how, async () => answered(how)), 'ended');
        assert.deepEqual(await outcomes(storage, how), OUTPUTS.slice(1, 6));
      }
    },
  },
  {
    name: 'steps that are withdrawn otherwise get no outcome, and those of a terminated run only outputs',
    async run(fixture) {
      const storage = at(fixture);
      const [a, b] = [await asked(storage, 'a'), await asked(storage, 'b')];
      const parked = { status: 'suspended', wakeAt: null, settled: 1 } as const;
      const write = writeOf(a, { withdraws: ['a:1'], transition: parked });
      assert.deepEqual(await storage.store.commit([write], async () => answered('a')), []);
      await create(storage, newRun('child', { parent: { id: 'b', seq: 5, close: 'cancel' }, delayMs: 1_000 }));
      assert.equal(await storage.control.close('b', 'terminated', async () => answered('b')), 'closing');
      assert.deepEqual(await outcomes(storage, 'a'), UNTOUCHED);
      assert.deepEqual(await outcomes(storage, 'b'), OUTPUTS);
      assert.deepEqual(await commit(storage, writeOf(b)), ['b']);
    },
  },
  {
    name: 'if the end of a run is rolled back, the answers stay available',
    async run(fixture) {
      const { transaction } = fixture;
      if (!transaction) return;
      const storage = at(fixture);
      await asked(storage, 'a');
      const rolledBack = transaction(async (tx) => {
        await storage.control.close('a', 'cancelled', async () => answered('a'), tx);
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.deepEqual(await outcomes(storage, 'a'), UNTOUCHED);
      await transaction((tx) => storage.control.close('a', 'cancelled', async () => answered('a'), tx));
      assert.deepEqual(await outcomes(storage, 'a'), SETTLED);
      const [again] = await claim(storage);
      assert.deepEqual([again?.id, again?.closing], ['a', 'cancelled']);
      assert.equal(await storage.control.close('a', 'terminated', alone), 'ended');
    },
  },
];
