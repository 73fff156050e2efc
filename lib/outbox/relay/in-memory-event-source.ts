import {
  type ChannelLag,
  type DeadEvent,
  type DeadLetterMoment,
  type DeadLetters,
  type DeadLetterStory,
  type DeadQuery,
  LAGS_COUNTED,
  type RetriedBatch,
  type StandingChannel,
  type StoryEvents,
} from './dead-letters.js';
import type { ChannelBatch, EventSource, FetchRequest, Fetched } from './event-source.js';
import { type HeldChannel, type MemoryOutbox, keyOf } from './memory-outbox.js';
import { type MomentQuery, nextOf, STAGE, WHAT } from '../../protocol/moment.js';

const CALM = { attempts: 0, crashes: 0, availableAt: undefined, state: undefined };

/** Dead letters in a map. */
export class InMemoryDeadLetters implements DeadLetters {
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
    if (some.length > 0) Object.assign(this.tables.channel(destination, channel), CALM, { state: 'requeued' });
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
    Object.assign(row, CALM);
    return true;
  }

  async retry(destination: string, channel: string): Promise<boolean> {
    const row = this.tables.channel(destination, channel);
    if (row.state !== 'blocked') return false;
    Object.assign(row, CALM);
    return true;
  }

  async retrySome(destination: string, { after, limit }: { after: string; limit: number }): Promise<RetriedBatch> {
    const blocked = [...this.tables.channels]
      .filter(([key, { state }]) => key.startsWith(`${destination}\n`) && state === 'blocked')
      .map(([key, row]) => ({ channel: key.slice(destination.length + 1), row }))
      .filter(({ channel }) => channel > after)
      .sort((a, b) => (a.channel < b.channel ? -1 : 1));
    const some = blocked.slice(0, limit);
    for (const { row } of some) Object.assign(row, CALM);
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
export class InMemoryDeadLetterStory implements DeadLetterStory {
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
    const { attempts, crashes } = this.tables.channel(destination, channel);
    return { shard: this.tables.shardOf(channel), channel, attempts, crashes };
  }

  private isDue({ state, availableAt }: HeldChannel, wanted: HeldChannel['state']): boolean {
    return state === wanted && (availableAt === undefined || availableAt <= this.tables.clock.now());
  }
}
