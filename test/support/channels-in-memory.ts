import {
  InMemoryChannelReader,
  InMemoryChannelSnapshots,
  InMemoryEventPruning,
} from '../../lib/outbox/storage.memory.js';
import { MemoryOutbox } from '../../lib/outbox/relay.memory.js';
import type { ChannelsFixture } from '../contract/conformance/outbox-channels.js';
import { ManualClock } from '../../lib/core/time.js';
import { anEvent } from './outbox-events.js';

/** An outbox in memory, with all that reads it. */
export function channelsInMemory(): ChannelsFixture & { reader: InMemoryChannelReader } {
  const clock = new ManualClock();
  const tables = new MemoryOutbox(clock);
  const { stored } = tables;
  const reader = new InMemoryChannelReader(tables);
  let last = 0;
  return {
    clock,
    reader,
    snapshots: new InMemoryChannelSnapshots(reader),
    pruning: new InMemoryEventPruning(tables),
    write: async (channel, { processed = false, ...rest } = {}) => {
      const event = anEvent(String(++last), { channel, name: 'changed', ...rest });
      stored.set(event.sequenceId, { event, processed, createdAt: clock.now() });
      return event.sequenceId;
    },
    numbers: async () => [...stored.keys()],
  };
}
