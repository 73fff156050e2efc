import assert from 'node:assert/strict';
import type { ListRuns } from '../../engine/run-catalog.js';
import type { ConformanceCase } from './case.js';
import {
  alone,
  boom,
  claim,
  commit,
  create,
  find,
  history,
  ids,
  newRun,
  owned,
  ownedOne,
  type RunStoreFixture,
  signIn,
  stepOf,
  type TransactionalRunStoreFixture,
  writeOf,
} from './run-store.js';

async function pages(at: RunStoreFixture, query: Omit<ListRuns, 'namespace'>): Promise<string[][]> {
  const found: string[][] = [];
  let before: ListRuns['before'];
  for (;;) {
    const page = await at.catalog.list({ namespace: '', ...query, ...(before && { before }) });
    if (page.length === 0) return found;
    found.push(ids(page));
    before = { createdAt: page.at(-1)!.createdAt, id: page.at(-1)!.id };
  }
}

/** What the application's side is promised. */
export const runCatalogConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'a run is created once, and whoever comes later is given it',
    async run(at) {
      const [first] = await create(at, newRun('a', { input: '{"t":"ü😀\\u0000"}', delayMs: 50, version: 3 }));
      assert.equal(first?.created, true);
      assert.equal(first.run.input, '{"t":"ü😀\\u0000"}');
      assert.equal(first.run.wakeAt, at.clock.now() + 50);
      at.clock.advance(1);
      const [second] = await create(at, newRun('a', { input: '"other"', workflow: 'other' }));
      assert.deepEqual(second, { created: false, run: first.run });
      assert.deepEqual(await at.catalog.find(['a', 'unknown']), [first.run]);
    },
  },
  {
    name: 'a batch may name an id twice, and ids that are taken',
    async run(at) {
      await create(at, newRun('taken'));
      const batch = ['new', 'taken', 'new', 'newer'].map((id, n) => newRun(id, { input: String(n) }));
      const created = await at.catalog.create(batch);
      assert.deepEqual(
        created.map(({ created: isNew, run }) => [run.id, isNew]),
        [
          ['new', true],
          ['taken', false],
          ['new', false],
          ['newer', true],
        ],
      );
      assert.equal((await at.catalog.list({ namespace: '', limit: 10 })).length, 3);
    },
  },
  {
    name: 'of thirty that create one id at once, one does (E2)',
    async run(at) {
      for (let round = 0; round < 5; round++) {
        const id = `r${round}`;
        const asked = Array.from({ length: 30 }, (_, n) => create(at, newRun(id, { input: String(n) })));
        const outcomes = (await Promise.all(asked)).flat();
        const winner = outcomes.filter(({ created }) => created);
        assert.equal(winner.length, 1);
        for (const { run } of outcomes) assert.equal(run.input, winner[0]!.run.input);
      }
    },
  },
  {
    name: 'batches that overlap in different orders create each id once',
    async run(at) {
      const names = Array.from({ length: 20 }, (_, n) => `r${n}`);
      const batches = Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? names : [...names].reverse()).map((id) => newRun(id)),
      );
      const outcomes = (await Promise.all(batches.map((batch) => at.catalog.create(batch)))).flat();
      assert.equal(outcomes.filter(({ created }) => created).length, names.length);
      assert.equal((await at.catalog.list({ namespace: '', limit: 100 })).length, names.length);
    },
  },
  {
    name: 'creating tells the engines',
    async run(at) {
      const told = new Promise<void>((resolve) => void at.store.onRuns(() => resolve()));
      await create(at, newRun('a'));
      await told;
    },
  },
  {
    name: 'a list is newest first, and page by page every run comes once, also with equal times (E4)',
    async run(at) {
      const names = Array.from({ length: 25 }, (_, n) => `r${String(n).padStart(2, '0')}`);
      await create(at, ...names.slice(0, 20).map((id) => newRun(id)));
      at.clock.advance(1);
      await create(at, ...names.slice(20).map((id) => newRun(id)));
      const found = await pages(at, { limit: 7 });
      assert.deepEqual(
        found.map(({ length }) => length),
        [7, 7, 7, 4],
      );
      assert.deepEqual(found.flat(), [...names].reverse());
    },
  },
  {
    name: 'a list is of one namespace, and by status, workflow and standing still',
    async run(at) {
      const [done, blocked] = await owned(at, ['done', 'blocked', 'running']);
      await commit(
        at,
        writeOf(done!, { transition: { status: 'completed', output: '1' } }),
        writeOf(blocked!, { transition: { status: 'suspended', wakeAt: null, settled: 0, reason: 'non_determinism' } }),
      );
      await create(at, newRun('elsewhere', { namespace: 'other' }), newRun('pending', { workflow: 'pay', delayMs: 9 }));
      const found = async (query: Partial<ListRuns>) =>
        ids(await at.catalog.list({ namespace: '', limit: 10, ...query })).sort();
      assert.deepEqual(await found({}), ['blocked', 'done', 'pending', 'running']);
      assert.deepEqual(await found({ namespace: 'other' }), ['elsewhere']);
      assert.deepEqual(await found({ status: ['completed', 'running'] }), ['done', 'running']);
      assert.deepEqual(await found({ workflow: 'pay' }), ['pending']);
      assert.deepEqual(await found({ blocked: true }), ['blocked']);
      assert.deepEqual(await found({ blocked: true, status: ['running'] }), []);
    },
  },
  {
    name: 'cancelling fences the owner out, hands over the open remote steps, and tells everybody',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const settled = { status: 'completed', settled: 1, output: '1' } as const;
      const steps = [
        stepOf('a', 0, settled),
        stepOf('a', 1),
        stepOf('a', 2, { attempt: 1, wakeAt: at.clock.now() + 9 }),
        stepOf('a', 3, { kind: 'sleep', wakeAt: at.clock.now() + 9 }),
      ];
      await commit(at, writeOf(run, { steps }));
      const [lost, finished, open] = [new Set<string>(), new Set<string>(), [] as string[]];
      const stops = [
        at.store.onRuns((gone) => gone?.forEach((id) => lost.add(id))),
        at.catalog.onFinished((gone) => gone?.forEach((id) => finished.add(id))),
      ];
      assert.equal(await at.catalog.cancel('a', async (stepIds) => void open.push(...stepIds)), true);
      stops.forEach((stop) => stop());
      assert.deepEqual(open.sort(), ['a:1', 'a:2']);
      assert.deepEqual([[...lost], [...finished]], [['a'], ['a']]);
      assert.deepEqual(await commit(at, writeOf(run, { steps: [stepOf('a', 4)] })), ['a']);
      const { status, finishedAt, wakeAt } = await find(at, 'a');
      assert.deepEqual([status, finishedAt, wakeAt], ['cancelled', at.clock.now(), null]);
      assert.equal(await at.catalog.cancel('a', boom), false);
    },
  },
  {
    name: 'what has ended or is not there cannot be cancelled; what stands still can',
    async run(at) {
      const [done, blocked] = await owned(at, ['done', 'blocked']);
      await commit(
        at,
        writeOf(done!, { transition: { status: 'completed', output: '1' } }),
        writeOf(blocked!, { transition: { status: 'suspended', wakeAt: null, settled: 0, reason: 'non_determinism' } }),
      );
      assert.equal(await at.catalog.cancel('done', boom), false);
      assert.equal(await at.catalog.cancel('unknown', boom), false);
      assert.equal(await at.catalog.cancel('blocked', alone), true);
      assert.equal((await find(at, 'done')).status, 'completed');
      assert.deepEqual(await at.catalog.list({ namespace: '', blocked: true, limit: 10 }), []);
      await signIn(at);
      assert.deepEqual(await claim(at, { which: 'blocked' }), []);
    },
  },
  {
    name: 'when tasks cannot be withdrawn, the run is not cancelled',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await assert.rejects(at.catalog.cancel('a', boom), /boom/);
      assert.equal((await find(at, 'a')).status, 'running');
      assert.deepEqual(await commit(at, writeOf(run, { steps: [stepOf('a', 0)] })), []);
    },
  },
];

/** The same inside a transaction that is open already. */
export const runTransactionsConformance: ConformanceCase<TransactionalRunStoreFixture>[] = [
  {
    name: 'a run created in a transaction that rolls back was never there (P1)',
    async run(at) {
      const work = async (tx: object) => {
        assert.equal((await at.catalog.create([newRun('a')], tx))[0]?.created, true);
        assert.equal((await at.catalog.create([newRun('a')], tx))[0]?.created, false);
        assert.deepEqual(await at.catalog.find(['a']), []);
        throw new Error('boom');
      };
      await assert.rejects(at.transaction(work), /boom/);
      assert.deepEqual(await at.catalog.find(['a']), []);
      await at.transaction((tx) => at.catalog.create([newRun('a')], tx));
      assert.equal((await find(at, 'a')).status, 'pending');
    },
  },
  {
    name: 'what is committed in a transaction comes and goes with it',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const write = writeOf(run, { steps: [stepOf('a', 0)], transition: { status: 'completed', output: '1' } });
      const rolledBack = at.transaction(async (tx) => {
        assert.deepEqual(await at.store.commit([write], alone, tx), []);
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.deepEqual([await history(at, 'a'), (await find(at, 'a')).status], [[], 'running']);
      const stale = writeOf({ id: 'a', epoch: 0 }, { steps: [stepOf('a', 5)] });
      await at.transaction(async (tx) => {
        assert.deepEqual(await at.store.commit([stale], alone, tx), [stale]);
        assert.deepEqual(await at.store.commit([write], alone, tx), []);
      });
      assert.deepEqual(await history(at, 'a'), [stepOf('a', 0)]);
      assert.equal((await find(at, 'a')).status, 'completed');
    },
  },
  {
    name: 'a cancellation in a transaction that rolls back never was',
    async run(at) {
      await ownedOne(at, 'a');
      const rolledBack = at.transaction(async (tx) => {
        assert.equal(await at.catalog.cancel('a', alone, tx), true);
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.equal((await find(at, 'a')).status, 'running');
      await at.transaction((tx) => at.catalog.cancel('a', alone, tx));
      assert.equal((await find(at, 'a')).status, 'cancelled');
    },
  },
];
