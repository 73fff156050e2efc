import type { Transaction } from '../protocol/transaction.js';
import type { ClaimedEffect } from './effect-claims.js';
import type { EffectGroup } from './effect-entry.js';

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
