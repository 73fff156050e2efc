import { type Clock, stopwatch } from '../time/clock.js';
import { sleep } from '../time/sleep.js';
import { watchDeadlines } from './deadline-watch.js';

/** The longest time between two renewals. */
const LONGEST_BEAT_MS = 10_000;
/** After a renewal that could not be done: because the database was away, or a row was locked. */
const RETRY_MS = 1_000;

/** A claim whose lease is kept alive. */
export interface Lease<Claim> {
  /** What is claimed. */
  readonly key: string;
  /** As the storage has it by now. */
  claim: Claim;
  readonly leaseMs: number;
  /** Nobody else can have it before; by the keeper's clock. */
  heldUntil: number;
  /** Somebody else may have it: what was done under it counts for nothing. */
  lost: boolean;
}

interface Held<Claim> extends Lease<Claim> {
  readonly onLost: () => void;
  /** Told as well, where somebody waits for what becomes of it. */
  onGone?: () => void;
}

/** A claim that still holds. `renewed` is false where its lease is the old one, because its row is locked. Default: true. */
export interface StillHeld<Claim> {
  readonly claim: Claim;
  readonly renewed?: boolean;
}

export interface LeaseKeeperOptions<Claim> {
  /** What is claimed. Of two claims of the same thing the older is lost. */
  keyOf: (claim: Claim) => string;
  /** Renews all of these in one statement. Returns those that still hold; the others are lost. */
  extend: (leases: readonly Lease<Claim>[]) => Promise<readonly StillHeld<Claim>[]>;
  onError: (error: unknown) => void;
  /** Only for how much time has passed. Default: this machine's. */
  clock?: Clock;
  /** Leases are renewed every third of the shortest, and at the least so often. Default: 10 s. */
  longestBeatMs?: number;
}

/**
 * Renews the leases of everything that is being worked on with one statement per beat, and says so at once when one is
 * lost: because the storage says that somebody else holds it, or because it could not be asked for so long that somebody
 * may. A lease counts from when its request was sent. Nothing is sent while nothing is held.
 */
export class LeaseKeeper<Claim> {
  private readonly held = new Map<string, Held<Claim>>();
  /** What the renewal under way is about. */
  private renewing: ReadonlySet<Lease<Claim>> = new Set();
  /** The renewal under way. */
  private beating: Promise<void> | undefined;
  /** The renewal that waits for it, of all that is held by then. */
  private next: Promise<void> | undefined;
  private beats: Promise<void> | undefined;
  private nap = new AbortController();
  private napMs = Number.POSITIVE_INFINITY;
  /** Some could not be renewed. */
  private behind = false;
  private stopped = false;
  private readonly clock: Clock;

  constructor(private readonly options: LeaseKeeperOptions<Claim>) {
    this.clock = options.clock ?? stopwatch;
  }

  /** By this keeper's clock. */
  now(): number {
    return this.clock.now();
  }

  /** Whether a lease that was asked for at that time may be somebody else's by now. */
  isOver(askedAt: number, leaseMs: number): boolean {
    return this.now() - askedAt >= leaseMs;
  }

  /** @param askedAt - by this keeper's clock, before the claim was sent: the lease counts from there */
  keep(claim: Claim, leaseMs: number, askedAt: number, onLost: () => void): Lease<Claim> {
    const key = this.options.keyOf(claim);
    // Claimed again by ourselves: the older claim's lease had run out unnoticed.
    const older = this.held.get(key);
    if (older) this.lose(older);
    const lease: Held<Claim> = { key, claim, leaseMs, heldUntil: askedAt + leaseMs, lost: false, onLost };
    this.held.set(key, lease);
    if (this.beats && this.beatMsOf(leaseMs) < this.napMs) this.nap.abort('a shorter lease');
    this.beats ??= this.run();
    if (this.isDue(lease)) void this.beat();
    return lease;
  }

  /** Ends the keeping. False when it has ended before, because the lease was lost. */
  drop(lease: Lease<Claim>): boolean {
    if (this.held.get(lease.key) !== lease) return false;
    this.held.delete(lease.key);
    // A timer that has nothing to do must not keep the process.
    if (this.held.size === 0) this.nap.abort('nothing is held');
    return true;
  }

  /** Ends the keeping and returns the claim as it stands now; undefined when it was lost. At once unless it is being renewed. */
  settle(lease: Lease<Claim>): Claim | undefined | Promise<Claim | undefined> {
    const end = () => (this.drop(lease) ? lease.claim : undefined);
    // A renewal that is under way may change the claim.
    if (lease.lost || !this.beating || !this.renewing.has(lease)) return end();
    const gone = new Promise<void>((resolve) => ((lease as Held<Claim>).onGone = resolve));
    return Promise.race([this.beating, gone]).then(end);
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

  /** Some of these, or any, may be held in vain: renews at once if one of them is held here. */
  async beatIfHeld(keys: readonly string[] | undefined): Promise<void> {
    if (keys ? keys.some((key) => this.held.has(key)) : this.held.size > 0) await this.beat();
  }

  /** Renews if a beat is overdue, as it is when somebody blocked the event loop. */
  async beatIfDue(claim: Claim): Promise<void> {
    const lease = this.held.get(this.options.keyOf(claim));
    if (lease && this.isDue(lease)) await this.beat();
  }

  /** Asks `lostOf` which claims hold no longer, and says so of those. Asks nothing while nothing is held. */
  async compare(lostOf: (claims: readonly Claim[]) => Promise<readonly Claim[]>): Promise<void> {
    const asked = [...this.held.values()];
    if (asked.length === 0) return;
    const lost = new Set((await lostOf(asked.map(({ claim }) => claim))).map(this.options.keyOf));
    for (const lease of asked) if (lost.has(lease.key)) this.lose(lease);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.nap.abort('stopped');
    await this.beats;
    await this.beating;
    this.held.clear();
  }

  private beatMsOf(leaseMs: number): number {
    return Math.min(leaseMs / 3, this.options.longestBeatMs ?? LONGEST_BEAT_MS);
  }

  private isDue({ heldUntil, leaseMs }: Lease<Claim>): boolean {
    return this.now() - (heldUntil - leaseMs) >= this.beatMsOf(leaseMs);
  }

  /** The smallest of what `of` tells of those that are held. */
  private least(of: (lease: Lease<Claim>) => number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const lease of this.held.values()) least = Math.min(least, of(lease));
    return least;
  }

  /** Goes on while there is something to renew. */
  private async run(): Promise<void> {
    while (!this.stopped && this.held.size > 0) {
      this.nap = new AbortController();
      const beatMs = this.beatMsOf(this.least(({ leaseMs }) => leaseMs));
      this.napMs = this.behind ? Math.min(RETRY_MS, beatMs) : beatMs;
      await sleep(this.napMs, this.nap.signal);
      // Woken early: the time until the next beat is another one now.
      if (!this.nap.signal.aborted && this.held.size > 0) await this.beat();
    }
    this.beats = undefined;
  }

  private async renewAll(): Promise<void> {
    const beaten = [...this.held.values()];
    if (beaten.length === 0) return;
    const asked = this.now();
    const answered = new AbortController();
    // No answer in time is an answer too: from then on somebody else may hold them.
    const leftMs = () => this.least(({ heldUntil }) => heldUntil) - this.now();
    void watchDeadlines(leftMs, () => this.expire(), answered.signal);
    this.renewing = new Set(beaten);
    try {
      const still = await this.options.extend(beaten);
      const byKey = new Map(still.map((one) => [this.options.keyOf(one.claim), one]));
      this.behind = still.some(({ renewed }) => renewed === false);
      for (const lease of beaten) this.learn(lease, byKey.get(lease.key), asked);
    } catch (error) {
      this.behind = true;
      this.options.onError(error);
    } finally {
      answered.abort('answered');
      this.renewing = new Set();
    }
    if (this.behind && this.napMs > RETRY_MS) this.nap.abort('behind');
    this.expire();
  }

  private learn(lease: Held<Claim>, still: StillHeld<Claim> | undefined, asked: number): void {
    if (!still) return this.lose(lease);
    if (still.renewed === false || this.held.get(lease.key) !== lease) return;
    lease.claim = still.claim;
    lease.heldUntil = asked + lease.leaseMs;
  }

  private expire(): void {
    const now = this.now();
    for (const lease of [...this.held.values()]) if (lease.heldUntil <= now) this.lose(lease);
  }

  private lose(lease: Held<Claim>): void {
    // Not what was settled meanwhile, or claimed again.
    if (!this.drop(lease)) return;
    lease.lost = true;
    lease.onGone?.();
    lease.onLost();
  }
}
