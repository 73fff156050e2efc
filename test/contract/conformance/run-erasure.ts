import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { GivingUp } from '../../../lib/engine/control.js';
import { NO_ROWS, PUBLISHED } from '../../../lib/engine/erasure.js';
import type { NewRun } from '../../../lib/engine/run.js';
import { claim, commit, type EngineStorageFixture, find, ids, newRun, signIn, stepOf, writeOf } from './fixtures.js';

export const alone: GivingUp = async () => undefined;
export const erasure = { id: '7a1f0000-0000-4000-8000-000000000001', namespace: '', discards: false };
export const SECRET = '"secret"';

const at = ({ storage, clock }: EngineStorageFixture) => ({ ...storage, clock });

const childOf = (id: string, parentId: string): NewRun =>
  newRun(id, { parent: { id: parentId, seq: 0, close: 'abandon' } });

/** Creates these runs, each with a secret wherever one fits, and ends those in `ended`. */
export async function make(
  fixture: EngineStorageFixture,
  runs: readonly NewRun[],
  ended: readonly string[],
): Promise<void> {
  const here = at(fixture);
  await here.catalog.create(runs.map((run) => ({ attributes: { who: SECRET }, ...run, input: SECRET })));
  await signIn(here);
  const line = { seq: null, attempt: null, level: 'info', message: SECRET, fields: SECRET, loggedAt: 1 } as const;
  for (const run of await claim(here)) {
    const { id } = run;
    const outcome = { kind: 'step', status: 'completed', settled: 1, output: SECRET, error: SECRET } as const;
    const input = { kind: 'step', status: 'completed', settled: 2, input: SECRET } as const;
    const published = { kind: 'marker', status: 'completed', output: 'ids', ref: PUBLISHED } as const;
    const steps = [
      stepOf(id, 0, { kind: 'child', output: SECRET }),
      stepOf(id, 1, outcome),
      stepOf(id, 2, published),
      stepOf(id, 3, input),
    ];
    const times = { askedAt: 1, startedAt: 1, finishedAt: 2, worker: 'w', outcome: 'failed' } as const;
    const attempts = [{ ...times, seq: 1, attempt: 1, error: SECRET }];
    const extras = { attempts, logs: [line, line], customStatus: SECRET };
    const transition = ended.includes(id) ? ({ status: 'completed', output: SECRET } as const) : undefined;
    assert.deepEqual(await commit(here, writeOf(run, { steps, extras, ...(transition && { transition }) })), []);
  }
  fixture.clock.advance(1_000);
}

export const marked = ({ storage }: EngineStorageFixture) =>
  storage.erasure.marked({ namespace: '', erasureId: erasure.id, limit: 100 });

export const marksOf = async (fixture: EngineStorageFixture) =>
  (await marked(fixture)).map(({ runId, seq, state }) => `${runId} ${seq ?? 'whole'} ${state}`);

export const whole = (...runIds: string[]) => runIds.map((runId) => ({ runId, seq: null }));

export const left = async ({ storage }: EngineStorageFixture, runId: string) => {
  const notes = [await storage.insight.attempts(runId), await storage.insight.logs(runId)];
  const attributes = await storage.insight.attributes([runId]);
  const found = [await storage.catalog.find([runId]), await storage.catalog.steps(runId), notes, attributes];
  return JSON.stringify(found).split('secret').length - 1;
};

/** Guarantees of the erasure of runs. */
export const runErasureConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a run that has ended keeps its ids, names and outcome, and no text',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a'), newRun('b')], ['a', 'b']);
      const before = await left(fixture, 'b');
      assert.ok(before > 7);
      await storage.erasure.mark(erasure, ['a']);
      const withdrawn: string[] = [];
      const rows = await storage.erasure.blank(whole('a'), async (closed) => void withdrawn.push(...closed.withdrawn));
      assert.deepEqual(withdrawn, ['a:0']);
      assert.deepEqual([rows.runs, rows.attributes], [1, 1]);
      assert.deepEqual(await storage.erasure.sweep(['a', 'b'], 100), {
        runs: 0,
        attributes: 0,
        steps: 3,
        attempts: 1,
        logs: 2,
        signals: 0,
      });
      assert.equal(await left(fixture, 'a'), 0);
      assert.equal(await left(fixture, 'b'), before);
      const { status, workflow, erasedAt } = await find(at(fixture), 'a');
      assert.deepEqual([status, workflow, erasedAt], ['completed', 'order', fixture.clock.now()]);
      assert.equal(await storage.control.retry('a', alone), 'erased');
      assert.deepEqual(await storage.erasureReads.published(['a', 'b'], undefined, 10), [
        { runId: 'a', seq: 2, output: 'ids' },
        { runId: 'b', seq: 2, output: 'ids' },
      ]);
      assert.deepEqual(await storage.erasureReads.published(['a', 'b'], { runId: 'a', seq: 2 }, 10), [
        { runId: 'b', seq: 2, output: 'ids' },
      ]);
      // Again, there is nothing left to do.
      const again = await storage.erasure.blank(whole('a'), alone);
      assert.deepEqual([again, await storage.erasure.sweep(['a'], 100)], [NO_ROWS, NO_ROWS]);
    },
  },
  {
    name: 'a run that has not ended is marked, and not changed until it ends',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('open')], []);
      const before = await left(fixture, 'open');
      await storage.erasure.mark(erasure, ['open', 'gone', 'open']);
      assert.deepEqual(await marksOf(fixture), ['gone whole missing', 'open whole open']);
      await storage.erasure.blank(whole('open'), alone);
      await storage.erasure.sweep(['open'], 100);
      assert.equal(await left(fixture, 'open'), before);
      assert.equal((await find(at(fixture), 'open')).erasedAt, null);
      const others = () => storage.erasure.marked({ namespace: '', limit: 100 });
      assert.deepEqual(await others(), []);
      await storage.control.close('open', 'terminated', alone);
      assert.deepEqual(ids((await others()).map(({ runId: id }) => ({ id }))), ['open']);
      await storage.erasure.blank(whole('open'), alone);
      await storage.erasure.sweep(['open'], 100);
      assert.equal(await left(fixture, 'open'), 0);
      assert.deepEqual(await storage.erasure.unmark((await marked(fixture)).slice(1)), []);
      assert.deepEqual(await marksOf(fixture), ['gone whole missing']);
      // Whoever had marked it does not go on.
      fixture.clock.advance(120_000);
      assert.deepEqual(ids((await others()).map(({ runId: id }) => ({ id }))), ['gone']);
    },
  },
  {
    name: 'children are marked with their parents, and the outcome of a child in the history of its parent',
    async run(fixture) {
      const { storage } = fixture;
      const runs = [newRun('top'), childOf('mid', 'top'), childOf('low', 'mid'), childOf('other', 'top')];
      await make(fixture, runs, ['mid', 'low', 'other']);
      await storage.erasure.mark(erasure, ['mid']);
      assert.equal(await storage.erasure.follow(['mid']), 2);
      assert.equal(await storage.erasure.follow(['mid', 'low']), 0);
      assert.deepEqual(await marksOf(fixture), ['low whole ended', 'mid whole ended', 'top 0 open']);
      const top = { runId: 'top', seq: 0 };
      await storage.erasure.blank([top], alone);
      assert.equal((await storage.catalog.step('top', 0))?.output, SECRET);
      await storage.control.close('top', 'terminated', alone);
      assert.deepEqual((await storage.erasure.blank([top], alone)).steps, 1);
      assert.equal((await storage.catalog.step('top', 0))?.output, null);
      assert.equal((await storage.catalog.step('top', 1))?.output, SECRET);
      assert.notEqual((await find(at(fixture), 'top')).erasedAt, null);
      assert.equal((await find(at(fixture), 'top')).input, SECRET);
    },
  },
  {
    name: 'a child that a run begins before it ends is marked when the run is blanked',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a')], ['a']);
      await storage.erasure.mark(erasure, ['a']);
      assert.equal(await storage.erasure.follow(['a']), 0);
      await storage.catalog.create([childOf('late', 'a')]);
      await storage.erasure.blank(whole('a'), alone);
      assert.deepEqual(await marksOf(fixture), ['a whole ended', 'late whole open']);
    },
  },
  {
    name: 'a later run with the same id is not touched',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a')], ['a']);
      await storage.erasure.mark(erasure, ['a']);
      await storage.erasure.blank(whole('a'), alone);
      await storage.catalog.create([newRun('a', { reuse: 'ended', input: SECRET, attributes: { who: SECRET } })]);
      assert.equal(await left(fixture, 'a'), 2);
      await storage.erasure.sweep(['a'], 100);
      assert.equal(await left(fixture, 'a'), 2);
      assert.equal((await find(at(fixture), 'a')).erasedAt, null);
    },
  },
  {
    name: 'at most so many rows are swept at once, and nothing is left in the end',
    async run(fixture) {
      const { storage } = fixture;
      const names = Array.from({ length: 7 }, (_, n) => `r${n}`);
      await make(
        fixture,
        names.map((id) => newRun(id)),
        names,
      );
      await storage.erasure.mark(erasure, names);
      await storage.erasure.blank(whole(...names), alone);
      assert.equal((await storage.erasure.sweep(names, 5)).steps, 5);
      for (let rows = 1; rows > 0;)
        rows = Object.values({ ...(await storage.erasure.sweep(names, 5)) }).reduce((sum, count) => sum + count);
      for (const id of names) assert.equal(await left(fixture, id), 0);
    },
  },
  {
    name: 'signals to a run are deleted, and signals to a key that it took',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a')], []);
      const to = (target: string, channel: string, addressed: 'run' | 'key') =>
        ({ namespace: '', name: 's', dedupId: 'x', payload: SECRET, target, channel, addressed }) as const;
      const sent = [to('a', 'c1', 'run'), to('k', 'c2', 'key'), to('k', 'c3', 'key'), to('b', 'c4', 'key')];
      await storage.mailbox.send(sent);
      await storage.mailbox.deliver(async () => undefined);
      const [run] = await storage.store.owned('node');
      const took = stepOf('a', 4, { kind: 'signal', status: 'completed', settled: 3, output: SECRET, ref: 'c2:1' });
      const receives = [{ channel: 'c2', position: 1, how: 'kept' as const }];
      await commit(at(fixture), writeOf({ id: 'a', epoch: run!.epoch }, { steps: [took], extras: { receives } }));
      await storage.control.close('a', 'terminated', alone);
      await storage.erasure.mark(erasure, ['a']);
      await storage.erasure.blank(whole('a'), alone);
      assert.equal((await storage.erasure.sweep(['a'], 100)).signals, 2);
      assert.deepEqual(await storage.mailbox.send(sent), ['sent', 'sent', 'known', 'known']);
      assert.equal(await storage.signalRemoval.forget(['c3', 'c4', 'c5'], 1), 1);
      assert.equal(await storage.signalRemoval.forget(['c3', 'c4', 'c5'], 10), 1);
      assert.equal(await storage.signalRemoval.forget(['c3', 'c4'], 10), 0);
    },
  },
  {
    name: 'runs are found by all of the attributes, page by page, in their namespace',
    async run(fixture) {
      const { storage } = fixture;
      const having = (id: string, attributes: NewRun['attributes'] & object, namespace = '') =>
        newRun(id, { attributes, namespace });
      const born = new Date(0);
      await storage.catalog.create([
        having('a', { who: 'c1', born, n: 1 }),
        having('b', { who: 'c1', born }),
        having('c', { who: 'c1', n: 1 }),
        having('d', { who: 'C1', n: 1 }),
        having('e', { who: 'c1', n: 1 }, 'eu'),
        having('f', { who: 'c1', vip: true, n: 1 }),
      ]);
      const found = (attributes: Record<string, string | number | boolean | Date>, after = '', limit = 10) =>
        storage.erasureReads.having({ namespace: '', attributes: Object.entries(attributes), after, limit });
      assert.deepEqual(await found({ who: 'c1' }), ['a', 'b', 'c', 'f']);
      assert.deepEqual(await found({ who: 'c1' }, 'a', 2), ['b', 'c']);
      assert.deepEqual(await found({ n: 1, who: 'c1' }), ['a', 'c', 'f']);
      assert.deepEqual(await found({ born, n: 1 }), ['a']);
      assert.deepEqual(await found({ vip: true }), ['f']);
      assert.deepEqual(await found({ n: '1' }), []);
      await storage.erasure.mark(erasure, ['a', 'e']);
      assert.deepEqual(await marksOf(fixture), ['a whole open']);
    },
  },
  {
    name: 'marks in a transaction are not there if it rolls back; a later erasure takes marks over',
    async run(fixture) {
      const { storage, transaction } = fixture;
      await make(fixture, [newRun('a')], []);
      if (transaction) {
        const work = transaction(async (tx) => {
          await storage.erasure.mark(erasure, ['a'], tx);
          throw new Error('boom');
        });
        await assert.rejects(work, /boom/);
        assert.deepEqual(await marksOf(fixture), []);
      }
      const later = { ...erasure, id: '7a1f0000-0000-4000-8000-000000000002', discards: true };
      await storage.erasure.mark(erasure, ['a']);
      await storage.erasure.mark(later, ['a']);
      assert.deepEqual(await marksOf(fixture), []);
      const [mark] = await storage.erasure.marked({ namespace: '', erasureId: later.id, limit: 1 });
      assert.deepEqual(mark, {
        runId: 'a',
        seq: null,
        erasureId: later.id,
        discards: true,
        scheduleId: null,
        state: 'open',
      });
    },
  },
];

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
