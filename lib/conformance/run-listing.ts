import assert from 'node:assert/strict';
import { cursorOf, parseCursor } from '../engine/insight/run-views.js';
import type { ListRuns } from '../engine/model/run-insight.js';
import { limiterOf } from '../engine/model/limiter.js';
import type { RunStatus } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { running } from './mailbox-fixture.js';
import { alone, newRun, stepOf, taskFor, writeOf } from './run-store.js';

/** The ids of each page, until the last one. */
async function pages({ storage }: EngineStorageFixture, query: Partial<ListRuns>): Promise<string[][]> {
  const found: string[][] = [];
  let past: ListRuns['past'];
  do {
    const page = await storage.catalog.list({ namespace: '', limit: 100, ...query, ...(past && { past }) });
    found.push(page.runs.map(({ id }) => id));
    past = page.next && parseCursor(cursorOf(page.next));
  } while (past);
  return found;
}

const listed = async (at: EngineStorageFixture, query: Partial<ListRuns>): Promise<string[]> =>
  (await pages(at, query)).flat();

/** Each ends at a later moment, in this order. */
async function ends(at: EngineStorageFixture, ...order: [id: string, status: RunStatus][]): Promise<void> {
  const runs = await running(at, ...order.map(([id]) => id).sort());
  for (const [id, status] of order) {
    at.clock.advance(1_000);
    const transition = { status, output: '1' } as never;
    const run = runs.find((one) => one.id === id)!;
    assert.deepEqual(await at.storage.store.commit([writeOf(run, { transition })], alone), []);
  }
}

/** Guarantees of lists beyond those of the catalog. */
export const runListingConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a list in the order of ends has all runs that have ended once, the last one first',
    async run(at) {
      await ends(at, ['d', 'completed'], ['a', 'failed'], ['c', 'completed'], ['b', 'cancelled'], ['e', 'failed']);
      await running(at, 'f');
      await at.storage.catalog.create([newRun('g', { namespace: 'other' })]);
      const order = 'ended';
      assert.deepEqual(await pages(at, { order, limit: 2 }), [['e', 'b'], ['c', 'a'], ['d']]);
      assert.deepEqual(await listed(at, { order, status: ['failed'] }), ['e', 'a']);
      assert.deepEqual(await listed(at, { order, status: ['failed', 'running'] }), ['e', 'a']);
      assert.deepEqual(await listed(at, { order, status: ['running'] }), []);
      assert.deepEqual(await listed(at, { order, workflow: 'nobody' }), []);
    },
  },
  {
    name: 'a list of runs that ended within a time has its first moment, and not its last',
    async run(at) {
      const from = at.clock.now();
      await ends(at, ['a', 'failed'], ['b', 'completed'], ['c', 'completed']);
      await running(at, 'd');
      const [one, two, three] = [from + 1_000, from + 2_000, from + 3_000];
      assert.deepEqual(await listed(at, { endedFrom: two }), ['c', 'b']);
      assert.deepEqual(await listed(at, { endedBefore: three }), ['b', 'a']);
      assert.deepEqual(await listed(at, { endedFrom: two, endedBefore: three, order: 'ended' }), ['b']);
      assert.deepEqual(await listed(at, { endedFrom: one, status: ['failed'], order: 'oldest' }), ['a']);
      assert.deepEqual(await listed(at, { endedFrom: one, status: ['running'] }), []);
      assert.deepEqual(await listed(at, { endedFrom: one, waitsFor: ['timer'] }), []);
      const { runs } = await at.storage.catalog.list({ namespace: '', limit: 10, order: 'oldest' });
      const [, second] = runs.map(({ createdAt }) => createdAt);
      const createdFrom = second!;
      const later = runs.filter(({ createdAt, finishedAt }) => finishedAt !== null && createdAt >= createdFrom);
      const inOrder = (some: typeof runs) => some.map(({ id }) => id).reverse();
      assert.deepEqual(await listed(at, { order: 'ended', createdFrom }), inOrder(later));
      const earlier = runs.filter(({ createdAt, finishedAt }) => finishedAt !== null && createdAt < createdFrom);
      assert.deepEqual(await listed(at, { order: 'ended', createdBefore: createdFrom }), inOrder(earlier));
    },
  },
  {
    name: 'a list of ids that begin with a text is exact in every character',
    async run(at) {
      const ids = ['order-1', 'order-10', 'order-2', 'Order-1', 'order_1', 'order-1%', 'zü-1', 'zü-2', 'zz'];
      await at.storage.catalog.create(ids.map((id) => newRun(id)));
      const found = async (idPrefix: string) => (await listed(at, { idPrefix })).sort();
      assert.deepEqual(await found('order-1'), ['order-1', 'order-1%', 'order-10']);
      assert.deepEqual(await found('order-1%'), ['order-1%']);
      assert.deepEqual(await found('zü'), ['zü-1', 'zü-2']);
      assert.deepEqual(await found('z'), ['zz', 'zü-1', 'zü-2']);
      assert.deepEqual(await found('nothing'), []);
      assert.deepEqual((await listed(at, { idPrefix: '' })).length, ids.length);
    },
  },
  {
    name: 'a list of runs that wait for something looks at their steps without an outcome',
    async run(at) {
      const ids = ['child', 'limiter', 'retry', 'signal', 'task', 'timer', 'two', 'zended', 'zsettled'];
      const runs = await running(at, ...ids);
      const step = (n: number, fields: Parameters<typeof stepOf>[2] = {}) => stepOf(ids[n]!, 0, fields);
      const recorded = [
        [step(0, { kind: 'child' })],
        [step(1)],
        [step(2, { wakeAt: 5 })],
        [step(3, { kind: 'signal' })],
        [step(4)],
        [step(5, { kind: 'sleep', wakeAt: 5 })],
        [step(6, { kind: 'sleep', wakeAt: 5 }), stepOf('two', 1, { kind: 'signal' })],
        [step(7)],
        [step(8, { kind: 'sleep', status: 'completed', settled: 1, output: 'null' })],
      ];
      const limiter = limiterOf('', 'step', 'charge', '');
      const limits = { concurrency: 1 };
      const limitRequest = { limiter, namespace: '', name: 'step:charge', key: '', limits };
      const queues = [{ task: taskFor('limiter', 0), limitRequest, priority: 0 }];
      const more = (n: number) => ({
        ...(ids[n] === 'limiter' && { extras: { queues } }),
        ...(ids[n] === 'zended' && { transition: { status: 'failed', error: '{}' } as never }),
      });
      for (const [n, steps] of recorded.entries()) {
        const write = writeOf(runs[n]!, { steps, ...more(n) });
        assert.deepEqual(await at.storage.store.commit([write], alone), []);
      }
      const found = async (...waitsFor: NonNullable<ListRuns['waitsFor']>) => (await listed(at, { waitsFor })).sort();
      assert.deepEqual(await found('timer'), ['timer', 'two']);
      assert.deepEqual(await found('signal'), ['signal', 'two']);
      assert.deepEqual(await found('child'), ['child']);
      assert.deepEqual(await found('retry'), ['retry']);
      assert.deepEqual(await found('task'), ['limiter', 'task']);
      assert.deepEqual(await found('limiter'), ['limiter']);
      assert.deepEqual(await found('run'), []);
      assert.deepEqual(await found('child', 'retry'), ['child', 'retry']);
    },
  },
  {
    name: 'a list without payloads has null for them, and says how many runs it looked at',
    async run(at) {
      await ends(at, ['a', 'completed'], ['b', 'failed']);
      const query = { namespace: '', limit: 10 };
      const found = async (payloads: boolean) => {
        const { runs } = await at.storage.catalog.list({ ...query, payloads });
        return runs.map(({ id, input, output }) => [id, input !== null, output !== null]);
      };
      assert.deepEqual(await found(false), [
        ['b', false, false],
        ['a', false, false],
      ]);
      assert.equal((await found(true))[1]?.[1], true);
      assert.equal((await found(true))[1]?.[2], true);
      assert.equal((await at.storage.catalog.list(query)).lookedAt, 2);
      const [run] = await at.storage.insight.withoutPayloads(['a', 'nobody']);
      assert.deepEqual([run?.id, run?.status, run?.input, run?.output], ['a', 'completed', null, null]);
      assert.deepEqual(await at.storage.insight.withoutPayloads([]), []);
    },
  },
];
