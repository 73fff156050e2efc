import assert from 'node:assert/strict';
import type { AnswerCursor } from '../engine/model/task-dispatcher.js';
import type { StepAnswer } from '../protocol/step.js';
import type { ConformanceCase } from './case.js';
import { claim, first, LEASE_MS, reportOf, seqs, taskOf, type TransportFixture } from './transport.js';

async function answer(at: TransportFixture, seq: number): Promise<void> {
  await at.dispatcher.dispatch([taskOf(seq)]);
  assert.deepEqual(await at.source.report([reportOf(await first(claim(at)), { output: String(seq) })]), [true]);
}

/** Guarantees of every transport about answers: report, peek, take, and leases of collectors without an engine. */
export const transportAnswersConformance: ConformanceCase<TransportFixture>[] = [
  {
    name: 'an answer arrives as it was reported, and the task is gone',
    async run(at) {
      const odd = '{"t":"ü😀\\u0000 \\"quoted\\" \\\\ ?"}';
      await at.dispatcher.dispatch([taskOf(-3), taskOf(4)]);
      const tasks = await claim(at);
      at.clock.advance(10);
      await at.source.report(
        tasks.map((task) =>
          task.seq === 4
            ? reportOf(task, { status: 'failed', output: null, error: '{"message":"no"}' })
            : reportOf(task, { output: odd }),
        ),
      );
      const { answers } = await at.dispatcher.peek(10);
      const startedAt = at.clock.now() - 10;
      const by = { worker: 'w1', attempt: 1 };
      const expected: StepAnswer[] = [
        {
          stepId: 'run:-3',
          runId: 'run',
          seq: -3,
          status: 'completed',
          output: odd,
          error: null,
          startedAt,
          createdAt: at.clock.now(),
          by,
        },
        {
          stepId: 'run:4',
          runId: 'run',
          seq: 4,
          status: 'failed',
          output: null,
          error: '{"message":"no"}',
          startedAt,
          createdAt: at.clock.now(),
          by,
        },
      ];
      assert.deepEqual(
        answers.sort((a, b) => a.seq - b.seq),
        expected,
      );
      at.clock.advance(LEASE_MS + 1);
      assert.deepEqual(await claim(at), []);
    },
  },
  {
    name: 'one lost claim in a batch of reports does not affect its neighbours',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2), taskOf(3)]);
      const tasks = (await claim(at)).sort((a, b) => a.seq - b.seq);
      await at.dispatcher.withdraw(['run:2']);
      assert.deepEqual(await at.source.report(tasks.map((task) => reportOf(task))), [true, false, true]);
      assert.deepEqual(seqs((await at.dispatcher.peek(10)).answers).sort(), [1, 3]);
      assert.deepEqual(await at.source.report([]), []);
    },
  },
  {
    name: 'reporting twice counts once',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      const task = await first(claim(at));
      const twice = await Promise.all([
        at.source.report([reportOf(task)]),
        at.source.report([reportOf(task, { output: '2' })]),
      ]);
      assert.deepEqual(twice.flat().sort(), [false, true]);
      assert.equal((await at.dispatcher.peek(10)).answers.length, 1);
    },
  },
  {
    name: 'the first answer is kept: a retry that is answered before the first answer is taken changes nothing',
    async run(at) {
      await answer(at, 1);
      await at.dispatcher.dispatch([taskOf(1, { attempt: 2 })]);
      assert.deepEqual(await at.source.report([reportOf(await first(claim(at)), { output: '"second"' })]), [true]);
      const { answers } = await at.dispatcher.peek(10);
      assert.deepEqual(
        answers.map(({ output }) => output),
        ['1'],
      );
      assert.deepEqual(await claim(at), []);
    },
  },
  {
    name: 'reads answers in the order of arrival, from a cursor, without taking them',
    async run(at) {
      for (let seq = 1; seq <= 7; seq++) {
        await answer(at, seq);
        at.clock.advance(500);
      }
      const seen: number[] = [];
      let cursor: AnswerCursor | undefined;
      for (let round = 0; round < 3; round++) {
        const page = await at.dispatcher.peek(3, cursor);
        cursor = page.cursor;
        seen.push(...seqs(page.answers));
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7]);
      assert.deepEqual((await at.dispatcher.peek(3, cursor)).answers, []);
      await answer(at, 8);
      assert.deepEqual(seqs((await at.dispatcher.peek(3, cursor)).answers), [8]);
      assert.equal((await at.dispatcher.peek(10)).answers.length, 8);
    },
  },
  {
    name: 'pages through many answers of the same moment',
    async run(at) {
      await at.dispatcher.dispatch(Array.from({ length: 25 }, (_, seq) => taskOf(seq)));
      await at.source.report((await claim(at, { limit: 25 })).map((task) => reportOf(task)));
      const seen = new Set<number>();
      let cursor: AnswerCursor | undefined;
      for (let round = 0; round < 4; round++) {
        const page = await at.dispatcher.peek(7, cursor);
        cursor = page.cursor;
        for (const seq of seqs(page.answers)) seen.add(seq);
      }
      assert.equal(seen.size, 25);
    },
  },
  {
    name: 'taken answers are deleted, unknown ones are no error',
    async run(at) {
      await answer(at, 1);
      await answer(at, 2);
      await at.dispatcher.take(['run:1', 'run:none']);
      await at.dispatcher.take([]);
      assert.deepEqual(seqs((await at.dispatcher.peek(10)).answers), [2]);
    },
  },
  {
    name: 'withdraws answers too, and returns them',
    async run(at) {
      await answer(at, 1);
      await at.dispatcher.dispatch([taskOf(2)]);
      const { answers } = await at.dispatcher.peek(10);
      assert.deepEqual(await at.dispatcher.withdraw(['run:1', 'run:2', 'run:none']), answers);
      assert.deepEqual(await at.dispatcher.withdraw(['run:1', 'run:2']), []);
      assert.deepEqual((await at.dispatcher.peek(10)).answers, []);
      assert.deepEqual(await at.dispatcher.lost(['run:1']), ['run:1']);
    },
  },
  {
    name: 'notifies listeners of new answers',
    async run(at) {
      const heard: (readonly StepAnswer[] | undefined)[] = [];
      const unsubscribe = at.dispatcher.onAnswers((answers) => heard.push(answers));
      await answer(at, 1);
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(heard.some((answers) => !answers || answers.some(({ stepId }) => stepId === 'run:1')));
      unsubscribe();
    },
  },
  {
    name: 'leases an answer to one collector at a time',
    async run(at) {
      await answer(at, 1);
      await answer(at, 2);
      const both = ['run:1', 'run:2'];
      const mine = await at.leases.lease([...both, 'run:none'], 'c1', LEASE_MS);
      assert.deepEqual(seqs(mine).sort(), [1, 2]);
      assert.deepEqual(mine.find(({ seq }) => seq === 2)?.output, '2');
      assert.deepEqual(await at.leases.lease(both, 'c2', LEASE_MS), []);
      const claims = mine.sort((a, b) => a.seq - b.seq).map((leased) => leased.claim);
      await at.leases.release(claims.slice(0, 1));
      const [theirs] = await at.leases.lease(both, 'c2', LEASE_MS);
      assert.equal(theirs?.seq, 1);
      await at.leases.settle(claims);
      assert.deepEqual(seqs((await at.dispatcher.peek(10)).answers), [1]);
      await at.leases.settle([theirs.claim]);
      assert.deepEqual((await at.dispatcher.peek(10)).answers, []);
    },
  },
  {
    name: "a collector's lease can be renewed, and expires otherwise",
    async run(at) {
      await answer(at, 1);
      const [leased] = await at.leases.lease(['run:1'], 'c1', LEASE_MS);
      at.clock.advance(LEASE_MS);
      const [renewed] = await at.leases.extend([leased!.claim]);
      at.clock.advance(LEASE_MS);
      assert.deepEqual(await at.leases.lease(['run:1'], 'c2', LEASE_MS), []);
      at.clock.advance(1);
      assert.equal((await at.leases.lease(['run:1'], 'c2', LEASE_MS)).length, 1);
      assert.deepEqual(await at.leases.extend([renewed!]), []);
      await at.leases.settle([renewed!]);
      assert.equal((await at.dispatcher.peek(10)).answers.length, 1);
    },
  },
];
