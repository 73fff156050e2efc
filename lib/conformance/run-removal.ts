import assert from 'node:assert/strict';
import type { GivingUp } from '../engine/model/run-control.js';
import type { NewRun, RunStatus } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { boom, claim, commit, find, ids, newRun, signIn, stepOf, writeOf } from './run-store.js';

const alone = async (): Promise<undefined> => undefined;

const at = ({ storage, clock }: EngineStorageFixture) => ({ ...storage, clock });

const childOf = (id: string, parentId: string): NewRun =>
  newRun(id, { parent: { id: parentId, seq: 0, close: 'abandon' } });

/** Creates these runs and ends those in `ended`, in that order, one second apart. */
async function make(
  fixture: EngineStorageFixture,
  runs: readonly NewRun[],
  ended: readonly string[],
  status: 'completed' | 'failed' = 'completed',
): Promise<void> {
  const here = at(fixture);
  await here.catalog.create(runs);
  await signIn(here);
  const claimed = new Map((await claim(here, { namespace: runs[0]!.namespace })).map((run) => [run.id, run]));
  for (const id of ended) {
    const end =
      status === 'completed'
        ? ({ status, output: '1' } as const)
        : ({ status, error: { name: 'Error', message: 'no' } } as const);
    const extras = { attributes: { vip: true }, logs: [lineOf('hello')] };
    const steps = [stepOf(id, 0), stepOf(id, 1, { kind: 'step', status: 'completed', settled: 1 })];
    assert.deepEqual(await commit(here, writeOf(claimed.get(id)!, { steps, transition: end, extras })), []);
    fixture.clock.advance(1_000);
  }
}

const lineOf = (message: string) =>
  ({ seq: null, attempt: null, level: 'info', message, fields: null, loggedAt: 1 }) as const;

const there = async ({ storage }: EngineStorageFixture, ...names: string[]): Promise<string[]> =>
  ids(await storage.catalog.find(names)).sort();

const purge = (
  { storage }: EngineStorageFixture,
  olderThanMs: number,
  status: readonly RunStatus[] = ['completed', 'failed'],
  limit = 100,
) => storage.removal.purge({ namespace: '', status, olderThanMs, limit }, alone);

/** Guarantees of the deletion of runs. */
export const runRemovalConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a run that has ended is deleted with all its data, and its id is free',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a'), newRun('b')], ['a', 'b']);
      const signal = { namespace: '', channel: 'c', name: 's', addressed: 'run', dedupId: 'x', payload: '1' } as const;
      const toBoth = [
        { ...signal, target: 'a' },
        { ...signal, channel: 'd', target: 'b' },
      ];
      assert.deepEqual(await storage.mailbox.send(toBoth), ['sent', 'sent']);
      const withdrawn: string[] = [];
      const keep: GivingUp = async (closed) => void withdrawn.push(...closed.withdrawn);
      assert.deepEqual(await storage.removal.delete(['a', 'x'], keep), ['a']);
      assert.deepEqual(withdrawn, ['a:0']);
      assert.deepEqual(await there(fixture, 'a', 'b'), ['b']);
      assert.deepEqual((await storage.store.histories(['a', 'b'])).map(({ runId, seq }) => `${runId}:${seq}`).sort(), [
        'b:0',
        'b:1',
      ]);
      const [again] = await storage.catalog.create([newRun('a', { input: '"new"' })]);
      assert.equal(again?.created, true);
      assert.deepEqual(await storage.store.histories(['a']), []);
      // The other run still has its own.
      assert.deepEqual(await storage.mailbox.send(toBoth), ['sent', 'known']);
    },
  },
  {
    name: 'a run that has not ended is not deleted, nor are its descendants',
    async run(fixture) {
      const runs = [newRun('open'), childOf('child', 'open'), newRun('other')];
      await make(fixture, runs, ['child']);
      assert.deepEqual(await fixture.storage.removal.delete(['open', 'other'], alone), []);
      assert.deepEqual(await there(fixture, 'open', 'child', 'other'), ['child', 'open', 'other']);
      assert.equal((await find(at(fixture), 'child')).parentId, 'open');
    },
  },
  {
    name: 'descendants that have ended are deleted too; one that has not ended stays, without a parent, and so do its own descendants',
    async run(fixture) {
      const runs = [newRun('z'), childOf('m', 'z'), childOf('a', 'm'), childOf('open', 'z'), childOf('below', 'open')];
      await make(fixture, runs, ['a', 'm', 'below', 'z']);
      assert.deepEqual((await fixture.storage.removal.delete(['z'], alone)).sort(), ['a', 'm', 'z']);
      assert.deepEqual(await there(fixture, 'z', 'm', 'a', 'open', 'below'), ['below', 'open']);
      const open = await find(at(fixture), 'open');
      assert.deepEqual([open.parentId, open.parentSeq], [null, null]);
      assert.equal((await find(at(fixture), 'below')).parentId, 'open');
    },
  },
  {
    name: 'a child and its parent may be given together, in any order, and more than once',
    async run(fixture) {
      await make(fixture, [newRun('b'), childOf('a', 'b'), childOf('c', 'b')], ['a', 'c', 'b']);
      const deleted = await fixture.storage.removal.delete(['c', 'b', 'c', 'a'], alone);
      assert.deepEqual(deleted.sort(), ['a', 'b', 'c']);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c'), []);
    },
  },
  {
    name: 'a purge deletes the oldest ended runs first, of the given age, status and namespace',
    async run(fixture) {
      await make(fixture, [newRun('f'), newRun('e')], ['f'], 'failed');
      await make(fixture, [newRun('x', { namespace: 'eu' })], ['x']);
      await make(
        fixture,
        ['d', 'c', 'b', 'a'].map((id) => newRun(id)),
        ['c', 'd', 'a', 'b'],
      );
      // They ended 6, 5, 4, 3, 2 and 1 seconds ago.
      assert.equal(await purge(fixture, 60_000), 0);
      assert.equal(await purge(fixture, 2_000, ['completed'], 2), 2);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c', 'd', 'e', 'f', 'x'), ['a', 'b', 'e', 'f', 'x']);
      assert.equal(await purge(fixture, 2_000, ['completed']), 1);
      assert.equal(await purge(fixture, 2_000, ['completed']), 0);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c', 'd', 'e', 'f', 'x'), ['b', 'e', 'f', 'x']);
      assert.equal(await purge(fixture, 0, ['completed', 'failed']), 2);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c', 'd', 'e', 'f', 'x'), ['e', 'x']);
    },
  },
  {
    name: 'a purge keeps the child of a run that has not ended, and checks the age of each run',
    async run(fixture) {
      const runs = [newRun('open'), childOf('kept', 'open'), newRun('p'), childOf('late', 'p'), childOf('still', 'p')];
      await make(fixture, runs, ['kept', 'p', 'late']);
      assert.equal(await purge(fixture, 2_000), 1);
      assert.deepEqual(await there(fixture, 'open', 'kept', 'p', 'late', 'still'), ['kept', 'late', 'open', 'still']);
      for (const id of ['late', 'still']) assert.equal((await find(at(fixture), id)).parentId, null);
      assert.equal(await purge(fixture, 0), 1);
      assert.deepEqual(await there(fixture, 'open', 'kept', 'p', 'late', 'still'), ['kept', 'open', 'still']);
    },
  },
  {
    name: 'the waiting dependents of a deleted run learn that it completed, or otherwise fail',
    async run(fixture) {
      const { storage, clock } = fixture;
      const after = (id: string, target: string) => newRun(id, { after: [target], delayMs: 60_000 });
      await make(fixture, [newRun('c'), after('next', 'c')], ['c']);
      await make(fixture, [newRun('f'), after('never', 'f')], ['f'], 'failed');
      assert.deepEqual((await storage.removal.delete(['c', 'f'], alone)).sort(), ['c', 'f']);
      clock.advance(70_000);
      await signIn(at(fixture));
      const { admitted } = await storage.admissions.admit(await claim(at(fixture)));
      const found = admitted.map(({ id, closing }) => [id, closing]).sort();
      assert.deepEqual(found, [
        ['never', 'failed'],
        ['next', null],
      ]);
    },
  },
  {
    name: 'concurrent purges delete each run once',
    async run(fixture) {
      const names = Array.from({ length: 60 }, (_, n) => `r${n}`);
      await make(
        fixture,
        names.map((id) => newRun(id)),
        names,
      );
      const purged = await Promise.all(Array.from({ length: 4 }, () => purge(fixture, 0, ['completed'], 10)));
      const sum = purged.reduce((a, b) => a + b);
      assert.equal((await there(fixture, ...names)).length, 60 - sum);
      assert.ok(sum >= 10 && sum <= 40);
    },
  },
  {
    name: 'runs deleted in a transaction exist until it commits',
    async run(fixture) {
      const { storage, transaction } = fixture;
      await make(fixture, [newRun('a')], ['a']);
      await assert.rejects(storage.removal.delete(['a'], boom), /boom/);
      if (transaction) {
        const work = transaction(async (tx) => {
          assert.deepEqual(await storage.removal.delete(['a'], alone, tx), ['a']);
          await boom();
        });
        await assert.rejects(work, /boom/);
      }
      assert.deepEqual(await there(fixture, 'a'), ['a']);
      assert.equal((await storage.store.histories(['a'])).length, 2);
    },
  },
];
