import assert from 'node:assert/strict';
import { acting, type ActLog, type Deed, type NewAct } from '../../../lib/acts/acts.js';
import type { HeldThing, Hold, NewHold } from '../../../lib/acts/holds.js';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { claim, create, type EngineStorageFixture, ids, newRun, signIn } from './fixtures.js';

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

const ORDER: HeldThing = { kind: 'workflow', name: 'order' };
const BILLING: HeldThing = { kind: 'group', name: 'billing' };

const held = (thing: HeldThing, more: Partial<NewHold> = {}): NewHold => ({
  ...thing,
  actor: 'ada',
  reason: "the bank's down 😀",
  until: undefined,
  ...more,
});

const put = ({ storage: { acts, holds } }: EngineStorageFixture, hold: NewHold, namespace = 'a') =>
  acts.within(undefined, (tx) => holds.put(namespace, hold, tx));

const lift = ({ storage: { acts, holds } }: EngineStorageFixture, thing: HeldThing, namespace = 'a') =>
  acts.within(undefined, (tx) => holds.lift(namespace, thing, tx));

const names = (holds: readonly Hold[]) => holds.map(({ kind, name }) => `${kind} ${name}`);

/** Guarantees of the store of what is held. */
export const holdsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a hold is listed with who began it, when, why and until when; lifting it returns it',
    async run(at) {
      const { clock } = at;
      const until = new Date(clock.now() + 60_000);
      assert.equal(await put(at, held(ORDER, { until })), undefined);
      const expected = { ...held(ORDER, { until }), since: new Date(clock.now()) };
      assert.deepEqual(await at.storage.holds.list('a'), [expected]);
      assert.deepEqual(await lift(at, ORDER), expected);
      assert.deepEqual(await at.storage.holds.list('a'), []);
      assert.equal(await lift(at, ORDER), undefined);
    },
  },
  {
    name: 'holding what is held changes the reason and the end, and keeps the beginning',
    async run(at) {
      const began = new Date(at.clock.now());
      await put(at, held(ORDER));
      at.clock.advance(1_000);
      const until = new Date(at.clock.now() + 1_000);
      const before = await put(at, held(ORDER, { actor: 'bob', reason: 'still', until }));
      assert.deepEqual(before, { ...held(ORDER), since: began });
      const [now] = await at.storage.holds.list('a');
      assert.deepEqual(now, { ...ORDER, actor: 'bob', reason: 'still', until, since: began });
    },
  },
  {
    name: 'of several that hold it at the same time, one begins the hold, and the others change it',
    async run(at) {
      const actors = ['ada', 'bob', 'cy', 'dan', 'eve', 'fay'];
      // Once more with connections that are open already.
      for (let round = 0; round < 3; round++) {
        const before = await Promise.all(actors.map((actor) => put(at, held(ORDER, { actor }))));
        assert.equal(before.filter((hold) => hold === undefined).length, 1);
        await lift(at, ORDER);
      }
    },
  },
  {
    name: 'a transaction with an older snapshot sees the newest holds',
    async run(at) {
      await at.transaction?.(async (tx) => {
        await at.storage.catalog.find(['a'], tx);
        await put(at, held(ORDER));
        assert.deepEqual(names(await at.storage.holds.list('a', tx)), ['workflow order']);
      });
    },
  },
  {
    name: 'a hold ends by itself; the next one begins anew',
    async run(at) {
      await put(at, held(ORDER, { until: new Date(at.clock.now() + 1_000) }));
      at.clock.advance(999);
      assert.deepEqual(names(await at.storage.holds.list('a')), ['workflow order']);
      at.clock.advance(1);
      assert.deepEqual(await at.storage.holds.list('a'), []);
      assert.equal(await put(at, held(ORDER)), undefined);
      const [again] = await at.storage.holds.list('a');
      assert.deepEqual(again, { ...held(ORDER), since: new Date(at.clock.now()) });
    },
  },
  {
    name: 'workflows and schedules are held in their namespace, groups and effects in all; listed by kind and name',
    async run(at) {
      for (const name of ['z', 'b']) await put(at, held({ kind: 'workflow', name }));
      await put(at, held({ kind: 'schedule', name: 'nightly' }));
      await put(at, held(BILLING));
      await put(at, held({ kind: 'effect', name: 'mail' }), 'other');
      await put(at, held({ kind: 'workflow', name: 'theirs' }), 'other');
      const shared = ['effect mail', 'group billing'];
      assert.deepEqual(names(await at.storage.holds.list('a')), [
        ...shared,
        'schedule nightly',
        'workflow b',
        'workflow z',
      ]);
      assert.deepEqual(names(await at.storage.holds.list('other')), [...shared, 'workflow theirs']);
      assert.ok(await lift(at, BILLING, 'other'));
      assert.equal(await lift(at, { kind: 'workflow', name: 'b' }, 'other'), undefined);
    },
  },
  {
    name: 'runs of a held workflow are not claimed, also by a process that has not heard of the hold',
    async run(at) {
      const store = { ...at.storage, clock: at.clock };
      await signIn(store);
      await create(store, newRun('new', { workflow: 'order' }), newRun('free', { workflow: 'invoice' }));
      const workflows = [
        { name: 'order', version: 1 },
        { name: 'invoice', version: 1 },
      ];
      await put(at, held(ORDER, { until: new Date(at.clock.now() + 1_000) }), '');
      await put(at, held({ kind: 'group', name: 'invoice' }), '');
      await put(at, held({ kind: 'workflow', name: 'invoice' }), 'other');
      assert.deepEqual(ids(await claim(store, { workflows })), ['free']);
      assert.deepEqual(ids(await claim(store, { which: 'suspect', workflows })), []);
      at.clock.advance(1_000);
      assert.deepEqual(ids(await claim(store, { workflows })), ['new']);
    },
  },
  {
    name: 'a hold exists if its transaction commits, and processes are notified then',
    async run(at) {
      const { acts, holds } = at.storage;
      const heard: string[] = [];
      const stop = holds.onChanged(() => heard.push('changed'));
      await put(at, held(ORDER));
      assert.ok(heard.length > 0);
      heard.length = 0;
      await lift(at, ORDER);
      assert.ok(heard.length > 0);
      stop();
      if (!at.transaction) return;
      const failing = acts.within(undefined, async (tx) => {
        await holds.put('a', held(BILLING), tx);
        throw new Error('no');
      });
      await assert.rejects(failing, /no/);
      assert.deepEqual(await holds.list('a'), []);
    },
  },
];
