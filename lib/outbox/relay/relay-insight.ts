import type { MemoryOutbox } from './memory-outbox.js';

/** The shards of a destination that one process publishes, or that none does. */
export interface ShardsOfOwner {
  readonly destination: string;
  /** The name of its node; null: nobody has them. */
  readonly owner: string | null;
  readonly shards: number;
  /** How many of them have a lease that has expired: nobody publishes these now. */
  readonly lapsed: number;
}

/** What needs somebody at a destination; each number is counted up to a limit, and is one more if there are more. */
export interface DestinationTroubles {
  readonly destination: string;
  readonly blocked: number;
  readonly parked: number;
  readonly requeued: number;
  readonly dead: number;
  /** Since when the first of its blocked channels is blocked, epoch ms. */
  readonly since: number | null;
}

/** Tells people how the delivery of events stands. */
export interface RelayInsight {
  /** By destination and owner. */
  shards(): Promise<ShardsOfOwner[]>;
  /** Of these destinations, in their order; everything is counted up to `atMost`. */
  troubles(destinations: readonly string[], atMost: number): Promise<DestinationTroubles[]>;
  /**
   * For how many ms the oldest undelivered event waits, blocked ones included; null if there is none. Looks at the first
   * undelivered event of up to `channels` channels of each shard.
   */
  waitsMs(destination: string, channels: number): Promise<number | null>;
}

/** The counterpart of `SqlRelayInsight`. */
export class InMemoryRelayInsight implements RelayInsight {
  constructor(private readonly tables: MemoryOutbox) {}

  async shards(): Promise<ShardsOfOwner[]> {
    const now = this.tables.clock.now();
    const found = new Map<string, ShardsOfOwner>();
    for (const [key, { owner = null, until }] of this.tables.shards) {
      const [destination = ''] = key.split('\n');
      const ofOwner = JSON.stringify([destination, owner]);
      const { shards, lapsed } = found.get(ofOwner) ?? { shards: 0, lapsed: 0 };
      const isLapsed = owner !== null && until <= now;
      found.set(ofOwner, { destination, owner, shards: shards + 1, lapsed: lapsed + Number(isLapsed) });
    }
    return [...found.values()].sort(byOwner);
  }

  async troubles(destinations: readonly string[], atMost: number): Promise<DestinationTroubles[]> {
    return destinations.map((destination) => {
      const channels = [...this.tables.channels].filter(([key]) => key.startsWith(`${destination}\n`));
      const count = (found: readonly unknown[]) => Math.min(found.length, atMost + 1);
      const inState = (wanted: string) => channels.filter(([, { state }]) => state === wanted);
      const since = inState('blocked').flatMap(([, { failedAt }]) => failedAt ?? []);
      return {
        destination,
        blocked: count(inState('blocked')),
        parked: count(inState('parked')),
        requeued: count(inState('requeued')),
        dead: count(this.tables.deadOf(destination)),
        since: since.length === 0 ? null : Math.min(...since),
      };
    });
  }

  async waitsMs(destination: string): Promise<number | null> {
    const heads = [...this.tables.pending.keys()].flatMap((channel) =>
      this.tables.waiting(destination, channel).slice(0, 1),
    );
    const since = heads.flatMap(({ sequenceId }) => this.tables.stored.get(sequenceId)?.createdAt ?? []);
    return since.length === 0 ? null : Math.max(0, this.tables.clock.now() - Math.min(...since));
  }
}

/** Those without an owner come first. */
export const byOwner = (a: ShardsOfOwner, b: ShardsOfOwner): number => {
  const [one, other] = [a, b].map(({ destination, owner }) => `${destination}\n${owner ?? ''}`);
  return one! < other! ? -1 : 1;
};
