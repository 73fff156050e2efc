import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import {
  claim,
  first,
  LEASE_MS,
  reportOf,
  type SharedTablesFixture,
  taskOf,
  type TransportFixture,
} from './transport.js';

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
      await at.dispatcher.dispatch([taskOf(1), taskOf(2)]);
      await first(claim(at, { workerId: 'dead', limit: 1 }));
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
