import type { ActLog } from '../acts/acts.js';
import { InMemoryActLog } from '../acts/acts.memory.js';
import { OutboxOccupiedError } from '../core/errors.js';
import { compare, type MomentQuery, nextOf, STAGE, WHAT } from '../core/protocol.js';
import type { Clock } from '../core/time.js';
import {
  byOwner,
  type ChannelLag,
  type DeadEvent,
  type DeadLetterMoment,
  type DeadLetterRemoval,
  type DeadLetters,
  type DeadLetterStory,
  type DeadQuery,
  type DestinationTroubles,
  LAGS_COUNTED,
  type RelayInsight,
  type RetriedBatch,
  type ShardsOfOwner,
  type StandingChannel,
  type StoryEvents,
} from './dead-letters.js';
import {
  type Acknowledged,
  type Acknowledgements,
  type ChannelBatch,
  type ChannelState,
  type ChannelWrite,
  type DangerousDelivery,
  type DeadLettered,
  type EventSource,
  type FailedHead,
  type Fetched,
  type FetchRequest,
  followsRequeued,
} from './deliveries.js';
import { declared, isRunChannel, type OutboxEvent, shardOf, type StoredEvent, type StoredWishes } from './events.js';
import type {
  AcquiredShard,
  AcquireShards,
  DestinationRoster,
  KnownDestination,
  ShardLease,
  ShardLeases,
} from './shards.js';
import { isOurNode, type RelayNodes, type RelayStorage } from './storage.js';

interface HeldShard {
  owner: string | undefined;
  epoch: number;
  until: number;
}

interface HeldChannel {
  position: bigint;
  attempts: number;
  /** The processes that the first event may have ended. */
  crashed: ReadonlySet<string>;
  availableAt: number | undefined;
  state: ChannelState | undefined;
  error: string | null;
  failedAt: number | null;
}

/** The in-memory counterpart of the outbox tables. */
export class MemoryOutbox {
  /** Pending events, by channel and in order. */
  readonly pending = new Map<string, OutboxEvent[]>();
  readonly destinations = new Map<string, number>();
  /** What destinations want of runs. */
  readonly wants = new Map<string, string>();
  readonly shards = new Map<string, HeldShard>();
  readonly channels = new Map<string, HeldChannel>();
  readonly dead = new Map<string, DeadEvent>();
  /** The expiry of each node. */
  readonly nodes = new Map<string, number>();
  /** All events that were written and not yet pruned, by number and in order. The newest is always kept. */
  readonly stored = new Map<string, StoredEvent>();
  /** The last removed number of each channel. */
  readonly pruned = new Map<string, string>();
  /** The positions of consumers. */
  readonly inbox = new Map<string, bigint>();

  private last: string | undefined;

  constructor(readonly clock: Clock) {}

  /** Puts an event at the end of its channel. */
  append(event: Omit<OutboxEvent, 'sequenceId'>): OutboxEvent {
    const written = { ...event, sequenceId: String(Number(this.newest) + 1) };
    this.pending.set(event.channel, [...(this.pending.get(event.channel) ?? []), written]);
    this.last = written.sequenceId;
    this.stored.set(written.sequenceId, { event: written, processed: false, createdAt: this.clock.now() });
    return written;
  }

  /** The greatest number ever assigned. */
  get newest(): string {
    this.last ??= [...this.stored.keys()].at(-1) ?? '0';
    return this.last;
  }

  holds(owner: string, { destination, shard, epoch }: ShardLease): boolean {
    const held = this.shards.get(keyOf(destination, shard));
    return held?.owner === owner && held.epoch === epoch && held.until > this.clock.now();
  }

  channel(destination: string, channel: string): HeldChannel {
    const key = keyOf(destination, channel);
    const fresh = { ...CALM_CHANNEL, error: null, failedAt: null };
    const row = this.channels.get(key) ?? { position: 0n, ...fresh };
    this.channels.set(key, row);
    return row;
  }

  /** Channels of a shard with something pending, in order. */
  channelsOf(shard: number): string[] {
    const channels = [...this.pending].filter(([name, events]) => events.length > 0 && this.shardOf(name) === shard);
    return channels.map(([name]) => name).sort(compare);
  }

  shardOf(channel: string): number {
    return shardOf(channel, 'postgres');
  }

  /** The events of a channel that `destination` has not received. */
  waiting(destination: string, channel: string): OutboxEvent[] {
    const { position } = this.channel(destination, channel);
    return (this.pending.get(channel) ?? []).filter(({ sequenceId }) => BigInt(sequenceId) > position);
  }

  /** Ends these events for `destination`. False: not all of them existed. */
  end(destination: string, channel: string, ids: readonly string[]): boolean {
    if (this.destinations.size > 1) {
      const row = this.channel(destination, channel);
      const last = BigInt(ids.at(-1) ?? 0);
      if (last > row.position) row.position = last;
      this.endPassed(channel);
      return true;
    }
    const gone = new Set(ids);
    const events = this.pending.get(channel) ?? [];
    const left = events.filter(({ sequenceId }) => !gone.has(sequenceId));
    this.keep(channel, left);
    this.forgetCalm(destination, channel);
    return events.length - left.length === gone.size;
  }

  /** With one destination, nothing is kept of a channel in which nothing waits and nothing stands. */
  forgetCalm(destination: string, channel: string): void {
    const key = keyOf(destination, channel);
    const row = this.channels.get(key);
    const isCalm = row && row.state === undefined && row.attempts === 0 && row.crashed.size === 0;
    if (isCalm && this.destinations.size <= 1 && !this.pending.has(channel)) this.channels.delete(key);
  }

  /** Ends events that all destinations have passed. */
  endPassed(channel: string): number {
    const positions = [...this.destinations.keys()].map((name) => this.channel(name, channel).position);
    const passed = positions.reduce((least, position) => (position < least ? position : least));
    const events = this.pending.get(channel) ?? [];
    const left = events.filter(({ sequenceId }) => BigInt(sequenceId) > passed);
    this.keep(channel, left);
    return events.length - left.length;
  }

  /** Deletes positions in channels of runs in which nothing is left to do. */
  sweep(limit: number): { deleted: number; more: boolean } {
    const isOver = (channel: string) => isRunChannel(channel) && !this.pending.has(channel);
    const channelOf = (key: string) => key.slice(key.indexOf('\n') + 1);
    const over = [...this.channels].filter(([key, { state }]) => isOver(channelOf(key)) && state === undefined);
    const read = [...this.inbox.keys()].filter((key) => isOver((JSON.parse(key) as string[])[1] ?? ''));
    const noted = [...this.pruned.keys()].filter(isOver);
    for (const [key] of over.slice(0, limit)) this.channels.delete(key);
    for (const key of read.slice(0, limit)) this.inbox.delete(key);
    for (const key of noted.slice(0, limit)) this.pruned.delete(key);
    const most = Math.max(over.length, read.length, noted.length);
    return { deleted: Math.min(limit, most), more: most > limit };
  }

  deadOf(destination: string, channel?: string): DeadEvent[] {
    return [...this.dead.values()]
      .filter((event) => event.destination === destination && (channel ?? event.channel) === event.channel)
      .sort((a, b) => (BigInt(a.sequenceId) < BigInt(b.sequenceId) ? -1 : 1));
  }

  private keep(channel: string, left: OutboxEvent[]): void {
    const stay = new Set(left);
    for (const event of this.pending.get(channel) ?? []) {
      const row = this.stored.get(event.sequenceId);
      if (row && !stay.has(event)) this.stored.set(event.sequenceId, { ...row, processed: true });
    }
    if (left.length > 0) this.pending.set(channel, left);
    else this.pending.delete(channel);
  }
}

export const keyOf = (destination: string, of: string | number): string => `${destination}\n${of}`;

const CALM_CHANNEL = { attempts: 0, crashed: new Set<string>(), availableAt: undefined, state: undefined };

/** Dead letters in a map. */
class InMemoryDeadLetters implements DeadLetters {
  constructor(private readonly tables: MemoryOutbox) {}

  async list({ destination, channel, limit, after = '0' }: DeadQuery): Promise<DeadEvent[]> {
    const all = this.tables.deadOf(destination, channel);
    return all.filter(({ sequenceId }) => BigInt(sequenceId) > BigInt(after)).slice(0, limit);
  }

  async requeue(destination: string, channel: string, sequenceIds?: readonly string[]): Promise<number> {
    const all = this.tables.deadOf(destination, channel);
    const some = all.filter(({ sequenceId }) => sequenceIds?.includes(sequenceId) ?? true);
    for (const event of some)
      this.tables.dead.set(keyOf(destination, event.sequenceId), { ...event, reason: 'requeued' });
    if (some.length > 0) Object.assign(this.tables.channel(destination, channel), CALM_CHANNEL, { state: 'requeued' });
    return some.length;
  }

  async skip(destination: string, channel: string): Promise<boolean> {
    const row = this.tables.channel(destination, channel);
    if (row.state !== 'blocked') return false;
    const [event] = this.tables.waiting(destination, channel);
    if (event) {
      const { attempts, error } = row;
      const dead = { ...event, destination, attempts, error, reason: 'skipped', failedAt: this.tables.clock.now() };
      this.tables.dead.set(keyOf(destination, event.sequenceId), dead);
      this.tables.end(destination, channel, [event.sequenceId]);
    }
    Object.assign(row, CALM_CHANNEL);
    this.tables.forgetCalm(destination, channel);
    return true;
  }

  async retry(destination: string, channel: string): Promise<boolean> {
    const row = this.tables.channel(destination, channel);
    if (row.state !== 'blocked') return false;
    Object.assign(row, CALM_CHANNEL);
    return true;
  }

  async retrySome(destination: string, { after, limit }: { after: string; limit: number }): Promise<RetriedBatch> {
    const blocked = [...this.tables.channels]
      .filter(([key, { state }]) => key.startsWith(`${destination}\n`) && state === 'blocked')
      .map(([key, row]) => ({ channel: key.slice(destination.length + 1), row }))
      .filter(({ channel }) => channel > after)
      .sort((a, b) => (a.channel < b.channel ? -1 : 1));
    const some = blocked.slice(0, limit);
    for (const { row } of some) Object.assign(row, CALM_CHANNEL);
    return { retried: some.length, ...(blocked.length > limit && { last: some.at(-1)!.channel }) };
  }

  async standing(destination: string, limit: number): Promise<StandingChannel[]> {
    const standing: StandingChannel[] = [];
    for (const [key, { state, attempts, error, failedAt }] of this.tables.channels) {
      const channel = key.slice(destination.length + 1);
      if (state && key.startsWith(`${destination}\n`))
        standing.push({ destination, channel, state, attempts, error, failedAt });
    }
    return standing.sort((a, b) => (a.state + a.channel < b.state + b.channel ? -1 : 1)).slice(0, limit);
  }

  async lag(destination: string, limit: number, atMost: number): Promise<ChannelLag[]> {
    const oldest = [...this.tables.pending.keys()]
      .map((channel) => ({ channel, events: this.tables.waiting(destination, channel) }))
      .filter(({ events }) => events.length > 0)
      .sort((a, b) => Number(a.events[0]!.sequenceId) - Number(b.events[0]!.sequenceId));
    const lags = oldest
      .slice(0, Math.max(limit, LAGS_COUNTED))
      .map(({ channel, events }) => ({ channel, pending: Math.min(atMost, events.length) }));
    return lags.sort((a, b) => b.pending - a.pending || (a.channel < b.channel ? -1 : 1)).slice(0, limit);
  }
}

/** The counterpart of `SqlDeadLetterStory`. */
class InMemoryDeadLetterStory implements DeadLetterStory {
  constructor(private readonly tables: MemoryOutbox) {}

  async moments({ events, channels }: StoryEvents, query: Omit<MomentQuery, 'runIds'>): Promise<DeadLetterMoment[]> {
    const destinations = [...this.tables.destinations.keys()].sort();
    const all = destinations.flatMap((destination, n) =>
      [...new Set(channels)].flatMap((channel) =>
        this.tables.deadOf(destination, channel).flatMap((letter) =>
          events
            .filter(({ mutationId }) => letter.mutationId === mutationId)
            .map(({ run }) => {
              const at = { at: letter.failedAt, run, stage: STAGE.beside + n, what: WHAT.dead };
              return { ...at, item: letter.sequenceId, letter };
            }),
        ),
      ),
    );
    return nextOf(all, query);
  }
}

/** Events in maps. */
class InMemoryEventSource implements EventSource {
  constructor(private readonly tables: MemoryOutbox) {}

  async fetch(request: FetchRequest): Promise<Fetched> {
    const { shards, channels, limit } = request;
    const after = new Map<number, string>();
    const batches: ChannelBatch[] = [];
    let room = limit;
    for (const { shard, after: from } of shards) {
      const behind = this.tables.channelsOf(shard).filter((channel) => channel > from);
      const seen = behind.slice(0, channels);
      after.set(shard, behind.length > seen.length ? (seen.at(-1) ?? '') : '');
      for (const channel of seen) {
        const batch = this.batchOf(request, shard, channel, room);
        if (!batch) continue;
        batches.push(batch);
        room -= batch.events.length;
      }
      // The next read returns what this one did not reach.
      if (room <= 0) after.set(shard, batches.at(-1)?.channel ?? from);
      if (room <= 0) break;
    }
    return { batches, after };
  }

  async requeued(destination: string, shards: readonly number[], channels: number): Promise<ChannelBatch[]> {
    const names = [...new Set(this.tables.deadOf(destination).map(({ channel }) => channel))].sort();
    const ours = names.filter((channel) => shards.includes(this.tables.shardOf(channel)));
    const ready = ours.filter((channel) => this.isDue(this.tables.channel(destination, channel), 'requeued'));
    return ready.slice(0, channels).map((channel) => ({
      ...this.headOf(destination, channel),
      events: this.tables.deadOf(destination, channel).filter(({ reason }) => reason === 'requeued'),
      parked: false,
    }));
  }

  private batchOf(request: FetchRequest, shard: number, channel: string, room: number): ChannelBatch | undefined {
    const { destination, perChannel, busy } = request;
    const row = this.tables.channel(destination, channel);
    const goes = this.isDue(row, undefined) || this.isDue(row, 'parked');
    const events = this.tables.waiting(destination, channel).slice(0, Math.min(perChannel, room));
    if (!goes || events.length === 0 || busy.includes(channel)) return undefined;
    return { ...this.headOf(destination, channel), shard, events, parked: row.state === 'parked' };
  }

  private headOf(
    destination: string,
    channel: string,
  ): Pick<ChannelBatch, 'shard' | 'channel' | 'attempts' | 'crashes'> {
    const { attempts, crashed } = this.tables.channel(destination, channel);
    return { shard: this.tables.shardOf(channel), channel, attempts, crashes: crashed.size };
  }

  private isDue({ state, availableAt }: HeldChannel, wanted: HeldChannel['state']): boolean {
    return state === wanted && (availableAt === undefined || availableAt <= this.tables.clock.now());
  }
}

/** Stores results of deliveries in maps. */
class InMemoryAcknowledgements implements Acknowledgements {
  constructor(private readonly tables: MemoryOutbox) {}

  async acknowledge(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    return items.map((item) => this.held(owner, item) && this.end(item));
  }

  async fail(owner: string, items: readonly FailedHead[]): Promise<boolean[]> {
    const now = this.tables.clock.now();
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const row = this.rowOf(item);
      const attempts = row.attempts + item.counts;
      Object.assign(row, { attempts, availableAt: now + item.delayMs, error: item.error, failedAt: now });
      row.crashed = new Set(item.died);
      if (item.blocks && row.state !== 'requeued') row.state = 'blocked';
      return true;
    });
  }

  async countCrash(owner: string, items: readonly DangerousDelivery[]): Promise<(string[] | undefined)[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return undefined;
      const row = this.rowOf(item);
      const listed = row.crashed.size > 0 ? row.crashed : [item.abandonedBy ?? owner];
      row.crashed = new Set([...listed, owner]);
      return [...row.crashed].filter((one) => one !== owner);
    });
  }

  async withdraw(owner: string): Promise<number> {
    const blamed = [...this.tables.channels.values()].filter(({ crashed }) => crashed.has(owner));
    for (const row of blamed) {
      row.crashed = new Set([...row.crashed].filter((one) => one !== owner));
      if (row.state === 'blocked') row.state = undefined;
    }
    return blamed.length;
  }

  async deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const { event, channel, lease, requeued, parksChannel } = item;
      if (!requeued && !this.end({ lease, channel, ids: [event.sequenceId], clears: true })) return false;
      const row = this.rowOf(item);
      const failedAt = this.tables.clock.now();
      const follows = followsRequeued(item, row.state);
      this.putDead(item, follows ? 'requeued' : item.reason, failedAt);
      if (parksChannel && !follows) Object.assign(row, CALM, { state: 'parked', failedAt });
      else if (requeued) Object.assign(row, CALM);
      this.tables.forgetCalm(lease.destination, channel);
      return true;
    });
  }

  async acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const { destination } = item.lease;
      const row = this.rowOf(item);
      for (const id of item.ids) this.tables.dead.delete(keyOf(destination, id));
      if (item.ids.length > 0) Object.assign(row, CALM);
      const left = this.tables.deadOf(destination, item.channel);
      if (row.state === 'requeued' && !left.some(({ reason }) => reason === 'requeued')) {
        const state = left.some(({ reason }) => reason === 'behind') ? 'parked' : undefined;
        Object.assign(row, CALM, { state });
      }
      this.tables.forgetCalm(destination, item.channel);
      return true;
    });
  }

  async tidy(shards: readonly number[]): Promise<number> {
    const channels = shards.flatMap((shard) => this.tables.channelsOf(shard));
    return channels.reduce((sum, channel) => sum + this.tables.endPassed(channel), 0);
  }

  private held(owner: string, { lease }: ChannelWrite): boolean {
    return this.tables.holds(owner, lease);
  }

  private rowOf({ lease, channel }: ChannelWrite): HeldChannel {
    return this.tables.channel(lease.destination, channel);
  }

  private putDead(
    { event, lease, attempts, error }: DeadLettered,
    reason: DeadEvent['reason'],
    failedAt: number,
  ): void {
    const { destination } = lease;
    const dead = { ...event, destination, attempts, reason, error, failedAt };
    this.tables.dead.set(keyOf(destination, event.sequenceId), dead);
  }

  private end(item: Acknowledged): boolean {
    const row = this.rowOf(item);
    if (row.state === undefined) Object.assign(row, CALM, { error: null, failedAt: null });
    return this.tables.end(item.lease.destination, item.channel, item.ids);
  }
}

const CALM = { attempts: 0, crashed: new Set<string>(), availableAt: undefined };

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
  const abandonedBy = held.owner === owner ? undefined : held.owner;
  Object.assign(held, { owner, until, epoch: held.epoch + 1 });
  return { ...named(key), epoch: held.epoch, abandonedBy };
}

const named = (key: string): { destination: string; shard: number } => {
  const [destination = '', shard] = key.split('\n');
  return { destination, shard: Number(shard) };
};

/** The counterpart of `SqlDeadLetterRemoval`. */
class InMemoryDeadLetterRemoval implements DeadLetterRemoval {
  constructor(private readonly tables: MemoryOutbox) {}

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { dead, clock } = this.tables;
    const before = clock.now() - olderThanMs;
    const old = [...dead.values()]
      .filter(({ failedAt, reason }) => failedAt <= before && reason !== 'requeued')
      .sort((a, b) => a.failedAt - b.failedAt)
      .slice(0, limit);
    for (const { destination, sequenceId } of old) dead.delete(keyOf(destination, sequenceId));
    return old.length;
  }
}

/** The counterpart of `SqlRelayInsight`. */
class InMemoryRelayInsight implements RelayInsight {
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
