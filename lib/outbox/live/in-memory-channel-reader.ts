import {
  type ChannelPage,
  type ChannelReader,
  type ChannelSnapshot,
  type ChannelSnapshots,
  type ReadPosition,
  isAfter,
  laterOf,
} from './channel-reader.js';
import type { EventPruning, PruneRequest, Pruned, Swept } from './outbox-pruner.js';
import type { OutboxEvent, StoredEvent } from '../model/outbox-event.js';
import type { Clock } from '../../time/clock.js';

/** The storage of the in-memory counterpart of `SqlEventPruning`. */
export interface PrunableEvents {
  /** In the order of their numbers. */
  stored(): readonly StoredEvent[];
  remove(event: OutboxEvent): void;
  /** The last removed number of each channel. */
  readonly positions: Map<string, string>;
  /** Deletes positions in channels of runs. */
  sweep?(limit: number): Swept;
}

export class InMemoryEventPruning implements EventPruning {
  constructor(
    private readonly source: PrunableEvents,
    private readonly clock: Clock,
  ) {}

  async prune({ retainMs, after, limit }: PruneRequest): Promise<Pruned> {
    const all = this.source.stored();
    const page = all.filter(({ event }) => isAfter(event.sequenceId, after)).slice(0, limit);
    const isOld = ({ createdAt }: StoredEvent) => createdAt < this.clock.now() - retainMs;
    const going = page.filter((stored) => stored.processed && isOld(stored) && stored !== all.at(-1));
    for (const { event } of going) {
      const { channel, sequenceId } = event;
      this.source.positions.set(channel, laterOf(sequenceId, this.source.positions.get(channel) ?? '0'));
      this.source.remove(event);
    }
    const last = page.at(-1);
    const isOver = !last || page.length < limit || !isOld(last);
    return { removed: going.length, next: isOver ? undefined : last.event.sequenceId };
  }

  async sweep(limit: number): Promise<Swept> {
    return this.source.sweep?.(limit) ?? { deleted: 0, more: false };
  }
}

/** The storage of the in-memory counterpart of `SqlChannelReader`. */
export interface EventsInMemory {
  /** All stored events; those of one channel in order. */
  events(): Iterable<OutboxEvent>;
  /** The last removed number of a channel; undefined when none was removed. */
  pruned(channel: string): string | undefined;
}

export class InMemoryChannelReader implements ChannelReader {
  constructor(private readonly source: EventsInMemory) {}

  async read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]> {
    return positions.map(({ channel, after }) => {
      const gone = this.source.pruned(channel);
      if (gone !== undefined && isAfter(gone, after)) return { events: [], gone };
      const found = [...this.source.events()].filter(
        (event) => event.channel === channel && isAfter(event.sequenceId, after),
      );
      const events = found.slice(0, limit).map((event) => ({ event, size: JSON.stringify(event.data).length }));
      return { events };
    });
  }

  async tops(channels: readonly string[]): Promise<string[]> {
    return channels.map((channel) =>
      [...this.source.events()]
        .filter((event) => event.channel === channel)
        .reduce((top, { sequenceId }) => laterOf(top, sequenceId), this.source.pruned(channel) ?? '0'),
    );
  }
}

/** The counterpart of `SqlChannelSnapshots`: reads again if the channel was written to meanwhile. */
export class InMemoryChannelSnapshots implements ChannelSnapshots {
  constructor(private readonly reader: ChannelReader) {}

  async snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>> {
    for (;;) {
      const [before = '0'] = await this.reader.tops([channel]);
      const data = await read({});
      const [after] = await this.reader.tops([channel]);
      if (before === after) return { data, sequenceId: before };
    }
  }
}
