import type { OutboxEvent } from '../model/outbox-event.js';
import type { ChannelPage, ReadPosition, ChannelReader } from './channel-reader.js';
import { isAfter, laterOf } from './sequence.js';

/** What the twin of `SqlChannelReader` reads. */
export interface EventsInMemory {
  /** All that are there, those of one channel in order. */
  events(): Iterable<OutboxEvent>;
  /** The greatest number of a channel that was removed; undefined when none was. */
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
