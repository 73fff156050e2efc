import assert from 'node:assert/strict';
import { WHAT } from '../../../lib/core/protocol.js';
import type { EffectStorage, EraseEffects, NewEffect, PurgeEnded } from '../../../lib/effects/entries.js';
import {
  ABANDONED,
  calls,
  claim,
  claimOne,
  type EffectsFixture,
  effectsOn,
  enqueue,
  ERASE,
  failed,
  SUCCEEDED,
  typesOf,
  withCheckedRows,
} from './effects.js';

const NONE = { pending: 0, in_flight: 0, succeeded: 0, failed: 0, abandoned: 0, scheduled: 0 };
const GIVEN = { operation: 'notify', subject: 's', handler: 'mail', ref: '1', payload: null };
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** Enqueues calls with these refs, and abandons them in the reverse order. */
async function abandoned(fixture: EffectsFixture, ...refs: string[]): Promise<string[]> {
  const ids = await enqueue(fixture, calls(...refs));
  const claimed = (await claim(fixture)).reverse();
  for (const one of claimed) await fixture.storage.settlements.settle(one, ABANDONED);
  return ids;
}

const statuses = async ({ rows }: EffectsFixture) => (await rows()).map(({ status }) => status);

/** Guarantees of queries and requeues of entries. */
export const effectOperatorConformance = withCheckedRows([
  {
    name: 'I25 the counts contain every status, with 0 if there is no such entry',
    async run(fixture) {
      const effects = effectsOn(fixture);
      assert.deepEqual(await effects.statusCounts(), NONE);
      await enqueue(fixture, calls('a', 'b', 'c', 'd', 'e', 'f', 'g'));
      const [a, b, c, d] = await claim(fixture, 5);
      const { settlements, insight } = fixture.storage;
      const later = { status: 'scheduled', until: 0, delayMs: 5 } as const;
      for (const [n, how] of [SUCCEEDED, failed(5), ABANDONED, later].entries())
        await settlements.settle([a, b, c, d][n]!, how);
      const expected = { pending: 2, in_flight: 1, succeeded: 1, failed: 1, abandoned: 1, scheduled: 1 };
      assert.deepEqual(await effects.statusCounts(), expected);
      const counted = Object.entries(expected).map(([status, count]) => [status, { count, more: false }]);
      assert.deepEqual(await insight.counts(10), Object.fromEntries(counted));
      assert.equal((await insight.counts(10, ['abandoned'])).abandoned.count, 1);
      for (const one of await insight.countsByHandler(10)) assert.equal(one.count, expected[one.status]);
      for (const count of Object.values(await insight.counts(0))) assert.deepEqual(count, { count: 0, more: true });
    },
  },
  {
    name: 'the calls of runs are told in the order of time: enqueued, last tried and ended',
    async run(fixture) {
      const { storage, clock } = fixture;
      const call = (n: number, runId: string) => ({ ...GIVEN, entryId: `${UNKNOWN.slice(0, -1)}${n}`, runId });
      await storage.store.enqueue([call(1, 'b'), call(2, 'a'), call(3, 'other')]);
      const start = clock.now();
      clock.advance(1_000);
      const claimed = await claim(fixture);
      clock.advance(1_000);
      for (const one of claimed.slice(0, 2)) await storage.settlements.settle(one, ABANDONED);
      const runIds = ['a', 'b', 'gone'];
      const moments = await storage.story.moments({ runIds, limit: 100 });
      assert.deepEqual(
        moments.map(({ at, run, what, call: { entryId } }) => [at - start, run, what, entryId.at(-1)]),
        [
          ...[0, 1_000, 2_000].flatMap((at, n) => [
            [at, 0, WHAT.effectAsked + n, '2'],
            [at, 1, WHAT.effectAsked + n, '1'],
          ]),
        ],
      );
      assert.deepEqual(moments[0]!.call.status, 'abandoned');
      const pages = [...(await storage.story.moments({ runIds, limit: 1 }))];
      while (pages.length < moments.length)
        pages.push(...(await storage.story.moments({ runIds, past: pages.at(-1), limit: 2 })));
      assert.deepEqual(pages, moments);
      const entries = await storage.story.entries(runIds, 10);
      assert.deepEqual(entries.map(({ runId }) => runId).sort(), ['a', 'b']);
    },
  },
  {
    name: 'the open entries of a group are those that have not succeeded, in the order of their ids',
    async run(fixture) {
      const ids = await enqueue(fixture, calls('a', 'b', 'c', 'd'));
      const { settlements, insight } = fixture.storage;
      const [a, b, c] = await claim(fixture, 3);
      await settlements.settle(a!, SUCCEEDED);
      await settlements.settle(b!, failed(5));
      await settlements.settle(c!, ABANDONED);
      const group = { operation: a!.operation, subject: a!.subject };
      const open = await insight.listOpen(group, 10);
      assert.deepEqual(
        open.map(({ entryId, status, attempts }) => [entryId, status, attempts]),
        [
          [ids[1], 'failed', 1],
          [ids[2], 'abandoned', 1],
          [ids[3], 'pending', 0],
        ],
      );
      assert.equal(open[0]!.nextAttemptAt, fixture.clock.now() + 5);
      assert.equal((await insight.listOpen(group, 2)).length, 2);
      assert.deepEqual(await insight.listOpen({ ...group, subject: 'other' }, 10), []);
    },
  },
  {
    name: 'I26 abandoned entries are listed oldest first, and listing changes nothing',
    async run(fixture) {
      const enqueuedAt = new Date(fixture.clock.now());
      const ids = await abandoned(fixture, 'a', 'b', 'c');
      fixture.clock.advance(1);
      const [later] = await abandoned(fixture, 'd');
      const before = await fixture.rows();
      const effects = effectsOn(fixture);
      const all = await effects.listAbandoned();
      assert.deepEqual(
        all.map(({ entryId }) => entryId),
        [...ids, later],
      );
      const [first] = all;
      assert.deepEqual(first, {
        entryId: ids[0],
        ...ERASE,
        handler: 'mail',
        ref: 'a',
        status: 'abandoned',
        attempts: 1,
        enqueuedAt,
        nextAttemptAt: null,
        lastAttemptAt: enqueuedAt,
        lastError: 'NonRetryableEffectError',
        error: null,
        finishedAt: enqueuedAt,
      });
      assert.deepEqual(await effects.listAbandoned({ limit: 2 }), all.slice(0, 2));
      await assert.rejects(effects.listAbandoned({ limit: 0 }), { code: 'INVALID_ARGUMENT' });
      assert.deepEqual(await fixture.rows(), before);
    },
  },
  {
    name: 'I26 scheduled entries are listed by their time, including those that are already due',
    async run(fixture) {
      const ids = await enqueue(fixture, calls('a', 'b', 'c'));
      const now = fixture.clock.now();
      for (const [n, one] of (await claim(fixture)).entries())
        await fixture.storage.settlements.settle(one, { status: 'scheduled', until: now + 300 - n * 100, delayMs: 0 });
      const effects = effectsOn(fixture);
      const listed = async (limit?: number) =>
        (await effects.listScheduled(limit === undefined ? {} : { limit })).map(({ entryId }) => entryId);
      assert.deepEqual(await listed(), [...ids].reverse());
      fixture.clock.advance(100);
      // A claim queues them, and they are listed until they are claimed.
      assert.deepEqual(await claim(fixture, 100, [{ name: 'mail', leaseMs: 1, attempts: 1 }]).then((c) => c.length), 1);
      assert.deepEqual(await listed(), [ids[1], ids[0]]);
      fixture.clock.advance(100);
      assert.deepEqual(
        await fixture.storage.claims.claim({
          nodeId: 'me',
          handlers: [{ name: 'x', leaseMs: 1, attempts: 1 }],
          limit: 1,
        }),
        [],
      );
      assert.deepEqual(await listed(), [ids[1], ids[0]]);
      assert.deepEqual(await listed(1), [ids[1]]);
    },
  },
  {
    name: 'I27 a requeued entry is pending with its old id, without attempts and error, and the requeue is recorded',
    async run(fixture) {
      const [a, b] = await abandoned(fixture, 'a', 'b');
      const heard: unknown[] = [];
      const end = fixture.storage.claims.onDue((handlers) => heard.push(handlers));
      assert.deepEqual(await effectsOn(fixture).requeue([a!]), [a]);
      end();
      assert.deepEqual(heard, [['mail']]);
      const [row] = await fixture.rows();
      const pending = { status: 'pending', attempts: 0, dueAt: null, token: null, payload: null, lastError: null };
      assert.deepEqual(row, { entryId: a, ...pending });
      const event = (await fixture.storage.audit.read(ERASE)).at(-1);
      assert.deepEqual([event?.type, event?.entryId, event?.handler], ['effect_requeued', a, 'mail']);
      assert.deepEqual(event?.details, { prior_attempts: 1, prior_error: 'NonRetryableEffectError' });
      const claimed = await claimOne(fixture);
      assert.deepEqual([claimed.claim.entryId, claimed.attempt], [a, 1]);
      await fixture.storage.settlements.settle(claimed, ABANDONED);
      assert.deepEqual(await effectsOn(fixture).requeue([b!, a!]), [a, b], 'each time it is abandoned');
    },
  },
  {
    name: 'I27 only abandoned entries are requeued; all other ids are skipped',
    async run(fixture) {
      const [gone] = await abandoned(fixture, 'gone');
      const others = await enqueue(fixture, calls('a', 'b', 'c', 'd'));
      const [a, b] = await claim(fixture, 3);
      await fixture.storage.settlements.settle(a!, SUCCEEDED);
      await fixture.storage.settlements.settle(b!, failed(5));
      const before = await statuses(fixture);
      const effects = effectsOn(fixture);
      assert.deepEqual(await effects.requeue([...others, UNKNOWN, 'no id \0', '']), []);
      assert.deepEqual(await statuses(fixture), before);
      assert.deepEqual(await effects.requeue([UNKNOWN, gone!, others[0]!, gone!]), [gone]);
      assert.deepEqual(await effects.requeue([]), []);
      assert.deepEqual((await typesOf(fixture)).filter((type) => type === 'effect_requeued').length, 1);
      await assert.rejects(effects.requeue('all' as never), { code: 'INVALID_ARGUMENT' });
    },
  },
  {
    name: 'I27 if the audit sink fails, nothing is requeued',
    async run(fixture) {
      const ids = await abandoned(fixture, 'a', 'b', 'c');
      const dying: EffectStorage = fixture.withSink({ append: () => Promise.reject(new Error('no space')) });
      await assert.rejects(dying.requeue.requeue(ids), { message: 'no space' });
      assert.deepEqual(await statuses(fixture), ['abandoned', 'abandoned', 'abandoned']);
      const seen: string[][] = [];
      const living = fixture.withSink({
        async append(events) {
          seen.push(
            events.map(({ type }) => type),
            await statuses(fixture),
          );
        },
      });
      assert.deepEqual(await living.requeue.requeue(ids), ids);
      assert.deepEqual(seen, [Array(3).fill('effect_requeued'), Array(3).fill('abandoned')], 'recorded first');
      assert.deepEqual(await statuses(fixture), ['pending', 'pending', 'pending']);
    },
  },
  {
    name: 'I27 of many concurrent requeues of the same entry, one succeeds',
    async run(fixture) {
      const ids = await abandoned(fixture, ...Array.from({ length: 20 }, (_, n) => `${n}`));
      const { requeue } = fixture.storage;
      const all = await Promise.all([requeue.requeue(ids), requeue.requeue([...ids].reverse()), requeue.requeue(ids)]);
      assert.deepEqual(all.flat().sort(), [...ids].sort());
    },
  },
  {
    name: 'I28 an entry whose payload was erased cannot be requeued',
    async run(fixture) {
      const [entryId, plain] = await enqueue(fixture, [
        { handler: 'mail', ref: 'a', payload: { address: 'secret' } },
        { handler: 'mail', ref: 'b' },
      ]);
      for (const one of await claim(fixture)) await fixture.storage.settlements.settle(one, ABANDONED);
      assert.deepEqual(await effectsOn(fixture).requeue([entryId!, plain!]), [plain]);
      assert.deepEqual(await statuses(fixture), ['abandoned', 'pending']);
    },
  },
  {
    name: 'I29 no entry that has ended keeps a payload',
    async run(fixture) {
      await enqueue(
        fixture,
        ['a', 'b', 'c'].map((ref) => ({ handler: 'mail', ref, payload: 'secret' })),
      );
      const [a, b] = await claim(fixture);
      await fixture.storage.settlements.settle(a!, SUCCEEDED);
      await fixture.storage.settlements.settle(b!, ABANDONED);
      assert.deepEqual(
        (await fixture.rows()).map(({ payload }) => payload),
        [null, null, '"secret"'],
      );
    },
  },
  {
    name: 'I31 an audit log is read as it was written; reading a log with an event of an unknown type fails',
    async run(fixture) {
      const other = { operation: 'erase', subject: 'user-2' };
      await enqueue(fixture, calls('a'));
      await fixture.storage.settlements.settle(await claimOne(fixture), SUCCEEDED);
      await enqueue(fixture, calls('a'), other);
      await fixture.storage.settlements.settle(await claimOne(fixture), SUCCEEDED);
      await fixture.recordUnknown(ERASE, 'effect_teleported');
      const effects = effectsOn(fixture);
      await assert.rejects(effects.auditLog(ERASE), { code: 'UNKNOWN_AUDIT_EVENT', type: 'effect_teleported' });
      assert.deepEqual(await typesOf(fixture, other), ['effect_succeeded', 'operation_completed']);
      assert.deepEqual(await effects.auditLog({ operation: 'rectify', subject: 'user-1' }), []);
    },
  },
  {
    name: 'a requeue by an operator is one transaction with an act for each requeued entry',
    async run(fixture) {
      const [a, b] = await abandoned(fixture, 'a', 'b');
      const effects = effectsOn(fixture);
      const ada = { actor: 'ada', reason: 'they answer again' };
      assert.deepEqual(await effects.requeue([a!, UNKNOWN], ada), [a]);
      assert.deepEqual(await effects.requeue([b!]), [b]);
      await assert.rejects(effects.requeue([b!], { reason: 'nobody' }), { code: 'INVALID_ARGUMENT' });
      const acts = (await fixture.storage.acts.list({ namespace: '', limit: 10 })).acts;
      assert.deepEqual(
        acts.map(({ actor, reason, action, kind, target }) => [actor, reason, action, kind, target]),
        [['ada', ada.reason, 'requeue', 'effect', a]],
      );
    },
  },
]);

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
