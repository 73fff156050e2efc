import assert from 'node:assert/strict';
import type { StepAnswer } from '../protocol/step.js';
import { macrotask } from '../time/sleep.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { answerTo, taskFor } from './run-store.js';

const peeked = async ({ storage }: EngineStorageFixture): Promise<StepAnswer[]> =>
  (await storage.dispatcher.peek(1_000)).answers.sort((a, b) => (a.stepId < b.stepId ? -1 : 1));

const outputs = async (at: EngineStorageFixture) => (await peeked(at)).map(({ stepId, output }) => [stepId, output]);

/** Answers that do not come from workers. */
export const answerWriterConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'answers are rows like those of workers, with the time of the storage',
    async run(at) {
      const odd = '{"t":"ü😀\\u0000 \\"quoted\\" \\\\ ?"}';
      const failure = { status: 'failed', output: null, error: '{"message":"no"}', startedAt: null } as const;
      const given = [answerTo('b', 1, failure), answerTo('a', -2, { output: odd })];
      assert.deepEqual((await at.storage.answers.answer(given)).sort(), ['a:-2', 'b:1']);
      const createdAt = at.clock.now();
      assert.deepEqual(await peeked(at), [
        { ...given[1]!, createdAt },
        { ...given[0]!, createdAt },
      ]);
    },
  },
  {
    name: 'an empty list of answers is accepted',
    async run(at) {
      assert.deepEqual(await at.storage.answers.answer([]), []);
    },
  },
  {
    name: 'the first answer is kept, no matter who gives the second (E9)',
    async run(at) {
      const { answers } = at.storage;
      assert.deepEqual(await answers.answer([answerTo('a', 0, { output: '"first"' })]), ['a:0']);
      assert.deepEqual(await answers.answer([answerTo('a', 0, { output: '"second"' })]), []);
      const mixed = [
        answerTo('a', 1),
        answerTo('a', 0, { output: '"third"' }),
        answerTo('a', 1, { output: '"again"' }),
      ];
      assert.deepEqual(await answers.answer(mixed), ['a:1']);
      assert.deepEqual(await outputs(at), [
        ['a:0', '"first"'],
        ['a:1', '1'],
      ]);
    },
  },
  {
    name: 'if many answer the same steps at once, exactly one succeeds for each step',
    async run(at) {
      const steps = Array.from({ length: 30 }, (_, seq) => seq);
      const written = await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          const some = steps
            .filter((seq) => (seq + writer) % 3 > 0)
            .map((seq) => answerTo('a', seq, { output: `${writer}` }));
          if (writer % 2 === 1) some.reverse();
          return (await at.storage.answers.answer(some)).map((stepId) => [stepId, `${writer}`]);
        }),
      );
      const rows = (await outputs(at)).sort();
      assert.equal(rows.length, 30);
      assert.deepEqual(written.flat().sort(), rows);
    },
  },
  {
    name: 'the task of an answered step is deleted, other tasks stay',
    async run(at) {
      const { answers, dispatcher } = at.storage;
      await dispatcher.dispatch([taskFor('a', 0), taskFor('a', 1)]);
      await answers.answer([answerTo('a', 0)]);
      await dispatcher.take(['a:0']);
      assert.deepEqual(await dispatcher.lost(['a:0', 'a:1']), ['a:0']);
    },
  },
  {
    name: 'this process is notified of answers, and the notification equals the row',
    async run(at) {
      const { answers, dispatcher } = at.storage;
      const heard: StepAnswer[] = [];
      let calls = 0;
      const stop = dispatcher.onAnswers((told) => {
        calls++;
        heard.push(...(told ?? []));
      });
      try {
        await answers.answer([answerTo('a', 0)]);
        await macrotask();
        assert.ok(calls > 0);
        const rows = await peeked(at);
        for (const answer of heard) assert.deepEqual(answer, rows[0]);
      } finally {
        stop();
      }
    },
  },
  {
    name: 'answers of a transaction that is rolled back are not stored',
    async run(at) {
      if (!at.transaction) return;
      const { answers, dispatcher } = at.storage;
      await dispatcher.dispatch([taskFor('a', 0)]);
      const given = [answerTo('a', 0)];
      await assert.rejects(
        at.transaction(async (tx) => {
          assert.deepEqual(await answers.answer(given, tx), ['a:0']);
          throw new Error('boom');
        }),
        /boom/,
      );
      assert.deepEqual(await peeked(at), []);
      assert.deepEqual(await dispatcher.lost(['a:0']), []);
      assert.deepEqual(await at.transaction((tx) => answers.answer(given, tx)), ['a:0']);
    },
  },
  {
    name: 'a thousand answers are written at once',
    async run(at) {
      const many = Array.from({ length: 1_000 }, (_, seq) =>
        answerTo('a', seq, { output: JSON.stringify('x'.repeat(100)) }),
      );
      assert.equal((await at.storage.answers.answer(many)).length, 1_000);
      assert.equal((await at.storage.answers.answer(many)).length, 0);
      assert.equal((await peeked(at)).length, 1_000);
    },
  },
];
