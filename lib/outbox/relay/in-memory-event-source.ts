import type { ChannelBatch, EventSource, Fetched, FetchRequest } from './event-source.js';
import type { HeldChannel, MemoryOutbox } from './memory-outbox.js';

/** Events in maps. */
export class InMemoryEventSource implements EventSource {
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
      // What was not reached comes with the next look.
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
    const { attempts, crashes } = this.tables.channel(destination, channel);
    return { shard: this.tables.shardOf(channel), channel, attempts, crashes };
  }

  private isDue({ state, availableAt }: HeldChannel, wanted: HeldChannel['state']): boolean {
    return state === wanted && (availableAt === undefined || availableAt <= this.tables.clock.now());
  }
}
