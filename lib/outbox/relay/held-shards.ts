import type { AcquiredShard, ShardLease } from './shard-leases.js';

/** A shard that this process publishes, until it is released or lost. */
export class HeldShard {
  /** The channel after which the next read starts. */
  after = '';
  /** Nothing more is started: the shard is released once its deliveries have ended. */
  draining = false;
  lost = false;
  /** The number of its channels in delivery or acknowledgement. */
  underway = 0;
  /** Kept for now, because its assigned node did not take it: see `ShardKeeper`. */
  strayUntil = 0;
  /** Its last owner died, and not all channels were read since. */
  suspect: boolean;
  private readonly aborts = new Set<() => void>();

  constructor(
    readonly lease: ShardLease,
    abandoned: boolean,
    /** The minimum end of its lease, by the clock of elapsed time. */
    public endsAt: number,
  ) {
    this.suspect = abandoned;
  }

  /** Calls `abort` when the shard is lost. Returns a function that removes the callback. */
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

/** All shards that this process publishes, of all destinations. */
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

  /** Another process holds it, or may hold it: deliveries in progress are aborted. */
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
