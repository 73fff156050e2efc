import type { AcquiredShard, ShardLease } from './shard-leases.js';

/** A shard that this process publishes, until it gives it back or hears that it was lost. */
export class HeldShard {
  /** The channel behind which the next look begins. */
  after = '';
  /** Nothing more is begun: it is given back once what is under way has ended. */
  draining = false;
  lost = false;
  /** Channels of it that are being delivered or acknowledged. */
  underway = 0;
  /** Kept though another should have it, who did not take it: see `ShardKeeper`. */
  strayUntil = 0;
  /** Its last owner died, and not all channels have been looked at since. */
  suspect: boolean;
  private readonly aborts = new Set<() => void>();

  constructor(
    readonly lease: ShardLease,
    abandoned: boolean,
    /** Until when it is ours at least, by the clock of elapsed time. */
    public endsAt: number,
  ) {
    this.suspect = abandoned;
  }

  /** Calls `abort` when the shard is lost. Returns a function that calls it off. */
  whenLost(abort: () => void): () => void {
    this.aborts.add(abort);
    return () => void this.aborts.delete(abort);
  }

  lose(): void {
    this.lost = true;
    for (const abort of this.aborts) abort();
    this.aborts.clear();
  }
}

/** What this process publishes, of all destinations. */
export class HeldShards {
  private readonly shards = new Map<string, HeldShard>();

  all(destination?: string): HeldShard[] {
    const all = [...this.shards.values()];
    return destination === undefined ? all : all.filter(({ lease }) => lease.destination === destination);
  }

  get(destination: string, shard: number): HeldShard | undefined {
    return this.shards.get(keyOf(destination, shard));
  }

  /** The shard under exactly this lease. */
  under(lease: ShardLease): HeldShard | undefined {
    const held = this.get(lease.destination, lease.shard);
    return held?.lease.epoch === lease.epoch ? held : undefined;
  }

  add(acquired: AcquiredShard, endsAt: number): HeldShard {
    const { abandoned, ...lease } = acquired;
    const held = new HeldShard(lease, abandoned, endsAt);
    this.shards.set(keyOf(lease.destination, lease.shard), held);
    return held;
  }

  /** It is somebody else's, or may be: whatever is under way is aborted. */
  lose(held: HeldShard): void {
    if (held.lost) return;
    this.remove(held);
    held.lose();
  }

  remove(held: HeldShard): void {
    const key = keyOf(held.lease.destination, held.lease.shard);
    if (this.shards.get(key) === held) this.shards.delete(key);
  }
}

const keyOf = (destination: string, shard: number): string => `${shard}:${destination}`;
