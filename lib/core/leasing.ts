import { DatabaseError } from './errors.js';
import { backoffMs, type BackoffOptions, type Clock, macrotask, sleep, stopwatch, within } from './time.js';

/** The poll interval: work that starts meanwhile may have an earlier deadline. */
const LOOK_MS = 1_000;

/**
 * Calls `expire` whenever the time that `leftMs` returns may be over, until the signal aborts. Enforces deadlines while
 * a call is awaited that may outlast them.
 */
export async function watchDeadlines(leftMs: () => number, expire: () => void, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await sleep(Math.min(LOOK_MS, Math.max(1, Math.ceil(leftMs()))), over);
    // After a blocked event loop, a response may have arrived that was not read yet.
    await macrotask();
    if (!over.aborted) expire();
  }
}

/** The maximum time between two renewals. */
const LONGEST_BEAT_MS = 10_000;
/** The wait after a renewal that failed because the database was unavailable or a row was locked. */
const RETRY_MS = 1_000;

/** A claim whose lease is kept alive. */
export interface Lease<Claim> {
  /** The key of the claimed item. */
  readonly key: string;
  /** The claim as it is stored now. */
  claim: Claim;
  readonly leaseMs: number;
  /** No other process can claim it before this time, by the keeper's clock. */
  heldUntil: number;
  /** Another process may have claimed it: discard the results of work under it. */
  lost: boolean;
}

interface Held<Claim> extends Lease<Claim> {
  readonly onLost: () => void;
  /** It is not renewed along with others. */
  resting?: true;
  /** Called after its renewal, or when it is lost: `settle` waits for that. */
  settling?: (() => void)[];
}

/** A claim that still holds. `renewed` is false if a lock on its row prevented the renewal. Default: true. */
export interface StillHeld<Claim> {
  readonly claim: Claim;
  readonly renewed?: boolean;
}

export interface LeaseKeeperOptions<Claim> {
  /** The key of the claimed item. A newer claim of the same item replaces the older one, which is lost. */
  keyOf: (claim: Claim) => string;
  /** Renews all of these in one statement. Returns the claims that still hold; the others are lost. */
  extend: (leases: readonly Lease<Claim>[]) => Promise<readonly StillHeld<Claim>[]>;
  onError: (error: unknown) => void;
  /** Used only to measure elapsed time. Default: the clock of this machine. */
  clock?: Clock;
  /** The maximum renewal interval; the usual one is a third of the shortest lease. Default: 10 s. */
  longestBeatMs?: number;
}

/**
 * Renews the leases of all active work with one statement per beat. Reports a lost lease at once: when the storage says
 * that another process holds it, or when it could not be renewed until it expired. A lease counts from the time at
 * which its request was sent. Nothing is sent while no lease is held.
 */
export class LeaseKeeper<Claim> {
  private readonly held = new Map<string, Held<Claim>>();
  /** The leases of the current renewal. */
  private renewing: ReadonlySet<Lease<Claim>> = new Set();
  /** The current renewal, and the one that follows it. */
  private beating: Promise<void> | undefined;
  /** The renewal that follows it, for all leases held by then. */
  private next: Promise<void> | undefined;
  private beats: Promise<void> | undefined;
  private nap = new AbortController();
  private napMs = Number.POSITIVE_INFINITY;
  /** Some leases could not be renewed. */
  private behind = false;
  private stopped = false;
  private readonly clock: Clock;

  constructor(private readonly options: LeaseKeeperOptions<Claim>) {
    this.clock = options.clock ?? stopwatch;
  }

  /** The time of this keeper's clock. */
  now(): number {
    return this.clock.now();
  }

  /** Whether a lease that was requested at that time has expired. */
  isOver(askedAt: number, leaseMs: number): boolean {
    return this.now() - askedAt >= leaseMs;
  }

  /** @param askedAt - time by this keeper's clock before the claim was sent: the lease counts from then */
  keep(claim: Claim, leaseMs: number, askedAt: number, onLost: () => void): Lease<Claim> {
    const key = this.options.keyOf(claim);
    // Claimed again by this process: the lease of the older claim had expired unnoticed.
    const older = this.held.get(key);
    if (older) this.lose(older);
    const lease: Held<Claim> = { key, claim, leaseMs, heldUntil: askedAt + leaseMs, lost: false, onLost };
    this.held.set(key, lease);
    if (this.beats && this.beatMsOf(leaseMs) < this.napMs) this.nap.abort('a shorter lease');
    this.beats ??= this.run();
    if (this.isDue(lease)) void this.beat();
    return lease;
  }

  /**
   * Something else is about to end the claim, which a renewal would hinder: renews it no more along with others, but when
   * that takes so long that its own renewal is due. Synchronous unless it is being renewed.
   */
  rest(lease: Lease<Claim>): void | Promise<void> {
    const held = lease as Held<Claim>;
    held.resting = true;
    if (lease.lost || !this.renewing.has(lease)) return;
    return new Promise((resolve) => (held.settling ??= []).push(resolve));
  }

  /** Stops renewing. Returns false if the lease was already lost. */
  drop(lease: Lease<Claim>): boolean {
    if (this.held.get(lease.key) !== lease) return false;
    this.held.delete(lease.key);
    // An idle timer must not keep the process alive.
    if (this.held.size === 0) this.nap.abort('nothing is held');
    return true;
  }

  /** Stops renewing and returns the current claim; undefined if it was lost. Synchronous unless it is being renewed. */
  settle(lease: Lease<Claim>): Claim | undefined | Promise<Claim | undefined> {
    const end = () => (this.drop(lease) ? lease.claim : undefined);
    // The current renewal may change the claim; the one that follows it does not include it.
    if (lease.lost || !this.renewing.has(lease)) return end();
    return new Promise((resolve) => ((lease as Held<Claim>).settling ??= []).push(() => resolve(end())));
  }

  /** Renews all leases now, or after the current renewal. Calls before that renewal starts share it. */
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

  /** Some of these claims, or any, may be lost: renews at once if this keeper holds one of them. */
  async beatIfHeld(keys: readonly string[] | undefined): Promise<void> {
    if (keys ? keys.some((key) => this.held.has(key)) : this.held.size > 0) await this.beat();
  }

  /** Renews if a beat is overdue, for example because the event loop was blocked. */
  async beatIfDue(claim: Claim): Promise<void> {
    const lease = this.held.get(this.options.keyOf(claim));
    if (lease && this.isDue(lease)) await this.beat();
  }

  /** Asks `lostOf` which claims no longer hold and reports them. Skipped while no lease is held. */
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

  /** The minimum of `of` over all held leases. */
  private least(of: (lease: Lease<Claim>) => number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const lease of this.held.values()) least = Math.min(least, of(lease));
    return least;
  }

  /** Runs while there are leases to renew. */
  private async run(): Promise<void> {
    while (!this.stopped && this.held.size > 0) {
      this.nap = new AbortController();
      const beatMs = this.beatMsOf(this.least(({ leaseMs }) => leaseMs));
      this.napMs = this.behind ? Math.min(RETRY_MS, beatMs) : beatMs;
      await sleep(this.napMs, this.nap.signal);
      // If it was woken early, the next beat is due at another time.
      if (!this.nap.signal.aborted && this.held.size > 0) await this.beat();
    }
    this.beats = undefined;
  }

  private async renewAll(): Promise<void> {
    const beaten = [...this.held.values()].filter((lease) => !lease.resting || this.isDue(lease));
    if (beaten.length === 0) return;
    const asked = this.now();
    const answered = new AbortController();
    // Without a response in time, the leases expire: other processes may hold them.
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
      this.expire();
      for (const { settling } of beaten) settling?.forEach((settle) => settle());
    }
    if (this.behind && this.napMs > RETRY_MS) this.nap.abort('behind');
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
    // It may have been settled or claimed again meanwhile.
    if (!this.drop(lease)) return;
    lease.lost = true;
    lease.settling?.forEach((settle) => settle());
    lease.onLost();
  }
}

/**
 * Cancels a piece of work. Most work is never cancelled and never reads the signal, so its `AbortSignal` is created on
 * demand. The first of several reasons is used.
 */
export class Cancellation {
  private controller: AbortController | undefined;
  private reason: Error | undefined;
  private ended: Error | undefined;
  private reject: ((reason: Error) => void) | undefined;
  /** The work was asked to stop; this is not a failure. */
  asked = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  /** Aborts the signal; the result of the work still counts. */
  ask(reason: Error): void {
    this.asked = true;
    this.abort(reason);
  }

  /** Aborts the signal and stops waiting for the work. */
  end(reason: Error): void {
    this.ended ??= reason;
    this.reject?.(this.ended);
    this.abort(reason);
  }

  /** Settles as `work` does, or rejects with the reason of {@link end}, whichever is first. After that no work begins. */
  outlive<T>(work: () => T | PromiseLike<T>): Promise<T> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.reject = reject;
      const outcome = work();
      // Awaited directly: resolving with a promise takes some more turns.
      if (outcome instanceof Promise) (outcome as Promise<T>).then(resolve, reject);
      else resolve(outcome);
      if (this.ended) reject(this.ended);
    });
  }

  /** Like `outlive`, but ends with `late()` after `ms`. Work that ignores its signal continues without effect. */
  outliveWithin<T>(ms: number, work: () => T | PromiseLike<T>, late: () => Error): Promise<T> {
    return within(ms, this.outlive(work), () => {
      const error = late();
      this.end(error);
      return error;
    });
  }

  private abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }
}

const EVERY_MS = 15_000;
/** The clock follows that of the database: between two naps it may be set back by this. */
const CORRECTION_MS = 1_000;
/** What was told is told again after this time, if it lasts. */
const AGAIN_MS = 600_000;

/** What a look has found. */
export interface Found<Item> {
  items: readonly Item[];
  /**
   * Whether what was told of before is served now. A look need not find all that waits, so what it has not found may
   * wait on.
   */
  isServed: (told: Item) => boolean;
}

export interface UnservedWatchOptions<Item> {
  /** Finds items that have waited for longer than `olderThanMs`. Undefined if this is left to another process. */
  find: (olderThanMs: number) => Promise<Found<Item> | undefined>;
  keyOf: (item: Item) => string;
  tell: (item: Item) => void;
  clock: Clock;
}

/** How long items may wait, in ms, before they are told of. */
export const UNSERVED_AFTER_MS = 30_000;

/**
 * Finds items that no process serves, at a slow beat. It tells of each once; again after ten minutes while that lasts;
 * and again when the item is no longer served after it has been. The first look follows a while after the start:
 * processes that are deployed together do not start at once.
 */
export class UnservedWatch<Item> {
  private lookedAt: number;
  private readonly told = new Map<string, { item: Item; at: number }>();

  constructor(private readonly options: UnservedWatchOptions<Item>) {
    this.lookedAt = options.clock.now();
  }

  async look(): Promise<void> {
    const { find, keyOf, tell, clock } = this.options;
    const now = clock.now();
    if (now - this.lookedAt < EVERY_MS - CORRECTION_MS) return;
    this.lookedAt = now;
    const found = await find(UNSERVED_AFTER_MS);
    if (!found) return;
    for (const [key, { item, at }] of this.told)
      if (now - at >= AGAIN_MS || found.isServed(item)) this.told.delete(key);
    for (const item of found.items) {
      const key = keyOf(item);
      if (this.told.has(key)) continue;
      this.told.set(key, { item, at: now });
      tell(item);
    }
  }
}

export interface Patience {
  /** Once it aborts, the next failure is thrown. Default: never. */
  stopped?: AbortSignal;
  /** Which failures are retried; the others are thrown. Default: every `DatabaseError`. */
  passes?: (error: unknown) => boolean;
  /** Called and awaited before each wait, with the error, the number of failures and the wait. It may throw to end the retries. */
  onFailure?: (error: unknown, failures: number, waitMs: number) => unknown;
  /** The wait after each failure. Default: from 50 ms to 2 s, jittered. */
  retry?: BackoffOptions;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/** Whether a retry may help. */
export const mayPass = (error: unknown): error is DatabaseError => error instanceof DatabaseError && !error.aboutData;

/** Retries `work`, which receives the number of failures, until the database is available again. */
export async function untilBack<T>(work: (failures: number) => Promise<T>, patience: Patience): Promise<T> {
  const { stopped, passes = (error) => error instanceof DatabaseError, onFailure, retry = RETRY } = patience;
  for (let failures = 0; ;) {
    try {
      return await work(failures);
    } catch (error) {
      if (stopped?.aborted || !passes(error)) throw error;
      const waitMs = backoffMs(++failures, retry);
      await onFailure?.(error, failures, waitMs);
      await sleep(waitMs, stopped);
    }
  }
}

/** Processes as one text, in which each can be found and removed by a statement. */
export const listOf = (processes: readonly (string | undefined)[]): string =>
  processes.map((one) => (one === undefined ? '' : `[${one}]`)).join('');

/** The processes of such a text. */
export const listedIn = (text: string | null): Set<string> =>
  new Set(text?.match(/\[[^\]]*\]/g)?.map((one) => one.slice(1, -1)));
