import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { Transaction } from '../../../lib/core/transaction.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
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
  ids,
  newRun,
  owned,
  ownedOne,
  parked,
  type RunStoreFixture,
  settle,
  signIn,
  stepOf,
  taskFor,
  writeOf,
} from './fixtures.js';

/** What commits write, for which runs, and that they are atomic. */
export const runCommitsConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'a position is inserted and overwritten as a whole',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const output = '{"t":"ü😀\\u0000 \\"quoted\\" \\\\ ?"}';
      const full = stepOf('a', 1, { kind: 'step', status: 'completed', attempt: 2, settled: 1, output, finishedAt: 9 });
      const failing = stepOf('a', 0, { error: '{"message":"no"}', wakeAt: 123_456_789_012_345, startedAt: null });
      assert.deepEqual(await commit(at, writeOf(run, { steps: [failing, full] })), []);
      assert.deepEqual(await history(at, 'a'), [failing, full]);
      const settled = stepOf('a', 0, { status: 'completed', attempt: 1, settled: 2, output: 'null', finishedAt: 10 });
      assert.deepEqual(await commit(at, writeOf(run, { steps: [settled] })), []);
      assert.deepEqual(await history(at, 'a'), [settled, full]);
      assert.deepEqual(await at.catalog.steps('b'), []);
    },
  },
  {
    name: 'an input that is kept stays with its position until it has another, and is read for people only',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const [asked, other] = [stepOf('a', 0), stepOf('a', 1)];
      await commit(at, writeOf(run, { steps: [{ ...asked, input: '"ü"' }, other] }));
      assert.deepEqual(await history(at, 'a'), [asked, other]);
      const inputs = async () => (await at.catalog.steps('a')).sort((a, b) => a.seq - b.seq).map(({ input }) => input);
      assert.deepEqual(await inputs(), ['"ü"', undefined]);
      const settled = stepOf('a', 0, { status: 'completed', settled: 1, output: 'null' });
      await commit(at, writeOf(run, { steps: [settled] }));
      await commit(at, writeOf(run, { steps: [{ ...other, input: '2' }] }));
      assert.deepEqual(await inputs(), ['"ü"', '2']);
      await commit(at, writeOf(run, { steps: [{ ...other, input: '3' }, settled] }));
      assert.deepEqual(
        [await inputs(), await history(at, 'a')],
        [
          ['"ü"', '3'],
          [settled, other],
        ],
      );
    },
  },
  {
    name: 'negative positions and a megabyte of output are stored unchanged',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const output = JSON.stringify('ü'.repeat(500_000));
      const step = stepOf('a', -3, { output, status: 'completed', settled: 1 });
      await commit(at, writeOf(run, { steps: [step] }));
      assert.deepEqual(await history(at, 'a'), [step]);
    },
  },
  {
    name: 'one batch writes hundreds of runs and positions, and one read returns their histories',
    async run(at) {
      const names = Array.from({ length: 300 }, (_, n) => `r${n}`);
      const runs = await owned(at, names);
      const writes = runs.map((run) => writeOf(run, { steps: [stepOf(run.id, 0), stepOf(run.id, 1)] }));
      assert.deepEqual(await commit(at, ...writes), []);
      const steps = await at.store.histories(names);
      assert.equal(steps.length, 600);
    },
  },
  {
    name: 'a write under an old epoch is lost and writes nothing, its neighbours are written (E20)',
    async run(at) {
      const [a, b, c] = await owned(at, ['a', 'b', 'c']);
      await at.store.release([claimOf(b!)], true);
      await claim(at);
      const done = { status: 'completed', output: '"zombie"' } as const;
      const given: string[] = [];
      const writes = [a!, b!, c!].map((run) =>
        writeOf(run, { steps: [stepOf(run.id, 0)], tasks: [taskFor(run.id, 0)], transition: done, clearCrashes: true }),
      );
      const lost = await at.store.commit(writes, async (accepted) => void given.push(...accepted.map((w) => w.runId)));
      assert.deepEqual(lost, [writes[1]]);
      assert.deepEqual(given.sort(), ['a', 'c']);
      assert.deepEqual(await history(at, 'b'), []);
      const { status, output } = await find(at, 'b');
      assert.deepEqual([status, output], ['running', null]);
      assert.equal((await find(at, 'c')).status, 'completed');
    },
  },
  {
    name: 'of two claims of one run in one batch only the newest writes (E20)',
    async run(at) {
      const old = await owned(at, ['a', 'b']);
      await at.store.release(
        old.map((run) => claimOf(run)),
        false,
      );
      const anew = (await claim(at)).sort((one, other) => (one.id < other.id ? -1 : 1));
      const parked = { status: 'suspended', wakeAt: 9_999_999_999_999, settled: 0 } as const;
      const stale = old.map((run) => writeOf(run, { steps: [stepOf(run.id, 7)], transition: parked }));
      const ends = { status: 'completed', output: '"new"' } as const;
      const fresh = anew.map((run) => writeOf(run, { steps: [stepOf(run.id, 0)], transition: ends }));
      const lost = await commit(at, stale[0]!, fresh[0]!, fresh[1]!, stale[1]!);
      assert.deepEqual([...lost].sort(), ['a', 'b']);
      for (const id of ['a', 'b']) {
        const { status, output, wakeAt } = await find(at, id);
        assert.deepEqual({ status, output, wakeAt }, { status: 'completed', output: '"new"', wakeAt: null });
        assert.deepEqual(await history(at, id), [stepOf(id, 0)]);
      }
    },
  },
  {
    name: 'a run that was left, released or cancelled, or never existed, accepts no write',
    async run(at) {
      const [left, free, cancelled] = await owned(at, ['left', 'free', 'cancelled']);
      await commit(at, writeOf(left!, { transition: { status: 'suspended', wakeAt: null, settled: 0 } }));
      await at.store.release([claimOf(free!)], false);
      await at.control.close('cancelled', 'cancelled', alone);
      const unknown = { id: 'unknown', epoch: 1 };
      const writes = [left!, free!, cancelled!, unknown].map((run) => writeOf(run, { steps: [stepOf(run.id, 0)] }));
      assert.deepEqual((await commit(at, ...writes)).sort(), ['cancelled', 'free', 'left', 'unknown']);
      assert.deepEqual(await at.store.histories(['left', 'free', 'cancelled', 'unknown']), []);
    },
  },
  {
    name: 'a run that was left and claimed again accepts no write under the earlier claim',
    async run(at) {
      const before = await ownedOne(at, 'a');
      await commit(at, writeOf(before, { transition: { status: 'suspended', wakeAt: at.clock.now(), settled: 0 } }));
      const [after] = await claim(at);
      assert.ok(after!.epoch > before.epoch);
      assert.deepEqual(await commit(at, writeOf(before, { steps: [stepOf('a', 0)] })), ['a']);
      assert.deepEqual(await commit(at, writeOf(after!, { steps: [stepOf('a', 1)] })), []);
      assert.deepEqual(await history(at, 'a'), [stepOf('a', 1)]);
    },
  },
  {
    name: 'writes nothing when an outgoing step fails',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const done = { status: 'completed', output: '1' } as const;
      const write: RunWrite = writeOf(run, { steps: [stepOf('a', 0)], tasks: [taskFor('a', 0)], transition: done });
      await assert.rejects(at.store.commit([write], boom), /boom/);
      assert.deepEqual(await history(at, 'a'), []);
      assert.equal((await find(at, 'a')).status, 'running');
      assert.deepEqual(await commit(at, write), []);
    },
  },
  {
    name: 'completed and failed runs keep their result, and their waiters are notified',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const told = new Set<string>();
      const stop = at.catalog.onFinished((finished) => finished?.forEach((id) => told.add(id)));
      at.clock.advance(5);
      const error = { name: 'CardError', message: 'ü😀 declined', code: 'CARD' };
      await commit(
        at,
        writeOf(a!, { transition: { status: 'completed', output: '{"x":[1]}' } }),
        writeOf(b!, { transition: { status: 'failed', error } }),
      );
      stop();
      assert.deepEqual([...told].sort(), ['a', 'b']);
      const [done, failed] = [await find(at, 'a'), await find(at, 'b')];
      const now = at.clock.now();
      assert.deepEqual([done.status, done.output, done.error, done.finishedAt], ['completed', '{"x":[1]}', null, now]);
      assert.deepEqual([failed.status, failed.output, failed.finishedAt], ['failed', null, now]);
      assert.deepEqual(JSON.parse(failed.error!), error);
      assert.deepEqual(await at.store.owned('node'), []);
      at.clock.advance(1_000_000);
      await signIn(at);
      assert.deepEqual(await claim(at), []);
    },
  },
  {
    name: 'a run does not end before its last record, by whichever clock that was made',
    async run(at) {
      const [a, b, c] = await owned(at, ['a', 'b', 'c']);
      const ahead = at.clock.now() + 14;
      const end = { transition: { status: 'completed', output: '1' } } as const;
      await commit(at, writeOf(a!, { ...end, at: ahead }));
      await commit(at, writeOf(b!, { ...end, at: ahead, clearCrashes: true }));
      at.clock.advance(20);
      await commit(at, writeOf(c!, { ...end, at: ahead }));
      const ended = await Promise.all(['a', 'b', 'c'].map(async (id) => (await find(at, id)).finishedAt));
      assert.deepEqual(ended, [ahead, ahead, at.clock.now()]);
    },
  },
  {
    name: 'no listener is told of an end that the fence refused',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const told: string[] = [];
      const stop = at.catalog.onFinished((finished) => told.push(...(finished ?? [])));
      const ending = (run: ClaimedRun, fields?: Partial<RunWrite>) =>
        writeOf(run, { transition: { status: 'completed', output: '1' }, ...fields });
      const refused = [ending(a!, { epoch: a!.epoch + 1 }), ending(a!, { epoch: a!.epoch + 1, withdraws: ['a:0'] })];
      for (const write of refused) assert.deepEqual(await commit(at, write), ['a']);
      assert.deepEqual(await commit(at, refused[0]!, ending(b!)), ['a']);
      stop();
      assert.deepEqual(told, ['b']);
    },
  },
  {
    name: 'a parked run is due at its wake time, and never without one',
    async run(at) {
      const [timed, silent] = await owned(at, ['timed', 'silent']);
      const wakeAt = at.clock.now() + 1_000;
      await commit(
        at,
        writeOf(timed!, { transition: { status: 'suspended', wakeAt, settled: 0 } }),
        writeOf(silent!, { transition: { status: 'suspended', wakeAt: null, settled: 0 } }),
      );
      const { status, wakeAt: due, finishedAt } = await find(at, 'timed');
      assert.deepEqual([status, due, finishedAt], ['suspended', wakeAt, null]);
      at.clock.advance(999);
      assert.deepEqual(await claim(at), []);
      at.clock.advance(1);
      assert.deepEqual(ids(await claim(at)), ['timed']);
    },
  },
  {
    name: 'a blocked run has a reason, and is listed as blocked',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const why = { reason: 'programming_error', detail: 'TypeError: ü of undefined' } as const;
      await commit(at, writeOf(run, { transition: { status: 'suspended', wakeAt: null, settled: 0, ...why } }));
      const { status, reason, reasonDetail } = await find(at, 'a');
      assert.deepEqual([status, reason, reasonDetail], ['suspended', why.reason, why.detail]);
      await create(at, newRun('b'));
      assert.deepEqual(ids((await at.catalog.list({ namespace: '', blocked: true, limit: 10 })).runs), ['a']);
    },
  },
  {
    name: 'progress and a regular park reset the count of crashes; a plain write does not',
    async run(at) {
      let run = await ownedOne(at, 'a');
      const again = async (crashed: boolean) => {
        await at.store.release([claimOf(run)], crashed);
        run = (await claim(at))[0]!;
        return run.crashes;
      };
      assert.equal(await again(true), 1);
      await commit(at, writeOf(run, { steps: [stepOf('a', 0)] }));
      assert.equal(await again(true), 2);
      await commit(at, writeOf(run, { steps: [stepOf('a', 0)], clearCrashes: true }));
      assert.equal((await at.store.owned('node')).length, 1, 'progress alone does not end an activation');
      assert.equal(await again(false), 0);
      assert.equal(await again(true), 1);
      await commit(at, writeOf(run, { transition: { status: 'suspended', wakeAt: at.clock.now(), settled: 0 } }));
      assert.equal((await claim(at))[0]?.crashes, 0);
    },
  },
  {
    name: 'concurrent writes under a claim that is being released are either written or reported as lost',
    async run(at) {
      const first = await ownedOne(at, 'a');
      const write = (epoch: number, seq: number) =>
        at.store.commit([writeOf({ id: 'a', epoch }, { steps: [stepOf('a', seq)] })], async () => undefined);
      const outcomes = await Promise.all([
        ...[0, 1, 2, 3, 4].map((seq) => write(first.epoch, seq)),
        at.store.release([claimOf(first)], true).then(() => []),
        ...[5, 6, 7, 8, 9].map((seq) => write(first.epoch, seq)),
      ]);
      const written = (await history(at, 'a')).length;
      assert.equal(written, 10 - outcomes.flat().length);
    },
  },
];

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
    name: 'an answer was begun and written after it was asked for, whatever the clocks say',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const steps = [0, 1, 2].map((seq) => stepOf('a', seq, { createdAt: 10, askedAt: 20, startedAt: null }));
      const transition = { status: 'suspended', wakeAt: null, settled: 0 } as const;
      await commit(at, writeOf(run, { steps, transition }));
      const times = [
        { startedAt: 3, createdAt: 4 },
        { startedAt: 99, createdAt: 30 },
        { startedAt: 25, createdAt: 30 },
      ];
      await settle(
        at,
        times.map((its, seq) => answerTo('a', seq, its)),
      );
      assert.deepEqual(
        (await history(at, 'a')).map(({ startedAt, finishedAt }) => [startedAt, finishedAt]),
        [
          [20, 20],
          [30, 30],
          [25, 30],
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

/** A deadlock error as ORMs wrap it. */
const deadlock = () => Object.assign(new Error('wrapped'), { driverError: { code: '40P01', errno: 1213 } });

/** Guarantees of a transaction for ports that write in it and register notifications. */
export const transactionsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'calls the listeners once after the commit, in the order in which they were added',
    async run({ storage: { transactions } }) {
      const heard: string[] = [];
      const answer = await transactions.begin(async (handle, tx) => {
        tx.afterCommit(() => heard.push('first'));
        transactions.join(handle).afterCommit(() => heard.push('second'));
        await Promise.resolve();
        tx.afterCommit(() => heard.push('third'));
        assert.deepEqual(heard, []);
        return 'answer';
      });
      assert.equal(answer, 'answer');
      assert.deepEqual(heard, ['first', 'second', 'third']);
      await transactions.begin(async () => undefined);
      assert.equal(heard.length, 3);
    },
  },
  {
    name: 'calls no listener after a rollback',
    async run({ storage: { transactions }, transaction }) {
      const heard: string[] = [];
      const failing = (tx: Transaction) => {
        tx.afterCommit(() => heard.push('never'));
        return boom();
      };
      await assert.rejects(
        transactions.begin((_, tx) => failing(tx)),
        /boom/,
      );
      if (transaction) await assert.rejects(transaction(failing), /boom/);
      await transactions.begin(async (_, tx) => tx.afterCommit(() => heard.push('next')));
      assert.deepEqual(heard, ['next']);
    },
  },
  {
    name: 'calls the other listeners and stays committed if one of them throws',
    async run({ storage: { transactions }, transaction }) {
      const heard: string[] = [];
      const work = async (tx: Transaction) => {
        tx.afterCommit(() => heard.push('before'));
        tx.afterCommit(() => {
          throw new Error('A listener that throws, as this test wants it to');
        });
        tx.afterCommit(() => heard.push('after'));
        return 'committed';
      };
      assert.equal(await transactions.begin((_, tx) => work(tx)), 'committed');
      assert.deepEqual(heard.splice(0), ['before', 'after']);
      if (!transaction) return;
      assert.equal(await transaction(work), 'committed');
      assert.deepEqual(heard, ['before', 'after']);
    },
  },
  {
    name: 'calls only the listeners of the last try if the transaction is retried',
    async run({ transaction }) {
      if (!transaction) return;
      const heard: string[] = [];
      let tries = 0;
      await transaction(async (tx) => {
        const name = `try ${++tries}`;
        tx.afterCommit(() => heard.push(name));
        if (tries < 3) throw deadlock();
      });
      assert.deepEqual(heard, ['try 3']);
    },
  },
];
