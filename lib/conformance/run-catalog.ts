import assert from 'node:assert/strict';
import type { Transaction } from '../protocol/transaction.js';
import type { ListRuns } from '../engine/model/run-insight.js';
import type { ConformanceCase } from './case.js';
import {
  alone,
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
  let past: ListRuns['past'];
  do {
    const { runs, next } = await at.catalog.list({ namespace: '', ...query, ...(past && { past }) });
    found.push(ids(runs));
    past = next;
  } while (past);
  return found;
}

/** Guarantees for clients. */
export const runCatalogConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'what a run carries is claimed with it, and can be read by its id',
    async run(at) {
      await signIn(at);
      const context = JSON.stringify({ tenant: 'ü😀', traceparent: '00-1-2-01' });
      await create(at, newRun('a', { context }), newRun('b'), newRun('c', { context: '{"n":1}' }));
      const claimed = new Map((await claim(at)).map((run) => [run.id, run.context]));
      assert.deepEqual([claimed.get('a'), claimed.get('b'), claimed.get('c')], [context, undefined, '{"n":1}']);
      const read = await at.catalog.contexts(['a', 'b', 'none']);
      assert.deepEqual([...read], [['a', context]]);
    },
  },
  {
    name: 'a run that continues as new keeps what it carries, or carries something else from then on',
    async run(at) {
      await signIn(at);
      await create(at, newRun('a', { context: '{"n":1}' }), newRun('b', { context: '{"n":1}' }), newRun('c'));
      const anew = { status: 'pending', input: '1', firstSeq: 1 } as const;
      const other = { context: '{"n":2,"t":"ü😀"}' };
      const writes = (await claim(at)).map((run) =>
        writeOf(run, { transition: { ...anew, ...(run.id !== 'a' && other) } }),
      );
      assert.deepEqual(await commit(at, ...writes), []);
      const claimed = new Map((await claim(at)).map((run) => [run.id, run.context]));
      assert.deepEqual(
        ['a', 'b', 'c'].map((id) => claimed.get(id)),
        ['{"n":1}', other.context, other.context],
      );
    },
  },
  {
    name: 'a run is created once, and later calls get the existing one',
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
    name: 'a batch may contain an id twice, and ids that already exist',
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
      assert.equal((await at.catalog.list({ namespace: '', limit: 10 })).runs.length, 3);
    },
  },
  {
    name: 'if thirty create the same id at once, one succeeds (E2)',
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
      assert.equal((await at.catalog.list({ namespace: '', limit: 100 })).runs.length, names.length);
    },
  },
  {
    name: 'engines are notified of created runs',
    async run(at) {
      const told = new Promise<void>((resolve) => void at.store.onRuns(() => resolve()));
      await create(at, newRun('a'));
      await told;
    },
  },
  {
    name: 'a list is newest first, and its pages contain every run once, also with equal times (E4)',
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
    name: 'a list is of one namespace, and can be filtered by status, workflow and blocked',
    async run(at) {
      const [done, blocked] = await owned(at, ['done', 'blocked', 'running']);
      await commit(
        at,
        writeOf(done!, { transition: { status: 'completed', output: '1' } }),
        writeOf(blocked!, { transition: { status: 'suspended', wakeAt: null, settled: 0, reason: 'non_determinism' } }),
      );
      await create(at, newRun('elsewhere', { namespace: 'other' }), newRun('pending', { workflow: 'pay', delayMs: 9 }));
      const found = async (query: Partial<ListRuns>) =>
        ids((await at.catalog.list({ namespace: '', limit: 10, ...query })).runs).sort();
      assert.deepEqual(await found({}), ['blocked', 'done', 'pending', 'running']);
      assert.deepEqual(await found({ namespace: 'other' }), ['elsewhere']);
      assert.deepEqual(await found({ status: ['completed', 'running'] }), ['done', 'running']);
      assert.deepEqual(await found({ workflow: 'pay' }), ['pending']);
      assert.deepEqual(await found({ blocked: true }), ['blocked']);
      assert.deepEqual(await found({ blocked: true, status: ['running'] }), []);
    },
  },
];

/** The same inside an open transaction. */
export const runTransactionsConformance: ConformanceCase<TransactionalRunStoreFixture>[] = [
  {
    name: 'a run created in a transaction that rolls back does not exist (P1)',
    async run(at) {
      const work = async (tx: Transaction) => {
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
    name: 'writes inside a transaction are committed or rolled back with it',
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
];
