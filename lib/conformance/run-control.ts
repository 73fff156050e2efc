import assert from 'node:assert/strict';
import type { GivingUp } from '../engine/model/run-control.js';
import type { ClaimedRun } from '../engine/model/run.js';
import { parseWireError } from '../protocol/wire-error.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import {
  alone,
  answerTo,
  boom,
  claim,
  claimOf,
  commit,
  create,
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
} from './run-store.js';

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
