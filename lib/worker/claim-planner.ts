import type { Clock } from '../time/clock.js';
import type { ConcurrencyClass, HandlerRegistry, RegisteredHandler } from './handler-registry.js';
import type { ClaimedTask, ClaimRequest, GroupQuota } from './task-source.js';

/** Counts running handlers, in the process and per concurrency class. */
export class Slots {
  private readonly perClass = new Map<string, number>();
  private taken = 0;

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.taken;
  }

  /** How many more of this class may start, apart from the limit of the process. */
  freeIn(concurrencyClass: ConcurrencyClass | undefined): number {
    if (concurrencyClass?.concurrency === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, concurrencyClass.concurrency - (this.perClass.get(concurrencyClass.name) ?? 0));
  }

  take(concurrencyClass: ConcurrencyClass | undefined): void {
    this.add(concurrencyClass, 1);
  }

  giveBack(concurrencyClass: ConcurrencyClass | undefined): void {
    this.add(concurrencyClass, -1);
  }

  private add(concurrencyClass: ConcurrencyClass | undefined, count: number): void {
    this.taken += count;
    if (!concurrencyClass) return;
    this.perClass.set(concurrencyClass.name, (this.perClass.get(concurrencyClass.name) ?? 0) + count);
  }
}

export type ClaimPlan = Pick<ClaimRequest, 'groups' | 'names' | 'limit'>;

/** However often single groups are woken, all groups are polled at this interval. */
const LOOK_AT_ALL_MS = 100;

/**
 * Plans the next claim. Every group gets a fair share of the free slots, in turn. Groups that were woken, or returned
 * as many tasks as requested, come first, so that busy groups do not cause polls of idle ones.
 */
export class ClaimPlanner {
  /** Groups that likely have more; undefined: any group may. */
  private promising: Set<string> | undefined;
  private lookedAtAll = Number.NEGATIVE_INFINITY;
  private turn = 0;
  private heldBack = false;

  constructor(
    private readonly handlers: HandlerRegistry,
    private readonly slots: Slots,
    private readonly clock: Clock,
    /** Whether the tasks of a group must not be claimed now. */
    private readonly isHeld: (group: string) => boolean = () => false,
  ) {}

  /** Whether to claim at once when a slot becomes free. */
  get expectsMore(): boolean {
    return this.heldBack || this.hasPromising;
  }

  /** Whether the last claim left tasks behind that could start now. */
  get hasPromising(): boolean {
    return this.promising === undefined || this.promising.size > 0;
  }

  /** Without groups: any may have tasks. Returns whether it concerns this worker. */
  wake(groups?: readonly string[]): boolean {
    if (!groups) this.promising = undefined;
    const served = new Set(this.handlers.groups);
    const ours = (groups ?? []).filter((group) => served.has(group));
    for (const group of ours) this.promising?.add(group);
    return !groups || ours.length > 0;
  }

  /** What to claim with `limit` slots; undefined when no handler may start. */
  plan(limit: number): ClaimPlan | undefined {
    const ready = [...this.handlers.all()].filter(({ concurrencyClass }) => this.slots.freeIn(concurrencyClass) > 0);
    this.heldBack = limit <= 0 || ready.length < this.handlers.size;
    if (limit <= 0 || ready.length === 0) return undefined;
    const groups = this.shares(this.scope(ready), limit);
    if (groups.length === 0) return undefined;
    return { groups, names: ready.map(({ name }) => name), limit };
  }

  /** A group that returned as many tasks as requested may have more. */
  learn({ groups }: ClaimPlan, tasks: readonly ClaimedTask[]): void {
    const counts = new Map<string, number>();
    for (const { group } of tasks) counts.set(group, (counts.get(group) ?? 0) + 1);
    const full = tasks.length > 0 && groups.filter(({ group, limit }) => (counts.get(group) ?? 0) >= limit);
    for (const { group } of full || []) this.promising?.add(group);
  }

  /** The groups to poll now, each with those of its handlers that may start. */
  private scope(ready: readonly RegisteredHandler[]): Map<string, RegisteredHandler[]> {
    const byGroup = new Map<string, RegisteredHandler[]>();
    for (const handler of ready) {
      for (const group of handler.groups)
        if (!this.isHeld(group)) byGroup.set(group, [...(byGroup.get(group) ?? []), handler]);
    }
    const { promising } = this;
    this.promising = new Set();
    const now = this.clock.now();
    const chosen = [...byGroup].filter(([group]) => promising?.has(group));
    if (chosen.length > 0 && Math.abs(now - this.lookedAtAll) < LOOK_AT_ALL_MS) return new Map(chosen);
    this.lookedAtAll = now;
    return byGroup;
  }

  private shares(scope: Map<string, RegisteredHandler[]>, limit: number): GroupQuota[] {
    const groups = [...scope.keys()];
    if (groups.length === 0) return [];
    const first = this.turn++ % groups.length;
    const inTurn = [...groups.slice(first), ...groups.slice(0, first)];
    const share = Math.ceil(limit / groups.length);
    const left = new Map<string, number>();
    const quotas: GroupQuota[] = [];
    for (const group of inTurn) {
      const quota = Math.min(share, this.draw(left, scope.get(group) ?? [], share));
      if (quota > 0) quotas.push({ group, limit: quota });
      // Other groups of its class got the slots but may be empty: it comes first next time.
      else this.promising?.add(group);
    }
    return quotas;
  }

  /** Takes up to `share` of the remaining slots of the classes of a group's handlers. */
  private draw(left: Map<string, number>, handlers: readonly RegisteredHandler[], share: number): number {
    let drawn = 0;
    for (const { concurrencyClass } of handlers) {
      const free = this.slots.freeIn(concurrencyClass);
      if (!concurrencyClass || free === Number.POSITIVE_INFINITY) return share;
      const remaining = left.get(concurrencyClass.name) ?? free;
      const part = Math.min(remaining, share - drawn);
      left.set(concurrencyClass.name, remaining - part);
      drawn += part;
    }
    if (drawn < share) this.heldBack = true;
    return drawn;
  }
}
