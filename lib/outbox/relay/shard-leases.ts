/** One shard of one destination, held by one process: its epoch is the fencing number of what that process writes. */
export interface ShardLease {
  readonly destination: string;
  readonly shard: number;
  readonly epoch: number;
}

export interface AcquiredShard extends ShardLease {
  /** Its last owner did not give it back: what it was delivering may have killed it. */
  readonly abandoned: boolean;
}

export interface AcquireShards {
  destination: string;
  /** Shards that are this process's by the common rule: taken as soon as they are free. */
  wanted: readonly number[];
  /** The most to take of all others, which have been free for a whole lease. */
  strays: number;
  leaseMs: number;
}

/** Who publishes what. Leases are counted by the storage's clock alone. */
export interface ShardLeases {
  /** Renews all that `owner` holds, and answers them. What is not among them has been lost. */
  renew(owner: string, leaseMs: number): Promise<ShardLease[]>;
  /** Takes free shards, each with its epoch raised; of two who ask at once one gets it. Waits for nobody. */
  acquire(owner: string, request: AcquireShards): Promise<AcquiredShard[]>;
  /** Gives back those that are still `owner`'s in that epoch. */
  release(owner: string, leases: readonly ShardLease[]): Promise<void>;
}

/** The leases under which these go, one for each shard and epoch. */
export const leasesOf = (items: readonly { readonly lease: ShardLease }[]): ShardLease[] => [
  ...new Map(items.map(({ lease }) => [`${lease.shard}:${lease.epoch}`, lease])).values(),
];

/**
 * The destinations that a database knows. With one, events are removed as they are delivered; with several, each has its
 * position in every channel, and an event is finished once all have passed it.
 */
export interface DestinationRoster {
  /** Makes them known, with a free lease for each shard. Those that are known are seen again. */
  register(names: readonly string[], shards: number): Promise<void>;
  /** Sorted by name. */
  known(): Promise<KnownDestination[]>;
  /** Forgets one that is no more, and where it stood in every channel: events no longer wait for it. */
  forget(name: string): Promise<void>;
}

export interface KnownDestination {
  readonly name: string;
  /** When a process that has it started last, epoch ms. */
  readonly seenAt: number;
}
