import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { StepAnswer } from '../../../lib/core/protocol.js';
import { macrotask } from '../../../lib/core/time.js';
import type { Transaction } from '../../../lib/core/transaction.js';
import type { Admissions } from '../../../lib/engine/limits.js';
import type { RunExtras, RunWrite } from '../../../lib/engine/runs.js';
import { awaitedOf, effectChannel } from '../../../lib/engine/signals.js';
import type { EffectWaits } from '../../../lib/engine/step.js';
import {
  alone,
  answerTo,
  claim,
  claimOf,
  commit,
  type EngineStorageFixture,
  history,
  owned,
  ownedOne,
  type RunStoreFixture,
  stepOf,
  taskFor,
  writeOf,
} from './fixtures.js';

/** Storage of runs and of their waits for operations; `inTransaction` passes the transaction of its adapters. */
export interface OutgoingFixture extends RunStoreFixture {
  effectWaits: EffectWaits;
  admissions: Pick<Admissions, 'queued'>;
  inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

const marker = (runId: string, seq: number) => stepOf(runId, seq, { kind: 'marker', status: 'completed' });
const event = (mutationId: string) => ({ mutationId, channel: 'c', data: null, headers: null });
const operation = { operation: 'erase', subject: 'anna', entryIds: ['1'], size: 1 };
const publishing = (...seqs: number[]): RunExtras => ({
  publishes: seqs.map((seq) => ({ seq, events: [event(`m${seq}`)] })),
});

/** Commits, and returns what was sent with the accepted writes, as `run:seq`. */
async function outgoingOf({ store }: RunStoreFixture, ...writes: RunWrite[]): Promise<string[]> {
  const out: string[] = [];
  await store.commit(writes, async (accepted) => {
    for (const { runId, extras = {} } of accepted)
      for (const { seq } of [...(extras.publishes ?? []), ...(extras.enqueues ?? [])]) out.push(`${runId}:${seq}`);
  });
  return out;
}

/** Commits, and returns what was asked of workers with the accepted writes, and of which limiters was told. */
async function askedBy({ store }: RunStoreFixture, ...writes: RunWrite[]): Promise<string[]> {
  const asked: string[] = [];
  await store.commit(writes, async (accepted, _, { limiters }) => {
    for (const { tasks, takes, withdraws } of accepted) {
      asked.push(...withdraws.map((stepId) => `withdraws ${stepId}`), ...takes.map((stepId) => `takes ${stepId}`));
      asked.push(...tasks.map(({ stepId }) => stepId));
    }
    asked.push(...limiters.map((limiter) => `tells ${limiter}`));
  });
  return asked;
}

/** Events and calls are sent once with the records of their steps. */
export const engineOutgoingConformance: ConformanceCase<OutgoingFixture>[] = [
  {
    name: 'hands outgoing steps over in its transaction, in the order of writes and requests, with the records of its steps',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const first = writeOf(b!, { steps: [marker('b', 0), marker('b', 1)], extras: publishing(1, 0) });
      const second = writeOf(a!, { steps: [stepOf('a', 0)], extras: { enqueues: [{ seq: 0, operation }] } });
      assert.deepEqual(await outgoingOf(at, first, second), ['b:1', 'b:0', 'a:0']);
      assert.deepEqual([(await history(at, 'a')).length, (await history(at, 'b')).length], [1, 2]);
    },
  },
  {
    name: 'messages of a run that was lost are not sent, those of its neighbours are (E20)',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      await at.store.release([claimOf(a!)], false);
      await claim(at);
      const writes = [a!, b!].map((run) => writeOf(run, { steps: [marker(run.id, 0)], extras: publishing(0) }));
      assert.deepEqual(await outgoingOf(at, ...writes), ['b:0']);
      const again = writes.map((write): RunWrite => ({ ...write, again: true }));
      assert.deepEqual(await outgoingOf(at, ...again), [], 'nor when it is retried');
      assert.deepEqual(await history(at, 'a'), []);
    },
  },
  {
    name: 'a retried write sends only messages that are not yet recorded',
    async run(at) {
      const [a, b, c] = await owned(at, ['a', 'b', 'c']);
      const one = writeOf(a!, { steps: [marker('a', 0)], extras: publishing(0) });
      assert.deepEqual(await outgoingOf(at, one), ['a:0']);
      const enqueued: RunExtras = { enqueues: [{ seq: 0, operation }] };
      const two = writeOf(b!, { steps: [stepOf('b', 0)], extras: enqueued });
      assert.deepEqual(await outgoingOf(at, two), ['b:0']);
      const steps = [0, 1].map((seq) => marker('a', seq));
      const both: RunWrite = { ...one, steps, extras: publishing(0, 1), again: true };
      // A first try, of which nothing is recorded yet.
      const fresh = writeOf(c!, { steps: [marker('c', 0)], extras: publishing(0) });
      const more: RunWrite = { ...two, steps: [0, 1].map((seq) => stepOf('b', seq)), again: true };
      const later = { ...more, extras: { enqueues: [0, 1].map((seq) => ({ seq, operation })) } };
      assert.deepEqual(await outgoingOf(at, later, both, fresh), ['b:1', 'a:1', 'c:0']);
      assert.deepEqual(await outgoingOf(at, { ...both }, { ...later }), []);
    },
  },
  {
    name: 'a retried write asks for no attempt that was asked for before, and takes no answer to it',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const task = taskFor('a', 0);
      const first = writeOf(a!, { steps: [stepOf('a', 0)], tasks: [task] });
      const fresh = writeOf(b!, { steps: [stepOf('b', 0)], tasks: [taskFor('b', 0)], again: true });
      assert.deepEqual(await askedBy(at, first), ['a:0']);
      assert.deepEqual(await askedBy(at, { ...first, again: true }, fresh), ['b:0'], 'what was not written is');
      const asked = stepOf('a', 0, { attempt: 1, askedAt: 7 });
      const next = writeOf(a!, { steps: [asked], tasks: [{ ...task, attempt: 2 }], takes: ['a:0'] });
      assert.deepEqual(await askedBy(at, { ...next, again: true }), ['takes a:0', 'a:0'], 'another attempt is');
      assert.deepEqual(await askedBy(at, { ...next, again: true }), []);
      const late: RunWrite = { ...next, takes: [], withdraws: ['a:0'], again: true };
      assert.deepEqual(await askedBy(at, late), [], 'nor is it withdrawn with the attempt before it');
      const lost = writeOf(a!, { tasks: [{ ...task, attempt: 2 }] });
      assert.deepEqual(await askedBy(at, { ...lost, again: true }), [], 'the next look sends it');
      assert.deepEqual(await askedBy(at, lost), ['a:0']);
    },
  },
  {
    name: 'a retried write joins no queue again that its step has left',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const limitRequest = { limiter: 'l', namespace: '', name: 'charge', key: '', limits: { concurrency: 1 } };
      const queues = [{ task: taskFor('a', 0), limitRequest, priority: 0 }];
      const write = writeOf(run, { steps: [stepOf('a', 0, { ref: 'l' })], extras: { queues } });
      await commit(at, write);
      assert.deepEqual(await at.admissions.queued(['a:0']), ['a:0']);
      await commit(at, writeOf(run, { extras: { leaves: [{ holder: 'a:0', limiter: 'l' }] } }));
      assert.deepEqual(await askedBy(at, { ...write, again: true }), ['tells l'], 'nobody has told of it yet');
      assert.deepEqual(await at.admissions.queued(['a:0']), []);
      const asked = stepOf('a', 0, { ref: 'l', attempt: 1, askedAt: 7 });
      const leaves = [{ holder: 'a:0', limiter: 'l' }];
      const next = writeOf(run, { steps: [asked], extras: { queues, leaves } });
      await commit(at, next);
      await commit(at, { ...next, again: true });
      assert.deepEqual(await at.admissions.queued(['a:0']), ['a:0'], 'nor does it leave with the attempt before it');
    },
  },
  {
    name: 'retried writes of hundreds of runs send only messages that are not yet recorded',
    async run(at) {
      const names = Array.from({ length: 300 }, (_, n) => `r${n}`);
      const runs = await owned(at, names);
      const writes = runs.map((run) => writeOf(run, { steps: [marker(run.id, 0)], extras: publishing(0) }));
      const half = writes.slice(0, 150);
      assert.equal((await outgoingOf(at, ...half)).length, 150);
      const again = writes.map((write): RunWrite => ({ ...write, again: true }));
      assert.deepEqual(
        (await outgoingOf(at, ...again)).sort(),
        names
          .slice(150)
          .map((id) => `${id}:0`)
          .sort(),
      );
    },
  },
  {
    name: 'if an outgoing message cannot be written, nothing of its step is written',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const write = writeOf(run, { steps: [marker('a', 0)], extras: publishing(0) });
      await assert.rejects(
        at.store.commit([write], () => Promise.reject(new Error('no room'))),
        /no room/,
      );
      assert.deepEqual(await history(at, 'a'), []);
      assert.deepEqual(await outgoingOf(at, { ...write, again: true }), ['a:0']);
    },
  },
  {
    name: 'a waiting step is known from the commit of its operation until it no longer waits',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const channel = effectChannel(operation);
      const waiting = () => at.inTransaction((tx) => at.effectWaits.waiting(channel, tx));
      const waits = (runId: string, on = channel) => [
        { channel: on, stepId: `${runId}:0`, runId, seq: 0, after: 0, since: 1, deadline: null },
      ];
      const steps = (runId: string) => [stepOf(runId, 0, { kind: 'signal' })];
      assert.deepEqual(await waiting(), []);
      await commit(at, writeOf(a!, { steps: steps('a'), extras: { waits: waits('a') } }));
      const other = effectChannel({ ...operation, subject: 'ben' });
      await commit(at, writeOf(b!, { steps: steps('b'), extras: { waits: waits('b', other) } }));
      assert.deepEqual(await waiting(), [{ stepId: 'a:0', runId: 'a', seq: 0 }]);
      const none = { ...operation, subject: 'nobody' };
      const asked = [operation, none, { ...operation, subject: 'ben' }];
      const found = await at.inTransaction((tx) => awaitedOf(at.effectWaits)(asked, tx));
      assert.deepEqual(new Set(found), new Set([asked[0], asked[2]]));
      await commit(at, writeOf(a!, { extras: { unwaits: ['a:0'] } }));
      assert.deepEqual(await waiting(), []);
    },
  },
  {
    name: 'an answer without output keeps what a step waits for in its record',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const step = stepOf('a', 0, { kind: 'signal', output: '{"operation":"erase"}' });
      const transition = { status: 'suspended', wakeAt: null, settled: 0 } as const;
      await commit(at, writeOf(run, { steps: [step], transition }));
      const answer = { stepId: 'a:0', runId: 'a', seq: 0, status: 'completed', output: null, error: null } as const;
      await at.store.settleUnowned(
        '',
        [{ ...answer, startedAt: null, createdAt: 1 }],
        async () => void (await alone()),
      );
      const [settled] = await history(at, 'a');
      assert.deepEqual([settled?.status, settled?.output], ['answered', step.output]);
    },
  },
];

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
