import assert from 'node:assert/strict';
import { recordedHistory } from '../engine/insight/recorded-history.js';
import type { StepRecord } from '../engine/model/step-record.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { alone, commit, create, newRun, ownedOne, type RunStoreFixture, stepOf, writeOf } from './run-store.js';

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** Below all positions of a run. */
const LOWEST = -(2 ** 31);

/** A run with steps of all kinds, attempts and lines. */
async function told(fixture: EngineStorageFixture) {
  const storage = at(fixture);
  const run = await ownedOne(storage, 'a');
  const steps = [
    stepOf('a', 0, { status: 'failed', settled: 2, attempt: 1, error: '{"message":"no"}', output: '"never"' }),
    stepOf('a', 1, { status: 'completed', settled: 1, output: '"ü"', input: '{"n":1}' }),
    stepOf('a', 2, { kind: 'signal', output: '[]', askedAt: 9 }),
    stepOf('a', 3, { kind: 'marker', status: 'completed', output: '5' }),
    stepOf('a', 4),
    stepOf('a', -1, { status: 'completed', settled: 3 }),
    stepOf('a', LOWEST, { kind: 'marker', status: 'completed' }),
  ];
  const attempt = { attempt: 1, outcome: 'failed', askedAt: null, startedAt: 1, finishedAt: 2 } as const;
  const attempts = [0, 4].map((seq) => ({ ...attempt, seq, worker: null, error: '{"message":"no"}' }));
  const line = (seq: number | null, message: string) =>
    ({ seq, message, attempt: 1, level: 'info', fields: null, loggedAt: 5 }) as const;
  const logs = [line(1, 'one'), line(null, 'run'), line(0, 'zero'), line(1, 'two'), line(4, 'four')];
  assert.deepEqual(await commit(storage, writeOf(run, { steps, extras: { attempts, logs } })), []);
  return { reads: fixture.storage.steps, seqs: (found: readonly StepRecord[]) => found.map(({ seq }) => seq) };
}

/** Guarantees for readers of the history of one run. */
export const stepReadsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'the recorded history of a run is its own, however many runs have ids like it',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'order-7');
      await commit(storage, writeOf(run, { steps: [stepOf('order-7', 5)], extras: { unwinds: true } }));
      await create(storage, ...Array.from({ length: 1_001 }, (_, n) => newRun(`order-${1_000 + n}`)));
      const recorded = await recordedHistory(fixture.storage, 'order-7');
      assert.deepEqual([recorded.run.id, recorded.run.unwinds, recorded.steps.length], ['order-7', true, 1]);
    },
  },
  {
    name: 'a run is read by its id in the form of a claim, also when it has ended',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const { steps } = fixture.storage;
      assert.deepEqual(await steps.claimed('a'), run);
      await commit(storage, writeOf(run, { transition: { status: 'completed', output: '1' } }));
      assert.deepEqual(await steps.claimed('a'), { ...run, closing: null, error: null, unwinds: false });
      assert.deepEqual([await steps.claimed('b'), await steps.firstSeq('b')], [undefined, undefined]);
    },
  },
  {
    name: 'a history is read in parts, without payloads unless they are asked for',
    async run(fixture) {
      const { reads, seqs } = await told(fixture);
      const part = { runId: 'a', after: LOWEST, limit: 3 };
      const [undone, first, ...rest] = await reads.page(part);
      assert.deepEqual(
        [undone, first].map((step) => [step?.seq, step?.output, step?.error]),
        [
          [-1, null, null],
          [0, null, '{"message":"no"}'],
        ],
      );
      assert.deepEqual(seqs(rest), [1]);
      assert.deepEqual(seqs(await reads.page({ ...part, after: 1, limit: 2 })), [2, 3]);
      const whole = await reads.page({ ...part, after: 0, limit: 1, payloads: true });
      assert.deepEqual(
        whole.map(({ seq, output, input }) => [seq, output, input]),
        [[1, '"ü"', '{"n":1}']],
      );
      assert.deepEqual(await reads.page({ ...part, runId: 'b' }), []);
    },
  },
  {
    name: 'steps are read by what has become of them: outcomes in their order, and open ones that were asked last',
    async run(fixture) {
      const { reads, seqs } = await told(fixture);
      assert.deepEqual(seqs(await reads.settledAfter({ runId: 'a', settled: 0, limit: 9 })), [1, 0, -1]);
      assert.deepEqual(seqs(await reads.settledAfter({ runId: 'a', settled: 1, limit: 1 })), [0]);
      assert.deepEqual([await reads.lastSettled('a'), await reads.lastSettled('b')], [3, 0]);
      const open = await reads.open('a', 9);
      assert.deepEqual(
        open.map(({ seq, output }) => [seq, output]),
        [
          [2, '[]'],
          [4, null],
        ],
      );
      assert.deepEqual(seqs(await reads.open('a', 1)), [2]);
    },
  },
  {
    name: 'attempts and log lines are read of some steps, and lines are counted',
    async run(fixture) {
      const { reads } = await told(fixture);
      const { insight } = fixture.storage;
      const attempts = await insight.attempts('a', [0, 7]);
      assert.deepEqual(
        attempts.map(({ seq, attempt }) => [seq, attempt]),
        [[0, 1]],
      );
      assert.deepEqual(await insight.attempts('a', []), []);
      assert.equal((await insight.attempts('a')).length, 2);
      assert.deepEqual(
        (await insight.logs('a', 1)).map(({ message }) => message),
        ['one', 'two'],
      );
      const counts = await reads.lineCounts({ runId: 'a', from: 0, to: 1 });
      assert.deepEqual([...counts].sort(), [
        [0, 1],
        [1, 2],
      ]);
    },
  },
  {
    name: 'a new life begins above the positions of the one before',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const { steps, lives } = fixture.storage;
      assert.equal(await steps.firstSeq('a'), 0);
      const done = stepOf('a', 0, { status: 'completed', settled: 1 });
      await commit(storage, writeOf(run, { steps: [done], transition: { status: 'completed', output: '1' } }));
      assert.equal(await lives.restart({ id: 'a' }, alone), 'restarted');
      assert.equal(await steps.firstSeq('a'), 1);
    },
  },
];
