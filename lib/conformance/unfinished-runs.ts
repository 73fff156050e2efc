import assert from 'node:assert/strict';
import type { ClaimedRun } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { commit, create, find, newRun, ownedOne, type RunStoreFixture, stepOf, writeOf } from './run-store.js';

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** All pages of at most `scan` runs, as ids. */
async function pages({ storage }: EngineStorageFixture, scan: number, namespace = ''): Promise<string[][]> {
  const read: string[][] = [];
  for (let afterId: string | undefined = ''; afterId !== undefined;) {
    const page: { runs: ClaimedRun[]; next: string | undefined } = await storage.unfinished.page({
      namespace,
      afterId,
      scan,
    });
    read.push(page.runs.map(({ id }) => id));
    afterId = page.next;
  }
  return read;
}

/** Guarantees for readers of all unfinished runs. */
export const unfinishedRunsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'every run that has not ended is listed once, in the order of ids, whoever owns it and whatever it waits for',
    async run(fixture) {
      const storage = at(fixture);
      const ended = await ownedOne(storage, 'b');
      await commit(storage, writeOf(ended, { transition: { status: 'completed', output: '1' } }));
      const stuck = await ownedOne(storage, 'c');
      const blocked = { status: 'suspended', wakeAt: null, settled: 0, reason: 'non_determinism' } as const;
      await commit(storage, writeOf(stuck, { transition: blocked }));
      await ownedOne(storage, 'e');
      await create(storage, newRun('a', { delayMs: 1_000 }), newRun('d', { after: ['a'] }));
      await create(storage, newRun('aa', { namespace: 'other' }));
      assert.deepEqual((await pages(fixture, 100)).flat(), ['a', 'c', 'd', 'e']);
      for (const scan of [1, 2, 3]) assert.deepEqual((await pages(fixture, scan)).flat(), ['a', 'c', 'd', 'e']);
      assert.deepEqual((await pages(fixture, 100, 'other')).flat(), ['aa']);
    },
  },
  {
    name: 'a page examines a fixed number of runs, and may be empty although another one follows',
    async run(fixture) {
      const storage = at(fixture);
      for (const id of ['a', 'b']) {
        const run = await ownedOne(storage, id);
        await commit(storage, writeOf(run, { transition: { status: 'completed', output: '1' } }));
      }
      await create(storage, newRun('c'));
      const query = { namespace: '', afterId: '', scan: 2 };
      assert.deepEqual(await fixture.storage.unfinished.page(query), { runs: [], next: 'b' });
      const rest = await fixture.storage.unfinished.page({ ...query, afterId: 'b' });
      assert.deepEqual([rest.runs.map(({ id }) => id), rest.next], [['c'], undefined]);
      assert.deepEqual(await fixture.storage.unfinished.page({ ...query, afterId: 'c' }), {
        runs: [],
        next: undefined,
      });
    },
  },
  {
    name: 'a run is returned as a claim would return it, and stays unchanged',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'b');
      await create(storage, newRun('a', { timeoutMs: 5_000, input: '{"n":2}' }));
      const done = stepOf('b', 0, { kind: 'step', status: 'completed', settled: 1, output: '1' });
      await commit(storage, writeOf(run, { steps: [done], extras: { unwinds: true } }));
      const error = { message: 'x' };
      const closing = { status: 'compensating', closing: 'failed', error, settled: 1 } as const;
      await commit(storage, writeOf(run, { transition: closing }));
      const before = await find(storage, 'b');
      const { runs } = await fixture.storage.unfinished.page({ namespace: '', afterId: '', scan: 10 });
      const [a, b] = runs;
      assert.deepEqual([a?.id, a?.input, a?.workflow, a?.version], ['a', '{"n":2}', 'order', 1]);
      assert.ok(typeof a?.deadline === 'number' && a.deadline > 0);
      assert.deepEqual([b?.closing, JSON.parse(b!.error!), b?.unwinds, b?.firstSeq], ['failed', error, true, 0]);
      assert.deepEqual([b?.epoch, b?.precondition, b?.crashes], [run.epoch, null, 0]);
      assert.deepEqual(await find(storage, 'b'), before);
    },
  },
  {
    name: 'the workflows and versions of runs that have not ended are counted page by page',
    async run(fixture) {
      const storage = at(fixture);
      const ended = await ownedOne(storage, 'b');
      await commit(storage, writeOf(ended, { transition: { status: 'completed', output: '1' } }));
      await create(
        storage,
        newRun('a', { workflow: 'order' }),
        newRun('c', { workflow: 'order', version: 2, delayMs: 60_000 }),
        newRun('d', { workflow: 'order', after: ['a'] }),
        newRun('e', { workflow: 'bill', namespace: 'other' }),
      );
      const { unfinished } = fixture.storage;
      const [order1, order2] = [1, 2].map((version) => ({ workflow: 'order', version, runs: 1 }));
      assert.deepEqual(await unfinished.versions({ namespace: '', afterId: '', scan: 3 }), {
        versions: [order1, order2],
        next: 'c',
      });
      assert.deepEqual(await unfinished.versions({ namespace: '', afterId: 'c', scan: 3 }), {
        versions: [order1],
        next: undefined,
      });
      const all = await unfinished.versions({ namespace: '', afterId: '', scan: 100 });
      assert.deepEqual(all.versions, [{ ...order1, runs: 2 }, order2]);
    },
  },
  {
    name: 'workflows and versions whose runs have been due for long are found, whoever else has been claimed',
    async run(fixture) {
      const { clock } = fixture;
      const storage = at(fixture);
      const overdue = async (namespace = '') =>
        (await fixture.storage.unfinished.overdue(namespace, 30_000)).sort(
          (a, b) => (a.workflow < b.workflow ? -1 : 1) || a.version - b.version,
        );
      await ownedOne(storage, 'owned');
      await create(
        storage,
        newRun('a', { workflow: 'gone' }),
        newRun('b', { workflow: 'gone' }),
        newRun('c', { workflow: 'gone', version: 2 }),
        newRun('d', { workflow: 'later', delayMs: 60_000 }),
        newRun('e', { workflow: 'first', priority: 7 }),
        newRun('f', { workflow: 'gone', namespace: 'other' }),
        newRun('g', { workflow: 'after', after: ['a'] }),
      );
      const since = clock.now();
      clock.advance(29_999);
      assert.deepEqual(await overdue(), []);
      await create(storage, newRun('h', { workflow: 'new' }));
      clock.advance(1);
      // One that waits for another run has to be claimed, too, before it is parked.
      const found = [
        { workflow: 'after', version: 1, since },
        { workflow: 'first', version: 1, since },
        { workflow: 'gone', version: 1, since },
        { workflow: 'gone', version: 2, since },
      ];
      assert.deepEqual(await overdue(), found);
      assert.deepEqual(await overdue('other'), [{ workflow: 'gone', version: 1, since }]);
    },
  },
];
