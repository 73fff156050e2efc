import type { Clock } from '../../time/clock.js';
import { shardOf } from '../model/shards.js';
import { isRunChannel, type OutboxEvent, type StoredEvent } from '../model/outbox-event.js';
import type { DeadEvent } from './dead-letters.js';
import type { ChannelState } from './event-source.js';
import type { ShardLease } from './shard-leases.js';

export interface HeldShard {
  owner: string | undefined;
  epoch: number;
  until: number;
}

export interface HeldChannel {
  position: bigint;
  attempts: number;
  crashes: number;
  availableAt: number | undefined;
  state: ChannelState | undefined;
  error: string | null;
  failedAt: number | null;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

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
    const fresh = { attempts: 0, crashes: 0, availableAt: undefined, state: undefined, error: null, failedAt: null };
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
    return events.length - left.length === gone.size;
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
