import type { AuditReader } from './audit-log.js';
import type { EffectGroup, EffectStatus, NewEffect, StoredEffect } from './effect-entry.js';
import type { ClaimedEffect, EffectClaims } from './effect-claims.js';
import type { StorageMethods } from '../protocol/port-methods.js';
import type { Transaction } from '../protocol/transaction.js';

/** Where `Effects` puts calls that it has checked. */
export interface EffectStore {
  /**
   * Writes the calls with the commit of `transaction`, the app's own as its ORM hands it over; of the one that surrounds
   * the caller, where the ORM knows it; or else at once, in a transaction of its own, all of them or none. Rolled back,
   * also to a savepoint, they never were. It never commits what is not its own. Whoever makes calls is told after the
   * commit.
   *
   * @throws InvalidTransactionError when `transaction` is no open one.
   */
  enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void>;
  /** Writes the calls in a transaction of ours. Whoever makes calls hears of them after its commit. */
  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void>;
  /** Tells whoever makes calls that these were committed. Best effort. */
}

/** What becomes of a claimed entry. Errors are classes, never messages. */
export type Settlement =
  | { readonly status: 'succeeded'; readonly alreadyAbsent: boolean }
  /** Tried again after `delayMs`. */
  | { readonly status: 'failed'; readonly error: string; readonly delayMs: number }
  | { readonly status: 'abandoned'; readonly error: string }
  /** Called again at `until` (epoch ms) but not before `delayMs` has passed, with its attempts counted anew. */
  | { readonly status: 'scheduled'; readonly until: number; readonly delayMs: number };

/** `lost`: the claim held no longer, and nothing was written. `completed`: it was the last open entry of its group. */
export type Settled = 'settled' | 'completed' | 'lost';

/** Runs inside of the settling transaction: `handle` is what the app's ORM writes with. */
export type OnCompletion = (group: EffectGroup, handle: unknown, tx: Transaction) => Promise<void>;

export interface EffectSettlements {
  /**
   * Writes what a claim came to, and its audit event where it is an end, in one transaction: both or neither. A claim
   * that holds no longer writes nothing at all.
   *
   * A success locks open entries of its group, in the order of their ids: of two that are last, one waits for the other,
   * and exactly one completes the group. That one runs `onCompletion` and records the completion in the same
   * transaction; it may run again when that was the victim of another one. When it throws, nothing was written.
   *
   * @throws what the audit log or `onCompletion` threw; the entry stays in flight, and its lease heals it.
   */
  settle(claimed: ClaimedEffect, settlement: Settlement, onCompletion?: OnCompletion): Promise<Settled>;
}

/** A handler of whose entries some wait longer than they should: nobody serves it, or not enough. */
export interface UnclaimedEffects {
  readonly handler: string;
  /** Since when the one that waits longest could have been claimed, epoch ms. */
  readonly since: number;
  /** For how long that is. */
  readonly ageMs: number;
}

/** What is shown of entries. Nothing is written. */
export interface EffectInsight {
  /** How many there are of each status; 0 where there is none. Reads all entries. */
  statusCounts(): Promise<Record<EffectStatus, number>>;
  /** Oldest first, by the time of enqueuing and the id. */
  listAbandoned(limit: number): Promise<StoredEffect[]>;
  /** By the time when they are called again, and the id. */
  listScheduled(limit: number): Promise<StoredEffect[]>;
  /** Handlers with entries that have been due and unclaimed for at least `olderThanMs`, longest first. */
  unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]>;
  /**
   * Whether there are entries of the group and all have succeeded: as `tx` sees it, which is that of a completion, or as
   * it is committed.
   */
  isComplete(group: EffectGroup, tx?: Transaction): Promise<boolean>;
}

/** A second chance for what was abandoned. */
export interface EffectRequeue {
  /**
   * Makes these abandoned entries pending again, with no attempts, no error and their old ids, and records it. Ids that
   * are unknown, not abandoned, or whose payload was erased are skipped. All others or, when it throws, none. Returns
   * the requeued ones.
   */
  requeue(entryIds: readonly string[]): Promise<string[]>;
}

/** Every port of effects. */
export interface EffectStorage {
  readonly store: EffectStore;
  readonly claims: EffectClaims;
  readonly settlements: EffectSettlements;
  readonly insight: EffectInsight;
  readonly requeue: EffectRequeue;
  /** Of what the same storage keeps; empty where events go to a sink of the app's. */
  readonly audit: AuditReader;
}

/** What each method of these does to what is stored. */
export const EFFECT_METHODS: StorageMethods<EffectStorage> = {
  store: { enqueue: 'writes', writeIn: 'writes' },
  claims: { claim: 'finds', extend: 'lives', release: 'writes', onDue: 'tells' },
  settlements: { settle: 'writes' },
  insight: {
    statusCounts: 'reads',
    listAbandoned: 'reads',
    listScheduled: 'reads',
    unclaimed: 'reads',
    isComplete: 'reads',
  },
  requeue: { requeue: 'writes' },
  audit: { read: 'reads' },
};
