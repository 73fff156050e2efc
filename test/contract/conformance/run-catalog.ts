import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { Transaction } from '../../../lib/core/transaction.js';
import type { GivingUp } from '../../../lib/engine/control.js';
import type { ListRuns } from '../../../lib/engine/insight.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import {
  alone,
  boom,
  claim,
  commit,
  create,
  type EngineStorageFixture,
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
} from './fixtures.js';

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
    name: 'what a run begins after stays known in its order, whatever becomes of it',
    async run(at) {
      await create(at, newRun('b'), newRun('a'));
      await create(
        at,
        newRun('none'),
        newRun('w', { after: ['b', 'a'] }),
        newRun('x', { after: ['a'], context: '{"n":1}' }),
      );
      assert.deepEqual(await at.catalog.targets('w'), ['b', 'a']);
      assert.deepEqual(await at.catalog.targets('x'), ['a']);
      assert.deepEqual([await at.catalog.targets('none'), await at.catalog.targets('gone')], [[], []]);
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

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** All pages of at most `scan` runs, as ids. */
async function pagesOfUnfinished({ storage }: EngineStorageFixture, scan: number, namespace = ''): Promise<string[][]> {
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
      assert.deepEqual((await pagesOfUnfinished(fixture, 100)).flat(), ['a', 'c', 'd', 'e']);
      for (const scan of [1, 2, 3])
        assert.deepEqual((await pagesOfUnfinished(fixture, scan)).flat(), ['a', 'c', 'd', 'e']);
      assert.deepEqual((await pagesOfUnfinished(fixture, 100, 'other')).flat(), ['aa']);
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

type Closed = Parameters<GivingUp>[0];

const rewrite = ({ storage: { acts, edits } }: EngineStorageFixture, step: StepRecord, givingUp: GivingUp = alone) =>
  acts.within(undefined, async (tx) => {
    const found = await edits.open(step.runId, tx);
    return edits.rewrite(found!, step, givingUp, tx);
  });

/** Guarantees for operators who change the history of a run. */
export const runEditsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'locked runs are returned in the order of their ids, those that exist',
    async run(fixture) {
      await create(at(fixture), newRun('b'));
      await create(at(fixture), newRun('a'));
      const { acts, edits } = fixture.storage;
      const found = await acts.within(undefined, (tx) => edits.lock(['b', 'unknown', 'a', 'b'], tx));
      assert.deepEqual(
        found.map(({ id, status }) => [id, status]),
        [
          ['a', 'pending'],
          ['b', 'pending'],
        ],
      );
    },
  },
  {
    name: 'a run that is opened for an edit has its whole history and the form of a claim',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [stepOf('a', 1), stepOf('a', 0)] }));
      const found = await fixture.storage.edits.open('a');
      assert.deepEqual(
        found?.steps.map(({ seq }) => seq),
        [0, 1],
      );
      assert.deepEqual([found?.claim.id, found?.claim.epoch, found?.run.status], ['a', run.epoch, 'running']);
      assert.equal(await fixture.storage.edits.open('unknown'), undefined);
    },
  },
  {
    name: 'a rewritten step is written, its run is taken from its owner and due at once, and its request is withdrawn',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [stepOf('a', 0), stepOf('a', 1)] }));
      const lost = new Set<string>();
      const stop = storage.store.onRuns((gone) => gone?.forEach((id) => lost.add(id)));
      const given: Closed[] = [];
      const done = stepOf('a', 1, { status: 'completed', settled: 1, output: '"operator"' });
      assert.equal(await rewrite(fixture, done, async (closed) => void given.push(closed)), true);
      stop();
      assert.deepEqual([...lost], ['a']);
      assert.deepEqual(
        given.map(({ withdrawn }) => withdrawn),
        [['a:1']],
      );
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 2)] })), ['a']);
      const [again] = await claim(storage);
      assert.deepEqual([again?.id, again!.epoch > run.epoch], ['a', true]);
      const steps = await history(storage, 'a');
      assert.deepEqual(
        steps.map(({ seq, status, output }) => [seq, status, output]),
        [
          [0, 'pending', null],
          [1, 'completed', '"operator"'],
        ],
      );
    },
  },
  {
    name: 'a failed run goes on with the outcome in place of a child, which is not tried again',
    async run(fixture) {
      const storage = at(fixture);
      const parent = await ownedOne(storage, 'p');
      const no = { status: 'failed', settled: 1, attempt: 1, failures: 1, error: '{"message":"no"}' } as const;
      const end = { status: 'failed', error: { message: 'no' }, resume: { failed: [0] } } as const;
      await create(storage, newRun('c', { parent: { id: 'p', seq: 0, close: 'cancel' } }));
      const [child] = await claim(storage);
      // Its failure was compensated, so it could not go on either.
      const undone = stepOf('c', -2, { name: 'undo', status: 'completed', settled: 2 });
      const charged = stepOf('c', 1, { status: 'completed', settled: 3 });
      await commit(storage, writeOf(child!, { steps: [stepOf('c', 0, no), undone, charged], transition: end }));
      const waited = stepOf('p', 0, { kind: 'child', name: 'order', ref: 'c' });
      await commit(storage, writeOf(parent, { steps: [{ ...waited, ...no }], transition: end }));
      const before = await history(storage, 'c');
      assert.equal(await rewrite(fixture, { ...waited, status: 'completed', settled: 1, output: '"paid"' }), true);
      assert.deepEqual([(await find(storage, 'c')).status, await history(storage, 'c')], ['failed', before]);
      const [again, ...others] = await claim(storage);
      assert.deepEqual([again?.id, others.length], ['p', 0]);
      assert.deepEqual(
        (await history(storage, 'p')).map(({ status, output }) => [status, output]),
        [['completed', '"paid"']],
      );
    },
  },
  {
    name: 'if its request cannot be withdrawn, a step is not rewritten',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [stepOf('a', 0)] }));
      if (!fixture.transaction) return;
      const done = stepOf('a', 0, { status: 'completed', settled: 1 });
      await assert.rejects(rewrite(fixture, done, boom), /boom/);
      assert.equal((await find(storage, 'a')).status, 'running');
      assert.deepEqual(await commit(storage, writeOf(run, { steps: [stepOf('a', 1)] })), []);
    },
  },
];
