import type { EffectGroup } from './effect-entry.js';

/** One claim of one entry. Only its holder may renew, settle and release it. */
export interface EffectClaim {
  readonly entryId: string;
  /** New for every claim. */
  readonly token: string;
}

/** A claim that still holds. */
export interface HeldClaim extends EffectClaim {
  /** False while a settlement has locked the row: no other process can claim it now, but its lease was not extended. */
  readonly renewed: boolean;
}

/** The part of a handler's policy that claiming needs. */
export interface ClaimedHandler {
  readonly name: string;
  /** How long the claim lasts without renewal. */
  readonly leaseMs: number;
  /** The maximum number of attempts per entry. */
  readonly attempts: number;
}

export interface ClaimEffects {
  /** The claiming node; informational only. */
  readonly nodeId: string;
  /** Entries of other handlers are not touched. */
  readonly handlers: readonly ClaimedHandler[];
  /** The maximum number of entries in total. */
  readonly limit: number;
}

export interface ClaimedEffect extends EffectGroup {
  readonly claim: EffectClaim;
  readonly handler: string;
  /** The text that the codec wrote. */
  readonly ref: string;
  readonly payload: string | null;
  /** The run that enqueued it; null for calls of the app. */
  readonly runId: string | null;
  /** JSON: the span of the app that has enqueued it; undefined if a run did, or nobody traced. */
  readonly trace?: string;
  /** The number of this attempt, from 1; if `exhausted`, the number of attempts made. */
  readonly attempt: number;
  /**
   * All attempts are used up and the last one was not settled, because its process died. The entry must be abandoned
   * without another call.
   */
  readonly exhausted: boolean;
  /** The class of the previous attempt's error. */
  readonly lastError: string | null;
}

/** How processes claim entries for their handlers. Times are those of the storage's clock. */
export interface EffectClaims {
  /**
   * Claims up to `limit` entries that are due: pending ones, failed and scheduled ones whose time has come (including
   * the current millisecond), and those in flight whose lease has expired. Oldest first by enqueue time and id; if
   * thousands come due at the same time, only among those that are queued. A claim counts as an attempt at once. No
   * entry is held by two claims at the same time.
   */
  claim(request: ClaimEffects): Promise<ClaimedEffect[]>;
  /**
   * Renews claims together, each for its `leaseMs` from now. Skips rows that a settlement has locked. Returns the
   * claims that still hold; the others are lost, and the results of their handlers must be discarded.
   */
  extend(claims: readonly (EffectClaim & { readonly leaseMs: number })[]): Promise<HeldClaim[]>;
  /** Releases claims whose handlers were not called: due at once, the attempt not counted. Lost claims are ignored. */
  release(claims: readonly EffectClaim[]): Promise<void>;
  /** True while hints from other processes arrive, so that polling may be slow. */
  readonly live: boolean;
  /**
   * Calls `listener` with the handlers that have new due entries, or without an argument when any handler may have.
   * Hints can be lost, so callers must also poll. Returns a function that removes the listener.
   */
  onDue(listener: (handlers?: readonly string[]) => void): () => void;
}
