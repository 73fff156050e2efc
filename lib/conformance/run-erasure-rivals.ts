import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { alone, erasure, left, make, marked, marksOf, SECRET, whole } from './run-erasure.js';
import { commit, newRun, stepOf, writeOf } from './run-store.js';

const at = ({ storage, clock }: EngineStorageFixture) => ({ ...storage, clock });

/** Guarantees of the erasure of runs beside new lives, later erasures and other takers of signals. */
export const erasureRivalConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a mark of a run that has begun anew meanwhile stays, and the new life is erased when it ends',
    async run(fixture) {
      const { storage } = fixture;
      const again = newRun('a', { reuse: 'ended', input: SECRET, attributes: { who: SECRET } });
      await make(fixture, [newRun('a')], ['a']);
      await storage.erasure.mark(erasure, ['a', 'gone']);
      await storage.erasure.blank(whole('a'), alone);
      const marks = await marked(fixture);
      await storage.catalog.create([again, newRun('gone')]);
      const anew = async () => (await storage.erasure.unmark(marks)).map(({ runId }) => runId);
      assert.deepEqual(await anew(), ['a', 'gone']);
      assert.deepEqual(await marksOf(fixture), ['a whole open', 'gone whole open']);
      for (const id of ['a', 'gone']) await storage.control.close(id, 'terminated', alone);
      assert.deepEqual(await anew(), ['a', 'gone']);
      await storage.erasure.blank(whole('a', 'gone'), alone);
      assert.deepEqual(await anew(), []);
      assert.deepEqual([await marksOf(fixture), await left(fixture, 'a')], [[], 0]);
    },
  },
  {
    name: 'a run that waits for its erasure, or holds what does, is not forked',
    async run(fixture) {
      const { storage } = fixture;
      const fork = (source: string) => storage.lives.fork({ source, from: 0, id: 'fork' });
      await storage.catalog.create([newRun('a'), newRun('parent')]);
      const child = { ...newRun('child'), parent: { id: 'parent', seq: 3, close: 'terminate' as const } };
      await storage.catalog.create([child]);
      await storage.erasure.mark(erasure, ['a', 'child']);
      await storage.erasure.follow(['a', 'child']);
      assert.deepEqual([await fork('a'), await fork('parent')], [{ why: 'erasing' }, { why: 'erasing' }]);
      assert.deepEqual(await storage.catalog.find(['fork']), []);
    },
  },
  {
    name: 'a mark that a later erasure has taken over is left to that one',
    async run(fixture) {
      const { storage } = fixture;
      const later = { ...erasure, id: '7a1f0000-0000-4000-8000-000000000002', discards: true };
      await storage.erasure.mark(erasure, ['gone']);
      const marks = await marked(fixture);
      await storage.erasure.mark(later, ['gone']);
      assert.deepEqual(await storage.erasure.unmark(marks), []);
      const [left] = await storage.erasure.marked({ namespace: '', erasureId: later.id, limit: 1 });
      assert.equal(left?.discards, true);
      await storage.erasure.unmark([left]);
      assert.deepEqual(await storage.erasure.marked({ namespace: '', erasureId: later.id, limit: 1 }), []);
    },
  },
  {
    name: 'a signal to a key that another run has taken, too, or that only a fork refers to, stays',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a'), newRun('b'), newRun('fork')], []);
      const toKey = { namespace: '', name: 's', payload: SECRET, target: 'k', addressed: 'key' } as const;
      await storage.mailbox.send(['c1', 'c2'].map((channel) => ({ ...toKey, channel, dedupId: channel })));
      await storage.mailbox.deliver(async () => undefined);
      const epochs = new Map((await storage.store.owned('node')).map(({ runId, epoch }) => [runId, epoch]));
      for (const [id, channel, takes] of [
        ...[['a', 'c1', true] as const, ['b', 'c1', true] as const],
        ...[['a', 'c2', true] as const, ['fork', 'c2', false] as const],
      ]) {
        const seq = channel === 'c1' ? 4 : 5;
        const took = {
          kind: 'signal',
          status: 'completed',
          settled: seq,
          output: SECRET,
          ref: `${channel}:1`,
        } as const;
        const extras = { receives: takes ? [{ channel, position: 1, how: 'kept' as const }] : [] };
        const write = writeOf({ id, epoch: epochs.get(id)! }, { steps: [stepOf(id, seq, took)], extras });
        await commit(at(fixture), write);
      }
      const erased = async (id: string) => {
        await storage.control.close(id, 'terminated', alone);
        await storage.erasure.mark(erasure, [id]);
        await storage.erasure.blank(whole(id), alone);
        return (await storage.erasure.sweep([id], 100)).signals;
      };
      assert.deepEqual([await erased('fork'), await erased('a'), await erased('b')], [0, 1, 1]);
    },
  },
];
