import assert from 'node:assert/strict';
import { limiterOf } from '../engine/model/limiter.js';
import type { NewRun } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { newRun, NODE_LEASE_MS, stepOf, writeOf } from './run-store.js';

const alone = async (): Promise<undefined> => undefined;

const create = ({ storage }: EngineStorageFixture, ...runs: NewRun[]) => storage.catalog.create(runs);

async function claim({ storage }: EngineStorageFixture, limit: number, more: { dueWithinMs?: number } = {}) {
  await storage.roster.beat({ id: 'node', namespace: '', roles: 'engine' }, NODE_LEASE_MS);
  const workflows = [{ name: 'order', version: 1 }];
  return storage.store.claim({ nodeId: 'node', namespace: '', workflows, limit, which: 'due', ...more });
}

/** Claims runs one by one, and returns their ids. */
async function inOrder(at: EngineStorageFixture, count: number): Promise<string[]> {
  const order: string[] = [];
  for (let n = 0; n < count; n++) order.push(...(await claim(at, 1)).map(({ id }) => id));
  return order;
}

async function finish(at: EngineStorageFixture, id: string, fails = false): Promise<void> {
  const run = (await claim(at, 500)).find((claimed) => claimed.id === id)!;
  const steps = [stepOf(id, run.firstSeq, { kind: 'step', status: 'completed', settled: 1, output: '1' })];
  const error = { name: 'Error', message: 'no' };
  const transition = fails ? ({ status: 'failed', error } as const) : ({ status: 'completed', output: '1' } as const);
  await at.storage.store.commit([writeOf(run, { steps, transition })], alone);
}

const keyed = (id: string, key: string, priority = 0): NewRun =>
  newRun(id, {
    priority,
    limiter: { limiter: limiterOf('', 'workflow', 'order', key), namespace: '', name: 'order', key, limits: {} },
  });

const singleton = (id: string, windowMs?: number): NewRun =>
  newRun(id, { startKey: { kind: 'singleton', key: 'k', ...(windowMs && { windowMs }) } });

const debounced = (id: string, input: string, maxDelayMs?: number): NewRun =>
  newRun(id, { input, delayMs: 1_000, startKey: { kind: 'debounce', key: 'd', ...(maxDelayMs && { maxDelayMs }) } });

const createdIn = (outcomes: readonly { created: boolean }[]): number =>
  outcomes.filter(({ created }) => created).length;

/** Returns the only run that was created. */
async function startAtOnce(at: EngineStorageFixture, prefix: string): Promise<string> {
  const starts = Array.from({ length: 30 }, (_, n) => at.storage.catalog.create([singleton(`${prefix}${n}`)]));
  const outcomes = (await Promise.all(starts)).flat();
  assert.equal(createdIn(outcomes), 1);
  const [id, ...others] = new Set(outcomes.map(({ run }) => run.id));
  assert.deepEqual(others, []);
  return id!;
}

/** Guarantees of starts: the order of new runs, and starts of existing ones. */
export const startsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'new runs start by priority, those without a key before those that wait for a turn',
    async run(at) {
      await create(at, keyed('low', '', -3));
      await create(at, keyed('high', '', 7));
      await create(at, keyed('higher', '', 1_000));
      await create(at, newRun('plain'));
      assert.deepEqual(await inOrder(at, 4), ['plain', 'higher', 'high', 'low']);
      assert.deepEqual(await claim(at, 10), []);
    },
  },
  {
    name: 'keys take turns, no matter how many runs of one key wait',
    async run(at) {
      await create(at, ...Array.from({ length: 300 }, (_, n) => keyed(`a${n}`, 'a')));
      await create(at, ...Array.from({ length: 5 }, (_, n) => keyed(`b${n}`, 'b')));
      const order = await inOrder(at, 12);
      assert.deepEqual(
        order.filter((id) => id.startsWith('b')),
        ['b0', 'b1', 'b2', 'b3', 'b4'],
      );
      await create(at, keyed('c0', 'c'));
      assert.ok((await inOrder(at, 3)).includes('c0'));
    },
  },
  {
    name: 'a claim takes due runs and fills up with queued ones, up to its limit, each once',
    async run(at) {
      await create(at, ...Array.from({ length: 20 }, (_, n) => keyed(`p${n}`, 'p')));
      await create(at, ...Array.from({ length: 5 }, (_, n) => newRun(`d${n}`)));
      const first = await claim(at, 10);
      assert.equal(first.length, 10);
      assert.equal(first.filter(({ id }) => id.startsWith('d')).length, 5);
      const rest = await Promise.all([claim(at, 10), claim(at, 10), claim(at, 10)]);
      const all = [...first, ...rest.flat()].map(({ id }) => id);
      assert.equal(new Set(all).size, all.length);
      assert.equal(all.length, 25);
    },
  },
  {
    name: 'a claim that is restricted to runs that became due a moment ago still takes queued ones',
    async run(at) {
      await create(at, keyed('p', 'p'), newRun('d'));
      at.clock.advance(9_000);
      assert.deepEqual(
        (await claim(at, 10, { dueWithinMs: 1_000 })).map(({ id }) => id),
        ['p'],
      );
      assert.deepEqual(await inOrder(at, 1), ['d']);
    },
  },
  {
    name: 'a queued run that is cancelled does not start; one that is past its deadline is due',
    async run(at) {
      await create(at, keyed('a', 'x'), { ...keyed('b', 'x'), timeoutMs: 5_000 });
      assert.equal(await at.storage.control.close('a', 'cancelled', alone), 'ended');
      at.clock.advance(5_000);
      assert.deepEqual(await inOrder(at, 2), ['b']);
    },
  },
  {
    name: 'of thirty concurrent starts with one singleton key, one creates a run (E2)',
    async run(at) {
      await startAtOnce(at, 'r');
    },
  },
  {
    name: 'of many concurrent starts with the singleton key of an ended run, one creates a run',
    async run(at) {
      for (const prefix of ['a', 'b', 'c']) await finish(at, await startAtOnce(at, prefix));
    },
  },
  {
    name: 'a singleton key is held as long as its run has not ended, or for its window',
    async run(at) {
      assert.equal(createdIn(await create(at, singleton('a'))), 1);
      assert.equal((await create(at, singleton('b')))[0]!.run.id, 'a');
      await finish(at, 'a');
      assert.equal(createdIn(await create(at, singleton('c', 10_000), singleton('same-batch', 10_000))), 1);
      await finish(at, 'c');
      at.clock.advance(9_999);
      assert.equal((await create(at, singleton('d', 10_000)))[0]!.run.id, 'c');
      at.clock.advance(1);
      assert.equal(createdIn(await create(at, singleton('e', 10_000))), 1);
    },
  },
  {
    name: 'debounced starts delay the run and replace its input, up to the maximum delay',
    async run(at) {
      const began = at.clock.now();
      await create(at, debounced('a', '1', 1_500));
      at.clock.advance(900);
      const [second] = await create(at, debounced('b', '2', 1_500));
      assert.deepEqual([second!.created, second!.run.id, second!.run.input], [false, 'a', '2']);
      assert.equal(second!.run.wakeAt, began + 1_500);
      at.clock.advance(599);
      assert.deepEqual(await claim(at, 1), []);
      at.clock.advance(1);
      const [run] = await claim(at, 1);
      assert.deepEqual([run!.id, run!.input], ['a', '2']);
      assert.equal(createdIn(await create(at, debounced('c', '3', 1_500))), 1);
    },
  },
  {
    name: 'of thirty concurrent debounced starts one creates a run, with one of the inputs',
    async run(at) {
      const starts = Array.from({ length: 30 }, (_, n) => at.storage.catalog.create([debounced(`r${n}`, String(n))]));
      const outcomes = (await Promise.all(starts)).flat();
      assert.equal(createdIn(outcomes), 1);
      const [id] = [...new Set(outcomes.map(({ run }) => run.id))];
      assert.ok(Number((await at.storage.catalog.find([id!]))[0]!.input) >= 0);
    },
  },
  {
    name: 'a run that has ended can be replaced by another one of the same id, whose positions and epochs continue',
    async run(at) {
      await create(at, newRun('a', { attributes: { n: 1 } }));
      assert.equal(createdIn(await create(at, newRun('a', { reuse: 'ended', input: '2' }))), 0, 'it has not ended');
      await finish(at, 'a');
      assert.equal(createdIn(await create(at, newRun('a', { reuse: 'failed', input: '2' }))), 0, 'it has completed');
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => at.storage.catalog.create([newRun('a', { reuse: 'ended', input: '2' })])),
      );
      assert.equal(createdIn(outcomes.flat()), 1);
      assert.deepEqual(await at.storage.store.histories(['a']), []);
      const [again] = await claim(at, 1);
      assert.deepEqual([again!.input, again!.firstSeq, again!.epoch > 1], ['2', 1, true]);
    },
  },
  {
    name: 'a failed run can be replaced if that is requested',
    async run(at) {
      await create(at, newRun('a'));
      await finish(at, 'a', true);
      assert.equal(createdIn(await create(at, newRun('a', { reuse: 'failed' }))), 1);
    },
  },
];
