import assert from 'node:assert/strict';
import { limiterOf } from '../engine/model/limiter.js';
import { effectChannel, writeOperation } from '../engine/effects/effect-completions.js';
import type { RunCounts, SignalsWanted, WaitsQuery } from '../engine/model/fleet-insight.js';
import { writeListened } from '../engine/model/mailbox.js';
import type { LimitRequest, Limits, RunStatus } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { channelOf, deliver, running, send, signalTo, waiting, waitOf } from './mailbox-fixture.js';
import { alone, claim, newRun, owned, type RunStoreFixture, signIn, stepOf, writeOf } from './run-store.js';

const runsAt = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** Runs that have ended in this way, or that stand still. */
async function ended(at: EngineStorageFixture, status: RunStatus, ...ids: string[]): Promise<void> {
  const runs = await owned(runsAt(at), ids);
  const ends = runs.map((run) => writeOf(run, { transition: { status, output: '1' } as never }));
  assert.deepEqual(await at.storage.store.commit(ends, alone), []);
}

async function blocked(
  at: EngineStorageFixture,
  reason: 'history_lost' | 'exhausted',
  ...ids: string[]
): Promise<void> {
  const runs = await owned(runsAt(at), ids);
  const transition = { status: 'suspended', wakeAt: null, settled: 0, reason, reasonDetail: null } as const;
  const writes = runs.map((run) => writeOf(run, { transition }));
  assert.deepEqual(await at.storage.store.commit(writes, alone), []);
}

const shown = ({ byStatus }: RunCounts): Record<string, string> =>
  Object.fromEntries(
    byStatus
      .map(({ status, count, more }) => [status, `${count}${more ? '+' : ''}`] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const limits = (name: string, key: string, given: Limits, namespace = ''): LimitRequest => ({
  limiter: limiterOf(namespace, 'workflow', name, key),
  namespace,
  name,
  key,
  limits: given,
});

/** Guarantees of counts over all runs. */
export const fleetInsightConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'runs are counted by status, up to a limit, and only those that match',
    async run(at) {
      const { fleet, catalog } = at.storage;
      const all = { namespace: '', limit: 1 };
      assert.deepEqual(await fleet.counts(all, 10), { byStatus: [], lookedAt: 0, more: false });
      await ended(at, 'completed', 'a', 'b', 'c');
      await ended(at, 'failed', 'd');
      await running(at, 'e', 'f');
      await catalog.create([newRun('g', { delayMs: 1e6 }), newRun('h', { namespace: 'other' })]);
      const counted = { completed: '3', failed: '1', pending: '1', running: '2' };
      assert.deepEqual(shown(await fleet.counts(all, 10)), counted);
      assert.deepEqual(shown(await fleet.counts({ ...all, status: ['completed'] }, 10)), { completed: '3' });
      assert.deepEqual(shown(await fleet.counts({ ...all, status: ['completed'] }, 2)), { completed: '2+' });
      assert.deepEqual(shown(await fleet.counts({ ...all, workflow: 'order' }, 10)), counted);
      assert.deepEqual(shown(await fleet.counts({ ...all, workflow: 'nobody' }, 10)), {});
      assert.deepEqual(shown(await fleet.counts({ ...all, status: ['failed', 'running'] }, 10)), {
        failed: '1',
        running: '2',
      });
      assert.deepEqual(shown(await fleet.counts({ namespace: 'other', limit: 1 }, 10)), { pending: '1' });
    },
  },
  {
    name: 'blocked runs are counted by workflow, version and reason, most first',
    async run(at) {
      const { fleet } = at.storage;
      await blocked(at, 'exhausted', 'a', 'b');
      await blocked(at, 'history_lost', 'c');
      await ended(at, 'failed', 'd');
      const kind = { workflow: 'order', version: 1 };
      assert.deepEqual(await fleet.blocked('', 10), [
        { ...kind, reason: 'exhausted', count: 2, more: false },
        { ...kind, reason: 'history_lost', count: 1, more: false },
      ]);
      const [most] = await fleet.blocked('', 1);
      assert.deepEqual([most?.count, most?.more], [1, true]);
      assert.deepEqual(await fleet.blocked('other', 10), []);
    },
  },
  {
    name: 'blocked runs of which there are as many are listed by workflow, version and reason',
    async run(at) {
      await blocked(at, 'history_lost', 'a');
      await blocked(at, 'exhausted', 'b');
      const found = await at.storage.fleet.blocked('', 10);
      assert.deepEqual(
        found.map(({ reason }) => reason),
        ['exhausted', 'history_lost'],
      );
    },
  },
  {
    name: 'blocked runs of a workflow, as many as there may be, hide none of another',
    async run(at) {
      await at.storage.catalog.create(['a', 'b', 'c'].map((id) => newRun(id, { workflow: 'a' })));
      await at.storage.catalog.create([newRun('d', { workflow: 'b', version: 2 }), newRun('e', { workflow: 'b' })]);
      await signIn(runsAt(at));
      const workflows = [
        { name: 'a', version: 1 },
        { name: 'b', version: 1 },
        { name: 'b', version: 2 },
      ];
      const runs = await claim(runsAt(at), { workflows });
      const transition = { status: 'suspended', wakeAt: null, settled: 0, reason: 'exhausted' } as const;
      const writes = runs.map((run) => writeOf(run, { transition }));
      assert.deepEqual(await at.storage.store.commit(writes, alone), []);
      const found = await at.storage.fleet.blocked('', 1);
      const kinds = found.map(({ workflow, version, count, more }) => [workflow, version, count, more]);
      assert.deepEqual(kinds, [
        ['a', 1, 1, true],
        ['b', 1, 1, false],
        ['b', 2, 1, false],
      ]);
    },
  },
  {
    name: 'limiters in use are listed page by page, with their holders and their queues',
    async run(at) {
      const { storage, clock } = at;
      const two = limits('order', 'ü', { concurrency: 2 });
      const one = limits('order', 'b', { concurrency: 1 });
      const queued = ['a', 'b', 'c', 'd'].map((id) => newRun(id, { limiter: two }));
      await storage.catalog.create([...queued, newRun('e', { limiter: one })]);
      await signIn(runsAt(at));
      const since = clock.now();
      await storage.admissions.admit(await claim(runsAt(at)));
      clock.advance(1_000);
      const query = { namespace: '', after: '', limit: 10, atMost: 10, named: 2 };
      const { limiters, next } = await storage.fleet.limiters(query);
      assert.equal(next, undefined);
      const counted = (count: number, more = false) => ({ count, more });
      const users = (...ids: string[]) => ids.map((id) => ({ holder: id, runId: id, since }));
      const both = { holders: users('a', 'b'), line: users('c', 'd') };
      const expected = [
        { ...two, holding: counted(2), waiting: counted(2), since, openAt: null, ...both },
        { ...one, holding: counted(1), waiting: counted(0), since: null, openAt: null, holders: users('e'), line: [] },
      ].map(({ namespace: _, ...limiter }) => limiter);
      assert.deepEqual(
        limiters,
        expected.sort((a, b) => (a.limiter < b.limiter ? -1 : 1)),
      );
      const pages = [await storage.fleet.limiters({ ...query, limit: 1, atMost: 1 })];
      pages.push(await storage.fleet.limiters({ ...query, limit: 1, atMost: 1, after: String(pages[0]?.next) }));
      const paged = pages.flatMap((page) => page.limiters);
      assert.deepEqual(
        paged.map(({ limiter }) => limiter),
        limiters.map(({ limiter }) => limiter),
      );
      assert.deepEqual(paged.find(({ key }) => key === 'ü')?.waiting, counted(1, true));
      const first = (await storage.fleet.limiters({ ...query, named: 1 })).limiters.find(({ key }) => key === 'ü');
      assert.deepEqual([first?.holders, first?.line], [users('a'), users('c')]);
      assert.deepEqual((await storage.fleet.limiters({ ...query, namespace: 'other' })).limiters, []);
    },
  },
  {
    name: 'signals that nobody has taken are counted by name and target, oldest first',
    async run(at) {
      const { storage, clock } = at;
      const [run] = await running(at, 'a', 'b');
      await send(at, signalTo('k', 1));
      const first = clock.now();
      await waiting(at, run!, 0, ['k']);
      await deliver(at, channelOf('k'));
      clock.advance(1_000);
      await send(
        at,
        signalTo('k', 2),
        signalTo('k', 3),
        signalTo('b', 1, { addressed: 'run', channel: channelOf('b', 'run') }),
      );
      const query = { namespace: '', scan: 10, limit: 10 };
      const { signals, ...page } = await storage.fleet.untakenSignals(query);
      assert.deepEqual(page, { lookedAt: 4, more: false });
      const since = first + 1_000;
      const left = [
        { name: 'told', addressed: 'run', target: 'b', count: 1, since, listening: 0 },
        { name: 'told', addressed: 'key', target: 'k', count: 2, since, listening: 0 },
      ];
      const byTarget = [...signals].sort((a, b) => (a.target < b.target ? -1 : 1));
      assert.deepEqual(byTarget, left);
      assert.deepEqual(await storage.fleet.untakenSignals({ ...query, namespace: 'other' }), {
        signals: [],
        lookedAt: 0,
        more: false,
      });
      const scanned = await storage.fleet.untakenSignals({ ...query, scan: 1 });
      assert.deepEqual([scanned.lookedAt, scanned.more], [2, true]);
    },
  },
  {
    name: 'signals that nobody has taken are found by name, by run and by key, whether or not they have a position',
    async run(at) {
      const { fleet } = at.storage;
      await running(at, 'a', 'b');
      await send(at, signalTo('k', 1), signalTo('k', 2), signalTo('other', 1), toRun('a'), toRun('b'));
      const query = { namespace: '', scan: 10, limit: 10 };
      const found = async (wanted: SignalsWanted) =>
        (await fleet.untakenSignals({ ...query, ...wanted })).signals
          .map(({ addressed, target, count }) => `${addressed} ${target} ${count}`)
          .sort();
      const check = async () => {
        assert.deepEqual(await found({ name: 'told' }), ['key k 2', 'key other 1', 'run a 1', 'run b 1']);
        assert.deepEqual(await found({ name: 'untold' }), []);
        assert.deepEqual(await found({ key: 'k' }), ['key k 2']);
        // A key that is the id of a run is another one.
        assert.deepEqual(await found({ key: 'a' }), []);
        assert.deepEqual(await found({ run: 'a' }), ['run a 1']);
        assert.deepEqual(await found({ run: 'k' }), []);
        assert.deepEqual(await found({ name: 'told', key: 'k' }), ['key k 2']);
        assert.deepEqual(await found({ name: 'told', run: 'b' }), ['run b 1']);
        assert.deepEqual(await found({ name: 'untold', run: 'b' }), []);
      };
      await check();
      await deliver(at);
      await check();
      const scanned = await fleet.untakenSignals({ ...query, scan: 1, name: 'told', key: 'k' });
      assert.deepEqual([scanned.lookedAt, scanned.more], [1, true]);
    },
  },
  {
    name: 'steps that wait for signals are found by their runs and by what they wait for, page by page',
    async run(at) {
      const { fleet } = at.storage;
      const [a, b] = await running(at, 'a', 'b');
      const listened = writeListened([{ name: 'told', key: 'k' }, { name: 'told', key: 'l' }, { name: 'told' }]);
      const own = channelOf('a', 'run');
      const until = at.clock.now() + 9_000;
      const waits = [channelOf('k'), channelOf('l'), own].map((channel) => waitOf(a!, 0, channel, { deadline: until }));
      const steps = [stepOf('a', 0, { kind: 'signal', name: 'ask', output: listened })];
      assert.deepEqual(await at.storage.store.commit([writeOf(a!, { steps, extras: { waits } })], alone), []);
      await waiting(at, b!, 0, ['k']);
      // It is also listened to under the run's own id, which says nothing more.
      const keyed = [channelOf('m'), channelOf('b', 'run')].map((channel) => waitOf(b!, 2, channel));
      const more = [
        stepOf('b', 2, { kind: 'signal', name: 'keyed', output: writeListened([{ name: 'told', key: 'm' }]) }),
      ];
      assert.deepEqual(
        await at.storage.store.commit([writeOf(b!, { steps: more, extras: { waits: keyed } })], alone),
        [],
      );
      const calls = writeOperation({ operation: 'erase', subject: 's', entryIds: [] });
      const forCalls = waitOf(b!, 1, effectChannel({ operation: 'erase', subject: 's' }));
      const called = [stepOf('b', 1, { kind: 'signal', name: 'calls', output: calls })];
      assert.deepEqual(
        await at.storage.store.commit([writeOf(b!, { steps: called, extras: { waits: [forCalls] } })], alone),
        [],
      );
      const found = async (query: Omit<WaitsQuery, 'namespace' | 'limit' | 'after'>, limit: number) => {
        const all: string[] = [];
        let after: WaitsQuery['after'];
        do {
          const page = await fleet.signalWaits({ namespace: '', ...query, after, limit });
          assert(page.waits.length <= limit);
          all.push(...page.waits.map(({ runId, seq, name, key }) => `${runId}:${seq} ${name} ${key}`));
          after = page.next;
        } while (after);
        return all.sort();
      };
      // The step of `b` has not recorded for what it waits, as old versions did.
      const ofA = ['a:0 told k', 'a:0 told l', 'a:0 told null'];
      for (const limit of [1, 2, 100]) {
        assert.deepEqual(await found({}, limit), [...ofA, 'b:0 null null', 'b:2 told m']);
        assert.deepEqual(await found({ run: 'a' }, limit), ofA);
        assert.deepEqual(await found({ channel: channelOf('k') }, limit), ['a:0 told k', 'b:0 null null']);
      }
      assert.deepEqual(await found({ run: 'nobody' }, 10), []);
      const [wait] = (await fleet.signalWaits({ namespace: '', channel: own, limit: 1 })).waits;
      const { workflow, step, deadline } = wait!;
      assert.deepEqual({ workflow, step, deadline }, { workflow: a!.workflow, step: 'ask', deadline: until });
      assert.deepEqual((await fleet.signalWaits({ namespace: 'other', limit: 10 })).waits, []);
    },
  },
];

const toRun = (id: string) => signalTo(id, 1, { addressed: 'run', channel: channelOf(id, 'run') });
