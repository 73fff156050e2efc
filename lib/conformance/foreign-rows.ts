import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import { claim, first, LEASE_MS, reportOf, seqs, type SharedTablesFixture, taskOf } from './transport.js';

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
