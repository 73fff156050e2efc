import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { StepTask } from '../../../lib/core/protocol.js';
import { limiterOf } from '../../../lib/engine/limits.js';
import type { ClaimedRun, LimitRequest, Limits, NewRun } from '../../../lib/engine/run.js';
import {
  answerTo,
  claimOf,
  type EngineStorageFixture,
  newRun,
  NODE_LEASE_MS,
  stepOf,
  taskFor,
  writeOf,
} from './fixtures.js';

const limitRequest = (limits: Limits, key = '', name = 'order'): LimitRequest => ({
  limiter: limiterOf('', 'workflow', name, key),
  namespace: '',
  name,
  key,
  limits,
});

const limited = (id: string, limits: Limits, fields: Partial<NewRun> & { key?: string } = {}): NewRun => {
  const { key, ...more } = fields;
  return newRun(id, { limiter: limitRequest(limits, key), ...more });
};

const names = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id).sort();

const alone = async (): Promise<undefined> => undefined;

async function claim({ storage }: EngineStorageFixture, limit = 500): Promise<ClaimedRun[]> {
  await storage.roster.beat({ id: 'node', namespace: '', roles: 'engine' }, NODE_LEASE_MS);
  const workflows = [{ name: 'order', version: 1 }];
  return storage.store.claim({ nodeId: 'node', namespace: '', workflows, limit, which: 'due' });
}

/** Claims due runs, and returns those that may be executed. */
async function play(at: EngineStorageFixture): Promise<ClaimedRun[]> {
  const runs = await claim(at);
  const conditional = runs.filter(({ precondition }) => precondition !== null);
  const { admitted } = await at.storage.admissions.admit(conditional);
  return [...runs.filter(({ precondition }) => precondition === null), ...admitted];
}

/** Ends a run, and passes its permit on. */
async function end(at: EngineStorageFixture, run: ClaimedRun): Promise<void> {
  const transition = { status: 'completed', output: '1' } as const;
  let limiters: readonly string[] = [];
  const write = writeOf(run, { transition, notifies: run.notifies });
  const lost = await at.storage.store.commit([write], async (_, __, endings) => void (limiters = endings.limiters));
  assert.deepEqual(lost, []);
  await grant(at, limiters);
}

async function grant(at: EngineStorageFixture, limiters: readonly string[]): Promise<StepTask[]> {
  const sent: StepTask[] = [];
  await at.storage.admissions.grant(limiters, async (tasks) => void sent.push(...tasks));
  return sent;
}

async function reasonOf({ storage }: EngineStorageFixture, id: string): Promise<string | null> {
  return (await storage.catalog.find([id]))[0]!.reason;
}

const create = ({ storage }: EngineStorageFixture, ...runs: NewRun[]) => storage.catalog.create(runs);

/** A run that is limited only by its steps. */
async function asking(at: EngineStorageFixture, id: string, seqs: readonly number[], limits: Limits) {
  await create(at, newRun(id));
  const run = (await play(at)).find((claimed) => claimed.id === id)!;
  const request = limitRequest(limits, '', 'charge');
  const queues = seqs.map((seq) => ({ task: taskFor(id, seq), limitRequest: request, priority: 0 }));
  const steps = seqs.map((seq) => stepOf(id, seq, { ref: request.limiter }));
  await at.storage.store.commit([writeOf(run, { steps, extras: { queues } })], alone);
  return { run, limiter: request.limiter };
}

/** Forty runs that share three permits, admitted by eight processes. */
async function playAtOnce(at: EngineStorageFixture): Promise<ClaimedRun[]> {
  const limits = { concurrency: 3 };
  await create(at, ...Array.from({ length: 40 }, (_, n) => limited(`r${n}`, limits)));
  const claimed = await claim(at);
  const parts = Array.from({ length: 8 }, (_, n) => claimed.slice(n * 5, n * 5 + 5));
  const answers = await Promise.all([
    ...parts.map((part) => at.storage.admissions.admit(part)),
    ...parts.map(() =>
      at.storage.admissions.grant([limitRequest(limits).limiter], alone).then(() => ({ admitted: [] })),
    ),
  ]);
  return [...answers.flatMap(({ admitted }) => admitted), ...(await claim(at))];
}

/** Guarantees of limiters. */
export const limitsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'as many runs as the limit allows are admitted, in order; the others wait and have a reason',
    async run(at) {
      for (const id of ['a', 'b', 'c', 'd']) {
        await create(at, limited(id, { concurrency: 2 }));
        at.clock.advance(1);
      }
      const first = await play(at);
      assert.deepEqual(names(first), ['a', 'b']);
      assert.equal(await reasonOf(at, 'c'), 'concurrency_limit');
      assert.deepEqual(await claim(at), [], 'a waiting run is not due');
      await end(
        at,
        first.find(({ id }) => id === 'a')!,
      );
      assert.deepEqual(names(await play(at)), ['c']);
      assert.equal(await reasonOf(at, 'd'), 'concurrency_limit');
    },
  },
  {
    name: 'a higher priority goes first, also in the queue of a limit',
    async run(at) {
      await create(at, limited('first', { concurrency: 1 }));
      const [first] = await play(at);
      await create(at, limited('low', { concurrency: 1 }, { priority: -5 }));
      await create(at, limited('mid', { concurrency: 1 }));
      await create(at, limited('high', { concurrency: 1 }, { priority: 5 }));
      assert.deepEqual(await play(at), []);
      const order: string[] = [];
      for (let run = first; run; [run] = await play(at)) {
        order.push(run.id);
        await end(at, run);
      }
      assert.deepEqual(order, ['first', 'high', 'mid', 'low']);
    },
  },
  {
    name: 'each key has its own queue',
    async run(at) {
      const of = (id: string, key: string) => limited(id, { concurrency: 1 }, { key });
      await create(at, of('a1', 'a'), of('a2', 'a'), of('b1', 'b'));
      assert.deepEqual((await play(at)).length, 2);
    },
  },
  {
    name: 'in no window start more runs than the rate allows, and the time at which the limiter opens is returned',
    async run(at) {
      const limits = { rate: { max: 3, durationMs: 10_000 } };
      const begun: number[] = [];
      const waiting = new Set(Array.from({ length: 10 }, (_, n) => `r${n}`));
      await create(at, ...Array.from({ length: 10 }, (_, n) => limited(`r${n}`, limits)));
      const { limiter } = limitRequest(limits);
      let { admitted, opensAt } = await at.storage.admissions.admit(await claim(at));
      for (let turns = 0; turns < 50; turns++) {
        begun.push(...admitted.map(() => at.clock.now()));
        for (const { id } of admitted) waiting.delete(id);
        const [next] = waiting;
        if (next === undefined) break;
        if (turns === 0) assert.equal(await reasonOf(at, next), 'rate_limit');
        at.clock.advance(opensAt! - 1 - at.clock.now());
        assert.equal((await at.storage.admissions.grant([limiter], alone)).runs, false);
        at.clock.advance(1);
        ({ opensAt } = await at.storage.admissions.grant([limiter], alone));
        admitted = await claim(at);
      }
      assert.equal(begun.length, 10);
      for (const at of begun) assert.ok(begun.filter((other) => other >= at && other < at + 10_000).length <= 3);
    },
  },
  {
    name: 'a terminated run frees its permit, and a run that is cancelled in the queue leaves the queue',
    async run(at) {
      await create(at, limited('a', { concurrency: 1 }));
      const [a] = await play(at);
      at.clock.advance(1);
      await create(at, limited('b', { concurrency: 1 }));
      at.clock.advance(1);
      await create(at, limited('c', { concurrency: 1 }));
      assert.deepEqual(await play(at), []);
      const freed: string[] = [];
      const stop = at.storage.admissions.onFreed((limiters) => void freed.push(...limiters));
      assert.equal(await at.storage.control.close('b', 'cancelled', alone), 'ended');
      assert.equal(await at.storage.control.close('a', 'terminated', alone), 'ended');
      stop();
      assert.ok(freed.includes(a!.id === 'a' ? limitRequest({}).limiter : ''));
      await grant(at, freed);
      assert.deepEqual(names(await play(at)), ['c']);
    },
  },
  {
    name: 'a run keeps its permit when its owner dies, and when it continues as new',
    async run(at) {
      await create(at, limited('a', { concurrency: 1 }));
      const [a] = await play(at);
      at.clock.advance(1);
      await create(at, limited('b', { concurrency: 1 }));
      assert.deepEqual(await play(at), []);
      await at.storage.store.release([claimOf(a!)], true);
      const [again] = await play(at);
      assert.equal(again!.id, 'a');
      const transition = { status: 'pending', input: '2', firstSeq: 1 } as const;
      await at.storage.store.commit([writeOf(again!, { transition })], alone);
      const [anew] = await play(at);
      assert.equal(anew!.id, 'a');
      assert.equal(anew!.precondition, null);
      await end(at, anew!);
      assert.deepEqual(names(await play(at)), ['b']);
    },
  },
  {
    name: 'a queued run that is past its deadline is admitted, so that it fails',
    async run(at) {
      await create(at, limited('a', { concurrency: 1 }));
      await play(at);
      await create(at, limited('b', { concurrency: 1 }, { timeoutMs: 5_000 }));
      assert.deepEqual(await play(at), []);
      at.clock.advance(5_000);
      assert.deepEqual(names(await play(at)), ['b']);
    },
  },
  {
    name: 'as many steps as the limit allows are sent at once, the next one after an answer',
    async run(at) {
      const { run, limiter } = await asking(at, 'a', [0, 1, 2], { concurrency: 2 });
      assert.deepEqual(names((await grant(at, [limiter])).map(({ stepId: id }) => ({ id }))), ['a:0', 'a:1']);
      assert.deepEqual(await grant(at, [limiter]), []);
      assert.deepEqual(await at.storage.admissions.queued(['a:0', 'a:1', 'a:2']), ['a:2']);
      const settled = stepOf('a', 0, { ref: limiter, status: 'completed', settled: 1, output: '1' });
      const leaves = [{ holder: 'a:0', limiter }];
      await at.storage.store.commit([writeOf(run, { steps: [settled], extras: { leaves } })], alone);
      assert.deepEqual(
        (await grant(at, [limiter])).map(({ stepId }) => stepId),
        ['a:2'],
      );
    },
  },
  {
    name: 'answers to a parked run free the permits of its steps, and so does its end',
    async run(at) {
      const { run, limiter } = await asking(at, 'a', [0, 1], { concurrency: 1 });
      assert.equal((await grant(at, [limiter])).length, 1);
      const transition = { status: 'suspended', wakeAt: null, settled: 0 } as const;
      await at.storage.store.commit([writeOf(run, { transition })], alone);
      const freed: string[] = [];
      const stop = at.storage.admissions.onFreed((limiters) => void freed.push(...limiters));
      await at.storage.store.settleUnowned('', [answerTo('a', 0)], alone);
      stop();
      assert.deepEqual(freed, [limiter]);
      assert.equal((await grant(at, [limiter]))[0]?.stepId, 'a:1');
      const { limiter: same } = await asking(at, 'b', [0], { concurrency: 1 });
      assert.equal(same, limiter);
      assert.deepEqual(await grant(at, [limiter]), []);
      assert.equal(await at.storage.control.close('a', 'terminated', alone), 'ended');
      assert.equal((await grant(at, [limiter]))[0]?.stepId, 'b:0');
    },
  },
  {
    name: 'limiters with free permits and a queue are found; full ones and those without a queue are not',
    async run(at) {
      const { limiter } = await asking(at, 'a', [0, 1], { concurrency: 1 });
      assert.deepEqual((await at.storage.admissions.waiting('', 10)).limiters, [limiter]);
      await grant(at, [limiter]);
      assert.deepEqual((await at.storage.admissions.waiting('', 10)).limiters, []);
    },
  },
  {
    name: 'if many grant permits at once, the limit is not exceeded',
    async run(at) {
      assert.equal((await playAtOnce(at)).length, 3);
    },
  },
  {
    name: 'if many grant permits at once and a run already has one, the limit is not exceeded',
    async run(at) {
      await create(at, limited('first', { concurrency: 3 }));
      assert.deepEqual(names(await play(at)), ['first']);
      assert.equal((await playAtOnce(at)).length, 2);
    },
  },
];
