import assert from 'node:assert/strict';
import type { GivingUp } from '../engine/model/run-control.js';
import type { ClaimedRun, ResumePoint } from '../engine/model/run.js';
import type { StepRecord } from '../engine/model/step-record.js';
import type { StepAnswer } from '../protocol/step.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import {
  alone,
  answerTo,
  boom,
  claim,
  commit,
  create,
  find,
  history,
  newRun,
  ownedOne,
  type RunStoreFixture,
  settle,
  signIn,
  stepOf,
  writeOf,
} from './run-store.js';

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

const done = (id: string, seq: number, settled: number): StepRecord =>
  stepOf(id, seq, { kind: 'step', status: 'completed', settled, output: String(seq) });

const THRICE = { attempt: 3, failures: 3, error: '{"message":"no"}' } as const;

const broken = (id: string, seq: number, settled: number, fields: Partial<StepRecord> = {}): StepRecord =>
  stepOf(id, seq, { status: 'failed', settled, ...THRICE, finishedAt: 9, ...fields });

/** Ends a claimed run as failed, with this history. */
async function fail(storage: RunStoreFixture, run: ClaimedRun, steps: StepRecord[], resume?: ResumePoint) {
  const transition = { status: 'failed', error: { message: 'no' }, ...(resume && { resume }) } as const;
  assert.deepEqual(await commit(storage, writeOf(run, { steps, transition })), []);
}

async function failed(storage: RunStoreFixture, id: string, steps: StepRecord[], resume?: ResumePoint) {
  await fail(storage, await ownedOne(storage, id), steps, resume);
}

const waits = (id: string, seq: number, ref: string, fields: Partial<StepRecord> = {}) =>
  stepOf(id, seq, { kind: 'child', name: 'order', ref, ...fields });

/** A failed run "p" whose children have ended in all ways, one of them because of its own child "g". */
async function failedFamily(storage: RunStoreFixture): Promise<void> {
  const parent = await ownedOne(storage, 'p');
  const child = (id: string, seq: number, parentId = 'p') =>
    newRun(id, { parent: { id: parentId, seq, close: 'cancel' } });
  await create(storage, child('c0', 0), child('c1', 1), child('c2', 2), child('c3', 3), child('c4', 4));
  await create(storage, child('g', 0, 'c0'));
  const [c0, c1, , c3, , g] = (await claim(storage)).sort((a, b) => (a.id < b.id ? -1 : 1));
  await fail(storage, g!, [broken('g', 0, 1)], { failed: [0] });
  const no = { status: 'failed', error: '{"message":"no"}', attempt: 1, failures: 1 } as const;
  await fail(storage, c0!, [waits('c0', 0, 'g', { ...no, settled: 1 })], { failed: [0] });
  await commit(storage, writeOf(c1!, { transition: { status: 'completed', output: '7' } }));
  await fail(storage, c3!, [], { failed: [] });
  const steps = [
    waits('p', 0, 'c0', { ...no, settled: 2 }),
    waits('p', 1, 'c1'),
    waits('p', 2, 'c2'),
    // Caught by the code: it stays.
    waits('p', 3, 'c3', { ...no, settled: 1 }),
    waits('p', 4, 'gone'),
  ];
  await fail(storage, parent, steps, { failed: [0], after: 5 });
  await storage.control.close('c2', 'terminated', alone);
}

const seen = (steps: readonly StepRecord[]) =>
  steps.map(({ seq, status, settled, attempt, error }) => [seq, status, settled, attempt, error]);

/** Guarantees for failed and exhausted runs that go on. */
export const runResumptionConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a failed run is due again, without the failures that ended it; all else stays',
    async run(fixture) {
      const storage = at(fixture);
      const caught = broken('a', 1, 2);
      const steps = [
        done('a', 0, 1),
        caught,
        stepOf('a', 2),
        broken('a', 3, 3),
        stepOf('a', 4, { kind: 'marker', status: 'completed' }),
      ];
      await failed(storage, 'a', steps, { failed: [3], after: 4, forgiven: { 1: 2 } });
      assert.equal(await storage.control.retry('a', alone), 'retried');
      const { status, error, finishedAt, closing, owner } = await find(storage, 'a');
      assert.deepEqual([status, error, finishedAt, closing, owner], ['suspended', null, null, null, null]);
      assert.deepEqual(seen(await history(storage, 'a')), [
        [0, 'completed', 1, 0, null],
        [1, 'failed', 2, 3, caught.error],
        [2, 'pending', null, 0, null],
        [3, 'pending', null, 3, null],
      ]);
      // Both are dispatched at once, by the next owner.
      const open = (await history(storage, 'a')).filter(({ settled }) => settled === null);
      assert.ok(open.every(({ wakeAt }) => wakeAt !== null && wakeAt <= fixture.clock.now()));
      const attempts = await fixture.storage.insight.attempts('a');
      assert.deepEqual(
        attempts.map(({ seq, attempt, finishedAt: end }) => [seq, attempt, end]),
        [[3, 3, 9]],
      );
      const [again] = await claim(storage);
      assert.deepEqual([again?.id, again?.resume], ['a', { forgiven: { 1: 2, 3: 3 } }]);
      // The next outcome gets the place of the forgotten one.
      assert.deepEqual(await commit(storage, writeOf(again!, { steps: [done('a', 3, 3)] })), []);
      assert.equal(await storage.control.retry('a', boom), 'not-stuck');
    },
  },
  {
    name: 'a run whose code threw an error of its own goes on with its whole history',
    async run(fixture) {
      const storage = at(fixture);
      await failed(storage, 'a', [done('a', 0, 1), broken('a', 1, 2)], { failed: [] });
      const before = await history(storage, 'a');
      assert.equal(await storage.control.retry('a', alone), 'retried');
      assert.deepEqual(await history(storage, 'a'), before);
      assert.equal((await claim(storage)).length, 1);
    },
  },
  {
    name: 'a retry is refused, and changes nothing, where the run cannot go on',
    async run(fixture) {
      const storage = at(fixture);
      const undone = [
        done('c', 0, 1),
        broken('c', 1, 2),
        stepOf('c', -1, { name: 'undo', status: 'completed', settled: 3 }),
      ];
      await failed(storage, 'c', undone, { failed: [1] });
      await failed(storage, 'p', [broken('p', 0, 1), done('p', 1, 2)], {
        failed: [],
        passed: { seq: 0, name: 'charge', next: 1 },
      });
      await failed(storage, 'n', []);
      const operation = JSON.stringify({ operation: 'o', subject: 's', entryIds: ['e'] });
      await failed(storage, 'e', [stepOf('e', 0, { kind: 'signal', name: 'calls', output: operation })], {
        failed: [],
      });
      for (const [id, refusal] of [
        ['c', { runId: 'c', why: 'compensated', step: 'undo' }],
        ['p', { runId: 'p', why: 'passed', step: 'charge', seq: 0 }],
        ['n', { runId: 'n', why: 'not_begun' }],
        ['e', { runId: 'e', why: 'effects', step: 'calls', seq: 0 }],
      ] as const) {
        const before = [await find(storage, id), await history(storage, id)];
        assert.deepEqual(await storage.control.retry(id, boom), refusal);
        assert.deepEqual([await find(storage, id), await history(storage, id)], before);
      }
      assert.deepEqual(await claim(storage), []);
    },
  },
  {
    name: 'waits for signals are asked for anew, and timers keep their time',
    async run(fixture) {
      const storage = at(fixture);
      const steps = [
        stepOf('a', 0, { kind: 'signal', name: 'approved', output: '[]' }),
        stepOf('a', 1, { kind: 'sleep', name: 'nap', wakeAt: 77 }),
        broken('a', 2, 1),
      ];
      await failed(storage, 'a', steps, { failed: [2] });
      assert.equal(await storage.control.retry('a', alone), 'retried');
      assert.deepEqual(
        (await history(storage, 'a')).map(({ seq, wakeAt }) => [seq, seq === 1 ? wakeAt : null]),
        [
          [1, 77],
          [2, null],
        ],
      );
    },
  },
  {
    name: 'a time limit begins anew, and a limited run asks its limiter again',
    async run(fixture) {
      const storage = at(fixture);
      const limiter = { limiter: 'x'.repeat(43), namespace: '', name: 'order', key: '', limits: { concurrency: 1 } };
      await create(storage, newRun('a', { timeoutMs: 1_000, limiter }));
      await signIn(storage);
      const [waiting] = await claim(storage);
      const { admitted } = await fixture.storage.admissions.admit([waiting!]);
      await fail(storage, admitted[0]!, [broken('a', 0, 1)], { failed: [0] });
      fixture.clock.advance(5_000);
      assert.equal(await storage.control.retry('a', alone), 'retried');
      const due = await find(storage, 'a');
      assert.deepEqual([due.status, due.deadline], ['pending', fixture.clock.now() + 1_000]);
      await signIn(storage);
      const [again] = await claim(storage);
      assert.equal(again?.precondition, 'limiter');
      assert.deepEqual(
        (await fixture.storage.admissions.admit([again])).admitted.map(({ id }) => id),
        ['a'],
      );
      assert.equal((await find(storage, 'a')).status, 'running');
    },
  },
  {
    name: 'children that did not complete go on with their parent; completed ones answer its steps',
    async run(fixture) {
      const storage = at(fixture);
      await failedFamily(storage);
      const answers: StepAnswer[] = [];
      const told: GivingUp = async (closed) => void answers.push(...closed.answers);
      assert.equal(await storage.control.retry('p', told), 'retried');
      assert.deepEqual(
        answers.map(({ stepId, status, output }) => [stepId, status, output]),
        [['p:1', 'completed', '7']],
      );
      const statuses = await Promise.all(['p', 'c0', 'g', 'c1', 'c2', 'c3'].map((id) => find(storage, id)));
      assert.deepEqual(
        statuses.map(({ status }) => status),
        ['suspended', 'suspended', 'suspended', 'completed', 'suspended', 'failed'],
      );
      assert.deepEqual(
        (await history(storage, 'p')).map(({ seq, status }) => [seq, status]),
        [
          [0, 'pending'],
          [1, 'pending'],
          [2, 'pending'],
          [3, 'failed'],
        ],
      );
      // An engine had read the first end of the child before it was withdrawn.
      const { startedAt } = (await history(storage, 'p'))[0]!;
      const old = answerTo('p', 0, {
        status: 'failed',
        output: null,
        error: '{"message":"no"}',
        createdAt: startedAt! - 1,
      });
      assert.deepEqual(await settle(storage, [old]), []);
      assert.equal((await history(storage, 'p'))[0]!.status, 'pending');
      const again = answerTo('p', 0, { createdAt: startedAt! });
      assert.deepEqual(await settle(storage, [again]), ['p:0']);
      assert.equal((await history(storage, 'p'))[0]!.status, 'completed');
    },
  },
  {
    name: 'a parent is refused because of a child that was undone',
    async run(fixture) {
      const storage = at(fixture);
      const parent = await ownedOne(storage, 'p');
      await create(storage, newRun('c', { parent: { id: 'p', seq: 0, close: 'cancel' } }));
      const [child] = await claim(storage);
      await fail(storage, child!, [stepOf('c', -1, { name: 'undo', status: 'completed', settled: 1 })], { failed: [] });
      const step = stepOf('p', 0, { kind: 'child', ref: 'c', status: 'failed', settled: 1, error: '{"message":"no"}' });
      await fail(storage, parent, [step], { failed: [0] });
      assert.deepEqual(await storage.control.retry('p', boom), { runId: 'c', why: 'compensated', step: 'undo' });
      assert.deepEqual([(await find(storage, 'p')).status, (await find(storage, 'c')).status], ['failed', 'failed']);
    },
  },
  {
    name: 'an exhausted step blocks its run until a retry, with fresh attempts',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const used = stepOf('a', 0, { status: 'exhausted', ...THRICE });
      const transition = { status: 'suspended', wakeAt: null, settled: 0, reason: 'exhausted', detail: 'why' } as const;
      await commit(storage, writeOf(run, { steps: [used], transition }));
      const blocked = await storage.catalog.list({ namespace: '', blocked: true, limit: 10 });
      assert.deepEqual(
        blocked.runs.map(({ id, reason, reasonDetail }) => [id, reason, reasonDetail]),
        [['a', 'exhausted', 'why']],
      );
      // No new code helps: starting processes do not try it.
      await signIn(storage);
      assert.deepEqual(await claim(storage, { which: 'blocked' }), []);
      assert.deepEqual(await claim(storage), []);
      assert.equal(await storage.control.retry('a', alone), 'retried');
      const [again] = await claim(storage);
      assert.deepEqual(again?.resume, { forgiven: { 0: 3 } });
      assert.deepEqual(seen(await history(storage, 'a')), [[0, 'pending', null, 3, null]]);
    },
  },
  {
    name: 'a rollback discards the retry of a failed run, and a commit of the app makes it due',
    async run(fixture) {
      const { transaction } = fixture;
      if (!transaction) return;
      const storage = at(fixture);
      await failed(storage, 'a', [broken('a', 0, 1)], { failed: [0] });
      const before = [await find(storage, 'a'), await history(storage, 'a')];
      const rolledBack = transaction(async (tx) => {
        assert.equal(await storage.control.retry('a', alone, tx), 'retried');
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.deepEqual([await find(storage, 'a'), await history(storage, 'a')], before);
      assert.equal(await transaction((tx) => storage.control.retry('a', alone, tx)), 'retried');
      assert.deepEqual(seen(await history(storage, 'a')), [[0, 'pending', null, 3, null]]);
    },
  },
];
