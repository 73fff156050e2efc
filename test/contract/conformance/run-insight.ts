import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { type Moment, STAGE, WHAT } from '../../../lib/core/protocol.js';
import { PUBLISHED } from '../../../lib/engine/erasure.js';
import type {
  AttributeFilter,
  ListRuns,
  ListSteps,
  RunCounts,
  SignalsWanted,
  WaitsQuery,
} from '../../../lib/engine/insight.js';
import { limiterOf } from '../../../lib/engine/limits.js';
import { recordedHistory } from '../../../lib/engine/play/replay.js';
import type { AttributeValue, ClaimedRun, LimitRequest, Limits, NewRun, RunStatus } from '../../../lib/engine/run.js';
import type { RunExtras } from '../../../lib/engine/runs.js';
import { effectChannel, writeListened, writeOperation } from '../../../lib/engine/signals.js';
import { LINE_COUNT_SEQ, type StepRecord } from '../../../lib/engine/step.js';
import type { RunTimes } from '../../../lib/engine/story.js';
import { cursorOf, parseCursor } from '../../../lib/engine/views.js';
import {
  alone,
  channelOf,
  claim,
  commit,
  create,
  deliver,
  type EngineStorageFixture,
  newRun,
  owned,
  ownedOne,
  running,
  type RunStoreFixture,
  send,
  signalTo,
  signIn,
  stepOf,
  taskFor,
  waiting,
  waitOf,
  writeOf,
} from './fixtures.js';

const runsAt = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

const ALL = { namespace: '', limit: 1 };

/** A run that `node` owns, with these notes. */
async function noted(at: EngineStorageFixture, id: string, ...notes: RunExtras[]): Promise<ClaimedRun> {
  const runs = runsAt(at);
  await at.storage.catalog.create([newRun(id)]);
  await signIn(runs);
  const [run] = await claim(runs);
  for (const extras of notes) assert.deepEqual(await at.storage.store.commit([writeOf(run!, { extras })], alone), []);
  return run!;
}

async function pages(at: EngineStorageFixture, query: Partial<ListRuns>): Promise<string[][]> {
  const found: string[][] = [];
  let past: ListRuns['past'];
  do {
    const page = await at.storage.catalog.list({ namespace: '', limit: 7, ...query, ...(past && { past }) });
    found.push(page.runs.map(({ id }) => id));
    past = page.next;
  } while (past);
  return found;
}

const where = (
  name: string,
  how: AttributeFilter['compare'][number]['how'],
  value: AttributeValue,
): AttributeFilter => ({
  name,
  compare: [{ how, value }],
});

/** The steps of each page, as `run:seq`. */
async function stepPages(at: EngineStorageFixture, query: Partial<ListSteps>): Promise<string[][]> {
  const { steps, next } = await at.storage.steps.list({ runs: ALL, limit: 10, ...query });
  const page = steps.map(({ runId, seq }) => `${runId}:${seq}`);
  return [page, ...(next ? await stepPages(at, { ...query, past: next }) : [])];
}

/** Guarantees of queries on runs. */
export const runInsightConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'attributes keep their type and value, and null removes them',
    async run(at) {
      const values = { text: 'Ü😀"\\', zero: 0, small: 5e-300, big: 2 ** 60, third: 1 / 3, yes: true, no: false };
      await noted(
        at,
        'a',
        { attributes: { ...values, day: new Date(-5), gone: 1, text: 'before' } },
        { attributes: values },
      );
      await noted(at, 'b', { attributes: { gone: 2 } }, { attributes: { gone: null } });
      const expected = { ...values, day: new Date(-5), gone: 1 };
      const found = await at.storage.insight.attributes(['b', 'a', 'unknown']);
      assert.deepEqual(
        found,
        Object.keys(expected)
          .sort()
          .map((name) => ({ runId: 'a', name, value: expected[name as keyof typeof expected] })),
      );
      assert.deepEqual(await at.storage.insight.attributes([]), []);
    },
  },
  {
    name: 'attempts and log lines keep their order, and an attempt that is written again replaces the old one',
    async run(at) {
      const attempt = (n: number, error: string, outcome: 'failed' | 'lost' | 'deferred' = 'failed') => ({
        seq: 1,
        attempt: n,
        outcome,
        askedAt: n - 1,
        startedAt: n,
        finishedAt: n + 1,
        error,
        worker: `wörker ${n}`,
      });
      const line = (message: string, seq: number | null) => ({
        ...({ seq, attempt: seq, level: 'info', message, fields: '{"a":1}', loggedAt: 5 } as const),
      });
      await noted(
        at,
        'a',
        {
          attempts: [attempt(2, '"b"', 'deferred'), attempt(1, '"a"', 'lost')],
          logs: [line('ü\n', null), line('z', 1)],
          customStatus: 'one',
        },
        { attempts: [attempt(1, '"c"')], logs: [line('a', null)], customStatus: 'two 😀' },
      );
      const attempts = await at.storage.insight.attempts('a');
      assert.deepEqual(
        attempts,
        [attempt(1, '"c"'), attempt(2, '"b"', 'deferred')].map((kept) => ({ runId: 'a', ...kept })),
      );
      assert.deepEqual(await at.storage.insight.logs('a'), [line('ü\n', null), line('z', 1), line('a', null)]);
      const [run] = await at.storage.catalog.find(['a']);
      assert.equal(run?.customStatus, 'two 😀');
    },
  },
  {
    name: 'a log line that is written again replaces that line and no other',
    async run(at) {
      const line = (message: string, loggedAt: number) =>
        ({ seq: null, attempt: null, level: 'warn', message, fields: null, loggedAt }) as const;
      const [said, later, other] = [line('ü', 1), line('ü', 2), line('u', 1)];
      await noted(at, 'a', { replacedLogs: [said] }, { logs: [other, later] }, { replacedLogs: [said] });
      await noted(at, 'b', { replacedLogs: [said] }, { replacedLogs: [said] });
      assert.deepEqual(await at.storage.insight.logs('a'), [other, later, said]);
      assert.deepEqual(await at.storage.insight.logs('b'), [said]);
    },
  },
  {
    name: 'a fenced write leaves no attributes, attempts or log lines',
    async run(at) {
      await noted(at, 'a');
      const extras: RunExtras = {
        customStatus: 'x',
        attributes: { a: 1 },
        attempts: [
          {
            seq: 0,
            attempt: 1,
            outcome: 'failed',
            askedAt: null,
            startedAt: 1,
            finishedAt: 1,
            worker: null,
            error: '1',
          },
        ],
        logs: [{ seq: null, attempt: null, level: 'warn', message: 'm', fields: null, loggedAt: 1 }],
      };
      const stale = writeOf({ id: 'a', epoch: 0 }, { extras });
      assert.deepEqual(await at.storage.store.commit([stale], alone), [stale]);
      const { insight, catalog } = at.storage;
      const left = [await insight.attempts('a'), await insight.logs('a'), await insight.attributes(['a'])];
      assert.deepEqual(left, [[], [], []]);
      assert.equal((await catalog.find(['a']))[0]?.customStatus, null);
    },
  },
  {
    name: 'the surroundings of a run: its tasks and who holds them',
    async run(at) {
      const { store, dispatcher, catalog, insight } = at.storage;
      const runs = runsAt(at);
      await catalog.create([newRun('a'), newRun('other')]);
      await signIn(runs);
      const [one] = (await claim(runs)).filter(({ id }) => id === 'a');
      const tasks = [taskFor('a', 0), taskFor('a', 1)];
      const steps = [stepOf('a', 0), stepOf('a', 1), stepOf('a', 2, { status: 'completed', settled: 1 })];
      const write = writeOf(one!, { steps, tasks });
      assert.deepEqual(
        await store.commit([write], async (writes, tx) => {
          await dispatcher.dispatch(
            writes.flatMap((w) => w.tasks),
            tx,
          );
          return [];
        }),
        [],
      );
      await dispatcher.dispatch([taskFor('other', 0)]);
      const [run] = await catalog.find(['a']);
      const seen = await insight.surroundings(run!);
      assert.deepEqual(
        seen.tasks.map(({ stepId, seq, group, attempt, claimedBy, claimedAt }) => [
          stepId,
          seq,
          group,
          attempt,
          claimedBy,
          claimedAt,
        ]),
        [
          ['a:0', 0, 'charge', 1, null, null],
          ['a:1', 1, 'charge', 1, null, null],
        ],
      );
      assert.deepEqual([seen.signals, seen.after, seen.limiters], [[], [], []]);
    },
  },
  {
    name: 'in both directions every run is listed once, no matter how many are of one millisecond (E4)',
    async run(at) {
      const names = Array.from({ length: 40 }, (_, n) => `r${String(n).padStart(2, '0')}`);
      await at.storage.catalog.create(names.slice(0, 35).map((id) => newRun(id)));
      at.clock.advance(1);
      await at.storage.catalog.create(names.slice(35).map((id) => newRun(id)));
      const oldest = await pages(at, { order: 'oldest' });
      assert.deepEqual(oldest.flat(), names);
      assert.deepEqual((await pages(at, { order: 'newest' })).flat(), [...names].reverse());
      assert.ok(oldest.slice(0, -1).every(({ length }) => length === 7));
      const from = at.clock.now();
      assert.deepEqual((await pages(at, { createdFrom: from, order: 'oldest' })).flat(), names.slice(35));
      assert.deepEqual((await pages(at, { createdBefore: from, order: 'oldest' })).flat(), names.slice(0, 35));
    },
  },
  {
    name: 'steps of many runs are listed page by page, by each filter and by all of them together',
    async run(at) {
      const now = at.clock.now();
      const done = { status: 'completed', settled: 1, output: '"o"', finishedAt: now, worker: 'w1' } as const;
      const failed = { status: 'failed', settled: 2, error: '{"message":"no"}', worker: 'w2', failures: 3 } as const;
      const steps = (id: string) => [
        stepOf(id, 0, { ...done, createdAt: now - 5_000 }),
        stepOf(id, 1, { ...failed, name: 'refund', kind: 'step', createdAt: now - 9_000, askedAt: now - 2_000 }),
        stepOf(id, 2, { createdAt: now - 1_000 }),
        stepOf(id, 3, { kind: 'marker', name: 'now', status: 'completed', createdAt: now }),
        stepOf(id, -1, { ...done, settled: 3, name: 'undo', createdAt: now }),
        stepOf(id, LINE_COUNT_SEQ, { kind: 'marker', name: 'log', status: 'completed', createdAt: now }),
      ];
      for (const id of ['a', 'b']) {
        const run = await noted(at, id);
        assert.deepEqual(await at.storage.store.commit([writeOf(run, { steps: steps(id) })], alone), []);
        at.clock.advance(10);
      }
      await at.storage.catalog.create([newRun('c', { workflow: 'other' })]);
      const of = (id: string, ...seqs: number[]) => seqs.map((seq) => `${id}:${seq}`);
      const ofBoth = (...seqs: number[]) => [[...of('b', ...seqs), ...of('a', ...seqs)]];
      const [a, b] = [of('a', -1, 0, 1, 2), of('b', -1, 0, 1, 2)];
      assert.deepEqual(await stepPages(at, {}), [[...b, ...a]]);
      assert.deepEqual(await stepPages(at, { runs: { ...ALL, order: 'oldest' } }), [[...a, ...b]]);
      assert.deepEqual(await stepPages(at, { limit: 3 }), [b.slice(0, 3), [b[3]!, ...a.slice(0, 2)], a.slice(2)]);
      assert.deepEqual(await stepPages(at, { limit: 4 }), [b, a]);
      assert.deepEqual(await stepPages(at, { runs: { ...ALL, idPrefix: 'a' } }), [a]);
      assert.deepEqual(await stepPages(at, { runs: { ...ALL, workflow: 'other' } }), [[]]);
      const elsewhere = { runs: { ...ALL, namespace: 'another' }, past: { at: now, id: 'a', seq: -5 } };
      assert.deepEqual(await stepPages(at, elsewhere), [[]]);
      assert.deepEqual(await stepPages(at, { name: 'refund' }), ofBoth(1));
      assert.deepEqual(await stepPages(at, { status: ['pending'] }), ofBoth(2));
      assert.deepEqual(await stepPages(at, { status: [] }), [[]]);
      assert.deepEqual(await stepPages(at, { kind: [] }), [[]]);
      const inPages = await stepPages(at, { status: ['pending', 'failed'], limit: 1 });
      assert.deepEqual(
        inPages,
        [...of('b', 1, 2), ...of('a', 1, 2)].map((one) => [one]),
      );
      assert.deepEqual(await stepPages(at, { worker: 'w1', name: 'charge' }), ofBoth(0));
      assert.deepEqual(await stepPages(at, { kind: ['marker'] }), ofBoth(3));
      // By when the last attempt was asked for, to the millisecond.
      assert.deepEqual(await stepPages(at, { olderThanMs: 5_020 }), ofBoth(0));
      assert.deepEqual(await stepPages(at, { youngerThanMs: 2_020, name: 'refund' }), [[]]);
      assert.deepEqual(await stepPages(at, { youngerThanMs: 2_021, kind: ['step'] }), ofBoth(1));
      const [refund] = (await at.storage.steps.list({ runs: ALL, name: 'refund', limit: 1 })).steps;
      assert.deepEqual(refund, { ...steps('b')[1], output: null, workflow: newRun('b').workflow });
    },
  },
  {
    name: 'a list of steps goes on after a run that no longer matches since the last page',
    async run(at) {
      for (const id of ['a', 'b']) {
        const run = await noted(at, id);
        const steps = [0, 1, 2].map((seq) => stepOf(id, seq, { status: 'completed', settled: seq + 1 }));
        const transition = { status: 'completed', output: '1' } as const;
        assert.deepEqual(await commit(runsAt(at), writeOf(run, { steps, transition })), []);
        at.clock.advance(10);
      }
      const query = { runs: { ...ALL, order: 'ended' }, limit: 2 } as const;
      const { next } = await at.storage.steps.list(query);
      assert.deepEqual(next && { id: next.id, seq: next.seq }, { id: 'b', seq: 1 });
      // As if it had begun another life.
      const waiting = { ...query, runs: { ...query.runs, status: ['failed'] as const } };
      assert.deepEqual(await stepPages(at, { ...waiting, past: next }), [[]]);
      assert.deepEqual(await stepPages(at, { ...query, past: next }), [
        ['b:2', 'a:0'],
        ['a:1', 'a:2'],
      ]);
      await at.storage.lives.restart({ id: 'b', version: 1 }, async () => undefined);
      assert.deepEqual(await stepPages(at, { ...query, past: next }), [['a:0', 'a:1'], ['a:2']]);
    },
  },
  {
    name: 'runs are found by each of their attributes, by equality and in ranges, page by page',
    async run(at) {
      for (let n = 0; n < 12; n++) {
        await noted(at, `r${n + 10}`, {
          attributes: {
            n,
            parity: n % 2 === 0 ? 'even' : 'odd',
            big: n > 5,
            day: new Date(n * 1_000),
            like: String(n),
          },
        });
      }
      const found = async (...attributes: AttributeFilter[]) =>
        (await pages(at, { attributes, limit: 2, order: 'oldest' })).flat().map((id) => Number(id.slice(1)) - 10);
      assert.deepEqual(await found(where('parity', '=', 'even')), [0, 2, 4, 6, 8, 10]);
      assert.deepEqual(await found(where('parity', '=', 'even'), where('big', '=', true)), [6, 8, 10]);
      assert.deepEqual(
        await found({
          name: 'n',
          compare: [
            { how: '>', value: 3 },
            { how: '<=', value: 5 },
          ],
        }),
        [4, 5],
      );
      assert.deepEqual(await found(where('day', '>=', new Date(10_000))), [10, 11]);
      assert.deepEqual(await found(where('day', '<', new Date(1))), [0]);
      assert.deepEqual(await found(where('parity', '=', 'EVEN')), []);
      assert.deepEqual(await found(where('like', '=', '3')), [3]);
      assert.deepEqual(await found(where('like', '=', 3), where('n', '=', 3)), []);
      assert.deepEqual(await found(where('big', '=', 1)), []);
    },
  },
];

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

const childOf = (id: string, parentId: string): NewRun =>
  newRun(id, { parent: { id: parentId, seq: 0, close: 'abandon' } });

const NAMES = new Map<number, string>(Object.entries(WHAT).map(([name, what]) => [what, name]));

/** Without ids of signals, which the storage gives. */
const told = (moments: readonly Moment[], runIds: readonly string[]): string[] =>
  moments.map(({ at, run, stage, what, item }) => {
    const where = stage === STAGE.beside ? 'beside' : stage > STAGE.beside ? stage - STAGE.last : stage;
    return `${at} ${runIds[run]} ${where} ${NAMES.get(what)}${what === WHAT.attempted ? ` ${item}` : ''}`;
  });

/** All pages, one after the other. */
async function paged({ storage }: EngineStorageFixture, runIds: readonly string[], limit: number): Promise<Moment[]> {
  const all: Moment[] = [];
  for (let past: Moment | undefined; ; past = all.at(-1)) {
    const page = await storage.story.moments({ runIds, past, limit });
    all.push(...page);
    if (page.length < limit) return all;
    assert.ok(all.length < 100, 'pages repeat');
  }
}

/** Two runs with something at the same times. */
async function busy(fixture: EngineStorageFixture): Promise<void> {
  const here = { ...fixture.storage, clock: fixture.clock };
  await here.catalog.create([newRun('a'), newRun('b'), newRun('other')]);
  await signIn(here);
  for (const run of await claim(here)) {
    const { id } = run;
    const steps = [
      stepOf(id, 0, { kind: 'step', status: 'completed', settled: 1, output: '"0"', createdAt: 10, finishedAt: 30 }),
      stepOf(id, 1, { kind: 'sleep', createdAt: 30, wakeAt: 99, output: '"kept"' }),
      stepOf(id, 2, {
        kind: 'marker',
        status: 'completed',
        ref: PUBLISHED,
        output: 'ids',
        createdAt: 30,
        finishedAt: 30,
      }),
      stepOf(id, -1, { kind: 'step', status: 'completed', createdAt: 40, finishedAt: 40 }),
      stepOf(id, -2, { kind: 'step', status: 'completed', createdAt: 40, finishedAt: 40 }),
      stepOf(id, -(2 ** 31), { kind: 'marker', status: 'completed', createdAt: 5 }),
    ];
    const attempt = { seq: 0, outcome: 'failed', askedAt: 10, worker: 'w', error: '{}' } as const;
    const attempts = [
      { ...attempt, attempt: 1, startedAt: 11, finishedAt: 20 },
      { ...attempt, attempt: 2, startedAt: 20, finishedAt: 20 },
    ];
    assert.deepEqual(await commit(here, writeOf(run, { steps, extras: { attempts } })), []);
  }
}

/** Guarantees of the story of runs. */
export const runStoryConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a story has the steps and attempts of its runs, and no others, in the order of time, run and position',
    async run(fixture) {
      await busy(fixture);
      const runIds = ['a', 'b', 'gone'];
      const found = await fixture.storage.story.moments({ runIds, limit: 100 });
      const of = (run: string, ...lines: string[]) => lines.map((line) => line.replace('_', run));
      assert.deepEqual(told(found, runIds), [
        ...[...of('a', '10 _ 0 asked'), ...of('b', '10 _ 0 asked')],
        ...['a', 'b'].flatMap((run) => of(run, '20 _ 0 attempted 1', '20 _ 0 attempted 2')),
        ...['a', 'b'].flatMap((run) => of(run, '30 _ 0 ended', '30 _ 1 asked', '30 _ 2 asked')),
        ...['a', 'b'].flatMap((run) => of(run, '40 _ -2 asked', '40 _ -2 ended', '40 _ -1 asked', '40 _ -1 ended')),
      ]);
      for (const limit of [1, 2, 5]) assert.deepEqual(await paged(fixture, runIds, limit), found);
      // A moment of another source: its moments at the same time come before or after all of this one.
      const past = { at: 30, run: 0, stage: STAGE.beside, what: WHAT.effectAsked, item: 'a-uuid' };
      assert.equal((await fixture.storage.story.moments({ runIds, past, limit: 1 }))[0]!.run, 1);
    },
  },
  {
    name: 'its steps and attempts are read by their positions, without outputs unless they are asked for',
    async run(fixture) {
      await busy(fixture);
      const { story } = fixture.storage;
      const keys = [0, 1, 2].map((seq) => ({ runId: 'a', seq }));
      const outputs = async (payloads: boolean) =>
        new Map(
          (await story.steps([...keys, { runId: 'a', seq: 9 }], payloads)).map(({ seq, output }) => [seq, output]),
        );
      assert.deepEqual(Object.fromEntries(await outputs(true)), { 0: '"0"', 1: '"kept"', 2: 'ids' });
      assert.deepEqual(Object.fromEntries(await outputs(false)), { 0: null, 1: null, 2: 'ids' });
      const attempts = (await story.attempts([{ runId: 'b', seq: 0 }])).sort((x, y) => x.attempt - y.attempt);
      assert.deepEqual(
        attempts.map(({ runId, attempt, startedAt }) => [runId, attempt, startedAt]),
        [
          ['b', 1, 11],
          ['b', 2, 20],
        ],
      );
      assert.deepEqual(
        [await story.steps([], true), await story.attempts([]), await story.signals([], true)],
        [[], [], []],
      );
    },
  },
  {
    name: 'it has the signals that were sent to its runs, and those to keys that they took',
    async run(fixture) {
      const { storage, clock } = fixture;
      const here = { ...storage, clock };
      await storage.catalog.create([newRun('a'), newRun('b')]);
      await signIn(here);
      const to = (target: string, channel: string, addressed: 'run' | 'key') =>
        ({ namespace: '', name: 's', dedupId: null, payload: `"to ${target}"`, target, channel, addressed }) as const;
      await storage.mailbox.send([
        to('a', 'c1', 'run'),
        to('k', 'c2', 'key'),
        to('l', 'c3', 'key'),
        to('b', 'c4', 'run'),
      ]);
      await storage.mailbox.deliver(async () => undefined);
      const [run] = (await claim(here)).filter(({ id }) => id === 'a');
      const took = stepOf('a', 0, { kind: 'signal', status: 'completed', settled: 1, ref: 'c2:1', createdAt: 1 });
      await commit(here, writeOf(run!, { steps: [took] }));
      const moments = await storage.story.moments({ runIds: ['a'], limit: 10 });
      const ids = moments.filter(({ what }) => what === WHAT.signal).map(({ item }) => item);
      assert.deepEqual(told(moments, ['a']), ['1 a 0 asked', ...ids.map(() => `${clock.now()} a -1 signal`)]);
      const sent = (await storage.story.signals(ids, true)).sort((x, y) => Number(x.id) - Number(y.id));
      assert.deepEqual(
        sent.map(({ target, addressed, payload }) => [target, addressed, payload]),
        [
          ['a', 'run', '"to a"'],
          ['k', 'key', '"to k"'],
        ],
      );
      assert.equal((await storage.story.signals([ids[0]!], false))[0]!.payload, null);
    },
  },
  {
    name: 'its runs are those that are named, and by generation what they have started in its namespace, and it is known when a blocked one stood still',
    async run(fixture) {
      const { storage, clock } = fixture;
      const here = { ...storage, clock };
      await storage.catalog.create([newRun('top'), newRun('other')]);
      const [b, a, c] = ['b', 'a', 'c'].map((id) => childOf(id, 'top'));
      await storage.catalog.create([
        b!,
        a!,
        { ...c!, namespace: 'elsewhere' },
        childOf('d', 'other'),
        childOf('e', 'a'),
      ]);
      const ids = (runs: readonly RunTimes[]) => runs.map(({ id }) => id);
      assert.deepEqual(ids(await storage.story.runs(['top', 'gone', 'c', 'a', 'a'])), ['a', 'c', 'top']);
      assert.deepEqual(await storage.story.runs([]), []);
      const children = async (parentIds: readonly string[], limit: number, namespace = '') =>
        ids(await storage.story.children({ namespace, parentIds, limit }));
      assert.deepEqual(await children(['other', 'top', 'gone'], 10), ['a', 'b', 'd']);
      assert.deepEqual(await children(['other', 'top', 'gone'], 2), ['a', 'b']);
      assert.deepEqual(await children(['top'], 10, 'elsewhere'), ['c']);
      assert.deepEqual([await children(['d'], 10), await children([], 10)], [[], []]);
      const [top] = await storage.story.runs(['top']);
      const none = { scheduleId: null, startedAt: null, finishedAt: null, erasedAt: null, blockedAt: null };
      assert.deepEqual(top, { id: 'top', namespace: '', createdAt: clock.now(), ...none });
      await signIn(here);
      const later = clock.now() + 5_000;
      for (const run of (await claim(here)).filter(({ id }) => id === 'other')) {
        const steps = [stepOf('other', 0, { createdAt: later, finishedAt: null })];
        const transition = { status: 'suspended', wakeAt: null, settled: 0, reason: 'programming_error' } as const;
        await commit(here, writeOf(run, { steps, transition }));
      }
      assert.equal((await storage.story.runs(['other']))[0]!.blockedAt, later);
    },
  },
];

/** The ids of each page, until the last one. */
async function listedPages({ storage }: EngineStorageFixture, query: Partial<ListRuns>): Promise<string[][]> {
  const found: string[][] = [];
  let past: ListRuns['past'];
  do {
    const page = await storage.catalog.list({ namespace: '', limit: 100, ...query, ...(past && { past }) });
    found.push(page.runs.map(({ id }) => id));
    past = page.next && parseCursor(cursorOf(page.next));
  } while (past);
  return found;
}

const listed = async (at: EngineStorageFixture, query: Partial<ListRuns>): Promise<string[]> =>
  (await listedPages(at, query)).flat();

/** Each ends at a later moment, in this order. */
async function ends(at: EngineStorageFixture, ...order: [id: string, status: RunStatus][]): Promise<void> {
  const runs = await running(at, ...order.map(([id]) => id).sort());
  for (const [id, status] of order) {
    at.clock.advance(1_000);
    const transition = { status, output: '1' } as never;
    const run = runs.find((one) => one.id === id)!;
    assert.deepEqual(await at.storage.store.commit([writeOf(run, { transition })], alone), []);
  }
}

/** Guarantees of lists beyond those of the catalog. */
export const runListingConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a list in the order of ends has all runs that have ended once, the last one first',
    async run(at) {
      await ends(at, ['d', 'completed'], ['a', 'failed'], ['c', 'completed'], ['b', 'cancelled'], ['e', 'failed']);
      await running(at, 'f');
      await at.storage.catalog.create([newRun('g', { namespace: 'other' })]);
      const order = 'ended';
      assert.deepEqual(await listedPages(at, { order, limit: 2 }), [['e', 'b'], ['c', 'a'], ['d']]);
      assert.deepEqual(await listed(at, { order, status: ['failed'] }), ['e', 'a']);
      assert.deepEqual(await listed(at, { order, status: ['failed', 'running'] }), ['e', 'a']);
      assert.deepEqual(await listed(at, { order, status: ['running'] }), []);
      assert.deepEqual(await listed(at, { order, workflow: 'nobody' }), []);
    },
  },
  {
    name: 'a list of runs that ended within a time has its first moment, and not its last',
    async run(at) {
      const from = at.clock.now();
      await ends(at, ['a', 'failed'], ['b', 'completed'], ['c', 'completed']);
      await running(at, 'd');
      const [one, two, three] = [from + 1_000, from + 2_000, from + 3_000];
      assert.deepEqual(await listed(at, { endedFrom: two }), ['c', 'b']);
      assert.deepEqual(await listed(at, { endedBefore: three }), ['b', 'a']);
      assert.deepEqual(await listed(at, { endedFrom: two, endedBefore: three, order: 'ended' }), ['b']);
      assert.deepEqual(await listed(at, { endedFrom: one, status: ['failed'], order: 'oldest' }), ['a']);
      assert.deepEqual(await listed(at, { endedFrom: one, status: ['running'] }), []);
      assert.deepEqual(await listed(at, { endedFrom: one, waitsFor: ['timer'] }), []);
      const { runs } = await at.storage.catalog.list({ namespace: '', limit: 10, order: 'oldest' });
      const [, second] = runs.map(({ createdAt }) => createdAt);
      const createdFrom = second!;
      const later = runs.filter(({ createdAt, finishedAt }) => finishedAt !== null && createdAt >= createdFrom);
      const inOrder = (some: typeof runs) => some.map(({ id }) => id).reverse();
      assert.deepEqual(await listed(at, { order: 'ended', createdFrom }), inOrder(later));
      const earlier = runs.filter(({ createdAt, finishedAt }) => finishedAt !== null && createdAt < createdFrom);
      assert.deepEqual(await listed(at, { order: 'ended', createdBefore: createdFrom }), inOrder(earlier));
    },
  },
  {
    name: 'a list of ids that begin with a text is exact in every character',
    async run(at) {
      const ids = ['order-1', 'order-10', 'order-2', 'Order-1', 'order_1', 'order-1%', 'zü-1', 'zü-2', 'zz'];
      await at.storage.catalog.create(ids.map((id) => newRun(id)));
      const found = async (idPrefix: string) => (await listed(at, { idPrefix })).sort();
      assert.deepEqual(await found('order-1'), ['order-1', 'order-1%', 'order-10']);
      assert.deepEqual(await found('order-1%'), ['order-1%']);
      assert.deepEqual(await found('zü'), ['zü-1', 'zü-2']);
      assert.deepEqual(await found('z'), ['zz', 'zü-1', 'zü-2']);
      assert.deepEqual(await found('nothing'), []);
      assert.deepEqual((await listed(at, { idPrefix: '' })).length, ids.length);
    },
  },
  {
    name: 'a list of runs that wait for something looks at their steps without an outcome',
    async run(at) {
      const ids = ['child', 'limiter', 'retry', 'signal', 'task', 'timer', 'two', 'zended', 'zsettled'];
      const runs = await running(at, ...ids);
      const step = (n: number, fields: Parameters<typeof stepOf>[2] = {}) => stepOf(ids[n]!, 0, fields);
      const recorded = [
        [step(0, { kind: 'child' })],
        [step(1)],
        [step(2, { wakeAt: 5 })],
        [step(3, { kind: 'signal' })],
        [step(4)],
        [step(5, { kind: 'sleep', wakeAt: 5 })],
        [step(6, { kind: 'sleep', wakeAt: 5 }), stepOf('two', 1, { kind: 'signal' })],
        [step(7)],
        [step(8, { kind: 'sleep', status: 'completed', settled: 1, output: 'null' })],
      ];
      const limiter = limiterOf('', 'step', 'charge', '');
      const limits = { concurrency: 1 };
      const limitRequest = { limiter, namespace: '', name: 'step:charge', key: '', limits };
      const queues = [{ task: taskFor('limiter', 0), limitRequest, priority: 0 }];
      const more = (n: number) => ({
        ...(ids[n] === 'limiter' && { extras: { queues } }),
        ...(ids[n] === 'zended' && { transition: { status: 'failed', error: '{}' } as never }),
      });
      for (const [n, steps] of recorded.entries()) {
        const write = writeOf(runs[n]!, { steps, ...more(n) });
        assert.deepEqual(await at.storage.store.commit([write], alone), []);
      }
      const found = async (...waitsFor: NonNullable<ListRuns['waitsFor']>) => (await listed(at, { waitsFor })).sort();
      assert.deepEqual(await found('timer'), ['timer', 'two']);
      assert.deepEqual(await found('signal'), ['signal', 'two']);
      assert.deepEqual(await found('child'), ['child']);
      assert.deepEqual(await found('retry'), ['retry']);
      assert.deepEqual(await found('task'), ['limiter', 'task']);
      assert.deepEqual(await found('limiter'), ['limiter']);
      assert.deepEqual(await found('run'), []);
      assert.deepEqual(await found('child', 'retry'), ['child', 'retry']);
    },
  },
  {
    name: 'a list without payloads has null for them, and says how many runs it looked at',
    async run(at) {
      await ends(at, ['a', 'completed'], ['b', 'failed']);
      const query = { namespace: '', limit: 10 };
      const found = async (payloads: boolean) => {
        const { runs } = await at.storage.catalog.list({ ...query, payloads });
        return runs.map(({ id, input, output }) => [id, input !== null, output !== null]);
      };
      assert.deepEqual(await found(false), [
        ['b', false, false],
        ['a', false, false],
      ]);
      assert.equal((await found(true))[1]?.[1], true);
      assert.equal((await found(true))[1]?.[2], true);
      assert.equal((await at.storage.catalog.list(query)).lookedAt, 2);
      const [run] = await at.storage.insight.withoutPayloads(['a', 'nobody']);
      assert.deepEqual([run?.id, run?.status, run?.input, run?.output], ['a', 'completed', null, null]);
      assert.deepEqual(await at.storage.insight.withoutPayloads([]), []);
    },
  },
];

const at = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** Below all positions of a run. */
const LOWEST = -(2 ** 31);

/** A run with steps of all kinds, attempts and lines. */
async function toldRun(fixture: EngineStorageFixture) {
  const storage = at(fixture);
  const run = await ownedOne(storage, 'a');
  const steps = [
    stepOf('a', 0, { status: 'failed', settled: 2, attempt: 1, error: '{"message":"no"}', output: '"never"' }),
    stepOf('a', 1, { status: 'completed', settled: 1, output: '"ü"', input: '{"n":1}' }),
    stepOf('a', 2, { kind: 'signal', output: '[]', askedAt: 9 }),
    stepOf('a', 3, { kind: 'marker', status: 'completed', output: '5' }),
    stepOf('a', 4),
    stepOf('a', -1, { status: 'completed', settled: 3 }),
    stepOf('a', LOWEST, { kind: 'marker', status: 'completed' }),
  ];
  const attempt = { attempt: 1, outcome: 'failed', askedAt: null, startedAt: 1, finishedAt: 2 } as const;
  const attempts = [0, 4].map((seq) => ({ ...attempt, seq, worker: null, error: '{"message":"no"}' }));
  const line = (seq: number | null, message: string) =>
    ({ seq, message, attempt: 1, level: 'info', fields: null, loggedAt: 5 }) as const;
  const logs = [line(1, 'one'), line(null, 'run'), line(0, 'zero'), line(1, 'two'), line(4, 'four')];
  assert.deepEqual(await commit(storage, writeOf(run, { steps, extras: { attempts, logs } })), []);
  return { reads: fixture.storage.steps, seqs: (found: readonly StepRecord[]) => found.map(({ seq }) => seq) };
}

/** Guarantees for readers of the history of one run. */
export const stepReadsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'the recorded history of a run is its own, however many runs have ids like it',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'order-7');
      await commit(storage, writeOf(run, { steps: [stepOf('order-7', 5)], extras: { unwinds: true } }));
      await create(storage, ...Array.from({ length: 1_001 }, (_, n) => newRun(`order-${1_000 + n}`)));
      const recorded = await recordedHistory(fixture.storage, 'order-7');
      assert.deepEqual([recorded.run.id, recorded.run.unwinds, recorded.steps.length], ['order-7', true, 1]);
    },
  },
  {
    name: 'a run is read by its id in the form of a claim, also when it has ended',
    async run(fixture) {
      const storage = at(fixture);
      // That nobody has claimed now.
      const run = { ...(await ownedOne(storage, 'a')), claimedAt: 0 };
      const { steps } = fixture.storage;
      assert.deepEqual(await steps.claimed('a'), run);
      await commit(storage, writeOf(run, { transition: { status: 'completed', output: '1' } }));
      assert.deepEqual(await steps.claimed('a'), { ...run, closing: null, error: null, unwinds: false });
      assert.deepEqual([await steps.claimed('b'), await steps.firstSeq('b')], [undefined, undefined]);
    },
  },
  {
    name: 'a history is read in parts, without payloads unless they are asked for',
    async run(fixture) {
      const { reads, seqs } = await toldRun(fixture);
      const part = { runId: 'a', after: LOWEST, limit: 3 };
      const [undone, first, ...rest] = await reads.page(part);
      assert.deepEqual(
        [undone, first].map((step) => [step?.seq, step?.output, step?.error]),
        [
          [-1, null, null],
          [0, null, '{"message":"no"}'],
        ],
      );
      assert.deepEqual(seqs(rest), [1]);
      assert.deepEqual(seqs(await reads.page({ ...part, after: 1, limit: 2 })), [2, 3]);
      const whole = await reads.page({ ...part, after: 0, limit: 1, payloads: true });
      assert.deepEqual(
        whole.map(({ seq, output, input }) => [seq, output, input]),
        [[1, '"ü"', '{"n":1}']],
      );
      assert.deepEqual(await reads.page({ ...part, runId: 'b' }), []);
    },
  },
  {
    name: 'steps are read by what has become of them: outcomes in their order, and open ones that were asked last',
    async run(fixture) {
      const { reads, seqs } = await toldRun(fixture);
      assert.deepEqual(seqs(await reads.settledAfter({ runId: 'a', settled: 0, limit: 9 })), [1, 0, -1]);
      assert.deepEqual(seqs(await reads.settledAfter({ runId: 'a', settled: 1, limit: 1 })), [0]);
      assert.deepEqual([await reads.lastSettled('a'), await reads.lastSettled('b')], [3, 0]);
      const open = await reads.open('a', 9);
      assert.deepEqual(
        open.map(({ seq, output }) => [seq, output]),
        [
          [2, '[]'],
          [4, null],
        ],
      );
      assert.deepEqual(seqs(await reads.open('a', 1)), [2]);
    },
  },
  {
    name: 'attempts and log lines are read of some steps, and lines are counted',
    async run(fixture) {
      const { reads } = await toldRun(fixture);
      const { insight } = fixture.storage;
      const attempts = await insight.attempts('a', [0, 7]);
      assert.deepEqual(
        attempts.map(({ seq, attempt }) => [seq, attempt]),
        [[0, 1]],
      );
      assert.deepEqual(await insight.attempts('a', []), []);
      assert.equal((await insight.attempts('a')).length, 2);
      assert.deepEqual(
        (await insight.logs('a', 1)).map(({ message }) => message),
        ['one', 'two'],
      );
      const counts = await reads.lineCounts({ runId: 'a', from: 0, to: 1 });
      assert.deepEqual([...counts].sort(), [
        [0, 1],
        [1, 2],
      ]);
    },
  },
  {
    name: 'a new life begins above the positions of the one before',
    async run(fixture) {
      const storage = at(fixture);
      const run = await ownedOne(storage, 'a');
      const { steps, lives } = fixture.storage;
      assert.equal(await steps.firstSeq('a'), 0);
      const done = stepOf('a', 0, { status: 'completed', settled: 1 });
      await commit(storage, writeOf(run, { steps: [done], transition: { status: 'completed', output: '1' } }));
      assert.equal(await lives.restart({ id: 'a' }, alone), 'restarted');
      assert.equal(await steps.firstSeq('a'), 1);
    },
  },
];
