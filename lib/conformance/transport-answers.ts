import assert from 'node:assert/strict';
import type { StepAnswer } from '../core/protocol.js';
import type { AnswerCursor } from '../engine/tasks.js';
import type { ConformanceCase } from './case.js';
import {
  claim,
  first,
  LEASE_MS,
  reportOf,
  seqs,
  type SharedTablesFixture,
  taskOf,
  type TransportFixture,
} from './transport.js';

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

/** What a transport knows about who ran an attempt, and which attempt it was. */
export const transportAttemptsConformance: ConformanceCase<TransportFixture>[] = [
  {
    name: 'an answer names its worker and the number of its attempt, however it arrives',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2, { attempt: 7 }), taskOf(3)]);
      const tasks = await claim(at, { workerId: 'wörker #1' });
      await at.source.report(tasks.map((task) => reportOf(task)));
      const expected = [1, 7, 1].map((attempt) => ({ worker: 'wörker #1', attempt }));
      const { answers } = await at.dispatcher.peek(10);
      const bySeq = [...answers].sort((a, b) => a.seq - b.seq);
      assert.deepEqual(
        bySeq.map(({ by }) => by),
        expected,
      );
      const taken = await at.dispatcher.withdraw(['run:2']);
      assert.deepEqual(
        taken.map(({ by }) => by),
        [expected[1]],
      );
    },
  },
  {
    name: 'the longest name of a worker is cut, and its answer is written',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      const task = await first(claim(at, { workerId: 'w'.repeat(170) }));
      assert.deepEqual(await at.source.report([reportOf(task, { attempt: 123_456_789 })]), [true]);
      const { answers } = await at.dispatcher.peek(10);
      assert.deepEqual(answers[0]?.by, { worker: 'w'.repeat(170), attempt: 123_456_789 });
    },
  },
  {
    name: 'a task claimed after an expired lease names the worker that lost it; a released one names nobody',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1), taskOf(2)]);
      const old = await claim(at, { workerId: 'dead' });
      await at.source.release(old.filter(({ seq }) => seq === 2).map((task) => task.claim));
      at.clock.advance(LEASE_MS + 1);
      const next = (await claim(at, { workerId: 'alive' })).sort((a, b) => a.seq - b.seq);
      assert.deepEqual(
        next.map(({ attempt, reclaimed, lostBy }) => [attempt, reclaimed, lostBy]),
        [
          [2, true, 'dead'],
          [1, false, undefined],
        ],
      );
    },
  },
  {
    name: 'the holder of a task is its worker, at the attempt that it runs',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      await first(claim(at, { workerId: 'dead', limit: 1 }));
      // Later than the first: of tasks of the same moment, any may be claimed.
      at.clock.advance(1);
      await at.dispatcher.dispatch([taskOf(2)]);
      at.clock.advance(LEASE_MS + 1);
      await first(claim(at, { workerId: 'alive', limit: 1 }));
      const holders = await at.dispatcher.holders(['run:1', 'run:2', 'run:3']);
      assert.deepEqual(
        holders.sort((a, b) => (a.stepId < b.stepId ? -1 : 1)).map(({ stepId, ...holder }) => [stepId, holder]),
        [
          ['run:1', { attempt: 2, worker: 'alive' }],
          ['run:2', { attempt: 1, worker: null }],
        ],
      );
      assert.deepEqual(await at.dispatcher.holders([]), []);
    },
  },
  {
    name: 'an answer that names its worker is free for a collector, which then holds it',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      await at.source.report([reportOf(await first(claim(at)))]);
      const [leased] = await at.leases.lease(['run:1'], 'collector', LEASE_MS);
      assert.ok(leased);
      assert.deepEqual(await at.leases.lease(['run:1'], 'other', LEASE_MS), []);
      await at.leases.settle([leased.claim]);
      assert.deepEqual((await at.dispatcher.peek(10)).answers, []);
    },
  },
];

const result = { run_id: 'f', status: 'completed', output: '1', error: null, started_at: 1, claimed_at: null };

/** The same in the rows of programs in other languages. */
export const foreignAttemptsConformance: ConformanceCase<SharedTablesFixture>[] = [
  {
    name: 'a foreign worker may name itself and its attempt in an answer, or write nothing there, or anything',
    async run(at) {
      const texts = ['by:3:py-1', null, 'py-1', 'by:0:x', 'by:x:y', 'by:1:'];
      for (const [seq, claimed_by] of texts.entries()) {
        const row = { ...result, step_id: `f:${seq}`, seq, claimed_by, created_at: at.clock.now() };
        await at.foreign.insert('results', row);
      }
      const { answers } = await at.dispatcher.peek(10);
      const bySeq = [...answers].sort((a, b) => a.seq - b.seq);
      assert.deepEqual(
        bySeq.map(({ by }) => by),
        [{ worker: 'py-1', attempt: 3 }, ...Array<undefined>(5).fill(undefined)],
      );
    },
  },
  {
    name: 'a task lost by a foreign worker names it as it named itself',
    async run(at) {
      const task = { step_id: 'f:1', run_id: 'f', seq: 1, name: 'charge', grp: 'charge', input: null, attempt: 1 };
      const held = { status: 'pending', claimed_by: 'py#1', claimed_at: at.clock.now(), created_at: 1 };
      await at.foreign.insert('tasks', { ...task, ...held });
      at.clock.advance(LEASE_MS + 1);
      const { lostBy, attempt: next } = await first(claim(at));
      assert.deepEqual([lostBy, next], ['py#1', 2]);
    },
  },
];

/** Guarantees of a transport on the contract's two tables about rows of other programs. */
export const foreignRowsConformance: ConformanceCase<SharedTablesFixture>[] = [
  {
    name: 'claims tasks of a foreign engine: SQL NULL input, its own clock, a negative seq',
    async run(at) {
      const task = {
        step_id: 'f:-2',
        run_id: 'f',
        seq: -2,
        name: 'charge',
        grp: 'charge',
        input: null,
        attempt: 1,
        status: 'pending',
      };
      await at.foreign.insert('tasks', {
        ...task,
        claimed_by: null,
        claimed_at: null,
        created_at: at.clock.now() + 3_600_000,
      });
      const { stepId, seq, input } = await first(claim(at));
      assert.deepEqual({ stepId, seq, input }, { stepId: 'f:-2', seq: -2, input: null });
    },
  },
  {
    name: 'claims a task whatever its status column contains, as all workers do',
    async run(at) {
      const task = {
        step_id: 'f:1',
        run_id: 'f',
        seq: 1,
        name: 'charge',
        grp: 'charge',
        input: '1',
        attempt: 1,
        status: 'whatever',
      };
      await at.foreign.insert('tasks', { ...task, created_at: 1 });
      assert.equal((await first(claim(at))).stepId, 'f:1');
    },
  },
  {
    name: 'writes the rows that the contract publishes',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1, { name: 'a:b', group: 'a-b@eu', input: '{"x":1}' })]);
      const now = at.clock.now();
      const [row] = await at.foreign.select('tasks');
      assert.deepEqual(plain(row), {
        step_id: 'run:1',
        run_id: 'run',
        seq: 1,
        name: 'a:b',
        grp: 'a-b@eu',
        input: '{"x":1}',
        attempt: 1,
        status: 'pending',
        claimed_by: null,
        claimed_at: null,
        created_at: now,
      });
      const task = await first(claim(at, { groups: ['a-b@eu'], names: ['a:b'], workerId: 'worker-9' }));
      const [held] = await at.foreign.select('tasks');
      assert.match(String(held?.claimed_by), /^worker-9/);
      assert.equal(Number(held?.claimed_at), now);
      at.clock.advance(25);
      await at.source.report([reportOf(task, { output: '{"y":2}' })]);
      assert.deepEqual(await at.foreign.select('tasks'), []);
      assert.deepEqual(plain((await at.foreign.select('results'))[0]), {
        step_id: 'run:1',
        run_id: 'run',
        seq: 1,
        status: 'completed',
        output: '{"y":2}',
        error: null,
        started_at: now,
        claimed_by: 'by:1:worker-9',
        claimed_at: null,
        created_at: now + 25,
      });
    },
  },
  {
    name: 'a foreign worker takes over an expired lease, and ours is fenced',
    async run(at) {
      await at.dispatcher.dispatch([taskOf(1)]);
      const mine = await first(claim(at));
      await at.dispatcher.withdraw(['run:1']);
      const row = {
        step_id: 'run:1',
        run_id: 'run',
        seq: 1,
        name: 'charge',
        grp: 'charge',
        input: '1',
        attempt: 1,
        status: 'pending',
      };
      await at.foreign.insert('tasks', {
        ...row,
        claimed_by: 'python',
        claimed_at: at.clock.now() + 31_000,
        created_at: 5,
      });
      assert.deepEqual(await at.source.extend([mine.claim]), []);
      assert.deepEqual(await at.source.report([reportOf(mine)]), [false]);
      assert.deepEqual(await claim(at, { workerId: 'w2' }), []);
      at.clock.advance(31_000 + LEASE_MS + 1);
      assert.equal((await first(claim(at, { workerId: 'w2' }))).reclaimed, true);
    },
  },
  {
    name: 'reads answers of foreign workers: NaN, SQL NULL, code null, other statuses, their own clocks',
    async run(at) {
      const insert = (seq: number, fields: Record<string, string | number | null>) =>
        at.foreign.insert('results', {
          step_id: `f:${seq}`,
          run_id: 'f',
          seq,
          status: 'completed',
          created_at: at.clock.now(),
          ...fields,
        });
      await insert(1, { output: 'NaN', started_at: null });
      await insert(2, { output: null, error: null, created_at: 12 });
      await insert(3, {
        status: 'failed',
        error: '{"message":"m","code":null}',
        created_at: at.clock.now() + 9_999_999,
      });
      await insert(4, { status: 'error', error: 'not json' });
      const { answers } = await at.dispatcher.peek(10);
      const read = answers
        .sort((a, b) => a.seq - b.seq)
        .map(({ status, output, error, startedAt }) => ({ status, output, error, startedAt }));
      assert.deepEqual(read, [
        { status: 'completed', output: 'NaN', error: null, startedAt: null },
        { status: 'completed', output: null, error: null, startedAt: null },
        { status: 'failed', output: null, error: '{"message":"m","code":null}', startedAt: null },
        { status: 'failed', output: null, error: 'not json', startedAt: null },
      ]);
    },
  },
  {
    name: 'an error of a foreign worker keeps when it wants to be tried again, read or withdrawn',
    async run(at) {
      const error = '{"message":"busy","retryAfterMs":1500.5,"retryable":true}';
      await at.dispatcher.dispatch([taskOf(1)]);
      const answer = { step_id: 'run:1', run_id: 'run', seq: 1, status: 'failed', error };
      await at.foreign.insert('results', { ...answer, created_at: at.clock.now() });
      const { answers } = await at.dispatcher.peek(10);
      assert.deepEqual(
        answers.map((read) => read.error),
        [error],
      );
      const withdrawn = await at.dispatcher.withdraw(['run:1']);
      assert.deepEqual(
        withdrawn.map((read) => read.error),
        [error],
      );
    },
  },
  {
    name: 'an answer that appears behind the cursor is read within one round, and one with a future time hides no others',
    async run(at) {
      const insert = (seq: number, created_at: number) =>
        at.foreign.insert('results', {
          step_id: `f:${seq}`,
          run_id: 'f',
          seq,
          status: 'completed',
          output: '1',
          created_at,
        });
      await insert(1, at.clock.now() + 600_000);
      let { cursor } = await at.dispatcher.peek(10);
      await insert(2, at.clock.now());
      const soon = await at.dispatcher.peek(10, cursor);
      assert.ok(seqs(soon.answers).includes(2), 'hidden by the future');
      ({ cursor } = soon);
      await insert(3, at.clock.now() - 3_600_000);
      at.clock.advance(1_001);
      assert.ok(seqs((await at.dispatcher.peek(10, cursor)).answers).includes(3), 'lost behind the cursor');
    },
  },
  {
    name: 'distinguishes ids that differ in case, accent or a trailing space',
    async run(at) {
      const runs = ['Order', 'order', 'ordér', 'order ', 'o'];
      await at.dispatcher.dispatch(runs.map((runId) => taskOf(1, { runId })));
      const tasks = await claim(at);
      assert.deepEqual(tasks.map(({ runId }) => runId).sort(), [...runs].sort());
      await at.source.report(tasks.map((task) => reportOf(task, { output: JSON.stringify(task.runId) })));
      const { answers } = await at.dispatcher.peek(10);
      assert.equal(answers.length, runs.length);
      for (const { runId, output } of answers) assert.equal(output, JSON.stringify(runId));
      await at.dispatcher.take(['order:1']);
      assert.equal((await at.foreign.select('results')).length, runs.length - 1);
    },
  },
];

/** Some drivers return big integers as text. */
const plain = (row: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, key.endsWith('_at') && value !== null ? Number(value) : value]),
  );
