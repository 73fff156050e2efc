import type { Transaction } from '../protocol/transaction.js';
import type { EffectGroup, EffectStatus, StoredEffect } from './effect-entry.js';

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
