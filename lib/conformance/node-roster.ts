import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { claim, claimOf, find, ids, NODE_LEASE_MS, newRun, signIn } from './run-store.js';

const at = ({ storage, clock }: EngineStorageFixture) => ({ ...storage, clock });
const pulse = ({ storage }: EngineStorageFixture, id: string) =>
  storage.roster.pulse({ id, namespace: '', roles: 'engine' }, NODE_LEASE_MS);

/** Guarantees for processes that detect each other's death. */
export const nodeRosterConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a pulse signs in, and returns the time and the owned runs',
    async run(fixture) {
      const here = at(fixture);
      assert.deepEqual(await pulse(fixture, 'node'), {
        now: fixture.clock.now(),
        owned: [],
        orphans: false,
        elsewhere: [],
      });
      await here.catalog.create([newRun('a'), newRun('b'), newRun('c')]);
      assert.deepEqual(ids(await claim(here, { limit: 3 })).sort(), ['a', 'b', 'c']);
      await here.store.release([claimOf({ id: 'b', epoch: 1 })], false);
      fixture.clock.advance(NODE_LEASE_MS - 1);
      const { owned, now } = await pulse(fixture, 'node');
      assert.equal(now, fixture.clock.now());
      assert.deepEqual(
        owned.sort((a, b) => (a.runId < b.runId ? -1 : 1)),
        [claimOf({ id: 'a', epoch: 1 }), claimOf({ id: 'c', epoch: 1 })],
      );
      fixture.clock.advance(NODE_LEASE_MS - 1);
      assert.equal(await here.roster.reap(10), 0, 'it was renewed');
    },
  },
  {
    name: 'a pulse reports runs whose owners have lapsed or never signed in, as long as there are any',
    async run(fixture) {
      const here = at(fixture);
      await here.catalog.create([newRun('a'), newRun('b')]);
      for (const id of ['x', 'y']) {
        await signIn(here, id);
        assert.equal((await claim(here, { nodeId: id, limit: 1 })).length, 1);
      }
      assert.equal((await pulse(fixture, 'other')).orphans, false);
      await here.roster.leave('y');
      assert.equal((await pulse(fixture, 'other')).orphans, true);
      assert.equal(await here.roster.reap(10), 1);
      assert.equal((await pulse(fixture, 'other')).orphans, false);
      fixture.clock.advance(NODE_LEASE_MS);
      assert.equal((await pulse(fixture, 'other')).orphans, true);
      assert.equal((await pulse(fixture, 'x')).orphans, false, 'it is back');
      assert.deepEqual(
        [await here.roster.reap(10), (await find(here, 'b')).owner !== (await find(here, 'a')).owner],
        [0, true],
      );
    },
  },
  {
    name: 'a lapsed node may not claim, whether its row still exists or not',
    async run(fixture) {
      const here = at(fixture);
      await signIn(here);
      await here.catalog.create([newRun('a')]);
      fixture.clock.advance(NODE_LEASE_MS + 120_000);
      assert.deepEqual(await claim(here), []);
      await here.roster.strikeOff();
      assert.deepEqual(await claim(here), []);
      await signIn(here);
      await here.roster.strikeOff();
      assert.deepEqual(ids(await claim(here)), ['a']);
    },
  },
];
