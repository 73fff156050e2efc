import { isPoolTimeout } from './database-errors.js';
import type { PoolCounts } from './pool-counts.js';
import { type Clock, systemClock } from '../time/clock.js';
import { Timers } from '../time/timers.js';

/**
 * `held`: somebody holds connections that run no statement: the pool is too small, or transactions wait for others.
 * `busy`: every connection runs a statement. `opening`: the pool could open more, and the server does not let it.
 */
export type PoolWaitReason = 'held' | 'busy' | 'opening';

/** Statements wait for connections. */
export interface PoolWait {
  /** How long the first of them has waited. */
  waitedMs: number;
  /** How many of our statements and transactions wait now. */
  waiting: number;
  /** Undefined if the pool does not tell. */
  why?: PoolWaitReason;
  /** The most connections of the pool; undefined if it does not say. */
  most?: number;
  /** The size that would do, if the size is what is wrong; undefined if no sensible one would. */
  enough?: number;
  /** The option of the pool that sets it. */
  setting: string;
}

/** Longer than a statement that keeps a connection usually takes. */
const PATIENCE_MS = 5_000;

/** What the loops of a process need, as in the formula for users. */
const LOOPS = 4;

/** Servers accept 100 (PostgreSQL) or 151 connections by default, from all processes. */
const MOST_SENSIBLE = 100;

/**
 * Notices when a connection does not come. A transaction of the app that waits for a call of ours, which itself waits
 * for a connection, keeps the connection that would be needed: nothing but a larger pool helps. Costs one timer, no
 * matter how many statements run.
 */
export class PoolWaits {
  private readonly since = new Map<object, number>();
  private readonly timers: Timers;
  private listeners: ((wait: PoolWait) => void)[] = [];
  private patienceMs = PATIENCE_MS;
  private isArmed = false;
  private toldAt = -Infinity;

  constructor(
    private readonly pool: { counts?(): PoolCounts | undefined; setting?: string | undefined },
    private readonly clock: Clock = systemClock,
  ) {
    this.timers = new Timers(clock);
    clock.onTurn?.(() => this.timers.fire());
  }

  /** Calls `listener` when a statement has waited for `afterMs`, and again while one does. */
  onWait(listener: (wait: PoolWait) => void, afterMs = PATIENCE_MS): void {
    this.listeners.push(listener);
    this.patienceMs = afterMs;
  }

  /**
   * A wait begins. Returns a function that ends it, with the error if no connection came: some pools give up sooner than
   * we do, which is told of at once. Only its first call counts.
   */
  begin(): (error?: unknown) => void {
    const wait = {};
    this.since.set(wait, this.clock.now());
    if (!this.isArmed) this.armAt(this.clock.now() + this.patienceMs);
    return (error) => {
      if (error !== undefined && this.since.has(wait) && isPoolTimeout(error)) this.tell();
      this.since.delete(wait);
    };
  }

  /** Not for each wait: there is one for every statement, and most end at once. */
  private armAt(due: number): void {
    if (this.listeners.length === 0) return;
    this.isArmed = true;
    this.timers.at(due, () => this.look());
  }

  private look(): void {
    this.isArmed = false;
    // The first in the order of insertion has waited longest.
    const [first] = this.since.values();
    if (first === undefined) return;
    if (this.clock.now() - first >= this.patienceMs) this.tell();
    this.armAt(Math.max(first, this.toldAt) + this.patienceMs);
  }

  private tell(): void {
    const now = this.clock.now();
    if (now - this.toldAt < this.patienceMs) return;
    this.toldAt = now;
    const [first = now] = this.since.values();
    const { setting = 'the size of the pool' } = this.pool;
    const wait = { waitedMs: now - first, waiting: this.since.size, setting, ...this.diagnosis() };
    for (const listener of this.listeners) listener(wait);
  }

  private diagnosis(): Pick<PoolWait, 'why' | 'most' | 'enough'> {
    const counts = this.pool.counts?.();
    if (!counts) return {};
    const { most, used, busy, pending } = counts;
    if (most === undefined) return { why: 'opening' };
    if (used < most) return { why: 'opening', most };
    if (busy === used) return { why: 'busy', most };
    // Each connection may belong to a transaction that needs a second one, and so may each that the app waits for.
    const transactions = most + Math.max(0, pending - this.since.size);
    const enough = 2 * transactions + LOOPS;
    return { why: 'held', most, ...(enough <= MOST_SENSIBLE && { enough }) };
  }
}
