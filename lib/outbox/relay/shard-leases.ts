import type { StoredWishes } from '../model/run-wishes.js';
import type { Transaction } from '../../protocol/transaction.js';

/** One shard of one destination, held by one process. Its epoch is the fencing number of that process's writes. */
export interface ShardLease {
  readonly destination: string;
  readonly shard: number;
  readonly epoch: number;
}

export interface AcquiredShard extends ShardLease {
  /** Its last owner did not release it: the events in delivery may have crashed it. */
  readonly abandoned: boolean;
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
