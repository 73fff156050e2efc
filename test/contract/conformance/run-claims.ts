import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { RefusedWrite } from '../../../lib/engine/runs.js';
import {
  alone,
  claim,
  claimOf,
  commit,
  create,
  find,
  history,
  ids,
  newRun,
  NODE_LEASE_MS,
  owned,
  ownedOne,
  type RunStoreFixture,
  signIn,
  stepOf,
  writeOf,
} from './fixtures.js';

/** Kills the owner of a run `times` times. */
async function crash(at: RunStoreFixture, id: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const which = n < 3 ? 'due' : 'suspect';
    const run = (await claim(at, { which })).find((claimed) => claimed.id === id)!;
    await at.store.release([claimOf(run)], true);
  }
}

const BLOCKED = { status: 'suspended', wakeAt: null, settled: 0, reason: 'non_determinism', detail: 'why' } as const;

/** Returns the last claims of the runs. */
async function block(at: RunStoreFixture, names: readonly string[]): Promise<ClaimedRun[]> {
  const runs = await owned(at, names);
  await commit(at, ...runs.map((run) => writeOf(run, { transition: BLOCKED })));
  return runs;
}

/** Which runs a claim returns, and how many. */
export const runClaimsConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'a claim returns what the execution of a run needs, and owns the run',
    async run(at) {
      await signIn(at);
      await create(at, newRun('a', { input: '{"t":"ü😀\\u0000"}' }));
      const [run, ...others] = await claim(at);
      assert.deepEqual(others, []);
      const nothing = { deadline: null, closing: null, error: null, unwinds: false, precondition: null };
      const origin = { resume: null, forkedSeq: null };
      const known = {
        ...nothing,
        ...origin,
        notifies: 0,
        firstSeq: 0,
        since: at.clock.now(),
        claimedAt: at.clock.now(),
      };
      const expected = {
        ...known,
        id: 'a',
        workflow: 'order',
        version: 1,
        input: '{"t":"ü😀\\u0000"}',
        epoch: 1,
        crashes: 0,
      };
      assert.deepEqual(run, expected);
      assert.deepEqual(await claim(at), []);
      const { status, startedAt, wakeAt } = await find(at, 'a');
      assert.deepEqual({ status, startedAt, wakeAt }, { status: 'running', startedAt: at.clock.now(), wakeAt: null });
      assert.deepEqual(await at.store.owned('node'), [claimOf({ id: 'a', epoch: 1 })]);
    },
  },
  {
    name: 'a claim respects its limit and takes the runs that have been due longest',
    async run(at) {
      await signIn(at);
      for (const id of ['c', 'a', 'b']) {
        await create(at, newRun(id));
        at.clock.advance(1);
      }
      assert.deepEqual(ids(await claim(at, { limit: 2 })).sort(), ['a', 'c']);
      assert.deepEqual(ids(await claim(at, { limit: 2 })), ['b']);
    },
  },
  {
    name: 'the part of the limit that one workflow does not use goes to others',
    async run(at) {
      await signIn(at);
      for (let n = 0; n < 12; n++) await create(at, newRun(`a${n}`));
      for (let n = 0; n < 3; n++) await create(at, newRun(`b${n}`, { workflow: 'refund' }));
      const workflows = ['refund', 'order', 'other'].map((name) => ({ name, version: 1 }));
      const first = ids(await claim(at, { limit: 10, workflows }));
      assert.equal(first.length, 10);
      const rest = ids(await claim(at, { limit: 10, workflows }));
      assert.equal(rest.length, 5);
      assert.equal(new Set([...first, ...rest]).size, 15);
    },
  },
  {
    name: 'twenty concurrent claims take every run once, and none exceeds its limit',
    async run(at) {
      const workflows = ['x', 'y', 'z'].map((name) => ({ name, version: 1 }));
      const runs = Array.from({ length: 150 }, (_, n) => newRun(`r${n}`, { workflow: workflows[n % 3]!.name }));
      await create(at, ...runs);
      const nodes = Array.from({ length: 20 }, (_, n) => `node-${n}`);
      for (const nodeId of nodes) await signIn(at, nodeId);
      const taken: string[] = [];
      for (let round = 0; taken.length < runs.length; round++) {
        assert.ok(round < 50, `only ${taken.length} of ${runs.length} after 50 rounds`);
        const batches = await Promise.all(nodes.map((nodeId) => claim(at, { nodeId, workflows, limit: 7 })));
        for (const batch of batches) {
          assert.ok(batch.length <= 7, `${batch.length} of at most 7`);
          for (const { epoch } of batch) assert.equal(epoch, 1);
          taken.push(...ids(batch));
        }
      }
      assert.equal(new Set(taken).size, runs.length);
      const held = await Promise.all(nodes.map((nodeId) => at.store.owned(nodeId)));
      assert.equal(held.flat().length, runs.length);
    },
  },
  {
    name: 'runs of a workflow, version or namespace that the claimer does not have are not claimed',
    async run(at) {
      await signIn(at);
      await create(
        at,
        newRun('other workflow', { workflow: 'Order' }),
        newRun('other version', { version: 2 }),
        newRun('other namespace', { namespace: 'test' }),
        newRun('known'),
      );
      assert.deepEqual(ids(await claim(at)), ['known']);
      const workflows = [
        { name: 'order', version: 1 },
        { name: 'order', version: 2 },
      ];
      assert.deepEqual(ids(await claim(at, { workflows })), ['other version']);
      assert.deepEqual(ids(await claim(at, { namespace: 'test' })), ['other namespace']);
    },
  },
  {
    name: 'a delayed run is due at its time, not before',
    async run(at) {
      await create(at, newRun('a', { delayMs: 5_000 }), newRun('b', { delayMs: 10 * 365 * 86_400_000 }));
      await signIn(at);
      at.clock.advance(4_999);
      assert.deepEqual(await claim(at), []);
      at.clock.advance(1);
      assert.deepEqual(ids(await claim(at)), ['a']);
      at.clock.advance(10 * 365 * 86_400_000);
      await signIn(at);
      assert.deepEqual(ids(await claim(at)), ['b']);
    },
  },
  {
    name: 'a claim can be restricted to runs that became due a moment ago',
    async run(at) {
      await create(at, newRun('late', { delayMs: 10 }), newRun('later', { delayMs: 5_000 }));
      at.clock.advance(1_010);
      await signIn(at);
      assert.deepEqual(await claim(at, { dueWithinMs: 999 }), []);
      assert.deepEqual(ids(await claim(at, { dueWithinMs: 1_000 })), ['late']);
      at.clock.advance(3_990);
      assert.deepEqual(ids(await claim(at, { dueWithinMs: 0 })), ['later']);
      await create(at, newRun('old'));
      at.clock.advance(9_000);
      await create(at, newRun('new'));
      await signIn(at);
      assert.deepEqual(ids(await claim(at, { dueWithinMs: 1_000 })), ['new']);
      assert.deepEqual(ids(await claim(at)), ['old']);
    },
  },
  {
    name: 'a run whose owners keep dying is claimed as a suspect, and only as such',
    async run(at) {
      await signIn(at);
      await create(at, newRun('killer'));
      await crash(at, 'killer', 3);
      await create(at, newRun('innocent'));
      assert.deepEqual(await claim(at, { which: 'suspect', workflows: [{ name: 'other', version: 1 }] }), []);
      assert.deepEqual(ids(await claim(at)), ['innocent']);
      const [killer, ...others] = await claim(at, { which: 'suspect' });
      assert.deepEqual(others, []);
      assert.deepEqual([killer?.id, killer?.crashes, killer?.epoch], ['killer', 3, 7]);
    },
  },
  {
    name: 'blocked runs are claimed in the order of their ids, after the given one, and never as due',
    async run(at) {
      await block(at, ['b', 'a', 'c']);
      at.clock.advance(1_000);
      assert.deepEqual(await claim(at), []);
      assert.deepEqual(ids(await claim(at, { which: 'blocked', limit: 1 })), ['a']);
      assert.deepEqual(ids(await claim(at, { which: 'blocked', afterId: 'b' })), ['c']);
      assert.deepEqual(ids(await claim(at, { which: 'blocked', afterId: 'c' })), []);
      const [b, ...others] = await claim(at, { which: 'blocked', afterId: '' });
      assert.deepEqual([b?.id, others], ['b', []]);
      const { status, reason, reasonDetail } = await find(at, 'b');
      assert.deepEqual([status, reason, reasonDetail], ['running', null, null]);
    },
  },
  {
    name: 'blocked runs are left alone whose last claim is given, unless others have claimed them since',
    async run(at) {
      const given = (await block(at, ['a', 'b'])).map(({ id: runId, epoch }) => ({ runId, epoch }));
      assert.deepEqual(await claim(at, { which: 'blocked', without: given }), []);
      const [b] = await claim(at, { which: 'blocked', afterId: 'a' });
      await commit(at, writeOf(b!, { transition: BLOCKED }));
      assert.deepEqual(ids(await claim(at, { which: 'blocked', without: given })), ['b']);
    },
  },
  {
    name: 'a node that has lapsed, or never signed in, may claim nothing',
    async run(at) {
      await create(at, newRun('a'));
      assert.deepEqual(await claim(at), []);
      await signIn(at);
      at.clock.advance(NODE_LEASE_MS);
      assert.deepEqual(await claim(at), []);
      await signIn(at);
      assert.deepEqual(ids(await claim(at)), ['a']);
    },
  },
  {
    name: 'ids that differ only in case, accent or a trailing space are different runs (E24)',
    async run(at) {
      const names = ['a', 'A', 'á', 'a ', 'ａ'];
      const created = await create(at, ...names.map((id) => newRun(id)));
      assert.deepEqual(
        created.map(({ created: isNew }) => isNew),
        [true, true, true, true, true],
      );
      await signIn(at);
      const runs = await claim(at);
      assert.deepEqual(ids(runs).sort(), [...names].sort());
      const one = runs.find(({ id }) => id === 'a')!;
      const done = { status: 'completed', output: '1' } as const;
      assert.deepEqual(await commit(at, writeOf(one, { transition: done })), []);
      const statuses = await Promise.all(names.map(async (id) => (await find(at, id)).status));
      assert.deepEqual(statuses, ['completed', 'running', 'running', 'running', 'running']);
    },
  },
  {
    name: 'a released run is due at once under a new epoch; a claim that is not the latest releases nothing',
    async run(at) {
      const { epoch } = await ownedOne(at, 'a');
      let told = 0;
      const stop = at.store.onRuns(() => told++);
      await at.store.release([claimOf({ id: 'a', epoch: epoch - 1 })], false);
      assert.deepEqual(await claim(at), []);
      await at.store.release([claimOf({ id: 'a', epoch })], false);
      stop();
      assert.ok(told > 0, 'nobody was notified');
      const [run] = await claim(at);
      assert.ok(run && run.epoch > epoch);
      assert.equal(run.crashes, 0);
      await at.store.release([claimOf(run)], true);
      assert.equal((await claim(at))[0]?.crashes, 1);
    },
  },
  {
    name: 'the runs of a lapsed node are released, with a crash each; those of living nodes are not',
    async run(at) {
      await owned(at, ['a', 'b'], 'dead');
      at.clock.advance(NODE_LEASE_MS - 1);
      await ownedOne(at, 'c', 'alive');
      assert.equal(await at.roster.reap(10), 0);
      at.clock.advance(1);
      assert.equal(await at.roster.reap(10), 2);
      assert.equal(await at.roster.reap(10), 0);
      const freed = await claim(at, { nodeId: 'alive' });
      assert.deepEqual(freed.map(({ id, crashes }) => [id, crashes]).sort(), [
        ['a', 1],
        ['b', 1],
      ]);
      assert.deepEqual((await at.store.owned('alive')).map(({ runId }) => runId).sort(), ['a', 'b', 'c']);
    },
  },
  {
    name: 'a node counts once for a run, however often it has lapsed with it',
    async run(at) {
      await create(at, newRun('a'));
      const lapse = async (nodeId: string) => {
        await signIn(at, nodeId);
        const [run] = await claim(at, { nodeId });
        assert.ok(run);
        at.clock.advance(NODE_LEASE_MS);
        assert.equal(await at.roster.reap(10), 1);
        // As if its reply had been lost.
        assert.equal(await at.roster.reap(10), 0);
      };
      for (const nodeId of ['one', 'two', 'one', 'one']) await lapse(nodeId);
      await signIn(at);
      const [run] = await claim(at);
      assert.deepEqual([run?.crashes, run?.crashed], [2, ['one', 'two']]);
      const steps = [stepOf('a', 0, { status: 'completed', settled: 1 })];
      assert.deepEqual(await commit(at, writeOf(run!, { steps, clearCrashes: true })), []);
      await at.store.release([claimOf({ id: 'a', epoch: run!.epoch })], false);
      const [after] = await claim(at);
      assert.deepEqual([after?.crashes, after?.crashed], [0, undefined], 'it has progressed');
      await at.store.release([claimOf(after!)], true);
      await lapse('one');
      await signIn(at);
      const [again] = await claim(at);
      assert.deepEqual(
        [again?.crashes, again?.crashed],
        [2, ['one']],
        'what broke in a process that lives is listed for nobody',
      );
    },
  },
  {
    name: 'a node that is back is counted no more for its runs, and what others have done to them stays counted',
    async run(at) {
      await owned(at, ['a', 'b', 'c'], 'one');
      at.clock.advance(NODE_LEASE_MS);
      assert.equal(await at.roster.reap(10), 3);
      await signIn(at, 'two');
      assert.equal((await claim(at, { nodeId: 'two' })).length, 3);
      at.clock.advance(NODE_LEASE_MS);
      assert.equal(await at.roster.reap(10), 3);
      assert.equal(await at.roster.withdraw('one', []), 0);
      assert.equal(await at.roster.withdraw('nobody', ['a', 'b', 'c']), 0);
      assert.equal(await at.roster.withdraw('one', ['a', 'b', 'unknown']), 2);
      assert.equal(await at.roster.withdraw('one', ['a', 'b']), 0, 'as if its reply had been lost');
      assert.equal(await at.roster.withdraw('two', ['b']), 1);
      await signIn(at);
      const counted = (await claim(at)).map(({ id, crashes, crashed }) => [id, crashes, crashed]);
      assert.deepEqual(counted.sort(), [
        ['a', 1, ['two']],
        ['b', 0, undefined],
        ['c', 2, ['one', 'two']],
      ]);
    },
  },
  {
    name: 'runs that a node still owned when it signed off are released too',
    async run(at) {
      await ownedOne(at, 'a', 'gone');
      await at.roster.leave('gone');
      assert.equal(await at.roster.reap(10), 1);
      await signIn(at);
      assert.deepEqual(ids(await claim(at)), ['a']);
    },
  },
  {
    name: 'reaping respects its limit, and two concurrent calls release each run once',
    async run(at) {
      const names = Array.from({ length: 10 }, (_, n) => `r${n}`);
      await owned(at, names, 'dead');
      at.clock.advance(NODE_LEASE_MS);
      assert.equal(await at.roster.reap(4), 4);
      const rest = await Promise.all([at.roster.reap(100), at.roster.reap(100)]);
      assert.equal(rest[0] + rest[1] + (await at.roster.reap(100)), 6);
      await signIn(at);
      const runs = await claim(at);
      assert.equal(runs.length, names.length);
      for (const { id, crashes } of runs) assert.equal(crashes, 1, id);
    },
  },
  {
    name: 'a heartbeat returns the time of the storage',
    async run(at) {
      assert.equal(await signIn(at), at.clock.now());
      at.clock.advance(7);
      assert.equal(await signIn(at), at.clock.now());
    },
  },
];

const done = { status: 'completed', output: '1' } as const;
const reasons = (refused: readonly RefusedWrite[]) => refused.map(({ runId, because }) => [runId, because]);
const settled = (runId: string, seq: number, order: number, output = 'null') =>
  stepOf(runId, seq, { status: 'completed', settled: order, output });

/** The conditions of a write besides its claim. */
export const runFenceConformance: ConformanceCase<RunStoreFixture>[] = [
  {
    name: 'a write of another process than the owner is lost, though its epoch is the run’s',
    async run(at) {
      const run = await ownedOne(at, 'a');
      const write = writeOf(run, { steps: [stepOf('a', 0)], transition: done });
      assert.deepEqual(await commit(at, { ...write, owner: 'other' }), ['a']);
      assert.deepEqual(await history(at, 'a'), []);
      assert.equal((await find(at, 'a')).status, 'running');
      assert.deepEqual(await commit(at, { ...write, owner: 'node' }), []);
    },
  },
  {
    name: 'a claim of another process than the owner releases nothing, though its epoch is the run’s',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const standstill = { reason: 'history_lost', detail: 'why' } as const;
      for (const how of [undefined, standstill]) {
        await at.store.release([claimOf(a!, 'other')], true, how);
        const { status, owner, reason } = await find(at, 'a');
        assert.deepEqual([status, owner, reason], ['running', 'node', null]);
      }
      await at.store.release([claimOf(a!, 'Node'), claimOf(b!)], false);
      assert.deepEqual([(await find(at, 'a')).owner, (await find(at, 'b')).owner], ['node', null]);
      assert.deepEqual(await commit(at, { ...writeOf(a!, { steps: [stepOf('a', 0)] }), owner: 'node' }), []);
    },
  },
  {
    name: 'a claim of another process than the owner is lost, though its epoch is the run’s',
    async run(at) {
      const [a, b] = await owned(at, ['a', 'b']);
      const others = [claimOf(a!, 'other'), claimOf(b!, 'Node')];
      assert.deepEqual(await at.store.lost([...others, claimOf(a!), claimOf(b!)]), others);
    },
  },
  {
    name: 'a write whose known records are missing or changed is refused, its neighbours are written',
    async run(at) {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const runs = await owned(at, names);
      await commit(at, ...runs.map((run) => writeOf(run, { steps: [settled(run.id, 0, 1), stepOf(run.id, 1)] })));
      const known = {
        a: [{ seq: 0, settled: 1 }],
        b: [{ seq: 1, settled: 2 }],
        c: [{ seq: 2, settled: null }],
        d: [
          { seq: 1, settled: null },
          { seq: 0, settled: 1 },
        ],
        e: [
          { seq: 1, settled: null },
          { seq: 0, settled: 2 },
        ],
        f: [],
      };
      const writes = runs.map((run) =>
        writeOf(run, { steps: [stepOf(run.id, 3)], transition: done, known: known[run.id as keyof typeof known] }),
      );
      const refused = await at.store.commit(writes, alone);
      assert.deepEqual(reasons(refused), [
        ['b', 'ahead'],
        ['c', 'ahead'],
        ['e', 'ahead'],
      ]);
      for (const id of names) {
        const isRefused = ['b', 'c', 'e'].includes(id);
        assert.equal((await find(at, id)).status, isRefused ? 'running' : 'completed', id);
        assert.equal((await history(at, id)).length, isRefused ? 2 : 3, id);
      }
    },
  },
  {
    name: 'a write under an old claim is lost, not ahead, whatever it knows; under the new claim it is ahead',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await at.store.release([claimOf(run)], false);
      const [again] = await claim(at);
      const known = [{ seq: 0, settled: null }];
      const [old, anew] = [run, again!].map((one) => writeOf(one, { steps: [stepOf('a', 1)], known }));
      assert.deepEqual(reasons(await at.store.commit([old!, anew!], alone)), [
        ['a', undefined],
        ['a', 'ahead'],
      ]);
      assert.deepEqual(await history(at, 'a'), []);
    },
  },
  {
    name: 'a write marked as once is refused if its step already has an outcome, and accepted if not',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await commit(at, writeOf(run, { steps: [stepOf('a', 0)] }));
      const once = (output: string, order: number) =>
        writeOf(run, { steps: [settled('a', 0, order, output)], once: true });
      assert.deepEqual(await at.store.commit([once('1', 1)], alone), []);
      assert.deepEqual(reasons(await at.store.commit([once('2', 2)], alone)), [['a', 'settled']]);
      const other = writeOf(run, { steps: [settled('a', 1, 2)], once: true });
      assert.deepEqual(await at.store.commit([other], alone), []);
      assert.deepEqual(await history(at, 'a'), [settled('a', 0, 1, '1'), settled('a', 1, 2)]);
    },
  },
  {
    name: 'released runs may be blocked with a reason: nobody claims them, and they are listed as blocked',
    async run(at) {
      const run = await ownedOne(at, 'a');
      await commit(at, writeOf(run, { steps: [settled('a', 0, 1)] }));
      const standstill = { reason: 'history_lost', detail: 'ü was lost' } as const;
      await at.store.release([claimOf(run)], false, standstill);
      const { status, reason, reasonDetail, owner, wakeAt } = await find(at, 'a');
      assert.deepEqual(
        [status, reason, reasonDetail, owner, wakeAt],
        ['suspended', 'history_lost', 'ü was lost', null, null],
      );
      assert.deepEqual(await claim(at), []);
      assert.deepEqual(await claim(at, { which: 'blocked' }), []);
      assert.deepEqual(
        (await at.catalog.list({ namespace: '', blocked: true, limit: 10 })).runs.map(({ id }) => id),
        ['a'],
      );
      assert.equal(await at.control.retry('a', alone), 'retried');
      const [again] = await claim(at);
      assert.equal(again?.id, 'a');
      assert.deepEqual(await commit(at, writeOf(again, { steps: [settled('a', 1, 2)] })), []);
    },
  },
];
