import assert from 'node:assert/strict';
import type { NewAct } from '../acts/act.js';
import { acting, type ActLog, type Deed } from '../acts/act-log.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';

const act = (changes: Partial<NewAct> = {}): NewAct => ({
  actor: 'ada',
  reason: 'a test',
  action: 'cancel',
  kind: 'run',
  target: 'a',
  namespace: '',
  details: {},
  outcome: 'ended',
  ...changes,
});

const record = (log: ActLog, ...acts: NewAct[]) => log.within(undefined, (tx) => log.record(acts, tx));

const deed: Deed<string> = {
  ...({ action: 'cancel', kind: 'run', target: 'a', namespace: '' } as const),
  outcome: (outcome) => ({ outcome }),
};

/** Guarantees of the record of what operators do. */
export const actLogConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'acts are returned as they were recorded, newest first, with the time of the storage',
    async run({ storage: { acts }, clock }) {
      const details = { before: { status: 'running', "it's": 'ä 😀 \n "x"' }, n: [1, null, true] };
      await record(acts, act({ details, reason: null, namespace: null }), act({ target: 'b', kind: 'schedule' }));
      clock.advance(10);
      await record(acts, act({ target: 'c' }));
      const found = (await acts.list({ namespace: '', limit: 10 })).acts;
      const time = clock.now();
      assert.deepEqual(
        found.map(({ target, at }) => [target, at.getTime()]),
        [
          ['c', time],
          ['b', time - 10],
          ['a', time - 10],
        ],
      );
      const { id: _, at: __, ...first } = found[2]!;
      assert.deepEqual(first, act({ details, reason: null, namespace: null }));
    },
  },
  {
    name: 'acts are listed by what they were done to, by whom, with which verb and when',
    async run({ storage: { acts }, clock }) {
      const start = clock.now();
      await record(acts, act(), act({ actor: 'bob', action: 'retry' }));
      clock.advance(1_000);
      await record(acts, act({ target: 'b' }), act({ kind: 'schedule' }), act({ namespace: 'other' }));
      const count = async (query: object) => (await acts.list({ namespace: '', limit: 10, ...query })).acts.length;
      assert.equal(await count({}), 4);
      assert.equal(await count({ kind: 'run', target: 'a' }), 2);
      assert.equal(await count({ kind: 'schedule' }), 1);
      assert.equal(await count({ target: 'a' }), 3);
      assert.equal(await count({ target: 'a', actor: 'bob' }), 1);
      assert.equal(await count({ since: start + 1_001 }), 0);
      assert.equal(await count({ until: start }), 0);
      assert.equal(await count({ actor: 'bob' }), 1);
      assert.equal(await count({ action: 'cancel', actor: 'ada' }), 3);
      assert.equal(await count({ since: start + 1_000 }), 2);
      assert.equal(await count({ until: start + 1_000 }), 2);
      assert.equal(await count({ namespace: 'other' }), 1);
    },
  },
  {
    name: 'the acts on some things are told in the order of time, for the runs that they belong to, page by page',
    async run({ storage: { acts }, clock }) {
      await record(acts, act(), act({ target: 'b' }), act({ kind: 'effect', target: 'e', namespace: null }));
      clock.advance(10);
      await record(acts, act({ action: 'retry' }), act({ namespace: 'other' }), act({ target: 'c' }));
      const targets = [
        { kind: 'run', target: 'a', run: 0 } as const,
        { kind: 'run', target: 'b', run: 1 } as const,
        { kind: 'effect', target: 'e', run: 0 } as const,
      ];
      const told = async (query: Parameters<ActLog['story']>[2]) =>
        (await acts.story('', targets, query)).map((found) => ({
          ...found,
          line: `${found.act.action} ${found.act.target}`,
        }));
      const all = await told({ limit: 10 });
      assert.deepEqual(
        all.map(({ line }) => line),
        ['cancel a', 'cancel e', 'cancel b', 'retry a'],
      );
      assert.deepEqual(
        all.map(({ moment }) => [moment.at - clock.now(), moment.run]),
        [
          [-10, 0],
          [-10, 0],
          [-10, 1],
          [0, 0],
        ],
      );
      const pages = [await told({ limit: 1 }), await told({ past: all[0]!.moment, limit: 2 })].flat();
      assert.deepEqual([...pages, ...(await told({ past: pages.at(-1)!.moment, limit: 9 }))], all);
      assert.deepEqual(await acts.story('', [], { limit: 1 }), []);
    },
  },
  {
    name: 'pages follow each other without gaps, whatever is recorded meanwhile',
    async run({ storage: { acts } }) {
      await record(acts, ...['a', 'b', 'c', 'd', 'e'].map((target) => act({ target })));
      const seen: string[] = [];
      for (let before: string | undefined; ;) {
        const page = await acts.list({ namespace: '', limit: 2, ...(before && { before }) });
        seen.push(...page.acts.map(({ target }) => target));
        if (page.next === undefined) break;
        before = page.next;
        await record(acts, act({ target: 'later' }));
      }
      assert.deepEqual(seen, ['e', 'd', 'c', 'b', 'a']);
    },
  },
  {
    name: 'a change and its act are one transaction; nothing is recorded of a change that throws',
    async run({ storage: { acts }, transaction }) {
      const failing = () => Promise.reject(new Error('refused'));
      await assert.rejects(acting(acts, { actor: 'ada' }, undefined, deed, failing), /refused/);
      const before = async () => ({ details: { before: 1 } });
      const done = await acting(acts, { actor: 'ada' }, undefined, { ...deed, before }, async (tx) => {
        assert.ok(tx);
        return 'ended';
      });
      assert.equal(done, 'ended');
      const [only, ...more] = (await acts.list({ namespace: '', limit: 10 })).acts;
      assert.deepEqual([only?.outcome, only?.details, more], ['ended', { before: 1 }, []]);
      if (!transaction) return;
      const undone = transaction(async (tx) => {
        await acting(acts, { actor: 'ada' }, tx, deed, async () => 'ended');
        throw new Error('undone');
      });
      await assert.rejects(undone, /undone/);
      assert.equal((await acts.list({ namespace: '', limit: 10 })).acts.length, 1);
    },
  },
  {
    name: 'without an actor nothing is recorded, and no transaction is opened',
    async run({ storage: { acts } }) {
      const done = await acting(acts, {}, undefined, deed, async (tx) => (tx ? 'joined' : 'alone'));
      assert.equal(done, 'alone');
      assert.deepEqual((await acts.list({ namespace: '', limit: 10 })).acts, []);
    },
  },
  {
    name: 'a reason without an actor, and texts that cannot be stored, are refused before anything is written',
    async run({ storage: { acts } }) {
      const never = () => Promise.reject(new Error('called'));
      const wrong = [
        { reason: 'why' },
        { actor: '' },
        { actor: 'a'.repeat(192) },
        { actor: 'a', reason: 'b'.repeat(1_001) },
      ];
      for (const given of [...wrong, { actor: 'a\0' }, { actor: 'ada', reason: ' ' }])
        await assert.rejects(acting(acts, given, undefined, deed, never), { code: 'INVALID_ARGUMENT' });
      const longest = { actor: '😀'.repeat(191), reason: '😀'.repeat(1_000) };
      await acting(acts, longest, undefined, deed, async () => 'ended');
      const [only] = (await acts.list({ namespace: '', limit: 1 })).acts;
      assert.deepEqual([only?.actor, only?.reason], [longest.actor, longest.reason]);
    },
  },
  {
    name: 'old acts are purged, oldest first',
    async run({ storage: { acts }, clock }) {
      for (const target of ['a', 'b', 'c']) {
        await record(acts, act({ target }));
        clock.advance(1_000);
      }
      assert.equal(await acts.purge(4_000, 10), 0);
      assert.equal(await acts.purge(2_000, 1), 1);
      assert.equal(await acts.purge(2_000, 10), 1);
      assert.deepEqual(
        (await acts.list({ namespace: '', limit: 10 })).acts.map(({ target }) => target),
        ['c'],
      );
    },
  },
];
