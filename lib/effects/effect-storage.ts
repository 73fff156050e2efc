import { ACT_METHODS, type ActLog } from '../acts/act-log.js';
import type { AuditReader } from './audit-log.js';
import type { EffectGroup, EffectStatus, NewEffect, StoredEffect } from './effect-entry.js';
import type { EffectErasure } from './effect-erasure.js';
import type { ClaimedEffect, EffectClaims } from './effect-claims.js';
import type { Moment, MomentQuery } from '../protocol/moment.js';
import type { StorageMethods } from '../protocol/port-methods.js';
import type { Transaction } from '../protocol/transaction.js';

/** Where `Effects` stores calls that it has checked. */
export interface EffectStore {
  /**
   * Writes the calls with the commit of a transaction: `transaction`, which is the app's own as its ORM passes it;
   * otherwise the surrounding transaction if the ORM knows it; otherwise a new one, which commits all calls or none. A
   * rollback, also to a savepoint, discards them. Never commits a transaction that it did not begin. Effect runners are
   * notified after the commit.
   *
   * @throws InvalidTransactionError when `transaction` is not an open transaction.
   */
  enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void>;
  /** Writes the calls in one of our own transactions. Effect runners are notified after its commit. */
  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void>;
}

/** The result of a claimed entry. `error` is the class of the error, and `recorded` the error as it is stored. */
export type Settlement =
  | { readonly status: 'succeeded'; readonly alreadyAbsent: boolean }
  /** Tried again after `delayMs`. */
  | { readonly status: 'failed'; readonly error: string; readonly recorded?: string; readonly delayMs: number }
  | { readonly status: 'abandoned'; readonly error: string; readonly recorded?: string }
  /** Called again at `until` (epoch ms) but not before `delayMs` has passed, with its attempts counted from zero. */
  | { readonly status: 'scheduled'; readonly until: number; readonly delayMs: number };

/** `lost`: the claim no longer held, and nothing was written. `completed`: it was the last open entry of its group. */
export type Settled = 'settled' | 'completed' | 'lost';

/** Runs inside the settling transaction: `handle` is the transaction handle of the app's ORM. */
export type OnCompletion = (group: EffectGroup, handle: unknown, tx: Transaction) => Promise<void>;

export interface EffectSettlements {
  /**
   * Writes the result of a claim and, if the result is final, its audit event in one transaction. A claim that no
   * longer holds writes nothing.
   *
   * A success locks the open entries of its group in the order of their ids: if two processes settle the last two
   * entries, one waits for the other, and exactly one completes the group. That one runs `onCompletion` and records the
   * completion in the same transaction; both may be retried after a deadlock. When it throws, nothing is written.
   *
   * @throws any error of the audit log or `onCompletion`; the entry then stays in flight until its lease expires.
   */
  settle(claimed: ClaimedEffect, settlement: Settlement, onCompletion?: OnCompletion): Promise<Settled>;
}

/** A handler with entries that have waited too long: no process serves it, or too few do. */
export interface UnclaimedEffects {
  readonly handler: string;
  /** When the longest waiting entry became claimable, epoch ms. */
  readonly since: number;
  /** How long ago that was. */
  readonly ageMs: number;
}

export interface CountedEffects {
  count: number;
  more: boolean;
}

export interface HandlerCount {
  handler: string;
  status: EffectStatus;
  count: number;
}

/** Read-only queries on entries. */
export interface EffectInsight {
  /**
   * The number of entries per status, counted up to `atMost`. `more`: there may be more. Reads a few times as many. `of`:
   * only these are asked for, and the others may be too low.
   */
  counts(atMost: number, of?: readonly EffectStatus[]): Promise<Record<EffectStatus, CountedEffects>>;
  /** The same by handler, without those that have none. Together they are counted up to `atMost` per status. */
  countsByHandler(atMost: number): Promise<HandlerCount[]>;
  /** The number of entries per status; 0 where there is none. Reads all entries. */
  statusCounts(): Promise<Record<EffectStatus, number>>;
  /** Oldest first, by enqueue time and id. */
  listAbandoned(limit: number): Promise<StoredEffect[]>;
  /** Ordered by the time of the next call, then by id. */
  listScheduled(limit: number): Promise<StoredEffect[]>;
  /** The entries of a group that have not succeeded, in the order of their ids. */
  listOpen(group: EffectGroup, limit: number): Promise<StoredEffect[]>;
  /** Handlers with entries that have been due and unclaimed for at least `olderThanMs`, longest first. */
  unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]>;
  /**
   * Whether the group has entries and all of them have succeeded. Reads in `tx`, the transaction of a completion, or
   * without it the committed state.
   */
  isComplete(group: EffectGroup, tx?: Transaction): Promise<boolean>;
}

/** A call at one moment of a story. */
export interface EffectMoment extends Moment {
  readonly call: Pick<
    StoredEffect,
    'entryId' | 'operation' | 'subject' | 'handler' | 'ref' | 'status' | 'attempts' | 'lastError' | 'error'
  >;
  readonly isErased: boolean;
}

/** What runs have enqueued by `ctx.effects`, in the order of time. */
export interface EffectStory {
  /** The next moments at which these calls were enqueued, last tried, and ended. */
  moments(query: MomentQuery): Promise<EffectMoment[]>;
  /** The calls of these runs, up to `limit`. */
  entries(runIds: readonly string[], limit: number): Promise<{ runId: string; entryId: string }[]>;
}

/** Requeues abandoned calls. */
export interface EffectRequeue {
  /**
   * Makes these abandoned entries pending again, with no attempts, no error and their old ids, and records it. Ids that
   * are unknown, not abandoned, or whose payload was erased are skipped. When it throws, nothing was requeued. Returns
   * the requeued ids.
   */
  requeue(entryIds: readonly string[], tx?: Transaction): Promise<string[]>;
}

export interface PurgeEnded {
  readonly status: 'succeeded' | 'abandoned';
  /** Only calls that ended at least this long ago, in ms. */
  readonly olderThanMs: number;
  /** The most calls that are looked at. */
  readonly limit: number;
}

/** A place in the order in which calls ended. */
export interface EndedCursor {
  readonly finishedAt: number;
  readonly entryId: string;
}

export interface PurgedEffects {
  readonly purged: number;
  /** Where the next call goes on; undefined at the end. */
  readonly next: EndedCursor | undefined;
}

/** Deletes calls that have ended, and their audit log. Never waits for a lock. */
export interface EffectRemoval {
  /**
   * Looks at up to `limit` calls that ended with this status long enough ago, in the order of their ends, and deletes
   * them. Their audit events stay. Abandoned calls stay while a run waits for their operation.
   */
  purge(request: PurgeEnded, after?: EndedCursor): Promise<PurgedEffects>;
  /** Deletes up to `limit` audit events that were recorded at least `olderThanMs` ago, oldest first. Returns how many. */
  purgeAudit(olderThanMs: number, limit: number): Promise<number>;
}

/** Every port of effects. */
export interface EffectStorage {
  readonly store: EffectStore;
  readonly claims: EffectClaims;
  readonly settlements: EffectSettlements;
  readonly insight: EffectInsight;
  readonly story: EffectStory;
  readonly requeue: EffectRequeue;
  readonly removal: EffectRemoval;
  readonly erasure: EffectErasure;
  /** Reads the audit log of the same storage; empty if the app uses its own audit sink. */
  readonly audit: AuditReader;
  readonly acts: ActLog;
}

/** The kind of access of each method to the storage. */
export const EFFECT_METHODS: StorageMethods<EffectStorage> = {
  store: { enqueue: 'writes', writeIn: 'writes' },
  claims: { claim: 'finds', extend: 'lives', release: 'writes', onDue: 'tells' },
  settlements: { settle: 'writes' },
  insight: {
    counts: 'reads',
    countsByHandler: 'reads',
    statusCounts: 'reads',
    listAbandoned: 'reads',
    listScheduled: 'reads',
    listOpen: 'reads',
    unclaimed: 'reads',
    isComplete: 'reads',
  },
  story: { moments: 'reads', entries: 'reads' },
  requeue: { requeue: 'writes' },
  removal: { purge: 'finds', purgeAudit: 'finds' },
  erasure: { erase: 'writes', kept: 'reads' },
  audit: { read: 'reads' },
  acts: ACT_METHODS,
};
