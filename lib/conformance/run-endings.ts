import assert from 'node:assert/strict';
import type { ClaimedRun, FinalTransition, NewRun } from '../engine/model/run.js';
import type { Endings, RunWrite } from '../engine/model/run-store.js';
import { parseWireError } from '../protocol/wire-error.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { claim as claimRuns, create, find, newRun, ownedOne, signIn, stepOf, writeOf } from './run-store.js';

type Fixture = EngineStorageFixture;

const ports = ({ storage, clock }: Fixture) => ({ ...storage, clock });
const claim = (at: Fixture) => claimRuns(ports(at));

/** Writes answers like an engine, and returns the endings. */
async function commit(at: Fixture, ...writes: RunWrite[]): Promise<Endings> {
  let told: Endings = { answers: [], limiters: [] };
  const lost = await at.storage.store.commit(writes, async (_, tx, endings) => {
    told = endings;
    if (endings.answers.length > 0) await at.storage.answers.answer(endings.answers, tx);
  });
  assert.deepEqual(lost, []);
  return told;
}

const end = (at: Fixture, run: ClaimedRun, transition: FinalTransition = { status: 'completed', output: '1' }) =>
  commit(at, writeOf(run, { transition, notifies: run.notifies }));

const error = { name: 'Broken', message: 'no', code: 'NO' };

/** A run that has started children at its positions 0, 1, … and waits for them. */
async function parentOf(at: Fixture, id: string, ...children: NewRun[]): Promise<ClaimedRun> {
  const run = await ownedOne(ports(at), id);
  const steps = children.map((child, seq) => stepOf(id, seq, { kind: 'child', name: 'order', ref: child.id }));
  await commit(at, writeOf(run, { steps, extras: { children, unwinds: true } }));
  return run;
}

const childOf = (id: string, parent: string, seq: number): NewRun =>
  newRun(id, { parent: { id: parent, seq, close: 'cancel' } });

/** All runs that can be claimed and meet their preconditions. */
async function playable(at: Fixture): Promise<ClaimedRun[]> {
  const claimed = await claim(at);
  const conditional = claimed.filter(({ precondition, closing }) => precondition !== null && closing === null);
  const { admitted } = conditional.length > 0 ? await at.storage.admissions.admit(conditional) : { admitted: [] };
  return [...claimed.filter((run) => !conditional.includes(run)), ...admitted];
}

const idsOf = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id).sort();

/** Pseudo-random numbers from a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Notifications of the end of a run, in the transaction that ends it. */
export const runEndingsConformance: ConformanceCase<Fixture>[] = [
  {
    name: 'children start with the step of their parent, and their ends are answers to it',
    async run(at) {
      await parentOf(at, 'p', ...['a', 'b', 'c'].map((id, seq) => childOf(id, 'p', seq)));
      const children = (await claim(at)).sort((a, b) => (a.id < b.id ? -1 : 1));
      assert.deepEqual(idsOf(children), ['a', 'b', 'c']);
      const [a, b, c] = children as [ClaimedRun, ClaimedRun, ClaimedRun];
      await end(at, a, { status: 'completed', output: '"ü😀"' });
      await end(at, b, { status: 'failed', error });
      await end(at, c, { status: 'cancelled' });
      const { answers } = await at.storage.dispatcher.peek(10);
      const told = answers.map(({ stepId, status, output, error: text }) => {
        return [stepId, status, output, text === null ? null : parseWireError(text).code];
      });
      assert.deepEqual(told.sort(), [
        ['p:0', 'completed', '"ü😀"', null],
        ['p:1', 'failed', null, 'NO'],
        ['p:2', 'failed', null, 'WORKFLOW_CANCELLED'],
      ]);
    },
  },
  {
    name: 'the same commit, issued again, starts no child twice and reports no conflict',
    async run(at) {
      const run = await parentOf(at, 'p', childOf('a', 'p', 0));
      const [child] = await claim(at);
      const again = writeOf(run, { extras: { children: [childOf('a', 'p', 0)], unwinds: true } });
      assert.deepEqual(await commit(at, again), { answers: [], limiters: [] });
      assert.deepEqual(await claim(at), []);
      await end(at, child!);
      assert.deepEqual((await find(ports(at), 'a')).status, 'completed');
    },
  },
  {
    name: 'a child whose id belongs to another run is not started, and its step gets a conflict error',
    async run(at) {
      await create(ports(at), newRun('taken', { delayMs: 1_000 }));
      const run = await ownedOne(ports(at), 'p');
      const children = [childOf('taken', 'p', 0), childOf('free', 'p', 1), childOf('free', 'p', 2)];
      const { answers } = await commit(at, writeOf(run, { extras: { children, unwinds: true } }));
      const told = answers.map(({ stepId, error: text }) => [stepId, parseWireError(text).code]);
      assert.deepEqual(told.sort(), [
        ['p:0', 'WORKFLOW_ID_CONFLICT'],
        ['p:2', 'WORKFLOW_ID_CONFLICT'],
      ]);
      assert.equal((await find(ports(at), 'taken')).parentId, null);
      assert.equal((await find(ports(at), 'free')).parentSeq, 1);
    },
  },
  {
    name: 'a parent that has ended gets no answer',
    async run(at) {
      const parent = await parentOf(at, 'p', childOf('a', 'p', 0));
      const [child] = await claim(at);
      await end(at, parent);
      assert.deepEqual(await end(at, child!), { answers: [], limiters: [] });
      assert.deepEqual((await at.storage.dispatcher.peek(10)).answers, []);
    },
  },
  {
    name: 'a run starts when the last of its dependencies has completed',
    async run(at) {
      const [a, b] = [await ownedOne(ports(at), 'a'), await ownedOne(ports(at), 'b')];
      await create(ports(at), newRun('w', { after: ['a', 'b'] }));
      assert.deepEqual(await playable(at), []);
      const parked = await find(ports(at), 'w');
      assert.deepEqual([parked.status, parked.reason, parked.owner], ['pending', 'waiting_for_runs', null]);
      await end(at, a);
      assert.deepEqual(await claim(at), []);
      await end(at, b);
      const [run] = await playable(at);
      assert.deepEqual([run?.id, run?.precondition, run?.closing], ['w', null, null]);
      assert.equal((await find(ports(at), 'w')).status, 'running');
    },
  },
  {
    name: 'a run whose dependencies completed before it was examined starts at once',
    async run(at) {
      const a = await ownedOne(ports(at), 'a');
      await create(ports(at), newRun('w', { after: ['a'], delayMs: 1_000 }));
      await end(at, a);
      at.clock.advance(1_000);
      assert.deepEqual(idsOf(await playable(at)), ['w']);
      const run = await find(ports(at), 'w');
      assert.deepEqual([run.status, run.startedAt], ['running', at.clock.now()]);
    },
  },
  {
    name: 'a run whose dependency did not complete fails with its id, whenever that ended',
    async run(at) {
      const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((id) => create(ports(at), newRun(id)))).then(async () => {
        await signIn(ports(at));
        return (await claim(at)).sort((one, other) => (one.id < other.id ? -1 : 1));
      });
      await end(at, a!, { status: 'cancelled' });
      const waiting = [newRun('before', { after: ['b', 'a'] }), newRun('behind', { after: ['b', 'c'] })];
      await create(ports(at), ...waiting);
      const failsOf = (runs: ClaimedRun[]) =>
        runs.map(({ id, closing, error: text }) => [id, closing, parseWireError(text).code]);
      assert.deepEqual(failsOf(await playable(at)), [['before', 'failed', 'DEPENDENCY_FAILED']]);
      await end(at, c!, { status: 'failed', error });
      const late = await playable(at);
      assert.deepEqual(failsOf(late), [['behind', 'failed', 'DEPENDENCY_FAILED']]);
      assert.match(parseWireError(late[0]!.error).message, /"c", which ended as failed/);
      // No run waits for its end any more.
      await end(at, b!);
      assert.deepEqual(await claim(at), []);
    },
  },
  {
    name: 'a run that waits past its deadline is admitted, so that it times out',
    async run(at) {
      await ownedOne(ports(at), 'a');
      await create(ports(at), newRun('w', { after: ['a'], timeoutMs: 5_000 }));
      assert.deepEqual(await playable(at), []);
      at.clock.advance(5_000);
      const [run] = await playable(at);
      assert.deepEqual([run?.id, run?.closing, parseWireError(run!.error).code], ['w', 'failed', 'WORKFLOW_TIMEOUT']);
    },
  },
  ...Array.from({ length: 12 }, (_, seed): ConformanceCase<Fixture> => {
    return {
      name: `ends and checks of dependencies in any order: each waiting run is admitted once, and none is left (${seed})`,
      run: (at) => meet(at, numbers(seed + 1)),
    };
  }),
];

async function meet(at: Fixture, below: (n: number) => number): Promise<void> {
  const targets = Array.from({ length: 6 }, (_, n) => `t${n}`);
  await create(ports(at), ...targets.map((id) => newRun(id)));
  await signIn(ports(at));
  const owned = new Map((await claim(at)).map((run) => [run.id, run]));
  const waiting = Array.from({ length: 12 }, (_, n) =>
    newRun(`w${n}`, { after: targets.filter((id) => below(2) === 1 || id === 't0') }),
  );
  await create(ports(at), ...waiting);
  const failing = new Set(targets.filter(() => below(6) === 0));
  const claimed = await claim(at);
  const acts: (() => Promise<ClaimedRun[]>)[] = targets.map((id) => async () => {
    await end(at, owned.get(id)!, failing.has(id) ? { status: 'failed', error } : { status: 'completed', output: '1' });
    return [];
  });
  while (claimed.length > 0) {
    const some = claimed.splice(0, 1 + below(4));
    acts.push(async () => (await at.storage.admissions.admit(some)).admitted);
  }
  const passed: ClaimedRun[] = [];
  while (acts.length > 0) {
    const together = Array.from({ length: 1 + below(5) }, () => acts.splice(below(acts.length), 1)).flat();
    const done = await Promise.all(together.map((act) => act()));
    passed.push(...done.flat(), ...(below(3) === 0 ? await playable(at) : []));
  }
  for (let more = await playable(at); more.length > 0; more = await playable(at)) passed.push(...more);
  assert.deepEqual(idsOf(passed), idsOf(waiting));
  for (const { id, closing } of passed) {
    const fails = waiting.find((run) => run.id === id)!.after!.some((target) => failing.has(target));
    assert.equal(closing, fails ? 'failed' : null, id);
  }
}
