import assert from 'node:assert/strict';
import type { EffectCall, EffectGroup, EffectStatus } from '../effects/effect-entry.js';
import type { ClaimedEffect, ClaimedHandler } from '../effects/effect-claims.js';
import type { EffectStorage, Settlement } from '../effects/effect-storage.js';
import { Effects } from '../effects/effects.js';
import type { AuditSink } from '../effects/audit-log.js';
import { jsonCodec } from '../protocol/codec.js';
import type { ManualClock } from '../time/clock.js';
import type { ConformanceCase } from './case.js';

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
