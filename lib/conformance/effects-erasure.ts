import assert from 'node:assert/strict';
import type { EraseEffects } from '../effects/effect-erasure.js';
import type { NewEffect } from '../effects/effect-entry.js';
import {
  ABANDONED,
  calls,
  claim,
  type EffectsFixture,
  effectsOn,
  enqueue,
  SUCCEEDED,
  withCheckedRows,
} from './effects-fixture.js';

const idOf = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;

const call = (n: number, runId: string, subject = 'secret'): NewEffect => ({
  entryId: idOf(n),
  operation: 'notify',
  subject,
  handler: 'mail',
  ref: `"secret ${n}"`,
  payload: '"secret"',
  runId,
});

const ofRuns = (runIds: string[], more: Partial<EraseEffects> = {}): EraseEffects => ({
  whose: { runIds },
  discards: false,
  limit: 10,
  ...more,
});

/** Claims all due calls, and settles each as it says. */
async function settleAll(fixture: EffectsFixture, abandoned: readonly string[] = []): Promise<void> {
  for (const claimed of await claim(fixture))
    await fixture.storage.settlements.settle(
      claimed,
      abandoned.includes(claimed.claim.entryId) ? ABANDONED : SUCCEEDED,
    );
}

/** Guarantees of the erasure of calls. */
export const effectErasureConformance = withCheckedRows([
  {
    name: 'calls of runs that have succeeded lose subject, ref and the details of their audit; other calls stay',
    async run(fixture) {
      const { storage } = fixture;
      await storage.store.enqueue([call(1, 'a'), call(2, 'b', 'other')]);
      await settleAll(fixture);
      const other = await storage.audit.read({ operation: 'notify', subject: 'other' });
      assert.deepEqual(await storage.erasure.erase(ofRuns(['a', 'x'])), { effects: 1, auditEvents: 2 });
      assert.deepEqual(await storage.erasure.erase(ofRuns(['a', 'x'])), { effects: 0, auditEvents: 0 });
      assert.deepEqual(await storage.erasure.kept(ofRuns(['a', 'b'])), []);
      assert.deepEqual(await storage.audit.read({ operation: 'notify', subject: 'secret' }), []);
      assert.deepEqual(await storage.audit.read({ operation: 'notify', subject: 'other' }), other);
      const erased = await storage.audit.read({ operation: 'notify', subject: '' });
      assert.deepEqual(
        erased.map(({ type, details }) => [type, details]),
        [
          ['effect_succeeded', {}],
          ['operation_completed', {}],
        ],
      );
      assert.equal((await effectsOn(fixture).statusCounts()).succeeded, 2);
    },
  },
  {
    name: 'a call that is still to be made is kept and made, and erased after it',
    async run(fixture) {
      const { storage } = fixture;
      await storage.store.enqueue([call(1, 'a')]);
      assert.deepEqual(await storage.erasure.erase(ofRuns(['a'], { discards: true })), { effects: 0, auditEvents: 0 });
      const kept = { entryId: idOf(1), handler: 'mail', runId: 'a', isAbandoned: false };
      assert.deepEqual(await storage.erasure.kept(ofRuns(['a'], { discards: true })), [kept]);
      const [claimed] = await claim(fixture);
      assert.deepEqual([claimed!.ref, claimed!.payload], ['"secret 1"', '"secret"']);
      assert.equal((await storage.erasure.erase(ofRuns(['a'], { discards: true }))).effects, 0);
      await storage.settlements.settle(claimed!, SUCCEEDED);
      assert.equal((await storage.erasure.erase(ofRuns(['a']))).effects, 1);
    },
  },
  {
    name: 'an abandoned call is kept unless it is discarded, and cannot be requeued then',
    async run(fixture) {
      const { storage } = fixture;
      await storage.store.enqueue([call(1, 'a'), call(2, 'a')]);
      await settleAll(fixture, [idOf(2)]);
      assert.deepEqual(await storage.erasure.erase(ofRuns(['a'])), { effects: 1, auditEvents: 1 });
      const kept = await storage.erasure.kept(ofRuns(['a']));
      assert.deepEqual(
        kept.map(({ entryId, isAbandoned }) => [entryId, isAbandoned]),
        [[idOf(2), true]],
      );
      assert.deepEqual(await storage.erasure.erase(ofRuns(['a'], { discards: true })), { effects: 1, auditEvents: 1 });
      assert.deepEqual(await storage.requeue.requeue([idOf(2)]), []);
      const [shown] = await effectsOn(fixture).listAbandoned();
      assert.deepEqual([shown!.subject, shown!.ref, shown!.lastError], ['', null, null]);
    },
  },
  {
    name: 'a discarded call stays while a run waits for its operation, and hides no other one',
    async run(fixture) {
      const { storage } = fixture;
      await storage.store.enqueue([call(1, 'a', 'awaited'), call(2, 'a', 'awaited'), call(3, 'a')]);
      await settleAll(fixture, [idOf(1), idOf(3)]);
      fixture.awaited.push({ operation: 'notify', subject: 'awaited' });
      const request = ofRuns(['a'], { discards: true, limit: 1 });
      assert.deepEqual(await storage.erasure.erase(request), { effects: 0, auditEvents: 0, next: idOf(1) });
      for (const after of [idOf(1), idOf(2)])
        assert.equal((await storage.erasure.erase({ ...request, after })).effects, 1);
      const kept = [{ entryId: idOf(1), handler: 'mail', runId: 'a', isAbandoned: true }];
      assert.deepEqual(await storage.erasure.kept({ ...request, limit: 9 }), kept);
      assert.equal(await storage.insight.isComplete({ operation: 'notify', subject: 'awaited' }), false);
      fixture.awaited.pop();
      assert.equal((await storage.erasure.erase(request)).effects, 1);
      assert.deepEqual(await storage.erasure.kept({ ...request, limit: 9 }), []);
    },
  },
  {
    name: 'calls of the app are erased by their group, so many at a time, and events of a group once all its calls are',
    async run(fixture) {
      const { storage } = fixture;
      const ids = await enqueue(fixture, calls('a', 'b', 'c'));
      await settleAll(fixture);
      const whose = { groups: [{ operation: 'erase', subject: 'user-1' }] };
      const next = (after = '') => storage.erasure.erase(ofRuns([], { whose, limit: 2, after }));
      const { next: after, ...first } = await next();
      assert.deepEqual([first, after], [{ effects: 2, auditEvents: 2 }, ids[1]]);
      assert.deepEqual(await next(after), { effects: 1, auditEvents: 2 });
      assert.deepEqual(await next(), { effects: 0, auditEvents: 0 });
      assert.deepEqual(await storage.audit.read({ operation: 'erase', subject: 'user-1' }), []);
    },
  },
]);
