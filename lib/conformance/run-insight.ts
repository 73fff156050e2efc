import assert from 'node:assert/strict';
import type { AttributeFilter, ListRuns } from '../engine/model/run-insight.js';
import type { AttributeValue } from '../engine/model/run.js';
import type { RunExtras } from '../engine/model/run-store.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { alone, claim, newRun, type RunStoreFixture, signIn, stepOf, taskFor, writeOf } from './run-store.js';

const runsAt = ({ storage, clock }: EngineStorageFixture): RunStoreFixture => ({ ...storage, clock });

/** A run that `node` owns, with these notes. */
async function noted(at: EngineStorageFixture, id: string, ...notes: RunExtras[]): Promise<void> {
  const runs = runsAt(at);
  await at.storage.catalog.create([newRun(id)]);
  await signIn(runs);
  const [run] = await claim(runs);
  for (const extras of notes) assert.deepEqual(await at.storage.store.commit([writeOf(run!, { extras })], alone), []);
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
