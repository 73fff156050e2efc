import type { ActLog } from '../../acts/act-log.js';
import { InMemoryActLog } from '../../acts/in-memory-act-log.js';
import type {
  AcquiredShard,
  AcquireShards,
  DestinationRoster,
  KnownDestination,
  ShardLease,
  ShardLeases,
} from './shard-leases.js';
import { declared, type StoredWishes } from '../model/run-wishes.js';
import { type HeldShard, keyOf, type MemoryOutbox } from './memory-outbox.js';
import { OutboxOccupiedError } from '../../errors/outbox-errors.js';
import { type RelayNodes, type RelayStorage, isOurNode } from './relay-storage.js';
import { InMemoryRelayInsight } from './relay-insight.js';
import { InMemoryAcknowledgements } from './in-memory-acknowledgements.js';
import { InMemoryDeadLetterRemoval } from './dead-letter-removal.js';
import { InMemoryDeadLetters, InMemoryDeadLetterStory, InMemoryEventSource } from './in-memory-event-source.js';

export const inMemoryRelayStorage = (
  tables: MemoryOutbox,
  acts: ActLog = new InMemoryActLog(tables.clock),
): RelayStorage => ({
  nodes: new InMemoryRelayNodes(tables),
  destinations: new InMemoryDestinationRoster(tables),
  leases: new InMemoryShardLeases(tables),
  source: new InMemoryEventSource(tables),
  acknowledgements: new InMemoryAcknowledgements(tables),
  deadLetters: new InMemoryDeadLetters(tables),
  insight: new InMemoryRelayInsight(tables),
  deadLetterStory: new InMemoryDeadLetterStory(tables),
  deadLetterRemoval: new InMemoryDeadLetterRemoval(tables),
  acts,
});

/** Nodes in a map. */
export class InMemoryRelayNodes implements RelayNodes {
  constructor(private readonly tables: MemoryOutbox) {}

  async admit(): Promise<void> {
    const foreign = this.live().find((id) => !isOurNode(id));
    if (foreign !== undefined) throw new OutboxOccupiedError(foreign);
  }

  async beat(nodeId: string, timeoutMs: number): Promise<string[]> {
    const { nodes, clock } = this.tables;
    nodes.set(nodeId, clock.now() + timeoutMs);
    for (const [id, expiry] of nodes) if (expiry <= clock.now()) nodes.delete(id);
    return this.live();
  }

  async lookAtEra(): Promise<undefined> {
    return undefined;
  }

  async leave(nodeId: string): Promise<void> {
    this.tables.nodes.delete(nodeId);
  }

  private live(): string[] {
    const now = this.tables.clock.now();
    return [...this.tables.nodes].flatMap(([id, expiry]) => (expiry > now ? [id] : [])).sort();
  }
}

/** Destinations in a map. */
export class InMemoryDestinationRoster implements DestinationRoster {
  constructor(private readonly tables: MemoryOutbox) {}

  async register(
    names: readonly string[],
    shards: number,
    wants: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const now = this.tables.clock.now();
    for (const name of names) {
      this.tables.destinations.set(name, now);
      if (!wants.has(name)) this.tables.wants.delete(name);
      for (let shard = 0; shard < shards; shard++) {
        const key = keyOf(name, shard);
        if (!this.tables.shards.has(key)) this.tables.shards.set(key, { owner: undefined, epoch: 0, until: now });
      }
    }
    await this.want(wants);
  }

  async want(wants: ReadonlyMap<string, string>): Promise<void> {
    const { destinations, clock, wants: stored } = this.tables;
    for (const [name, wishes] of wants)
      if (destinations.has(name)) stored.set(name, declared(stored.get(name) ?? null, wishes, clock.now()));
  }

  async wants(): Promise<StoredWishes[]> {
    const all = [...this.tables.wants].map(([name, wants]) => ({ name, wants }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async known(): Promise<KnownDestination[]> {
    const all = [...this.tables.destinations].map(([name, seenAt]) => ({ name, seenAt }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async forget(name: string): Promise<void> {
    this.tables.destinations.delete(name);
    this.tables.wants.delete(name);
    for (const rows of [this.tables.shards, this.tables.channels])
      for (const key of rows.keys()) if (key.startsWith(`${name}\n`)) rows.delete(key);
  }
}

/** Leases in a map. */
export class InMemoryShardLeases implements ShardLeases {
  constructor(private readonly tables: MemoryOutbox) {}

  async renew(owner: string, leaseMs: number): Promise<ShardLease[]> {
    const now = this.tables.clock.now();
    const ours = [...this.tables.shards].filter(([, held]) => held.owner === owner && held.until > now);
    return ours.map(([key, held]) => {
      held.until = now + leaseMs;
      return { ...named(key), epoch: held.epoch };
    });
  }

  async acquire(owner: string, { destination, wanted, strays, leaseMs }: AcquireShards): Promise<AcquiredShard[]> {
    const now = this.tables.clock.now();
    const all = [...this.tables.shards].filter(([key]) => named(key).destination === destination);
    const isWanted = (key: string) => wanted.includes(named(key).shard);
    const free = all.filter(([key, held]) => isWanted(key) && (held.owner === undefined || held.until <= now));
    const stray = all.filter(([key, held]) => !isWanted(key) && held.until <= now - leaseMs).slice(0, strays);
    return [...free, ...stray].map(([key, held]) => take(key, held, owner, now + leaseMs));
  }

  async release(owner: string, leases: readonly ShardLease[]): Promise<void> {
    for (const { destination, shard, epoch } of leases) {
      const held = this.tables.shards.get(keyOf(destination, shard));
      if (held?.owner !== owner || held.epoch !== epoch) continue;
      held.owner = undefined;
      held.until = this.tables.clock.now();
    }
  }
}

function take(key: string, held: HeldShard, owner: string, until: number): AcquiredShard {
  const abandoned = held.owner !== undefined;
  Object.assign(held, { owner, until, epoch: held.epoch + 1 });
  return { ...named(key), epoch: held.epoch, abandoned };
}

const named = (key: string): { destination: string; shard: number } => {
  const [destination = '', shard] = key.split('\n');
  return { destination, shard: Number(shard) };
};
