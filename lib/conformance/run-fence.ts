import assert from 'node:assert/strict';
import type { RefusedWrite } from '../engine/model/run-store.js';
import type { ConformanceCase } from './case.js';
import {
  alone,
  claim,
  claimOf,
  commit,
  find,
  history,
  owned,
  ownedOne,
  type RunStoreFixture,
  stepOf,
  writeOf,
} from './run-store.js';

const done = { status: 'completed', output: '1' } as const;
const reasons = (refused: readonly RefusedWrite[]) => refused.map(({ runId, because }) => [runId, because]);
const settled = (runId: string, seq: number, order: number, output = 'null') =>
  stepOf(runId, seq, { status: 'completed', settled: order, output });

/** The conditions of a write besides its claim. */
export const runFenceConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'a write of another process than the owner is lost, though its epoch is the run’s',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const write = writeOf(run, { steps: [stepOf('a', 0)], transition: done });
      assert.deepEqual(await commit(at, { ...write, owner: 'other' }), ['a']);
      assert.deepEqual(await history(at, 'a'), []);
      assert.equal((await find(at, 'a')).status, 'running');
      assert.deepEqual(await commit(at, { ...write, owner: 'node' }), []);
    },
  },
  {
    name: 'a claim of another process than the owner releases nothing, though its epoch is the run’s',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const standstill = { reason: 'history_lost', detail: 'why' } as const;
      for (const how of [undefined, standstill]) {
        await at.store.release([claimOf(a!, 'other')], true, how);
        const { status, owner, reason } = await find(at, 'a');
        assert.deepEqual([status, owner, reason], ['running', 'node', null]);
      }
      await at.store.release([claimOf(a!, 'Node'), claimOf(b!)], false);
      assert.deepEqual([(await find(at, 'a')).owner, (await find(at, 'b')).owner], ['node', null]);
      assert.deepEqual(await commit(at, { ...writeOf(a!, { steps: [stepOf('a', 0)] }), owner: 'node' }), []);
    },
  },
  {
    name: 'a claim of another process than the owner is lost, though its epoch is the run’s',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const others = [claimOf(a!, 'other'), claimOf(b!, 'Node')];
      assert.deepEqual(await at.store.lost([...others, claimOf(a!), claimOf(b!)]), others);
    },
  },
  {
    name: 'a write whose known records are missing or changed is refused, its neighbours are written',
    async run(at) {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const runs = await owned(at, names);
      await commit(at, ...runs.map((run) => writeOf(run, { steps: [settled(run.id, 0, 1), stepOf(run.id, 1)] })));
      const known = {
        a: [{ seq: 0, settled: 1 }],
        b: [{ seq: 1, settled: 2 }],
        c: [{ seq: 2, settled: null }],
        d: [
          { seq: 1, settled: null },
          { seq: 0, settled: 1 },
        ],
        e: [
          { seq: 1, settled: null },
          { seq: 0, settled: 2 },
        ],
        f: [],
      };
      const writes = runs.map((run) =>
        writeOf(run, { steps: [stepOf(run.id, 3)], transition: done, known: known[run.id as keyof typeof known] }),
      );
      const refused = await at.store.commit(writes, alone);
      assert.deepEqual(reasons(refused), [
        ['b', 'ahead'],
        ['c', 'ahead'],
        ['e', 'ahead'],
      ]);
      for (const id of names) {
        const isRefused = ['b', 'c', 'e'].includes(id);
        assert.equal((await find(at, id)).status, isRefused ? 'running' : 'completed', id);
        assert.equal((await history(at, id)).length, isRefused ? 2 : 3, id);
      }
    },
  },
  {
    name: 'a write under an old claim is lost, not ahead, whatever it knows; under the new claim it is ahead',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await at.store.release([claimOf(run)], false);
      const [again] = await claim(at);
      const known = [{ seq: 0, settled: null }];
      const [old, anew] = [run, again!].map((one) => writeOf(one, { steps: [stepOf('a', 1)], known }));
      assert.deepEqual(reasons(await at.store.commit([old!, anew!], alone)), [
        ['a', undefined],
        ['a', 'ahead'],
      ]);
      assert.deepEqual(await history(at, 'a'), []);
    },
  },
  {
    name: 'a write marked as once is refused if its step already has an outcome, and accepted if not',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await commit(at, writeOf(run, { steps: [stepOf('a', 0)] }));
      const once = (output: string, order: number) =>
        writeOf(run, { steps: [settled('a', 0, order, output)], once: true });
      assert.deepEqual(await at.store.commit([once('1', 1)], alone), []);
      assert.deepEqual(reasons(await at.store.commit([once('2', 2)], alone)), [['a', 'settled']]);
      const other = writeOf(run, { steps: [settled('a', 1, 2)], once: true });
      assert.deepEqual(await at.store.commit([other], alone), []);
      assert.deepEqual(await history(at, 'a'), [settled('a', 0, 1, '1'), settled('a', 1, 2)]);
    },
  },
  {
    name: 'released runs may be blocked with a reason: nobody claims them, and they are listed as blocked',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await commit(at, writeOf(run, { steps: [settled('a', 0, 1)] }));
      const standstill = { reason: 'history_lost', detail: 'ü was lost' } as const;
      await at.store.release([claimOf(run)], false, standstill);
      const { status, reason, reasonDetail, owner, wakeAt } = await find(at, 'a');
      assert.deepEqual(
        [status, reason, reasonDetail, owner, wakeAt],
        ['suspended', 'history_lost', 'ü was lost', null, null],
      );
      assert.deepEqual(await claim(at), []);
      assert.deepEqual(await claim(at, { which: 'blocked' }), []);
      assert.deepEqual(
        (await at.catalog.list({ namespace: '', blocked: true, limit: 10 })).runs.map(({ id }) => id),
        ['a'],
      );
      assert.equal(await at.control.retry('a', alone), 'retried');
      const [again] = await claim(at);
      assert.equal(again?.id, 'a');
      assert.deepEqual(await commit(at, writeOf(again, { steps: [settled('a', 1, 2)] })), []);
    },
  },
];
