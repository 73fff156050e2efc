import {
  InMemoryChannelReader,
  InMemoryChannelSnapshots,
  InMemoryEventPruning,
} from '../../lib/outbox/storage.memory.js';
import type { StoredEvent } from '../../lib/outbox/events.js';
import type { ChannelsFixture } from '../contract/conformance/outbox-channels.js';
import { ManualClock } from '../../lib/core/time.js';
import { anEvent } from './outbox-events.js';

/** An outbox of an array, with all that reads it. */
export function channelsInMemory(): ChannelsFixture & { reader: InMemoryChannelReader; stored: StoredEvent[] } {
  const clock = new ManualClock();
  const stored: StoredEvent[] = [];
  const positions = new Map<string, string>();
  const events = () => stored.map(({ event }) => event);
  const reader = new InMemoryChannelReader({ events, pruned: (channel) => positions.get(channel) });
  const source = {
    stored: () => [...stored],
    remove: (event: unknown) => void stored.splice(events().indexOf(event as never), 1),
    positions,
  };
  let last = 0;
  return {
    clock,
    reader,
    stored,
    snapshots: new InMemoryChannelSnapshots(reader),
    pruning: new InMemoryEventPruning(source, clock),
    write: async (channel, { processed = false, ...rest } = {}) => {
      const event = anEvent(String(++last), { channel, name: 'changed', ...rest });
      stored.push({ event, processed, createdAt: clock.now() });
      return event.sequenceId;
    },
    numbers: async () => events().map(({ sequenceId }) => sequenceId),
  };
}
