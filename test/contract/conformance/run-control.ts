import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { StepAnswer } from '../../../lib/core/protocol.js';
import { parseWireError } from '../../../lib/core/wire-error.js';
import type { GivingUp } from '../../../lib/engine/control.js';
import type { ClaimedRun, ResumePoint } from '../../../lib/engine/run.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import {
  alone,
  answerTo,
  boom,
  claim,
  claimOf,
  commit,
  create,
  type EngineStorageFixture,
  find,
  history,
  newRun,
  owned,
  ownedOne,
  type RunStoreFixture,
  settle,
  signIn,
  stepOf,
  writeOf,
} from './fixtures.js';

type Closed = Parameters<GivingUp>[0];

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** An owned run with a step that can be compensated. */
async function undoable(fixture: RunStoreFixture, id: string): Promise<ClaimedRun> {
  const run = await ownedOne(fixture, id);
  const done = stepOf(id, 0, { kind: 'step', status: 'completed', settled: 1, output: '1' });
  assert.deepEqual(await commit(fixture, writeOf(run, { steps: [done], extras: { unwinds: true } })), []);
  return run;
}

const givenUp = { name: 'E', message: 'the undoing', code: 'UNDO', cause: { message: 'the run', code: 'RUN' } };

/** Guarantees for clients that end or resume runs. */
export const runControlConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'cancelling fences the owner, returns the open remote steps, and notifies everybody',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const settled = { status: 'completed', settled: 1, output: '1' } as const;
      const due = { wakeAt: fixture.clock.now() + 9 };
      const steps = [
        stepOf('a', 0, settled),
        stepOf('a', 1),
        stepOf('a', 2, { attempt: 1, ...due }),
        stepOf('a', 3, { kind: 'sleep', ...due }),
      ];
      await commit(storage, writeOf(run, { steps }));
      const [lost, finished, open] = [new Set<string>(), new Set<string>(), [] as string[]];
      const stops = [
        storage.store.onRuns((gone) => gone?.forEach((id) => lost.add(id))),
        storage.catalog.onFinished((gone) => gone?.forEach((id) => finished.add(id))),
      ];
      const close = storage.control.close('a', 'cancelled', async ({ withdrawn }) => void open.push(...withdrawn));
      assert.equal(await close, 'ended');
      stops.forEach((stop) => stop());
      assert.deepEqual(open.sort(), ['a:1', 'a:2']);
      assert.deepEqual([[...lost], [...finished]], [['a'], ['a']]);
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 4)] })), ['a']);
      const { status, finishedAt, wakeAt, error } = await find(storage, 'a');
      assert.deepEqual([status, finishedAt, wakeAt, error], ['cancelled', fixture.clock.now(), null, null]);
      assert.equal(await storage.control.close('a', 'cancelled', boom), 'over');
    },
  },
  {
    name: 'runs that have ended or do not exist cannot be closed; blocked runs can',
    async run(fixture) {
      const storage = at(fixture);
      const [done, blocked] = await owned(storage, ['done', 'blocked']);
      const stuck = { status: 'suspended', wakeAt: null, settled: 0, reason: 'non_determinism' } as const;
      await commit(
        storage,
        writeOf(done!, { transition: { status: 'completed', output: '1' } }),
        writeOf(blocked!, { transition: stuck }),
      );
      assert.equal(await storage.control.close('done', 'cancelled', boom), 'over');
      assert.equal(await storage.control.close('unknown', 'terminated', boom), 'missing');
      assert.equal(await storage.control.close('blocked', 'cancelled', alone), 'ended');
      assert.equal((await find(storage, 'done')).status, 'completed');
      assert.deepEqual((await storage.catalog.list({ namespace: '', blocked: true, limit: 10 })).runs, []);
      await signIn(storage);
      assert.deepEqual(await claim(storage, { which: 'blocked' }), []);
    },
  },
  {
    name: 'if its tasks cannot be withdrawn, a run is not closed',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await assert.rejects(storage.control.close('a', 'cancelled', boom), /boom/);
      assert.equal((await find(storage, 'a')).status, 'running');
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 0)] })), []);
    },
  },
  {
    name: 'a closed run with something to compensate is due at once',
    async run(fixture) {
      const storage = at(fixture);
      const run = await undoable(storage, 'a');
      assert.equal(await storage.control.close('a', 'cancelled', alone), 'closing');
      const { status, closing, owner, finishedAt } = await find(storage, 'a');
      assert.deepEqual([status, closing, owner, finishedAt], ['compensating', 'cancelled', null, null]);
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 4)] })), ['a']);
      assert.equal(await storage.control.close('a', 'cancelled', boom), 'underway');
      const [again] = await claim(storage);
      assert.deepEqual([again?.id, again?.closing, again?.unwinds, again?.epoch], ['a', 'cancelled', true, 3]);
      assert.equal((await find(storage, 'a')).status, 'compensating');
      const parked = { status: 'suspended', wakeAt: null, settled: 1 } as const;
      assert.deepEqual(await commit(storage, writeOf(again!, { transition: parked })), []);
      assert.equal((await find(storage, 'a')).status, 'compensating');
    },
  },
  {
    name: 'an owner can ask which of its claims are lost',
    async run(fixture) {
      const storage = at(fixture);
      const [a, b, c] = (await owned(storage, ['a', 'b', 'c'])).map((run) => claimOf(run));
      const all = [a!, b!, c!];
      assert.deepEqual(await storage.store.lost(all), []);
      await storage.control.close('a', 'terminated', alone);
      await storage.store.release([b!], false);
      assert.deepEqual(await storage.store.lost(all), [a, b]);
      const [again] = await claim(storage);
      assert.deepEqual(await storage.store.lost(all), [a, b]);
      assert.deepEqual(await storage.store.lost([claimOf(again!)]), []);
    },
  },
  {
    name: 'terminating compensates nothing, also if compensation has already started',
    async run(fixture) {
      const storage = at(fixture);
      await undoable(storage, 'a');
      assert.equal(await storage.control.close('a', 'terminated', alone), 'ended');
      const ended = await find(storage, 'a');
      assert.deepEqual([ended.status, parseWireError(ended.error).code], ['cancelled', 'WORKFLOW_TERMINATED']);
      await undoable(storage, 'b');
      await storage.control.close('b', 'cancelled', alone);
      const [closing] = await claim(storage);
      await commit(storage, writeOf(closing!, { steps: [stepOf('b', -1)] }));
      const open: string[] = [];
      const close = storage.control.close('b', 'terminated', async ({ withdrawn }) => void open.push(...withdrawn));
      assert.equal(await close, 'ended');
      assert.deepEqual(open, ['b:-1']);
      assert.deepEqual(await commit(storage, writeOf(closing!, { steps: [stepOf('b', -2)] })), ['b']);
    },
  },
  {
    name: 'open children are listed with their close policy, and their parent does not end before them',
    async run(fixture) {
      const storage = at(fixture);
      await undoable(storage, 'p');
      const child = (id: string, close: 'cancel' | 'terminate' | 'abandon') =>
        newRun(id, { parent: { id: 'p', seq: 1, close }, delayMs: 1_000 });
      await create(storage, child('c3', 'abandon'), child('c2', 'terminate'), child('c1', 'cancel'));
      assert.deepEqual(await storage.control.openChildren('p'), [
        { id: 'c1', close: 'cancel' },
        { id: 'c2', close: 'terminate' },
      ]);
      assert.equal(await storage.control.close('p', 'terminated', alone), 'closing');
      const told: Closed[] = [];
      const keep: GivingUp = async (closed) => void told.push(closed);
      assert.equal(await storage.control.close('c1', 'cancelled', keep), 'ended');
      assert.equal(await storage.control.close('c2', 'terminated', keep), 'ended');
      assert.deepEqual(await storage.control.openChildren('p'), []);
      assert.deepEqual(
        told.map(({ answers }) => answers.map(({ stepId, status }) => [stepId, status])),
        [[['p:1', 'failed']], [['p:1', 'failed']]],
      );
    },
  },
  {
    name: 'a blocked run is due after retry; a run that is not blocked stays unchanged',
    async run(fixture) {
      const storage = at(fixture);
      const [run] = await owned(storage, ['a', 'b']);
      const stuck = { status: 'suspended', wakeAt: null, settled: 0, reason: 'programming_error' } as const;
      await commit(storage, writeOf(run!, { transition: stuck }));
      assert.deepEqual(await claim(storage), []);
      assert.equal(await storage.control.retry('a', alone), 'retried');
      assert.deepEqual(
        (await claim(storage)).map(({ id }) => id),
        ['a'],
      );
      for (const [id, outcome] of [
        ['a', 'not-stuck'],
        ['b', 'not-stuck'],
        ['unknown', 'missing'],
      ] as const)
        assert.equal(await storage.control.retry(id, alone), outcome);
    },
  },
  {
    name: 'a failed compensation is retried with no attempts counted, and the run has its original error again',
    async run(fixture) {
      const storage = at(fixture);
      const run = await undoable(storage, 'a');
      const closing = { status: 'compensating', closing: 'failed', error: { message: 'x' }, settled: 1 } as const;
      assert.deepEqual(await commit(storage, writeOf(run, { transition: closing })), []);
      const [again] = await claim(storage);
      assert.equal(parseWireError(again!.error).message, 'x');
      const steps = [
        stepOf('a', -2, { kind: 'step', status: 'completed', settled: 2 }),
        stepOf('a', -1, { kind: 'step', status: 'failed', attempt: 3, settled: 3 }),
        stepOf('a', -3),
        stepOf('a', 1),
      ];
      const failed = { status: 'compensation_failed', error: givenUp } as const;
      assert.deepEqual(await commit(storage, writeOf(again!, { steps, transition: failed })), []);
      const ended = await find(storage, 'a');
      assert.deepEqual([ended.status, JSON.parse(ended.error!)], ['compensation_failed', givenUp]);
      assert.equal(await storage.control.close('a', 'cancelled', boom), 'over');
      assert.deepEqual(await claim(storage), []);
      assert.equal(await storage.control.retry('a', alone), 'retried');
      const due = await find(storage, 'a');
      assert.deepEqual([due.status, due.finishedAt, due.closing], ['compensating', null, 'failed']);
      // An answer before the next claim gets the next position after the recorded ones.
      const both = [answerTo('a', -3), answerTo('a', 1)];
      assert.deepEqual((await settle(storage, both)).sort(), ['a:-3', 'a:1']);
      const [third] = await claim(storage);
      assert.deepEqual([third?.closing, JSON.parse(third!.error!)], ['failed', givenUp.cause]);
      assert.deepEqual(
        (await history(storage, 'a')).map(({ seq, settled }) => [seq, settled]),
        [
          [-3, 3],
          [-2, 2],
          [0, 1],
          // No step asks for it any more: it is only removed.
          [1, null],
        ],
      );
    },
  },
  {
    name: 'a rollback discards closes and retries of its transaction',
    async run(fixture) {
      const { transaction } = fixture;
      if (!transaction) return;
      const storage = at(fixture);
      await ownedOne(storage, 'a');
      const rolledBack = transaction(async (tx) => {
        assert.equal(await storage.control.close('a', 'cancelled', alone, tx), 'ended');
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.equal((await find(storage, 'a')).status, 'running');
      await transaction((tx) => storage.control.close('a', 'cancelled', alone, tx));
      assert.equal((await find(storage, 'a')).status, 'cancelled');
    },
  },
  {
    name: 'a child that has not ended stays as it is, whatever it waits for; one that is being ended is waited for',
    async run(fixture) {
      const storage = at(fixture);
      const parent = await ownedOne(storage, 'p');
      await create(storage, newRun('c', { parent: { id: 'p', seq: 0, close: 'abandon' } }));
      const [child] = await claim(storage);
      const operation = JSON.stringify({ operation: 'o', subject: 's', entryIds: ['e'] });
      const calls = stepOf('c', 0, { kind: 'signal', name: 'calls', output: operation });
      await commit(storage, writeOf(child!, { steps: [calls], extras: { unwinds: true } }));
      const failed = { status: 'failed', error: { message: 'no' }, resume: { failed: [1] } } as const;
      const no = stepOf('p', 1, { status: 'failed', settled: 1, error: '{"message":"no"}' });
      const waits = stepOf('p', 0, { kind: 'child', ref: 'c' });
      await commit(storage, writeOf(parent, { steps: [waits, no], transition: failed }));
      assert.equal(await storage.control.retry('p', alone), 'retried');
      assert.deepEqual([(await find(storage, 'c')).status, await history(storage, 'c')], ['running', [calls]]);
      const [again] = await claim(storage);
      await commit(storage, writeOf(again!, { steps: [no], transition: failed }));
      assert.equal(await storage.control.close('c', 'cancelled', alone), 'closing');
      assert.deepEqual(await storage.control.retry('p', boom), { runId: 'c', why: 'closing' });
    },
  },
];

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
