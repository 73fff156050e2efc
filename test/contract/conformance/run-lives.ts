import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { limiterOf } from '../../../lib/engine/limits.js';
import type { NewRun } from '../../../lib/engine/run.js';
import { UNRECORDED } from '../../../lib/engine/starts.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import {
  alone,
  claim,
  commit,
  create,
  type EngineStorageFixture,
  find,
  history,
  newRun,
  NODE_LEASE_MS,
  owned,
  ownedOne,
  type RunStoreFixture,
  signIn,
  stepOf,
  writeOf,
} from './fixtures.js';

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

const done = (id: string, seq: number, settled: number, fields: Partial<StepRecord> = {}): StepRecord =>
  stepOf(id, seq, { kind: 'step', status: 'completed', settled, output: String(seq), ...fields });

const COMPLETED = { status: 'completed', output: '1' } as const;

/** Guarantees for new lives and forks of runs. */
export const runLivesConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'an ended run begins a new life: with other step ids, another epoch and without its history',
    async run(fixture) {
      const storage = at(fixture);
      await ownedOne(storage, 'p');
      await create(
        storage,
        newRun('a', { attributes: { customer: 'c1' }, timeoutMs: 9_000, parent: { id: 'p', seq: 0, close: 'cancel' } }),
      );
      const [run] = await claim(storage);
      await create(storage, newRun('a.4', { parent: { id: 'a', seq: 4, close: 'abandon' } }));
      const steps = [done('a', 0, 1), stepOf('a', 1), stepOf('a', -1, { status: 'failed', settled: 2 })];
      await commit(
        storage,
        writeOf(run!, { steps, transition: { status: 'failed', error: { message: 'x' }, resume: { failed: [] } } }),
      );
      fixture.clock.advance(5_000);
      const withdrawn: string[] = [];
      const restart = (request: { id: string; input?: string; version?: number }) =>
        fixture.storage.lives.restart(request, async (closed) => void withdrawn.push(...closed.withdrawn));
      assert.equal(await restart({ id: 'a', input: '"anew"' }), 'restarted');
      assert.deepEqual(withdrawn, ['a:1']);
      const now = fixture.clock.now();
      const begun = await find(storage, 'a');
      assert.deepEqual(
        [begun.status, begun.input, begun.error, begun.finishedAt, begun.createdAt, begun.deadline, begun.parentId],
        ['pending', '"anew"', null, null, now, now + 9_000, 'p'],
      );
      assert.deepEqual(await history(storage, 'a'), []);
      assert.equal((await find(storage, 'a.4')).parentId, null);
      const attributes = await fixture.storage.insight.attributes(['a']);
      assert.deepEqual(attributes, [{ runId: 'a', name: 'customer', value: 'c1' }]);
      await signIn(storage);
      const again = (await claim(storage)).find(({ id }) => id === 'a');
      assert.deepEqual(
        [again?.firstSeq, again?.epoch, again?.unwinds, again?.resume],
        [2 + UNRECORDED, run!.epoch + 2, false, null],
      );
      assert.deepEqual(await commit(storage, writeOf(run!, { steps: [done('a', 2, 1)] })), ['a']);
      assert.equal(await restart({ id: 'a' }), 'running');
      assert.equal(await restart({ id: 'unknown' }), 'missing');
    },
  },
  {
    name: 'a restarted run keeps its input, and its key in a limiter, and may get a newer version',
    async run(fixture) {
      const storage = at(fixture);
      const limiter = { limiter: 'x'.repeat(43), namespace: '', name: 'order', key: '', limits: { concurrency: 1 } };
      await create(storage, newRun('a', { limiter }));
      await storage.control.close('a', 'cancelled', alone);
      const context = '{"tenant":"t"}';
      assert.equal(await fixture.storage.lives.restart({ id: 'a', version: 2, context }, alone), 'restarted');
      const { input, version } = await find(storage, 'a');
      assert.deepEqual([input, version], ['{"n":1}', 2]);
      await signIn(storage);
      const [again] = await claim(storage, { workflows: [{ name: 'order', version: 2 }] });
      assert.equal(again?.precondition, 'limiter');
      assert.equal(again.context, context);
      assert.equal((await fixture.storage.admissions.admit([again])).admitted.length, 1);
    },
  },
  {
    name: 'a fork shares the outcomes before a position, also of a run that has not ended',
    async run(fixture) {
      const storage = at(fixture);
      await create(storage, newRun('a', { attributes: { customer: 'c1' }, context: '{"tenant":"t"}' }));
      await signIn(storage);
      const [run] = await claim(storage);
      const steps = [
        done('a', 0, 2),
        done('a', 1, 1, { status: 'failed', output: null, error: '{"message":"no"}', attempt: 2 }),
        stepOf('a', 2, { kind: 'marker', name: 'now', status: 'completed', output: '5' }),
        stepOf('a', 3, { kind: 'signal', name: 'approved', output: '[]' }),
        stepOf('a', 4, { kind: 'sleep', name: 'nap', wakeAt: 77 }),
        done('a', 5, 3),
        stepOf('a', 6),
      ];
      const ended = { outcome: 'failed', askedAt: null, startedAt: 1, finishedAt: 2, worker: null } as const;
      const attempts = [{ seq: 1, attempt: 1, ...ended, error: '{"message":"no"}' }];
      await commit(storage, writeOf(run!, { steps, extras: { attempts, unwinds: true } }));
      assert.equal(await fixture.storage.lives.fork({ source: 'a', from: 5, id: 'b' }), 'forked');
      const shared = steps.filter(({ seq }) => seq < 5 && seq !== 3).map((step) => ({ ...step, runId: 'b' }));
      assert.deepEqual(await history(storage, 'b'), shared);
      const fork = await find(storage, 'b');
      assert.deepEqual([fork.status, fork.input, fork.forkedFrom, fork.forkedSeq], ['pending', '{"n":1}', 'a', 5]);
      assert.equal((await fixture.storage.insight.attempts('b')).length, 1);
      const attributes = await fixture.storage.insight.attributes(['b']);
      assert.deepEqual(attributes, [{ runId: 'b', name: 'customer', value: 'c1' }]);
      const [claimed] = await claim(storage);
      assert.equal(claimed?.context, '{"tenant":"t"}');
      assert.deepEqual([claimed?.id, claimed?.unwinds, claimed?.forkedSeq], ['b', false, 5]);
      assert.deepEqual((await history(storage, 'a')).length, 7);
      assert.equal(await fixture.storage.lives.fork({ source: 'a', from: 5, id: 'b' }), 'repeated');
      assert.equal(await fixture.storage.lives.fork({ source: 'a', from: 6, id: 'b' }), 'taken');
      assert.equal(await fixture.storage.lives.fork({ source: 'a', from: 5, id: 'a' }), 'taken');
      const other = { source: 'a', from: 0, id: 'c', input: '"other"', context: '{"tenant":"other"}' };
      assert.equal(await fixture.storage.lives.fork(other), 'forked');
      assert.equal((await storage.catalog.contexts(['c'])).get('c'), other.context);
      assert.deepEqual([(await find(storage, 'c')).input, await history(storage, 'c')], ['"other"', []]);
    },
  },
  {
    name: 'a fork is refused where a shared step has no outcome or was undone, or there is no such position',
    async run(fixture) {
      const storage = at(fixture);
      const [local, open, undone] = await owned(storage, ['local', 'open', 'undone']);
      await commit(storage, writeOf(local!, { steps: [done('local', 0, 1), done('local', 2, 2)] }));
      const operation = JSON.stringify({ operation: 'o', subject: 's', entryIds: ['e'] });
      const calls = stepOf('open', 2, { kind: 'signal', name: 'calls', output: operation });
      await commit(storage, writeOf(open!, { steps: [done('open', 0, 1), stepOf('open', 1), calls] }));
      const steps = [done('undone', 0, 1), done('undone', 1, 2), done('undone', -2, 3)];
      await commit(storage, writeOf(undone!, { steps, transition: { status: 'failed', error: { message: 'x' } } }));
      const fork = (source: string, from: number) => fixture.storage.lives.fork({ source, from, id: 'x' });
      assert.deepEqual(await fork('open', 2), { why: 'open', step: 'charge', seq: 1 });
      // A local step that is under way is not recorded yet.
      assert.deepEqual(await fork('local', 3), { why: 'open', seq: 1 });
      assert.deepEqual(await fork('open', 4), { why: 'outside', first: 0, last: 2 });
      assert.deepEqual(await fork('undone', 2), { why: 'compensated', step: 'charge', seq: 1 });
      assert.equal(await fork('unknown', 0), 'missing');
      assert.deepEqual(await storage.catalog.find(['x']), []);
      assert.equal(await fork('undone', 1), 'forked');
    },
  },
  {
    name: 'in a transaction with an older snapshot, a new life begins above what the old one has written since',
    async run(fixture) {
      const { transaction } = fixture;
      if (!transaction) return;
      const storage = at(fixture);
      const [run, other] = await owned(storage, ['a', 'b', 'z']);
      const { erasure, lives } = fixture.storage;
      const withdrawn: string[] = [];
      await transaction(async (tx) => {
        assert.equal((await storage.catalog.find(['z'], tx)).length, 1);
        await create(storage, newRun('a.2', { parent: { id: 'a', seq: 2, close: 'abandon' } }));
        const steps = [done('a', 0, 1), stepOf('a', 1), stepOf('a', 2, { kind: 'child', ref: 'a.2' })];
        const failed = { status: 'failed', error: { message: 'x' }, resume: { failed: [] } } as const;
        await commit(storage, writeOf(run!, { steps, transition: failed }), writeOf(other!, { transition: COMPLETED }));
        await erasure.mark({ id: randomUUID(), namespace: '', discards: false }, ['b']);
        await erasure.blank([{ runId: 'b', seq: null }], alone);
        const giveUp = async (closed: { withdrawn: readonly string[] }) => void withdrawn.push(...closed.withdrawn);
        assert.equal(await lives.restart({ id: 'a' }, giveUp, tx), 'restarted');
        assert.equal(await lives.restart({ id: 'b' }, alone, tx), 'erased');
        assert.equal(await lives.fork({ source: 'b', from: 0, id: 'c' }, tx), 'erased');
      });
      assert.deepEqual(withdrawn.sort(), ['a:1', 'a:2']);
      assert.equal((await find(storage, 'a.2')).parentId, null);
      const again = (await claim(storage)).find(({ id }) => id === 'a');
      assert.equal(again?.firstSeq, 3 + UNRECORDED);
    },
  },
  {
    name: 'a rollback discards new lives and forks',
    async run(fixture) {
      const { transaction } = fixture;
      if (!transaction) return;
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      await commit(storage, writeOf(run, { steps: [done('a', 0, 1)], transition: COMPLETED }));
      const before = [await find(storage, 'a'), await history(storage, 'a')];
      const rolledBack = transaction(async (tx) => {
        assert.equal(await fixture.storage.lives.fork({ source: 'a', from: 1, id: 'b' }, tx), 'forked');
        assert.equal(await fixture.storage.lives.restart({ id: 'a' }, alone, tx), 'restarted');
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.deepEqual([await find(storage, 'a'), await history(storage, 'a')], before);
      assert.deepEqual(await storage.catalog.find(['b']), []);
    },
  },
];

const aloneHere = async (): Promise<undefined> => undefined;

const createAll = ({ storage }: EngineStorageFixture, ...runs: NewRun[]) => storage.catalog.create(runs);

async function claimOrders({ storage }: EngineStorageFixture, limit: number, more: { dueWithinMs?: number } = {}) {
  await storage.roster.beat({ id: 'node', namespace: '', roles: 'engine' }, NODE_LEASE_MS);
  const workflows = [{ name: 'order', version: 1 }];
  return storage.store.claim({ nodeId: 'node', namespace: '', workflows, limit, which: 'due', ...more });
}

/** Claims runs one by one, and returns their ids. */
async function inOrder(at: EngineStorageFixture, count: number): Promise<string[]> {
  const order: string[] = [];
  for (let n = 0; n < count; n++) order.push(...(await claimOrders(at, 1)).map(({ id }) => id));
  return order;
}

async function finish(at: EngineStorageFixture, id: string, fails = false): Promise<void> {
  const run = (await claimOrders(at, 500)).find((claimed) => claimed.id === id)!;
  const steps = [stepOf(id, run.firstSeq, { kind: 'step', status: 'completed', settled: 1, output: '1' })];
  const error = { name: 'Error', message: 'no' };
  const transition = fails ? ({ status: 'failed', error } as const) : ({ status: 'completed', output: '1' } as const);
  await at.storage.store.commit([writeOf(run, { steps, transition })], aloneHere);
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
      await createAll(at, keyed('low', '', -3));
      await createAll(at, keyed('high', '', 7));
      await createAll(at, keyed('higher', '', 1_000));
      await createAll(at, newRun('plain'));
      assert.deepEqual(await inOrder(at, 4), ['plain', 'higher', 'high', 'low']);
      assert.deepEqual(await claimOrders(at, 10), []);
    },
  },
  {
    name: 'keys take turns, no matter how many runs of one key wait',
    async run(at) {
      await createAll(at, ...Array.from({ length: 300 }, (_, n) => keyed(`a${n}`, 'a')));
      await createAll(at, ...Array.from({ length: 5 }, (_, n) => keyed(`b${n}`, 'b')));
      const order = await inOrder(at, 12);
      assert.deepEqual(
        order.filter((id) => id.startsWith('b')),
        ['b0', 'b1', 'b2', 'b3', 'b4'],
      );
      await createAll(at, keyed('c0', 'c'));
      assert.ok((await inOrder(at, 3)).includes('c0'));
    },
  },
  {
    name: 'a claim takes due runs and fills up with queued ones, up to its limit, each once',
    async run(at) {
      await createAll(at, ...Array.from({ length: 20 }, (_, n) => keyed(`p${n}`, 'p')));
      await createAll(at, ...Array.from({ length: 5 }, (_, n) => newRun(`d${n}`)));
      const first = await claimOrders(at, 10);
      assert.equal(first.length, 10);
      assert.equal(first.filter(({ id }) => id.startsWith('d')).length, 5);
      const rest = await Promise.all([claimOrders(at, 10), claimOrders(at, 10), claimOrders(at, 10)]);
      const all = [...first, ...rest.flat()].map(({ id }) => id);
      assert.equal(new Set(all).size, all.length);
      assert.equal(all.length, 25);
    },
  },
  {
    name: 'a claim that is restricted to runs that became due a moment ago still takes queued ones',
    async run(at) {
      await createAll(at, keyed('p', 'p'), newRun('d'));
      at.clock.advance(9_000);
      assert.deepEqual(
        (await claimOrders(at, 10, { dueWithinMs: 1_000 })).map(({ id }) => id),
        ['p'],
      );
      assert.deepEqual(await inOrder(at, 1), ['d']);
    },
  },
  {
    name: 'a queued run that is cancelled does not start; one that is past its deadline is due',
    async run(at) {
      await createAll(at, keyed('a', 'x'), { ...keyed('b', 'x'), timeoutMs: 5_000 });
      assert.equal(await at.storage.control.close('a', 'cancelled', aloneHere), 'ended');
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
      assert.equal(createdIn(await createAll(at, singleton('a'))), 1);
      assert.equal((await createAll(at, singleton('b')))[0]!.run.id, 'a');
      await finish(at, 'a');
      assert.equal(createdIn(await createAll(at, singleton('c', 10_000), singleton('same-batch', 10_000))), 1);
      await finish(at, 'c');
      at.clock.advance(9_999);
      assert.equal((await createAll(at, singleton('d', 10_000)))[0]!.run.id, 'c');
      at.clock.advance(1);
      assert.equal(createdIn(await createAll(at, singleton('e', 10_000))), 1);
    },
  },
  {
    name: 'debounced starts delay the run and replace its input, up to the maximum delay',
    async run(at) {
      const began = at.clock.now();
      await createAll(at, debounced('a', '1', 1_500));
      at.clock.advance(900);
      const [second] = await createAll(at, debounced('b', '2', 1_500));
      assert.deepEqual([second!.created, second!.run.id, second!.run.input], [false, 'a', '2']);
      assert.equal(second!.run.wakeAt, began + 1_500);
      at.clock.advance(599);
      assert.deepEqual(await claimOrders(at, 1), []);
      at.clock.advance(1);
      const [run] = await claimOrders(at, 1);
      assert.deepEqual([run!.id, run!.input], ['a', '2']);
      assert.equal(createdIn(await createAll(at, debounced('c', '3', 1_500))), 1);
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
      await createAll(at, newRun('a', { attributes: { n: 1 } }));
      assert.equal(createdIn(await createAll(at, newRun('a', { reuse: 'ended', input: '2' }))), 0, 'it has not ended');
      await finish(at, 'a');
      assert.equal(createdIn(await createAll(at, newRun('a', { reuse: 'failed', input: '2' }))), 0, 'it has completed');
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => at.storage.catalog.create([newRun('a', { reuse: 'ended', input: '2' })])),
      );
      assert.equal(createdIn(outcomes.flat()), 1);
      assert.deepEqual(await at.storage.store.histories(['a']), []);
      const [again] = await claimOrders(at, 1);
      assert.deepEqual([again!.input, again!.firstSeq, again!.epoch > 1], ['2', 1, true]);
    },
  },
  {
    name: 'a failed run can be replaced if that is requested',
    async run(at) {
      await createAll(at, newRun('a'));
      await finish(at, 'a', true);
      assert.equal(createdIn(await createAll(at, newRun('a', { reuse: 'failed' }))), 1);
    },
  },
];
