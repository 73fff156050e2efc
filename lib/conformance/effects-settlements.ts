import assert from 'node:assert/strict';
import type { AuditEvent } from '../effects/audit-log.js';
import type { ClaimedEffect } from '../effects/effect-claims.js';
import type { Settlement } from '../effects/effect-storage.js';
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
  LEASE_MS,
  SUCCEEDED,
  typesOf,
  withCheckedRows,
} from './effects-fixture.js';

const ENDS: readonly Settlement[] = [
  SUCCEEDED,
  ABANDONED,
  failed(5),
  { status: 'scheduled', until: Number.MAX_SAFE_INTEGER, delayMs: 0 },
];

const enqueueAndClaim = async (fixture: EffectsFixture): Promise<ClaimedEffect> => {
  await enqueue(fixture, [{ handler: 'mail', ref: 'a', payload: 'secret' }]);
  return claimOne(fixture);
};

/** Guarantees of settling. */
export const effectSettlementConformance = withCheckedRows([
  {
    name: 'I10, I13, I29 a success ends the entry and is recorded in the same transaction',
    async run(fixture) {
      const claimed = await enqueueAndClaim(fixture);
      const { entryId } = claimed.claim;
      fixture.clock.advance(7);
      const settled = await fixture.storage.settlements.settle(claimed, { status: 'succeeded', alreadyAbsent: true });
      assert.equal(settled, 'completed');
      const row = { entryId, status: 'succeeded', attempts: 1, dueAt: null, token: null, payload: null };
      assert.deepEqual(await fixture.rows(), [{ ...row, lastError: null }]);
      const [event] = await fixture.storage.audit.read(ERASE);
      assert.deepEqual(event, {
        eventId: event?.eventId,
        type: 'effect_succeeded',
        ...ERASE,
        entryId,
        handler: 'mail',
        details: { attempts: 1, already_absent: true },
        recordedAt: new Date(fixture.clock.now()),
      });
    },
  },
  {
    name: 'I10, I13, I15, I29 an abandonment ends the entry and is recorded with the class of its error',
    async run(fixture) {
      const claimed = await enqueueAndClaim(fixture);
      const { entryId } = claimed.claim;
      assert.equal(await fixture.storage.settlements.settle(claimed, ABANDONED), 'settled');
      const row = { entryId, status: 'abandoned', attempts: 1, dueAt: null, token: null, payload: null };
      assert.deepEqual(await fixture.rows(), [{ ...row, lastError: 'NonRetryableEffectError' }]);
      const [event, ...others] = await fixture.storage.audit.read(ERASE);
      assert.deepEqual(others, []);
      assert.deepEqual([event?.type, event?.entryId], ['effect_abandoned', entryId]);
      assert.deepEqual(event?.details, { attempts: 1, error: 'NonRetryableEffectError' });
    },
  },
  {
    name: 'the recorded error is listed with the entry until another outcome replaces it',
    async run(fixture) {
      const effects = effectsOn(fixture);
      const recorded = JSON.stringify({ message: 'fetch failed', cause: { message: 'ECONNREFUSED', code: 'E' } });
      const error = JSON.parse(recorded) as unknown;
      await enqueue(fixture, calls('a'));
      const claimed = await claimOne(fixture);
      await fixture.storage.settlements.settle(claimed, {
        status: 'abandoned',
        error: 'NonRetryableEffectError',
        recorded,
      });
      const [abandoned] = await effects.listAbandoned();
      assert.deepEqual([abandoned?.lastError, abandoned?.error], ['NonRetryableEffectError', error]);
      await effects.requeue([claimed.claim.entryId]);
      const until = fixture.clock.now() + 1_000;
      await fixture.storage.settlements.settle(await claimOne(fixture), { status: 'scheduled', until, delayMs: 0 });
      const [scheduled] = await effects.listScheduled();
      assert.deepEqual([scheduled?.lastError, scheduled?.error], [null, null]);
    },
  },
  {
    name: 'I14 a failure that is retried is stored in the row and not in the audit log',
    async run(fixture) {
      const claimed = await enqueueAndClaim(fixture);
      const { entryId } = claimed.claim;
      assert.equal(await fixture.storage.settlements.settle(claimed, failed(500)), 'settled');
      const dueAt = fixture.clock.now() + 500;
      const row = { entryId, status: 'failed', attempts: 1, dueAt, token: null, payload: '"secret"' };
      assert.deepEqual(await fixture.rows(), [{ ...row, lastError: 'TypeError' }]);
      assert.deepEqual(await typesOf(fixture), []);
    },
  },
  {
    name: 'I33 a scheduled entry is not complete; its attempts start again at zero, and it waits at least as long as after a failure',
    async run(fixture) {
      const { clock, storage } = fixture;
      await storage.settlements.settle(await enqueueAndClaim(fixture), failed(0));
      const claimed = await claimOne(fixture);
      const until = clock.now() + 90_000;
      assert.equal(
        await storage.settlements.settle(claimed, { status: 'scheduled', until, delayMs: 30_000 }),
        'settled',
      );
      const { entryId } = claimed.claim;
      const row = { entryId, status: 'scheduled', attempts: 0, token: null, payload: '"secret"', lastError: null };
      assert.deepEqual(await fixture.rows(), [{ ...row, dueAt: until }]);
      const [event, ...others] = await storage.audit.read(ERASE);
      assert.deepEqual(others, []);
      assert.deepEqual([event?.type, event?.details], ['effect_scheduled', { expires_at: until, prior_attempts: 2 }]);
      clock.advance(90_000);
      const early = { status: 'scheduled', until: clock.now() - 1, delayMs: 30_000 } as const;
      await storage.settlements.settle(await claimOne(fixture), early);
      assert.deepEqual(await fixture.rows(), [{ ...row, dueAt: clock.now() + 30_000 }]);
      assert.deepEqual(await typesOf(fixture), ['effect_scheduled', 'effect_scheduled'], 'one for each slip');
    },
  },
  {
    name: 'I12 a lost claim writes neither the row nor a record',
    async run(fixture) {
      const lost = await enqueueAndClaim(fixture);
      fixture.clock.advance(LEASE_MS);
      const mine = await claimOne(fixture);
      const before = await fixture.rows();
      for (const settlement of ENDS) {
        let completions = 0;
        const completed = async () => void completions++;
        assert.equal(await fixture.storage.settlements.settle(lost, settlement, completed), 'lost', settlement.status);
        assert.equal(completions, 0);
      }
      assert.deepEqual([await fixture.rows(), await typesOf(fixture)], [before, []]);
      assert.equal(await fixture.storage.settlements.settle(mine, SUCCEEDED), 'completed');
      for (const settlement of ENDS)
        assert.equal(await fixture.storage.settlements.settle(lost, settlement), 'lost', settlement.status);
      assert.deepEqual(await typesOf(fixture), ['effect_succeeded', 'operation_completed']);
    },
  },
  {
    name: 'I12 each claim settles once, also if many settle at the same time',
    async run(fixture) {
      const claimed = await enqueueAndClaim(fixture);
      const all = await Promise.all(ENDS.map((settlement) => fixture.storage.settlements.settle(claimed, settlement)));
      assert.equal(all.filter((settled) => settled !== 'lost').length, 1);
      for (const settlement of ENDS)
        assert.equal(await fixture.storage.settlements.settle(claimed, settlement), 'lost');
    },
  },
  {
    name: 'I12 a claim whose lease has expired settles as long as nobody else has claimed the entry',
    async run(fixture) {
      const claimed = await enqueueAndClaim(fixture);
      fixture.clock.advance(3 * LEASE_MS);
      assert.equal(await fixture.storage.settlements.settle(claimed, SUCCEEDED), 'completed');
    },
  },
  {
    name: 'I16, I17 if the audit sink fails, the entry stays in flight until its lease expires; its neighbours settle',
    async run(fixture) {
      await enqueue(fixture, calls('a', 'b'));
      const [a, b] = await claim(fixture);
      const appended: AuditEvent[] = [];
      let down = true;
      const { settlements, audit } = fixture.withSink({
        async append(events) {
          await Promise.resolve();
          if (down && events.some(({ entryId }) => entryId === a!.claim.entryId)) throw new Error('no space');
          appended.push(...events);
        },
      });
      const [first, second] = await Promise.allSettled([
        settlements.settle(a!, ABANDONED),
        settlements.settle(b!, SUCCEEDED),
      ]);
      assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled']);
      assert.deepEqual(
        (await fixture.rows()).map(({ status }) => status),
        ['in_flight', 'succeeded'],
      );
      down = false;
      fixture.clock.advance(LEASE_MS);
      const again = await claimOne(fixture);
      assert.equal(again.attempt, 2);
      assert.equal(await settlements.settle(again, SUCCEEDED), 'completed');
      const types = ['effect_succeeded', 'effect_succeeded', 'operation_completed'];
      assert.deepEqual(
        appended.map(({ type }) => type),
        types,
      );
      assert.deepEqual(await audit.read(ERASE), [], 'they went elsewhere');
    },
  },
  {
    name: 'I13 an external audit sink is written before the change, and again with the same id if the change fails',
    async run(fixture) {
      const claimed = await enqueueAndClaim(fixture);
      const seen: { eventId: string; status: string | undefined }[] = [];
      let fails = true;
      const { settlements } = fixture.withSink({
        async append([event]) {
          seen.push({ eventId: event!.eventId, status: (await fixture.rows())[0]?.status });
          if (fails) throw new Error('kept, but not said');
        },
      });
      await assert.rejects(settlements.settle(claimed, ABANDONED), { message: 'kept, but not said' });
      fails = false;
      assert.equal(await settlements.settle(claimed, ABANDONED), 'settled');
      const [first, second] = seen;
      assert.deepEqual([first?.status, second?.status], ['in_flight', 'in_flight']);
      assert.equal(first?.eventId, second?.eventId);
      assert.equal((await fixture.rows())[0]?.status, 'abandoned');
    },
  },
]);
