import { createHash } from 'node:crypto';
import type { Transaction } from '../core/transaction.js';
import type { StoredWishes } from './events.js';

/** One shard of one destination, held by one process. Its epoch is the fencing number of that process's writes. */
export interface ShardLease {
  readonly destination: string;
  readonly shard: number;
  readonly epoch: number;
}

export interface AcquiredShard extends ShardLease {
  /** The process that had it and did not release it: events that it delivered may have crashed it. Never the new owner. */
  readonly abandonedBy?: string | undefined;
}

export interface AcquireShards {
  destination: string;
  /** Shards whose assigned node is this process: taken as soon as they are free. */
  wanted: readonly number[];
  /** The maximum number of others to take, which have been free for a whole lease. */
  strays: number;
  leaseMs: number;
}

/** Leases on shards, by the storage's clock only. */
export interface ShardLeases {
  /** Renews all leases of `owner` and returns them. All others have been lost. */
  renew(owner: string, leaseMs: number): Promise<ShardLease[]>;
  /** Takes free shards and raises their epochs. Two concurrent calls never take the same one. Never waits for locks. */
  acquire(owner: string, request: AcquireShards): Promise<AcquiredShard[]>;
  /** Releases those that `owner` still holds in that epoch. */
  release(owner: string, leases: readonly ShardLease[]): Promise<void>;
}

/** The leases of these items without duplicates. */
export const leasesOf = (items: readonly { readonly lease: ShardLease }[]): ShardLease[] => [
  ...new Map(items.map(({ lease }) => [`${lease.shard}:${lease.epoch}`, lease])).values(),
];

/**
 * The destinations in a database. With one, events are removed when they are delivered; with several, each has a
 * position in every channel, and an event ends once all have passed it.
 */
export interface DestinationRoster {
  /**
   * Registers destinations, with a free lease for each shard. Updates `seenAt` of known ones, and what they want: the
   * JSON list in `wants`, as {@link want} does, or nothing.
   */
  register(names: readonly string[], shards: number, wants?: ReadonlyMap<string, string>): Promise<void>;
  /**
   * Says what these registered destinations want of the ends and blocks of runs, and that a process that wants it is
   * there. What another version wants stays, until nobody has said so for a while.
   */
  want(wants: ReadonlyMap<string, string>): Promise<void>;
  /** What the destinations want that want ends or blocks of runs, by name. */
  wants(tx?: Transaction): Promise<StoredWishes[]>;
  /** Sorted by name. */
  known(): Promise<KnownDestination[]>;
  /** Removes one with its positions: events no longer wait for it. */
  forget(name: string, tx?: Transaction): Promise<void>;
}

export interface KnownDestination {
  readonly name: string;
  /** When a process with it last started, epoch ms. */
  readonly seenAt: number;
}

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
  /** Its last owner, if that died, until all channels were read. */
  abandonedBy: string | undefined;
  private readonly aborts = new Set<() => void>();

  constructor(
    readonly lease: ShardLease,
    abandonedBy: string | undefined,
    /** The minimum end of its lease, by the clock of elapsed time. */
    public endsAt: number,
  ) {
    this.abandonedBy = abandonedBy;
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
  /** How many it has lost. */
  losses = 0;
  /** The processes that were alive at the last beat. */
  live: readonly string[] = [];
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
    const { abandonedBy, ...lease } = acquired;
    // Under the lease that it had before, nothing can be written any more.
    const before = this.get(lease.destination, lease.shard);
    if (before) this.lose(before);
    const held = new HeldShard(lease, abandonedBy, endsAt);
    this.shards.set(keyOf(lease.destination, lease.shard), held);
    return held;
  }

  /** Another process holds it, or may hold it: deliveries in progress are aborted. */
  lose(held: HeldShard): void {
    if (held.lost) return;
    this.losses++;
    this.remove(held);
    held.lose();
  }

  remove(held: HeldShard): void {
    const key = keyOf(held.lease.destination, held.lease.shard);
    if (this.shards.get(key) === held) this.shards.delete(key);
  }
}

const keyOf = (destination: string, shard: number): string => `${shard}:${destination}`;

/**
 * The assigned node of a shard, computed in the same way by all: the pair with the highest hash. When a node joins or
 * leaves, only its own shards move. Undefined without nodes.
 */
export function rendezvous(nodes: readonly string[], destination: string, shard: number): string | undefined {
  let best: string | undefined;
  let highest = -1;
  for (const node of nodes) {
    const score = createHash('md5').update(`${node}\n${destination}\n${shard}`).digest().readUInt32BE(0);
    if (score < highest || (score === highest && node > (best ?? ''))) continue;
    highest = score;
    best = node;
  }
  return best;
}

/** The shards of `destination` whose assigned node is `node`. */
export function shardsOf(node: string, nodes: readonly string[], destination: string, shards: number): number[] {
  return Array.from({ length: shards }, (_, shard) => shard).filter(
    (shard) => rendezvous(nodes, destination, shard) === node,
  );
}
