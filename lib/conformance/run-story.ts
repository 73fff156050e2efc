import assert from 'node:assert/strict';
import { PUBLISHED } from '../engine/model/run-erasure.js';
import type { NewRun } from '../engine/model/run.js';
import type { RunTimes } from '../engine/model/story.js';
import { type Moment, STAGE, WHAT } from '../protocol/moment.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { claim, commit, newRun, signIn, stepOf, writeOf } from './run-store.js';

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
      assert.deepEqual(told(moments, ['a']), ['1 a 0 asked', ...ids.map(() => `${clock.now()} a beside signal`)]);
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
