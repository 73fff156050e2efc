import assert from 'node:assert/strict';
import type { PurgeEnded } from '../effects/effect-storage.js';
import {
  ABANDONED,
  calls,
  claim,
  type EffectsFixture,
  effectsOn,
  enqueue,
  ERASE,
  failed,
  SUCCEEDED,
  typesOf,
  withCheckedRows,
} from './effects-fixture.js';

const kept = async ({ rows }: EffectsFixture) => (await rows()).map(({ entryId }) => entryId);

const purged = async ({ storage }: EffectsFixture, status: PurgeEnded['status'], olderThanMs: number, limit: number) =>
  (await storage.removal.purge({ status, olderThanMs, limit })).purged;

/** Guarantees of the deletion of calls that have ended, and of their audit log. */
export const effectRemovalConformance = withCheckedRows([
  {
    name: 'calls that ended long enough ago are purged by how they ended, the first first; all others stay',
    async run(fixture) {
      const { storage, clock } = fixture;
      const ids = await enqueue(fixture, calls('a', 'b', 'c', 'd', 'e', 'f'));
      const claimed = await claim(fixture, 5);
      for (const [n, outcome] of [SUCCEEDED, SUCCEEDED, ABANDONED, failed(5), SUCCEEDED].entries()) {
        await storage.settlements.settle(claimed[n]!, outcome);
        clock.advance(1_000);
      }
      assert.equal(await purged(fixture, 'succeeded', 6_000, 10), 0);
      assert.equal(await purged(fixture, 'succeeded', 1_500, 1), 1);
      assert.deepEqual(await kept(fixture), ids.slice(1));
      assert.equal(await purged(fixture, 'succeeded', 1_500, 10), 1, 'the last one is too young');
      assert.deepEqual(await kept(fixture), ids.slice(2));
      assert.equal(await purged(fixture, 'abandoned', 0, 10), 1);
      assert.equal(await purged(fixture, 'succeeded', 0, 10), 1);
      assert.deepEqual(await kept(fixture), [ids[3], ids[5]]);
      assert.equal((await storage.audit.read(ERASE)).length, 4, 'the audit log stays');
    },
  },
  {
    name: 'an operation completes although calls of it that had succeeded were purged',
    async run(fixture) {
      const { storage } = fixture;
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      await storage.settlements.settle(a!, SUCCEEDED);
      assert.equal(await purged(fixture, 'succeeded', 0, 10), 1);
      assert.equal(await storage.settlements.settle(b!, SUCCEEDED), 'completed');
    },
  },
  {
    name: 'an abandoned call stays while a run waits for its operation, and hides none that ended after it',
    async run(fixture) {
      const { storage, clock } = fixture;
      const awaits = { operation: 'erase', subject: 'awaited' };
      const kept1 = await enqueue(fixture, calls('a', 'b'), awaits);
      const kept2 = await enqueue(fixture, calls('c'));
      for (const one of await claim(fixture)) {
        await storage.settlements.settle(one, ABANDONED);
        clock.advance(1_000);
      }
      fixture.awaited.push(awaits);
      const request = { status: 'abandoned', olderThanMs: 0, limit: 2 } as const;
      const first = await storage.removal.purge(request);
      assert.deepEqual([first.purged, first.next?.entryId], [0, kept1[1]]);
      assert.deepEqual(await storage.removal.purge(request, first.next), { purged: 1, next: undefined });
      assert.deepEqual(await kept(fixture), kept1);
      assert.deepEqual(await effectsOn(fixture).purge({ olderThan: 1, status: 'abandoned', batchSize: 1 }), 0);
      assert.deepEqual(await effectsOn(fixture).requeue([...kept1, ...kept2]), kept1);
      const [a, b] = await claim(fixture);
      assert.equal(await storage.settlements.settle(a!, SUCCEEDED), 'settled');
      assert.equal(await storage.settlements.settle(b!, ABANDONED), 'settled');
      fixture.awaited.pop();
      assert.equal(await effectsOn(fixture).purge({ olderThan: 0, status: 'abandoned' }), 1);
    },
  },
  {
    name: 'old audit events are purged, oldest first',
    async run(fixture) {
      const { storage, clock } = fixture;
      await enqueue(fixture, calls('a', 'b'));
      for (const one of await claim(fixture)) {
        await storage.settlements.settle(one, ABANDONED);
        clock.advance(1_000);
      }
      await effectsOn(fixture).requeue((await kept(fixture)).slice(0, 1));
      assert.equal(await storage.removal.purgeAudit(3_000, 10), 0);
      assert.equal(await storage.removal.purgeAudit(1_000, 1), 1);
      assert.equal(await storage.removal.purgeAudit(1_000, 10), 1);
      assert.deepEqual(await typesOf(fixture), ['effect_requeued']);
      assert.equal(await storage.removal.purgeAudit(0, 10), 1);
      assert.equal(await storage.removal.purgeAudit(0, 10), 0);
    },
  },
  {
    name: 'people purge in batches until nothing is left to delete',
    async run(fixture) {
      const effects = effectsOn(fixture);
      await enqueue(fixture, calls('a', 'b', 'c', 'd', 'e'));
      for (const [n, one] of (await claim(fixture)).entries())
        await fixture.storage.settlements.settle(one, n < 4 ? SUCCEEDED : ABANDONED);
      fixture.clock.advance(1);
      assert.equal(await effects.purge({ olderThan: '1h' }), 0);
      assert.equal(await effects.purge({ olderThan: 1, batchSize: 3 }), 4);
      assert.equal(await effects.purge({ olderThan: 1, status: 'abandoned' }), 1);
      const by = { actor: 'ada', reason: 'a test' };
      assert.equal(await effects.purgeAuditLog({ olderThan: 1, batchSize: 2, ...by }), 5);
      const acts = (await fixture.storage.acts.list({ namespace: '', action: 'purge effect audit', limit: 9 })).acts;
      assert.deepEqual(
        acts.map(({ actor, kind, outcome, details }) => [actor, kind, outcome, details]),
        [
          ['ada', 'bulk', 'ended', { olderThanMs: 1, count: 5 }],
          ['ada', 'bulk', 'begun', { olderThanMs: 1 }],
        ],
      );
      await assert.rejects(effects.purge({ olderThan: 1, batchSize: 0 }), { code: 'INVALID_ARGUMENT' });
      await assert.rejects(effects.purge({ olderThan: 1, status: 'failed' as never }), { code: 'INVALID_ARGUMENT' });
    },
  },
]);
