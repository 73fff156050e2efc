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
