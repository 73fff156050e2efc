import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { jsonCodec } from '../../../lib/core/codec.js';
import type { ManualClock } from '../../../lib/core/time.js';
import { Effects } from '../../../lib/effects/effects.js';
import type {
  AuditEvent,
  AuditSink,
  ClaimedEffect,
  ClaimedHandler,
  EffectCall,
  EffectGroup,
  EffectOperation,
  EffectStatus,
  EffectStorage,
  Settlement,
} from '../../../lib/effects/entries.js';

/** An entry as it is stored. */
export interface EffectRow {
  entryId: string;
  status: EffectStatus;
  attempts: number;
  /** The earliest time of the next try; for an entry in flight, the end of its lease. */
  dueAt: number | null;
  token: string | null;
  payload: string | null;
  lastError: string | null;
}

/** An empty storage with a clock that the test controls. */
export interface EffectsFixture {
  storage: EffectStorage;
  clock: ManualClock;
  /** The groups that runs wait for: those that a case adds. */
  awaited: EffectGroup[];
  /** The same entries, with audit events in another sink. */
  withSink(sink: AuditSink): EffectStorage;
  /** Runs `work` in a transaction of the app; it rolls back when `work` throws. */
  inTransaction<T>(work: (tx: unknown) => Promise<T>): Promise<T>;
  /** Ordered by id. */
  rows(): Promise<EffectRow[]>;
  /** Stores an event as a later version would write it. */
  recordUnknown(group: EffectGroup, type: string): Promise<void>;
}

export const LEASE_MS = 60_000;
export const MOST_ATTEMPTS = 3;
export const ERASE: EffectGroup = { operation: 'erase', subject: 'user-1' };

const known = new WeakMap<EffectStorage, Effects>();

/** The `Effects` of one process, whose ids are in order. */
export function effectsOn({ storage, clock }: Pick<EffectsFixture, 'storage' | 'clock'>): Effects {
  const effects = known.get(storage) ?? new Effects(storage, { codec: jsonCodec, payloadBytes: 1_000, clock });
  known.set(storage, effects);
  return effects;
}

export const handler = (name: string): ClaimedHandler => ({ name, leaseMs: LEASE_MS, attempts: MOST_ATTEMPTS });

/** Calls of one handler, with these refs. */
export const calls = (...refs: string[]): EffectCall[] => refs.map((ref) => ({ handler: 'mail', ref }));

/** Enqueues calls for one subject, and returns their ids. */
export const enqueue = (
  fixture: EffectsFixture,
  list: readonly EffectCall[],
  group: EffectGroup = ERASE,
): Promise<string[]> => effectsOn(fixture).enqueue({ ...group, calls: list });

export const claim = (
  { storage }: Pick<EffectsFixture, 'storage'>,
  limit = 100,
  handlers: readonly ClaimedHandler[] = [handler('mail')],
): Promise<ClaimedEffect[]> => storage.claims.claim({ nodeId: 'me', handlers, limit });

/** Claims the only due entry. */
export async function claimOne(fixture: Pick<EffectsFixture, 'storage'>): Promise<ClaimedEffect> {
  const [claimed, ...others] = await claim(fixture);
  assert.ok(claimed, 'one is due');
  assert.deepEqual(others, []);
  return claimed;
}

export const idsOf = (claimed: readonly ClaimedEffect[]): string[] => claimed.map((one) => one.claim.entryId);

export const SUCCEEDED: Settlement = { status: 'succeeded', alreadyAbsent: false };
export const ABANDONED: Settlement = { status: 'abandoned', error: 'NonRetryableEffectError' };
export const failed = (delayMs: number): Settlement => ({ status: 'failed', error: 'TypeError', delayMs });

/** The types of a group's audit events, in order. */
export const typesOf = async ({ storage }: Pick<EffectsFixture, 'storage'>, group = ERASE): Promise<string[]> =>
  (await storage.audit.read(group)).map(({ type }) => type);

/** The invariants of all entries. */
function checkRows(rows: readonly EffectRow[]): void {
  for (const { entryId, status, token, dueAt, payload } of rows) {
    assert.equal(status === 'in_flight', token !== null, `${entryId} is ${status}, and its token ${token}`);
    if (status !== 'succeeded' && status !== 'abandoned') continue;
    assert.deepEqual({ dueAt, payload }, { dueAt: null, payload: null }, `${entryId} is ${status}`);
  }
}

/** Cases that check the rows at their end. */
export const withCheckedRows = (cases: readonly ConformanceCase<EffectsFixture>[]): ConformanceCase<EffectsFixture>[] =>
  cases.map(({ name, run }) => ({
    name,
    async run(fixture) {
      await run(fixture);
      checkRows(await fixture.rows());
    },
  }));

/** A sink that stores nothing before it is released. */
export function holdingSink(): { sink: AuditSink; arrived: Promise<void>; release: () => void } {
  let release!: () => void;
  let arrive!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const append = () => {
    arrive();
    return released;
  };
  return { sink: { append }, arrived, release };
}

const idsIn = async ({ rows }: EffectsFixture) => (await rows()).map(({ entryId }) => entryId);

const refuses = async (fixture: EffectsFixture, operation: unknown, code: string) => {
  const refused = effectsOn(fixture).enqueue(operation as EffectOperation);
  await assert.rejects(refused, { code }, JSON.stringify(operation));
};

/** Guarantees of enqueuing. */
export const effectEnqueueConformance = withCheckedRows([
  {
    name: 'I1 entries are visible after the transaction of the caller has committed, and not before',
    async run(fixture) {
      const ids = await fixture.inTransaction(async (transaction) => {
        const given = await effectsOn(fixture).enqueue({ ...ERASE, calls: calls('a', 'b') }, { transaction });
        assert.deepEqual(await idsIn(fixture), [], 'nothing is committed');
        assert.deepEqual(await claim(fixture), []);
        return given;
      });
      assert.equal(ids.length, 2);
      assert.deepEqual(await idsIn(fixture), [...ids].sort());
    },
  },
  {
    name: 'I1 a rollback discards the entries, and nobody is notified',
    async run(fixture) {
      const heard: unknown[] = [];
      const end = fixture.storage.claims.onDue((handlers) => heard.push(handlers));
      const rolledBack = fixture.inTransaction(async (transaction) => {
        await effectsOn(fixture).enqueue({ ...ERASE, calls: calls('a') }, { transaction });
        throw new Error('the app changed its mind');
      });
      await assert.rejects(rolledBack, { message: 'the app changed its mind' });
      assert.deepEqual(await idsIn(fixture), []);
      await enqueue(fixture, calls('b'));
      end();
      assert.deepEqual(heard, [['mail']]);
      assert.equal((await claim(fixture)).length, 1);
    },
  },
  {
    name: 'I1 without a transaction, either all calls are stored or none',
    async run(fixture) {
      const many = Array.from({ length: 2_500 }, (_, n) => `ref-${n}`);
      const ids = await enqueue(fixture, calls(...many));
      assert.deepEqual(await idsIn(fixture), ids);
      const counts = await fixture.storage.insight.statusCounts();
      assert.equal(counts.pending, 2_500);
    },
  },
  {
    name: 'I1 an invalid transaction is refused, and nothing is written',
    async run(fixture) {
      const refused = effectsOn(fixture).enqueue({ ...ERASE, calls: calls('a') }, { transaction: {} });
      await assert.rejects(refused, { code: 'INVALID_TRANSACTION' });
      assert.deepEqual(await idsIn(fixture), []);
    },
  },
  {
    name: 'I2 without calls nothing is written, and no transaction is needed',
    async run(fixture) {
      assert.deepEqual(await enqueue(fixture, []), []);
      assert.deepEqual(await effectsOn(fixture).enqueue({ ...ERASE, calls: [] }, { transaction: {} }), []);
      await fixture.storage.store.enqueue([]);
      assert.deepEqual(await idsIn(fixture), []);
    },
  },
  {
    name: 'I3 each entry has its own id, in the order of the calls',
    async run(fixture) {
      const first = await enqueue(fixture, calls('a', 'b', 'c'));
      const second = await enqueue(fixture, calls('a'), { operation: 'erase', subject: 'user-2' });
      assert.equal(new Set([...first, ...second]).size, 4);
      assert.deepEqual(idsOf(await claim(fixture)), [...first, ...second]);
    },
  },
  {
    name: 'I4 each pair of handler and ref is allowed once in an operation, also if the ref is written differently',
    async run(fixture) {
      const twice = (...refs: unknown[]) => ({ ...ERASE, calls: refs.map((ref) => ({ handler: 'mail', ref })) });
      await refuses(fixture, twice('a', 'b', 'a'), 'INVALID_ARGUMENT');
      await refuses(fixture, twice({ id: 1, kind: 'x' }, { kind: 'x', id: 1 }), 'INVALID_ARGUMENT');
      assert.deepEqual(await idsIn(fixture), []);
      const both = [...calls('a', '1'), { handler: 'log', ref: 'a' }, { handler: 'mail', ref: 1 }];
      assert.equal((await enqueue(fixture, both)).length, 4);
    },
  },
  {
    name: 'I4 invalid calls are refused before anything is written or recorded',
    async run(fixture) {
      const [fits] = calls('a');
      const one = (call: unknown) => ({ ...ERASE, calls: [fits, call] });
      for (const handlerName of [undefined, '', 'x'.repeat(192), 'a\0b', '\ud800', 7])
        await refuses(fixture, one({ handler: handlerName, ref: 'x' }), 'INVALID_ARGUMENT');
      for (const ref of [undefined, null, ''])
        await refuses(fixture, one({ handler: 'mail', ref }), 'INVALID_ARGUMENT');
      await refuses(fixture, one({ handler: 'mail', ref: () => 1 }), 'NOT_SERIALIZABLE');
      await refuses(fixture, one({ handler: 'mail', ref: 'x'.repeat(9_000) }), 'PAYLOAD_TOO_LARGE');
      await refuses(fixture, one({ handler: 'mail', ref: 'b', payload: 'x'.repeat(1_001) }), 'PAYLOAD_TOO_LARGE');
      await refuses(fixture, { ...ERASE, subject: 'x'.repeat(256), calls: [fits] }, 'INVALID_ARGUMENT');
      await refuses(fixture, { ...ERASE, operation: '', calls: [fits] }, 'INVALID_ARGUMENT');
      await refuses(fixture, { ...ERASE, calls: 'mail' }, 'INVALID_ARGUMENT');
      for (const nothing of [undefined, null, 'erase', one(undefined), one(null)])
        await refuses(fixture, nothing, 'INVALID_ARGUMENT');
      assert.deepEqual([await idsIn(fixture), await typesOf(fixture)], [[], []]);
    },
  },
  {
    name: 'I4 if the handlers are known, an unknown one is refused before anything is written',
    async run(fixture) {
      const options = { codec: jsonCodec, payloadBytes: 1_000, knows: (name: string) => name === 'mail' };
      const effects = new Effects(fixture.storage, options);
      const unknown = effects.enqueue({ ...ERASE, calls: [...calls('a'), { handler: 'fax', ref: 'a' }] });
      await assert.rejects(unknown, { code: 'UNKNOWN_EFFECT_HANDLER', handler: 'fax' });
      assert.deepEqual(await idsIn(fixture), []);
      assert.equal((await effects.enqueue({ ...ERASE, calls: calls('a') })).length, 1);
    },
  },
  {
    name: 'I5 an operation that is enqueued again gets new entries with new ids',
    async run(fixture) {
      const first = await enqueue(fixture, calls('a', 'b'));
      const again = await enqueue(fixture, calls('a', 'b'));
      assert.deepEqual(
        again.filter((id) => first.includes(id)),
        [],
      );
      assert.equal((await claim(fixture)).length, 4);
    },
  },
  {
    name: 'refs, payloads and names are returned unchanged',
    async run(fixture) {
      const names = ['mail', 'MAIL', 'mail ', 'mäil', '😀'.repeat(191)];
      const ref = { id: 7, tags: ['a', 'ß', '😀'], 'a"\\{},': 'x\ny' };
      const payload = { text: 'NUL \0, half \ud800, quote " and \\', at: new Date(0), big: 2n ** 70n };
      const group = { operation: 'sync ', subject: '😀'.repeat(255) };
      const list = names.map((name) => ({ handler: name, ref, payload }));
      await enqueue(fixture, list, group);
      const claimed = await claim(fixture, 100, names.map(handler));
      assert.deepEqual(claimed.map((one) => one.handler).sort(), [...names].sort());
      for (const { operation, subject, ...one } of claimed) {
        assert.deepEqual({ operation, subject }, group);
        assert.deepEqual(jsonCodec.decode(one.ref), ref);
        assert.deepEqual(jsonCodec.decode(String(one.payload)), payload);
      }
    },
  },
]);

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
