import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { parseWireError } from '../../../lib/core/wire-error.js';
import type { GivingUp } from '../../../lib/engine/control.js';
import type { ClaimedRun, FinalTransition, NewRun, RunStatus } from '../../../lib/engine/run.js';
import type { Endings, RunWrite } from '../../../lib/engine/runs.js';
import {
  alone,
  answerTo,
  boom,
  claim as claimRuns,
  commit,
  create,
  type EngineStorageFixture,
  find,
  history,
  ids,
  newRun,
  ownedOne,
  type RunStoreFixture,
  settle,
  signIn,
  stepOf,
  writeOf,
} from './fixtures.js';

type Fixture = EngineStorageFixture;

const ports = ({ storage, clock }: Fixture) => ({ ...storage, clock });
const claim = (at: Fixture) => claimRuns(ports(at));

/** Writes answers like an engine, and returns the endings. */
async function commitEndings(at: Fixture, ...writes: RunWrite[]): Promise<Endings> {
  let told: Endings = { answers: [], limiters: [] };
  const lost = await at.storage.store.commit(writes, async (_, tx, endings) => {
    told = endings;
    if (endings.answers.length > 0) await at.storage.answers.answer(endings.answers, tx);
  });
  assert.deepEqual(lost, []);
  return told;
}

const end = (at: Fixture, run: ClaimedRun, transition: FinalTransition = { status: 'completed', output: '1' }) =>
  commitEndings(at, writeOf(run, { transition, notifies: run.notifies }));

const error = { name: 'Broken', message: 'no', code: 'NO' };

/** A run that has started children at its positions 0, 1, … and waits for them. */
async function parentOf(at: Fixture, id: string, ...children: NewRun[]): Promise<ClaimedRun> {
  const run = await ownedOne(ports(at), id);
  const steps = children.map((child, seq) => stepOf(id, seq, { kind: 'child', name: 'order', ref: child.id }));
  await commitEndings(at, writeOf(run, { steps, extras: { children, unwinds: true } }));
  return run;
}

const childToCancel = (id: string, parent: string, seq: number): NewRun =>
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
      await parentOf(at, 'p', ...['a', 'b', 'c'].map((id, seq) => childToCancel(id, 'p', seq)));
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
      const run = await parentOf(at, 'p', childToCancel('a', 'p', 0));
      const [child] = await claim(at);
      const again = writeOf(run, { extras: { children: [childToCancel('a', 'p', 0)], unwinds: true } });
      assert.deepEqual(await commitEndings(at, again), { answers: [], limiters: [] });
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
      const children = [childToCancel('taken', 'p', 0), childToCancel('free', 'p', 1), childToCancel('free', 'p', 2)];
      const { answers } = await commitEndings(at, writeOf(run, { extras: { children, unwinds: true } }));
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
      const parent = await parentOf(at, 'p', childToCancel('a', 'p', 0));
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

const aloneHere = async (): Promise<undefined> => undefined;

const atStorage = ({ storage, clock }: EngineStorageFixture) => ({ ...storage, clock });

const childToAbandon = (id: string, parentId: string): NewRun =>
  newRun(id, { parent: { id: parentId, seq: 0, close: 'abandon' } });

/** Creates these runs and ends those in `ended`, in that order, one second apart. */
async function make(
  fixture: EngineStorageFixture,
  runs: readonly NewRun[],
  ended: readonly string[],
  status: 'completed' | 'failed' = 'completed',
): Promise<void> {
  const here = atStorage(fixture);
  await here.catalog.create(runs);
  await signIn(here);
  const claimed = new Map((await claimRuns(here, { namespace: runs[0]!.namespace })).map((run) => [run.id, run]));
  for (const id of ended) {
    const end =
      status === 'completed'
        ? ({ status, output: '1' } as const)
        : ({ status, error: { name: 'Error', message: 'no' } } as const);
    const extras = { attributes: { vip: true }, logs: [lineOf('hello')] };
    const steps = [stepOf(id, 0), stepOf(id, 1, { kind: 'step', status: 'completed', settled: 1 })];
    assert.deepEqual(await commit(here, writeOf(claimed.get(id)!, { steps, transition: end, extras })), []);
    fixture.clock.advance(1_000);
  }
}

const lineOf = (message: string) =>
  ({ seq: null, attempt: null, level: 'info', message, fields: null, loggedAt: 1 }) as const;

const there = async ({ storage }: EngineStorageFixture, ...names: string[]): Promise<string[]> =>
  ids(await storage.catalog.find(names)).sort();

const purge = (
  { storage }: EngineStorageFixture,
  olderThanMs: number,
  status: readonly RunStatus[] = ['completed', 'failed'],
  limit = 100,
) => storage.removal.purge({ namespace: '', status, olderThanMs, limit }, aloneHere);

/** Guarantees of the deletion of runs. */
export const runRemovalConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a run that has ended is deleted with all its data, and its id is free',
    async run(fixture) {
      const { storage } = fixture;
      await make(fixture, [newRun('a'), newRun('b')], ['a', 'b']);
      const signal = { namespace: '', channel: 'c', name: 's', addressed: 'run', dedupId: 'x', payload: '1' } as const;
      const toBoth = [
        { ...signal, target: 'a' },
        { ...signal, channel: 'd', target: 'b' },
      ];
      assert.deepEqual(await storage.mailbox.send(toBoth), ['sent', 'sent']);
      const withdrawn: string[] = [];
      const keep: GivingUp = async (closed) => void withdrawn.push(...closed.withdrawn);
      assert.deepEqual(await storage.removal.delete(['a', 'x'], keep), ['a']);
      assert.deepEqual(withdrawn, ['a:0']);
      assert.deepEqual(await there(fixture, 'a', 'b'), ['b']);
      assert.deepEqual((await storage.store.histories(['a', 'b'])).map(({ runId, seq }) => `${runId}:${seq}`).sort(), [
        'b:0',
        'b:1',
      ]);
      const [again] = await storage.catalog.create([newRun('a', { input: '"new"' })]);
      assert.equal(again?.created, true);
      assert.deepEqual(await storage.store.histories(['a']), []);
      // The other run still has its own.
      assert.deepEqual(await storage.mailbox.send(toBoth), ['sent', 'known']);
    },
  },
  {
    name: 'a run that has not ended is not deleted, nor are its descendants',
    async run(fixture) {
      const runs = [newRun('open'), childToAbandon('child', 'open'), newRun('other')];
      await make(fixture, runs, ['child']);
      assert.deepEqual(await fixture.storage.removal.delete(['open', 'other'], aloneHere), []);
      assert.deepEqual(await there(fixture, 'open', 'child', 'other'), ['child', 'open', 'other']);
      assert.equal((await find(atStorage(fixture), 'child')).parentId, 'open');
    },
  },
  {
    name: 'descendants that have ended are deleted too; one that has not ended stays, without a parent, and so do its own descendants',
    async run(fixture) {
      const runs = [
        newRun('z'),
        childToAbandon('m', 'z'),
        childToAbandon('a', 'm'),
        childToAbandon('open', 'z'),
        childToAbandon('below', 'open'),
      ];
      await make(fixture, runs, ['a', 'm', 'below', 'z']);
      assert.deepEqual((await fixture.storage.removal.delete(['z'], aloneHere)).sort(), ['a', 'm', 'z']);
      assert.deepEqual(await there(fixture, 'z', 'm', 'a', 'open', 'below'), ['below', 'open']);
      const open = await find(atStorage(fixture), 'open');
      assert.deepEqual([open.parentId, open.parentSeq], [null, null]);
      assert.equal((await find(atStorage(fixture), 'below')).parentId, 'open');
    },
  },
  {
    name: 'a child and its parent may be given together, in any order, and more than once',
    async run(fixture) {
      await make(fixture, [newRun('b'), childToAbandon('a', 'b'), childToAbandon('c', 'b')], ['a', 'c', 'b']);
      const deleted = await fixture.storage.removal.delete(['c', 'b', 'c', 'a'], aloneHere);
      assert.deepEqual(deleted.sort(), ['a', 'b', 'c']);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c'), []);
    },
  },
  {
    name: 'a purge deletes the oldest ended runs first, of the given age, status and namespace',
    async run(fixture) {
      await make(fixture, [newRun('f'), newRun('e')], ['f'], 'failed');
      await make(fixture, [newRun('x', { namespace: 'eu' })], ['x']);
      await make(
        fixture,
        ['d', 'c', 'b', 'a'].map((id) => newRun(id)),
        ['c', 'd', 'a', 'b'],
      );
      // They ended 6, 5, 4, 3, 2 and 1 seconds ago.
      assert.equal(await purge(fixture, 60_000), 0);
      assert.equal(await purge(fixture, 2_000, ['completed'], 2), 2);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c', 'd', 'e', 'f', 'x'), ['a', 'b', 'e', 'f', 'x']);
      assert.equal(await purge(fixture, 2_000, ['completed']), 1);
      assert.equal(await purge(fixture, 2_000, ['completed']), 0);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c', 'd', 'e', 'f', 'x'), ['b', 'e', 'f', 'x']);
      assert.equal(await purge(fixture, 0, ['completed', 'failed']), 2);
      assert.deepEqual(await there(fixture, 'a', 'b', 'c', 'd', 'e', 'f', 'x'), ['e', 'x']);
    },
  },
  {
    name: 'a purge keeps the child of a run that has not ended, and checks the age of each run',
    async run(fixture) {
      const runs = [
        newRun('open'),
        childToAbandon('kept', 'open'),
        newRun('p'),
        childToAbandon('late', 'p'),
        childToAbandon('still', 'p'),
      ];
      await make(fixture, runs, ['kept', 'p', 'late']);
      assert.equal(await purge(fixture, 2_000), 1);
      assert.deepEqual(await there(fixture, 'open', 'kept', 'p', 'late', 'still'), ['kept', 'late', 'open', 'still']);
      for (const id of ['late', 'still']) assert.equal((await find(atStorage(fixture), id)).parentId, null);
      assert.equal(await purge(fixture, 0), 1);
      assert.deepEqual(await there(fixture, 'open', 'kept', 'p', 'late', 'still'), ['kept', 'open', 'still']);
    },
  },
  {
    name: 'the waiting dependents of a deleted run learn that it completed, or otherwise fail',
    async run(fixture) {
      const { storage, clock } = fixture;
      const after = (id: string, target: string) => newRun(id, { after: [target], delayMs: 60_000 });
      await make(fixture, [newRun('c'), after('next', 'c')], ['c']);
      await make(fixture, [newRun('f'), after('never', 'f')], ['f'], 'failed');
      assert.deepEqual((await storage.removal.delete(['c', 'f'], aloneHere)).sort(), ['c', 'f']);
      clock.advance(70_000);
      await signIn(atStorage(fixture));
      const { admitted } = await storage.admissions.admit(await claimRuns(atStorage(fixture)));
      const found = admitted.map(({ id, closing }) => [id, closing]).sort();
      assert.deepEqual(found, [
        ['never', 'failed'],
        ['next', null],
      ]);
    },
  },
  {
    name: 'concurrent purges delete each run once',
    async run(fixture) {
      const names = Array.from({ length: 60 }, (_, n) => `r${n}`);
      await make(
        fixture,
        names.map((id) => newRun(id)),
        names,
      );
      const purged = await Promise.all(Array.from({ length: 4 }, () => purge(fixture, 0, ['completed'], 10)));
      const sum = purged.reduce((a, b) => a + b);
      assert.equal((await there(fixture, ...names)).length, 60 - sum);
      assert.ok(sum >= 10 && sum <= 40);
    },
  },
  {
    name: 'runs deleted in a transaction exist until it commits',
    async run(fixture) {
      const { storage, transaction } = fixture;
      await make(fixture, [newRun('a')], ['a']);
      await assert.rejects(storage.removal.delete(['a'], boom), /boom/);
      if (transaction) {
        const work = transaction(async (tx) => {
          assert.deepEqual(await storage.removal.delete(['a'], aloneHere, tx), ['a']);
          await boom();
        });
        await assert.rejects(work, /boom/);
      }
      assert.deepEqual(await there(fixture, 'a'), ['a']);
      assert.equal((await storage.store.histories(['a'])).length, 2);
    },
  },
];

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** An owned run with a step to compensate and open remote steps; three have answers, the second step's first. */
async function asked(fixture: RunStoreFixture, id: string): Promise<ClaimedRun> {
  const run = await ownedOne(fixture, id);
  const steps = [
    stepOf(id, 0, { kind: 'step', status: 'completed', settled: 1, output: '0' }),
    ...[1, 2, 3, 4].map((seq) => stepOf(id, seq, { attempt: seq === 3 ? 2 : 0 })),
    stepOf(id, 5, { kind: 'child' }),
    stepOf(id, -1),
  ];
  assert.deepEqual(await commit(fixture, writeOf(run, { steps, extras: { unwinds: true } })), []);
  return run;
}

const answered = (id: string): Awaited<ReturnType<GivingUp>> => [
  answerTo(id, 1, { createdAt: 9 }),
  answerTo(id, 2, { createdAt: 8 }),
  answerTo(id, 3, { createdAt: 10, status: 'failed', output: null, error: '{"message":"no"}' }),
  ...[0, 5, -1, 7].map((seq) => answerTo(id, seq, { createdAt: 11, output: '"other"' })),
  answerTo('other', 4),
];

const outcomes = async (fixture: RunStoreFixture, id: string) =>
  (await history(fixture, id)).map(({ seq, status, settled, output }) => [seq, status, settled, output]);

const SETTLED = [
  [-1, 'pending', null, null],
  [0, 'completed', 1, '0'],
  [1, 'completed', 3, '1'],
  [2, 'completed', 2, '2'],
  [3, 'failed', 4, null],
  [4, 'pending', null, null],
  [5, 'pending', null, null],
];
const UNTOUCHED = SETTLED.map(([seq, status, settled, output]) =>
  Number(seq) > 0 ? [seq, 'pending', null, null] : [seq, status, settled, output],
);

const OUTPUTS = SETTLED.map(([seq, ...rest]) => (seq === 3 ? [seq, 'pending', null, null] : [seq, ...rest]));

const failing = { status: 'compensating', closing: 'failed', error: { message: 'x' }, settled: 1 } as const;

/** Written answers that were not taken when their run is closed. */
export const lastAnswersConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'if a run is cancelled, answers that workers had written become the outcomes of their steps, in the order of writing',
    async run(fixture) {
      const storage = at(fixture);
      await asked(storage, 'a');
      assert.equal(await storage.control.close('a', 'cancelled', async () => answered('a')), 'closing');
      assert.deepEqual(await outcomes(storage, 'a'), SETTLED);
      const [failed] = (await history(storage, 'a')).filter(({ seq }) => seq === 3);
      assert.deepEqual([failed?.attempt, failed?.error, failed?.finishedAt], [3, '{"message":"no"}', 10]);
      // An answer that arrives before the run is claimed is recorded too.
      await settle(storage, [answerTo('a', -1)]);
      assert.deepEqual((await outcomes(storage, 'a'))[0], [-1, 'completed', 5, '-1']);
    },
  },
  {
    name: 'of a failure, an output is kept only if it was refused by its schema, before and after the run is closed',
    async run(fixture) {
      const storage = at(fixture);
      const run = await asked(storage, 'a');
      await commit(storage, writeOf(run, { transition: { status: 'suspended', wakeAt: null, settled: 1 } }));
      const failure = (seq: number, name: string) =>
        answerTo('a', seq, { status: 'failed', output: '"value"', error: JSON.stringify({ message: 'no', name }) });
      const late = async () => [failure(3, 'RefusedOutputError'), failure(4, 'Error')];
      await settle(storage, [failure(1, 'RefusedOutputError'), failure(2, 'Error')]);
      assert.deepEqual((await outcomes(storage, 'a')).slice(2, 4), [
        [1, 'answered', null, '"value"'],
        [2, 'answered', null, null],
      ]);
      assert.equal(await storage.control.close('a', 'cancelled', late), 'closing');
      assert.deepEqual((await outcomes(storage, 'a')).slice(4, 6), [
        [3, 'failed', 2, '"value"'],
        [4, 'failed', 3, null],
      ]);
    },
  },
  {
    name: 'if a run fails on its own, these answers become the outcomes too; a stale write changes nothing',
    async run(fixture) {
      const storage = at(fixture);
      const run = await asked(storage, 'a');
      const write = writeOf(run, { withdraws: ['a:1'], transition: failing });
      const stale = { ...write, epoch: run.epoch - 1 };
      assert.deepEqual(await storage.store.commit([stale], async () => answered('a')), [stale]);
      assert.deepEqual(await outcomes(storage, 'a'), UNTOUCHED);
      assert.deepEqual(await storage.store.commit([write], async () => answered('a')), []);
      assert.deepEqual(await outcomes(storage, 'a'), SETTLED);
      await settle(storage, [answerTo('a', -1)]);
      assert.deepEqual((await outcomes(storage, 'a'))[0], [-1, 'completed', 5, '-1']);
    },
  },
  {
    name: 'if a run fails with nothing to compensate, these outputs count for its retry, and these failures are forgotten',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const no = { status: 'failed', settled: 1, error: '{"message":"no"}' } as const;
      const steps = [
        stepOf('a', 0, { ...no, attempt: 1, failures: 1 }),
        ...[1, 2, 3, 4].map((seq) => stepOf('a', seq)),
      ];
      const resume = { failed: [0], delivered: 1 };
      const write = writeOf(run, {
        steps,
        withdraws: ['a:1'],
        transition: { status: 'failed', error: { message: 'x' }, resume },
      });
      assert.deepEqual(await storage.store.commit([write], async () => answered('a')), []);
      const all = [[0, 'failed', 1, null], ...SETTLED.slice(2, 6)];
      assert.deepEqual(await outcomes(storage, 'a'), all);
      assert.equal(await storage.control.retry('a', alone), 'retried');
      const open = all.map(([seq, ...rest]) =>
        seq === 0 || seq === 3 ? [seq, 'pending', null, null] : [seq, ...rest],
      );
      assert.deepEqual(await outcomes(storage, 'a'), open);
      assert.deepEqual((await claimRuns(storage))[0]?.resume, { forgiven: { 0: 1, 3: 1 } });
    },
  },
  {
    name: 'if a run is ended from outside, only outputs count: its parent may go on with it',
    async run(fixture) {
      const storage = at(fixture);
      const done = { kind: 'step', status: 'completed', settled: 1, output: '0' } as const;
      const steps = [stepOf('a', 0, done), ...[1, 2, 3, 4].map((seq) => stepOf('a', seq))];
      for (const how of ['cancelled', 'terminated'] as const) {
        const run = await ownedOne(storage, how);
        await commit(storage, writeOf(run, { steps: steps.map((step) => ({ ...step, runId: how })) }));
        assert.equal(await storage.control.close(how, how, async () => answered(how)), 'ended');
        assert.deepEqual(await outcomes(storage, how), OUTPUTS.slice(1, 6));
      }
    },
  },
  {
    name: 'steps that are withdrawn otherwise get no outcome, and those of a terminated run only outputs',
    async run(fixture) {
      const storage = at(fixture);
      const [a, b] = [await asked(storage, 'a'), await asked(storage, 'b')];
      const parked = { status: 'suspended', wakeAt: null, settled: 1 } as const;
      const write = writeOf(a, { withdraws: ['a:1'], transition: parked });
      assert.deepEqual(await storage.store.commit([write], async () => answered('a')), []);
      await create(storage, newRun('child', { parent: { id: 'b', seq: 5, close: 'cancel' }, delayMs: 1_000 }));
      assert.equal(await storage.control.close('b', 'terminated', async () => answered('b')), 'closing');
      assert.deepEqual(await outcomes(storage, 'a'), UNTOUCHED);
      assert.deepEqual(await outcomes(storage, 'b'), OUTPUTS);
      assert.deepEqual(await commit(storage, writeOf(b)), ['b']);
    },
  },
  {
    name: 'if the end of a run is rolled back, the answers stay available',
    async run(fixture) {
      const { transaction } = fixture;
      if (!transaction) return;
      const storage = at(fixture);
      await asked(storage, 'a');
      const rolledBack = transaction(async (tx) => {
        await storage.control.close('a', 'cancelled', async () => answered('a'), tx);
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      assert.deepEqual(await outcomes(storage, 'a'), UNTOUCHED);
      await transaction((tx) => storage.control.close('a', 'cancelled', async () => answered('a'), tx));
      assert.deepEqual(await outcomes(storage, 'a'), SETTLED);
      const [again] = await claimRuns(storage);
      assert.deepEqual([again?.id, again?.closing], ['a', 'cancelled']);
      assert.equal(await storage.control.close('a', 'terminated', alone), 'ended');
    },
  },
];
