import type { Clock } from '../time/clock.js';
import { watchDeadlines } from '../time/deadline-watch.js';
import { sleep } from '../time/sleep.js';
import type { Claim } from './task-source.js';

/** The longest time between two renewals. */
const LONGEST_BEAT_MS = 10_000;
/** After a renewal that could not be tried, e.g. because the database was away. */
const RETRY_MS = 1_000;

export interface LeaseKeeperOptions {
  leaseMs: number;
  /** Tells how long ago a lease was renewed; no lease is judged by it while the storage answers in time. */
  clock: Clock;
  onError: (error: unknown) => void;
}

interface Held {
  claim: Claim;
  renewedAt: number;
  onLost: () => void;
  /** Told as well, where somebody waits for what becomes of it. */
  onGone?: () => void;
}

/**
 * Renews the leases of everything that is being worked on with one statement per beat, and says so at once when
 * one is lost: because the storage says that somebody else holds it, or because it could not be asked for so long
 * that somebody may. Nothing is sent while nothing is held.
 */
export class LeaseKeeper {
  private readonly held = new Map<string, Held>();
  /** What the renewal under way is about. */
  private renewing: ReadonlySet<Held> = new Set();
  /** The renewal under way. */
  private beating: Promise<void> | undefined;
  /** The renewal that waits for it, of all that is held by then. */
  private next: Promise<void> | undefined;
  private beats: Promise<void> | undefined;
  private failing = false;
  private readonly stopped = new AbortController();

  constructor(
    private readonly extend: (claims: readonly Claim[]) => Promise<Claim[]>,
    private readonly options: LeaseKeeperOptions,
  ) {}

  get beatMs(): number {
    return Math.min(this.options.leaseMs / 3, LONGEST_BEAT_MS);
  }

  /** By this keeper's clock. */
  now(): number {
    return this.options.clock.now();
  }

  /** Whether a lease that was asked for at that time may be somebody else's by now. */
  isOver(askedAt: number): boolean {
    return this.now() - askedAt >= this.options.leaseMs;
  }

  /** @param askedAt - by this keeper's clock, before the claim was sent: the lease counts from there at the earliest */
  keep(claim: Claim, onLost: () => void, askedAt = this.now()): void {
    // Claimed again by ourselves: the older claim's lease had run out unnoticed.
    const older = this.held.get(claim.stepId);
    if (older) this.lose(older);
    this.held.set(claim.stepId, { claim, onLost, renewedAt: askedAt });
    this.beats ??= this.run(this.stopped.signal);
    if (this.now() - askedAt >= this.beatMs) void this.beat();
  }

  /** Ends the keeping and answers the claim as it stands now; undefined when it was lost. At once unless it is being renewed. */
  settle(claim: Claim): Claim | undefined | Promise<Claim | undefined> {
    const mine = this.held.get(claim.stepId);
    if (mine?.claim.claimedBy !== claim.claimedBy) return undefined;
    // A renewal that is under way may change the stamp.
    if (!this.beating || !this.renewing.has(mine)) return this.end(mine);
    const gone = new Promise<void>((resolve) => (mine.onGone = resolve));
    return Promise.race([this.beating, gone]).then(() => this.end(mine));
  }

  /** Renews all leases now, or once the renewal under way is over. Whoever asks before that begins shares it. */
  beat(): Promise<void> {
    if (this.next) return this.next;
    const beating = (this.beating ?? Promise.resolve())
      .then(() => {
        this.next = undefined;
        return this.renewAll();
      })
      .finally(() => {
        if (this.beating === beating) this.beating = undefined;
      });
    this.beating = this.next = beating;
    return beating;
  }

  /** Some of these tasks, or any, may be held in vain: renews at once if one of them is held here. */
  async beatIfHeld(stepIds: readonly string[] | undefined): Promise<void> {
    if (stepIds ? stepIds.some((stepId) => this.held.has(stepId)) : this.held.size > 0) await this.beat();
  }

  /** Asks `lostOf` which claims hold no longer, and says so of those. Asks nothing while nothing is held. */
  async compare(lostOf: (claims: readonly Claim[]) => Promise<Claim[]>): Promise<void> {
    const asked = [...this.held.values()];
    if (asked.length === 0) return;
    const lost = new Set((await lostOf(asked.map(({ claim }) => claim))).map(({ stepId }) => stepId));
    for (const held of asked) {
      const { stepId } = held.claim;
      if (lost.has(stepId) && this.held.get(stepId) === held) this.lose(held);
    }
  }

  /** Renews if a beat is overdue, as it is when a handler blocked the event loop. */
  async beatIfDue(claim: Claim): Promise<void> {
    const held = this.held.get(claim.stepId);
    if (held && this.now() - held.renewedAt >= this.beatMs) await this.beat();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.beats;
    await this.beating;
    this.held.clear();
  }

  private async run(stopped: AbortSignal): Promise<void> {
    let napMs = this.beatMs;
    for (;;) {
      await sleep(napMs, stopped);
      if (stopped.aborted) return;
      if (this.held.size === 0) break;
      await this.beat();
      napMs = this.failing ? Math.min(RETRY_MS, this.beatMs) : this.beatMs;
    }
    this.beats = undefined;
  }

  private async renewAll(): Promise<void> {
    const beaten = [...this.held.values()];
    if (beaten.length === 0) return;
    const asked = this.now();
    const answered = new AbortController();
    // No answer in time is an answer too: from then on somebody else may hold them.
    void watchDeadlines(
      () => this.leftMs,
      () => this.giveUpOutdated(),
      answered.signal,
    );
    this.renewing = new Set(beaten);
    try {
      const claims = await this.extend(beaten.map(({ claim }) => claim));
      const renewed = new Map(claims.map((claim) => [claim.stepId, claim]));
      for (const held of beaten) this.renew(held, renewed.get(held.claim.stepId), asked);
      this.failing = false;
    } catch (error) {
      this.failing = true;
      this.options.onError(error);
      this.giveUpOutdated();
    } finally {
      answered.abort('answered');
      this.renewing = new Set();
    }
  }

  /** Until the first lease may be over. */
  private get leftMs(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { renewedAt } of this.held.values()) oldest = Math.min(oldest, renewedAt);
    return oldest + this.options.leaseMs - this.now();
  }

  private end(held: Held): Claim | undefined {
    if (this.held.get(held.claim.stepId) !== held) return undefined;
    this.held.delete(held.claim.stepId);
    return held.claim;
  }

  private renew(held: Held, claim: Claim | undefined, asked: number): void {
    if (this.held.get(held.claim.stepId) !== held) return;
    if (!claim) return this.lose(held);
    held.claim = claim;
    held.renewedAt = asked;
  }

  private giveUpOutdated(): void {
    for (const held of [...this.held.values()]) if (this.isOver(held.renewedAt)) this.lose(held);
  }

  private lose(held: Held): void {
    this.held.delete(held.claim.stepId);
    held.onGone?.();
    held.onLost();
  }
}
