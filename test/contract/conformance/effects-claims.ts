import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { EffectGroup, OnCompletion } from '../../../lib/effects/entries.js';
import {
  ABANDONED,
  calls,
  claim,
  claimOne,
  type EffectsFixture,
  enqueue,
  ERASE,
  failed,
  handler,
  holdingSink,
  idsOf,
  LEASE_MS,
  MOST_ATTEMPTS,
  SUCCEEDED,
  typesOf,
  withCheckedRows,
} from './effects.js';

const dueTimes = async ({ rows }: EffectsFixture) => (await rows()).map(({ dueAt }) => dueAt);

/** Guarantees of claims. */
export const effectClaimConformance = withCheckedRows([
  {
    name: 'I6 a failed entry is due exactly at the millisecond of its next attempt',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      await fixture.storage.settlements.settle(await claimOne(fixture), failed(500));
      assert.deepEqual(await dueTimes(fixture), [fixture.clock.now() + 500]);
      fixture.clock.advance(499);
      assert.deepEqual(await claim(fixture), []);
      fixture.clock.advance(1);
      const again = await claimOne(fixture);
      assert.deepEqual([again.attempt, again.lastError], [2, 'TypeError']);
    },
  },
  {
    name: 'I6 an entry in flight is due exactly at the millisecond in which its lease expires',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      const first = await claimOne(fixture);
      fixture.clock.advance(LEASE_MS - 1);
      assert.deepEqual(await claim(fixture), []);
      fixture.clock.advance(1);
      const second = await claimOne(fixture);
      assert.equal(second.claim.entryId, first.claim.entryId);
      assert.notEqual(second.claim.token, first.claim.token);
    },
  },
  {
    name: 'I6 a scheduled entry is due at its time',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      const until = fixture.clock.now() + 10_000;
      await fixture.storage.settlements.settle(await claimOne(fixture), { status: 'scheduled', until, delayMs: 5 });
      fixture.clock.advance(9_999);
      assert.deepEqual(await claim(fixture), []);
      fixture.clock.advance(1);
      assert.equal((await claimOne(fixture)).attempt, 1);
    },
  },
  {
    name: 'I7 claims return the oldest first, by time of enqueueing and id, whatever they waited for and whichever handler they have',
    async run(fixture) {
      const handlers = [handler('mail'), handler('log')];
      const ids: string[] = [];
      for (const [n, name] of ['mail', 'log', 'mail', 'log', 'mail', 'log'].entries()) {
        ids.push(...(await enqueue(fixture, [{ handler: name, ref: `${n}` }])));
        fixture.clock.advance(10);
      }
      const first = await claim(fixture, 3, handlers);
      assert.deepEqual(idsOf(first), ids.slice(0, 3));
      for (const [n, one] of first.entries()) await fixture.storage.settlements.settle(one, failed(300 - n * 100));
      fixture.clock.advance(300);
      assert.deepEqual(idsOf(await claim(fixture, 1, handlers)), ids.slice(0, 1), 'it became due last');
      assert.deepEqual(idsOf(await claim(fixture, 4, handlers)), ids.slice(1, 5));
      assert.deepEqual(idsOf(await claim(fixture, 4, handlers)), ids.slice(5));
    },
  },
  {
    name: 'I7 claims return the oldest first, also if there are more entries than one query reads',
    async run(fixture) {
      const ids = await enqueue(fixture, calls(...Array.from({ length: 1_050 }, (_, n) => `${n}`)));
      const claimed = await claim(fixture, 2_000);
      assert.deepEqual(idsOf(claimed), ids);
      // The oldest wait longest.
      await Promise.all(claimed.map((one, n) => fixture.storage.settlements.settle(one, failed(5_000 - n))));
      fixture.clock.advance(5_000);
      assert.deepEqual(idsOf(await claim(fixture, 20)), ids.slice(0, 20));
    },
  },
  {
    name: 'I8 of many concurrent claims, no two return the same entry',
    async run(fixture) {
      await enqueue(fixture, calls(...Array.from({ length: 60 }, (_, n) => `${n}`)));
      const taken: string[] = [];
      for (let rounds = 0; rounds < 30 && taken.length < 60; rounds++) {
        const claims = await Promise.all(Array.from({ length: 5 }, () => claim(fixture, 7)));
        taken.push(...claims.flatMap(idsOf));
      }
      assert.deepEqual([taken.length, new Set(taken).size], [60, 60]);
      assert.deepEqual(await claim(fixture), []);
    },
  },
  {
    name: 'I9 the claim is the attempt: counter, time and lease are written at once',
    async run(fixture) {
      const [entryId] = await enqueue(fixture, [{ handler: 'mail', ref: { id: 7 }, payload: ['x'] }]);
      const { clock } = fixture;
      clock.advance(5);
      const claimed = await claimOne(fixture);
      const { token } = claimed.claim;
      const { operation, subject } = ERASE;
      assert.deepEqual(claimed, {
        claim: { entryId, token },
        operation,
        subject,
        handler: 'mail',
        ref: '{"id":7}',
        payload: '["x"]',
        runId: null,
        attempt: 1,
        exhausted: false,
        lastError: null,
      });
      const row = { entryId, status: 'in_flight', attempts: 1, dueAt: clock.now() + LEASE_MS, token, payload: '["x"]' };
      assert.deepEqual(await fixture.rows(), [{ ...row, lastError: null }]);
    },
  },
  {
    name: 'I9 a claim names the run that has enqueued the call',
    async run(fixture) {
      const { operation, subject } = ERASE;
      const effect = { entryId: randomUUID(), operation, subject, handler: 'mail', ref: '1', payload: null };
      await fixture.storage.store.enqueue([{ ...effect, runId: 'order-7' }]);
      assert.equal((await claimOne(fixture)).runId, 'order-7');
    },
  },
  {
    name: 'I9 each handler has its own lease duration and maximum of attempts',
    async run(fixture) {
      await enqueue(fixture, [{ handler: 'short', ref: 1 }, ...calls('a')]);
      const handlers = [{ name: 'short', leaseMs: 100, attempts: 1 }, handler('mail')];
      assert.equal((await claim(fixture, 10, handlers)).length, 2);
      fixture.clock.advance(100);
      const [short, ...others] = await claim(fixture, 10, handlers);
      assert.deepEqual(others, []);
      assert.deepEqual([short?.handler, short?.attempt, short?.exhausted], ['short', 1, true]);
    },
  },
  {
    name: 'I10 an entry that has ended is never claimed again',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      await fixture.storage.settlements.settle(a!, SUCCEEDED);
      await fixture.storage.settlements.settle(b!, ABANDONED);
      fixture.clock.advance(10 * LEASE_MS);
      assert.deepEqual(await claim(fixture), []);
      assert.deepEqual(await dueTimes(fixture), [null, null]);
    },
  },
  {
    name: 'I11 an entry that crashes its process each time ends without another call',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        const claimed = await claimOne(fixture);
        assert.deepEqual([claimed.attempt, claimed.exhausted], [attempt, false]);
        fixture.clock.advance(LEASE_MS);
      }
      const last = await claimOne(fixture);
      assert.deepEqual([last.attempt, last.exhausted], [MOST_ATTEMPTS, true]);
      // The process that had to abandon it died too.
      fixture.clock.advance(LEASE_MS);
      const again = await claimOne(fixture);
      assert.deepEqual([again.attempt, again.exhausted], [MOST_ATTEMPTS, true]);
      assert.equal(await fixture.storage.settlements.settle(again, ABANDONED), 'settled');
      assert.equal((await fixture.rows())[0]?.status, 'abandoned');
    },
  },
  {
    name: 'I12 a renewal extends only held claims, each by its own duration',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      const lease = (one: typeof a, leaseMs: number) => ({ ...one!.claim, leaseMs });
      fixture.clock.advance(LEASE_MS - 1);
      const both = [b!, a!].map(({ claim: held }) => ({ ...held, renewed: true }));
      assert.deepEqual(await fixture.storage.claims.extend([lease(b, 500), lease(a, 900)]), both);
      fixture.clock.advance(1);
      const [other, ...none] = await claim(fixture);
      assert.deepEqual([other!.claim.entryId, none], [c!.claim.entryId, []]);
      const held = await fixture.storage.claims.extend([lease(c, 1), lease(b, 1_000), lease(a, 700)]);
      assert.deepEqual(held, both);
      const now = fixture.clock.now();
      assert.deepEqual(await dueTimes(fixture), [now + 700, now + 1_000, now + LEASE_MS]);
      assert.deepEqual(await fixture.storage.claims.extend([]), []);
    },
  },
  {
    name: 'I12 a claim whose lease has expired is renewed as long as nobody else has claimed the entry',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      const { claim: held } = await claimOne(fixture);
      fixture.clock.advance(2 * LEASE_MS);
      assert.deepEqual(await fixture.storage.claims.extend([{ ...held, leaseMs: 100 }]), [{ ...held, renewed: true }]);
      assert.deepEqual(await claim(fixture), []);
    },
  },
  {
    name: 'I12 renewals and claims do not wait for an entry that is being settled',
    async run(fixture) {
      const { clock, storage } = fixture;
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      await storage.settlements.settle(b!, failed(100));
      const { sink, arrived, release } = holdingSink();
      const settling = fixture.withSink(sink).settlements.settle(a!, SUCCEEDED);
      await arrived;
      clock.advance(LEASE_MS);
      const leases = [a!, c!].map(({ claim: held }) => ({ ...held, leaseMs: LEASE_MS }));
      const before = (await dueTimes(fixture))[0];
      const held = await storage.claims.extend(leases);
      const ids = held.map(({ entryId }) => entryId);
      assert.deepEqual(ids, [a!.claim.entryId, c!.claim.entryId], 'nobody else has the entry that is being settled');
      const [locked, , renewed] = await dueTimes(fixture);
      assert.deepEqual([held[1]?.renewed, renewed], [true, clock.now() + LEASE_MS]);
      assert.equal(held[0]?.renewed, locked !== before, 'the result says whether it was renewed');
      await enqueue(fixture, calls('d'), { operation: 'erase', subject: 'other' });
      const others = await claim(fixture);
      assert.ok(others.some(({ ref }) => ref === '"d"') && !others.some(({ ref }) => ref === a!.ref));
      release();
      assert.equal(await settling, 'settled');
    },
  },
  {
    name: 'a released claim does not count as an attempt, and the entry is due at once',
    async run(fixture) {
      const heard: unknown[] = [];
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      await fixture.storage.settlements.settle(a!, failed(0));
      const again = await claimOne(fixture);
      assert.equal(again.attempt, 2);
      const end = fixture.storage.claims.onDue((handlers) => heard.push(handlers));
      await fixture.storage.claims.release([b!.claim, again.claim, a!.claim]);
      end();
      assert.deepEqual(heard, [['mail']]);
      const states = (await fixture.rows()).map(({ status, attempts, token }) => ({ status, attempts, token }));
      assert.deepEqual(states, [
        { status: 'failed', attempts: 1, token: null },
        { status: 'pending', attempts: 0, token: null },
      ]);
      assert.deepEqual(
        (await claim(fixture)).map(({ attempt }) => attempt),
        [2, 1],
      );
      await fixture.storage.claims.release([b!.claim, again.claim]);
      assert.deepEqual(await claim(fixture), [], 'old claims release nothing');
    },
  },
  {
    name: 'of a lost claim that was never called only the attempt is given back, while the entry is open',
    async run(fixture) {
      const { claims, settlements } = fixture.storage;
      await enqueue(fixture, calls('a'));
      const attempts = async () => (await fixture.rows()).map((row) => [row.status, row.attempts]);
      const first = await claimOne(fixture);
      fixture.clock.advance(LEASE_MS);
      const second = await claimOne(fixture);
      await claims.release([first.claim]);
      assert.deepEqual(await attempts(), [['in_flight', 2]], 'its call may have been made');
      await claims.release([first.claim], true);
      assert.deepEqual(await attempts(), [['in_flight', 1]], 'the other one has it still');
      assert.equal(await settlements.settle(second, failed(0)), 'settled');
      const third = await claimOne(fixture);
      assert.equal(third.attempt, 2);
      assert.equal(await settlements.settle(third, ABANDONED), 'settled');
      await claims.release([second.claim], true);
      assert.deepEqual(await attempts(), [['abandoned', 2]], 'it has ended');
    },
  },
  {
    name: 'scenario 19: entries of other handlers are not claimed, and the list of unclaimed handlers says for how long',
    async run(fixture) {
      const { clock, storage } = fixture;
      await enqueue(fixture, [{ handler: 'new', ref: 1 }, { handler: 'other', ref: 1 }, ...calls('a')]);
      const since = clock.now();
      clock.advance(1_000);
      assert.equal((await claimOne(fixture)).handler, 'mail');
      assert.deepEqual(await claim(fixture, 10, []), []);
      assert.deepEqual(await storage.insight.unclaimed(1_001), []);
      assert.deepEqual(await storage.insight.unclaimed(1_000), [
        { handler: 'new', since, ageMs: 1_000 },
        { handler: 'other', since, ageMs: 1_000 },
      ]);
      // Retried, but not forever.
      const [other] = await claim(fixture, 10, [handler('other')]);
      await storage.settlements.settle(other!, failed(200));
      clock.advance(LEASE_MS + 200);
      assert.deepEqual(await storage.insight.unclaimed(1), [
        { handler: 'new', since, ageMs: LEASE_MS + 1_200 },
        { handler: 'other', since: since + 1_200, ageMs: LEASE_MS },
        { handler: 'mail', since: since + 1_000 + LEASE_MS, ageMs: 200 },
      ]);
    },
  },
  {
    name: 'listeners are notified of enqueued calls until they unsubscribe',
    async run(fixture) {
      const heard: unknown[] = [];
      const end = fixture.storage.claims.onDue((handlers) => heard.push(handlers));
      await enqueue(fixture, [...calls('a', 'b'), { handler: 'log', ref: 1 }]);
      end();
      await enqueue(fixture, calls('c'));
      assert.deepEqual(heard, [['mail', 'log']]);
    },
  },
]);

/** Records completions. */
function noted(): { groups: EffectGroup[]; onCompletion: OnCompletion } {
  const groups: EffectGroup[] = [];
  return { groups, onCompletion: async (group) => void groups.push(group) };
}

const completions = async (fixture: EffectsFixture, group = ERASE): Promise<unknown[]> =>
  (await fixture.storage.audit.read(group))
    .filter(({ type }) => type === 'operation_completed')
    .map(({ details }) => details.entries);

/** Guarantees of completion. */
export const effectCompletionConformance = withCheckedRows([
  {
    name: 'I18 a group completes with the success of its last entry, and not before',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const { groups, onCompletion } = noted();
      const settled: string[] = [];
      for (const one of await claim(fixture))
        settled.push(await fixture.storage.settlements.settle(one, SUCCEEDED, onCompletion));
      assert.deepEqual(settled, ['settled', 'settled', 'completed']);
      assert.deepEqual(groups, [ERASE]);
      assert.deepEqual(await completions(fixture), [3]);
      const types = await typesOf(fixture);
      assert.deepEqual(types, [...Array<string>(3).fill('effect_succeeded'), 'operation_completed']);
    },
  },
  {
    name: 'I19 if several settle the last entries of a group at the same time, exactly one completes it',
    async run(fixture) {
      const subjects = Array.from({ length: 12 }, (_, n) => `user-${n}`);
      for (const subject of subjects)
        await enqueue(fixture, calls('a', 'b', 'c', 'd'), { operation: 'erase', subject });
      const { groups, onCompletion } = noted();
      const claimed = await claim(fixture);
      assert.equal(claimed.length, 48);
      const settled = await Promise.all(
        claimed.map((one) => fixture.storage.settlements.settle(one, SUCCEEDED, onCompletion)),
      );
      assert.equal(settled.filter((each) => each === 'completed').length, 12);
      assert.deepEqual(new Set(groups.map(({ subject }) => subject)), new Set(subjects));
      for (const subject of subjects)
        assert.deepEqual(await completions(fixture, { operation: 'erase', subject }), [4]);
    },
  },
  {
    name: 'I20: if the callback throws, the success is discarded and nothing is recorded',
    async run(fixture) {
      await enqueue(fixture, calls('a'));
      const claimed = await claimOne(fixture);
      const { settlements } = fixture.storage;
      const failing: OnCompletion = () => Promise.reject(new Error('no room'));
      await assert.rejects(settlements.settle(claimed, SUCCEEDED, failing), { message: 'no room' });
      const [row] = await fixture.rows();
      assert.deepEqual([row?.status, row?.token], ['in_flight', claimed.claim.token]);
      assert.deepEqual(await typesOf(fixture), []);
      fixture.clock.advance(LEASE_MS);
      const { groups, onCompletion } = noted();
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED, onCompletion), 'completed');
      assert.deepEqual([groups, await completions(fixture)], [[ERASE], [1]]);
    },
  },
  {
    name: 'I21 an abandoned or scheduled sibling prevents completion',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      const { settlements, requeue } = fixture.storage;
      const until = fixture.clock.now() + 1_000;
      await settlements.settle(a!, ABANDONED);
      await settlements.settle(b!, { status: 'scheduled', until, delayMs: 0 });
      assert.equal(await settlements.settle(c!, SUCCEEDED), 'settled');
      fixture.clock.advance(1_000);
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED), 'settled');
      assert.deepEqual(await completions(fixture), []);
      await requeue.requeue([a!.claim.entryId]);
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED), 'completed');
      assert.deepEqual(await completions(fixture), [3]);
    },
  },
  {
    name: 'I21 a failed sibling or one in flight prevents completion',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      const { settlements } = fixture.storage;
      await settlements.settle(a!, failed(0));
      assert.equal(await settlements.settle(b!, SUCCEEDED), 'settled');
      assert.equal(await settlements.settle(await claimOne(fixture), SUCCEEDED), 'settled');
      assert.equal(await settlements.settle(c!, SUCCEEDED), 'completed');
    },
  },
  {
    name: 'I22, I23 operations and subjects are independent of each other; entries of the same operation and subject are one group',
    async run(fixture) {
      const groups = [
        { operation: 'erase', subject: 'x' },
        { operation: 'rectify', subject: 'x' },
        { operation: 'erase', subject: 'X' },
        { operation: 'erase', subject: 'x ' },
        { operation: 'Erase', subject: 'x' },
      ];
      for (const group of groups) await enqueue(fixture, calls('a'), group);
      await enqueue(fixture, calls('b'), groups[0]);
      const [first, ...others] = await claim(fixture);
      assert.equal(
        await fixture.storage.settlements.settle(first!, SUCCEEDED),
        'settled',
        'another entry has the same subject',
      );
      for (const one of others) assert.equal(await fixture.storage.settlements.settle(one, SUCCEEDED), 'completed');
      for (const group of groups) assert.deepEqual(await completions(fixture, group), [group === groups[0] ? 2 : 1]);
    },
  },
  {
    name: 'I24: entries enqueued later are a new generation, which completes once on its own',
    async run(fixture) {
      const { groups, onCompletion } = noted();
      const { settlements } = fixture.storage;
      for (const generation of [1, 2, 3]) {
        await enqueue(fixture, calls('a', 'b'));
        const [a, b] = await claim(fixture);
        assert.equal(await settlements.settle(a!, SUCCEEDED, onCompletion), 'settled');
        assert.equal(await settlements.settle(b!, SUCCEEDED, onCompletion), 'completed');
        assert.equal(groups.length, generation);
      }
      assert.deepEqual(await completions(fixture), [2, 4, 6]);
      const events = await fixture.storage.audit.read(ERASE);
      assert.equal(new Set(events.map(({ eventId }) => eventId)).size, 9);
      const first = await fixture.storage.audit.read(ERASE, { limit: 4 });
      assert.deepEqual(first, events.slice(0, 4), 'a page');
      const rest = await fixture.storage.audit.read(ERASE, { after: first[3]!.eventId, limit: 100 });
      assert.deepEqual(rest, events.slice(4), 'what follows it');
    },
  },
  {
    name: 'I24 an entry enqueued while a group completes belongs to it, or completes on its own',
    async run(fixture) {
      const { groups, onCompletion } = noted();
      const { settlements } = fixture.storage;
      await enqueue(fixture, calls('first'));
      for (let n = 0; n < 10; n++) {
        const [claimed] = await claim(fixture);
        await Promise.all([settlements.settle(claimed!, SUCCEEDED, onCompletion), enqueue(fixture, calls(`${n}`))]);
      }
      await settlements.settle(await claimOne(fixture), SUCCEEDED, onCompletion);
      const counts = await completions(fixture);
      assert.equal(counts.length, groups.length);
      assert.deepEqual(new Set(counts).size, counts.length, 'each generation once');
      assert.equal(counts.at(-1), 11);
    },
  },
  {
    name: 'I19 a settlement waits for another one of the same group, and the later one completes the group',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      const { sink, arrived, release } = holdingSink();
      const first = fixture.withSink(sink).settlements.settle(a!, SUCCEEDED);
      await arrived;
      // In the same group, with the smallest id: it was not locked before.
      const late = {
        entryId: '00000000-0000-7000-8000-000000000000',
        ...ERASE,
        handler: 'mail',
        ref: '"c"',
        payload: null,
      };
      await fixture.storage.store.enqueue([late]);
      const [c] = await claim(fixture);
      const { groups, onCompletion } = noted();
      const others = [b!, c!].map((one) => fixture.storage.settlements.settle(one, SUCCEEDED, onCompletion));
      assert.deepEqual(groups, []);
      release();
      const settled = [await first, ...(await Promise.all(others))];
      assert.deepEqual(settled.sort(), ['completed', 'settled', 'settled']);
      assert.deepEqual(groups, [ERASE]);
    },
  },
  {
    name: 'isComplete: true inside the transaction that completes the group, for others after its commit',
    async run(fixture) {
      const { insight, settlements } = fixture.storage;
      assert.equal(await insight.isComplete(ERASE), false, 'nothing was enqueued');
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      await settlements.settle(a!, SUCCEEDED);
      assert.equal(await insight.isComplete(ERASE), false);
      const seen: boolean[] = [];
      const look: OnCompletion = async (group, _, tx) => void seen.push(await insight.isComplete(group, tx));
      await settlements.settle(b!, SUCCEEDED, look);
      assert.deepEqual(seen, [true]);
      assert.equal(await insight.isComplete(ERASE), true);
      await enqueue(fixture, calls('c'));
      assert.equal(await insight.isComplete(ERASE), false, 'a new generation');
    },
  },
]);
