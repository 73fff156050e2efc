import { type Clock, stopwatch } from '../../time/clock.js';
import { watchDeadlines } from '../../time/deadline-watch.js';
import { sleep } from '../../time/sleep.js';
import type { EffectClaim, HeldClaim } from '../effect-claims.js';

/** After a renewal that could not be done: because the database was away, or a settlement had rows locked. */
const RETRY_MS = 1_000;

type Extend = (claims: readonly (EffectClaim & { readonly leaseMs: number })[]) => Promise<HeldClaim[]>;

/** A claim that is being renewed. */
export interface KeptClaim {
  readonly claim: EffectClaim;
  readonly leaseMs: number;
  /** Nobody else can have it before; by the keeper's clock. */
  heldUntil: number;
  /** Somebody else may have it: what was done under it counts for nothing. */
  lost: boolean;
  readonly onLost: () => void;
}

/**
 * Renews the claims of all running calls with one statement per beat, a third of the shortest lease, and says so at once
 * when one is lost: because the storage says so, or because it could not be asked for so long that it may be.
 */
export class ClaimKeeper {
  private readonly kept = new Map<string, KeptClaim>();
  private beats: Promise<void> | undefined;
  /** A beat that is about to be made. */
  private soon: Promise<void> | undefined;
  private nap = new AbortController();
  /** Some could not be renewed. */
  private behind = false;
  private stopped = false;

  constructor(
    private readonly extend: Extend,
    private readonly onError: (error: unknown) => void,
    /** Only for how much time has passed. */
    private readonly clock: Clock = stopwatch,
  ) {}

  now(): number {
    return this.clock.now();
  }

  /** @param claimedAt - by this keeper's clock, before the claim was asked for */
  keep(claim: EffectClaim, leaseMs: number, claimedAt: number, onLost: () => void): KeptClaim {
    const shortens = leaseMs / 3 < this.beatMs;
    const kept = { claim, leaseMs, heldUntil: claimedAt + leaseMs, lost: false, onLost };
    this.kept.set(keyOf(claim), kept);
    if (this.beats && shortens) this.nap.abort('a shorter lease');
    this.beats ??= this.run();
    if (this.now() - claimedAt >= leaseMs / 3) this.soon ??= this.beatSoon();
    return kept;
  }

  drop({ claim }: KeptClaim): void {
    this.kept.delete(keyOf(claim));
    // A timer that has nothing to do must not keep the process.
    if (this.kept.size === 0) this.nap.abort('nothing is kept');
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.nap.abort('stopped');
    await this.beats;
    this.kept.clear();
  }

  private get beatMs(): number {
    let shortest = Number.POSITIVE_INFINITY;
    for (const { leaseMs } of this.kept.values()) shortest = Math.min(shortest, leaseMs);
    return shortest / 3;
  }

  /** Goes on while there is something to renew. */
  private async run(): Promise<void> {
    while (!this.stopped && this.kept.size > 0) {
      this.nap = new AbortController();
      await sleep(this.behind ? Math.min(RETRY_MS, this.beatMs) : this.beatMs, this.nap.signal);
      // Woken for a shorter lease: the time until the next beat is another one now.
      if (!this.nap.signal.aborted && this.kept.size > 0) await this.beat();
    }
    this.beats = undefined;
  }

  /** Once for all that are kept at once. */
  private async beatSoon(): Promise<void> {
    await Promise.resolve();
    this.soon = undefined;
    if (this.kept.size > 0) await this.beat();
  }

  private async beat(): Promise<void> {
    const beaten = [...this.kept.values()];
    const asked = this.now();
    const answered = new AbortController();
    // No answer in time is an answer too: from then on somebody else may hold them.
    void watchDeadlines(
      () => this.leftMs,
      () => this.expire(),
      answered.signal,
    );
    try {
      const held = await this.extend(beaten.map(({ claim, leaseMs }) => ({ ...claim, leaseMs })));
      this.behind = held.some(({ renewed }) => !renewed);
      this.learn(beaten, held, asked);
    } catch (error) {
      this.behind = true;
      this.onError(error);
    } finally {
      answered.abort('answered');
    }
    this.expire();
  }

  private learn(beaten: readonly KeptClaim[], held: readonly HeldClaim[], asked: number): void {
    const renewed = new Map(held.map((claim) => [keyOf(claim), claim.renewed]));
    for (const kept of beaten) {
      const isRenewed = renewed.get(keyOf(kept.claim));
      if (isRenewed === undefined) this.lose(kept);
      else if (isRenewed) kept.heldUntil = asked + kept.leaseMs;
    }
  }

  /** Until the first lease is over. */
  private get leftMs(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { heldUntil } of this.kept.values()) first = Math.min(first, heldUntil);
    return first - this.now();
  }

  private expire(): void {
    const now = this.now();
    for (const kept of [...this.kept.values()]) if (kept.heldUntil <= now) this.lose(kept);
  }

  private lose(kept: KeptClaim): void {
    // Settled meanwhile.
    if (!this.kept.delete(keyOf(kept.claim))) return;
    kept.lost = true;
    kept.onLost();
  }
}

/** Entries of one claim may share a token. */
const keyOf = ({ entryId, token }: EffectClaim): string => `${entryId} ${token}`;
