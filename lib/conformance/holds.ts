import assert from 'node:assert/strict';
import type { HeldThing, Hold, NewHold } from '../holds/hold.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { claim, create, ids, newRun, signIn } from './run-store.js';

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
