import type { EffectGroup } from './effect-entry.js';

/** One claim of one entry: whoever holds it may renew, settle and release, and nobody else may. */
export interface EffectClaim {
  readonly entryId: string;
  /** New for every claim. */
  readonly token: string;
}

/** A claim that still holds. */
export interface HeldClaim extends EffectClaim {
  /** False while its row is locked by a settlement, its own or a neighbour's: nobody takes it now, but its lease is the old one. */
  readonly renewed: boolean;
}

/** What of a handler's policy is needed to claim for it. */
export interface ClaimedHandler {
  readonly name: string;
  /** How long the claim lasts without renewal. */
  readonly leaseMs: number;
  /** The most attempts of one entry. */
  readonly attempts: number;
}

export interface ClaimEffects {
  /** Who claims; for people. */
  readonly nodeId: string;
  /** Entries of no other handler are touched. */
  readonly handlers: readonly ClaimedHandler[];
  /** The most entries to take in all. */
  readonly limit: number;
}

export interface ClaimedEffect extends EffectGroup {
  readonly claim: EffectClaim;
  readonly handler: string;
  /** As the codec wrote it. */
  readonly ref: string;
  readonly payload: string | null;
  /** Which try this is, from 1; when `exhausted`, how many there were. */
  readonly attempt: number;
  /**
   * It has had all its attempts, the last of which nobody has settled: its process died. It must be abandoned without
   * another call.
   */
  readonly exhausted: boolean;
  /** The class of what the try before failed with. */
  readonly lastError: string | null;
}

/** How entries come to who calls their handlers. Times are those of the storage's clock. */
export interface EffectClaims {
  /**
   * Takes up to `limit` entries that are due: pending ones, failed and scheduled ones whose time has come (also in this
   * very millisecond), and those in flight whose lease is over. Oldest first by the time of enqueuing and the id; where
   * thousands come due again at once, among those that are queued. The claim is the attempt: it counts at once.
   * No entry is held by two claims at the same time.
   */
  claim(request: ClaimEffects): Promise<ClaimedEffect[]>;
  /**
   * Renews claims, each for its `leaseMs` from now, all together, and waits for none whose row a settlement has locked.
   * Returns those that still hold; the others are lost, and what their handlers come to is somebody else's by now.
   */
  extend(claims: readonly (EffectClaim & { readonly leaseMs: number })[]): Promise<HeldClaim[]>;
  /** Gives back claims whose handlers were not called: due at once, the attempt not counted. Lost ones are left alone. */
  release(claims: readonly EffectClaim[]): Promise<void>;
  /** True while hints from other processes arrive, so that polling may be slow. */
  readonly live: boolean;
  /**
   * Calls `listener` with handlers that have something new to do, or without when any may have. A hint: polling stands
   * behind it. Returns a function that ends it.
   */
  onDue(listener: (handlers?: readonly string[]) => void): () => void;
}
