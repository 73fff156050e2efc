import { InMemoryOutboxWriter, type MemoryTransactions } from '../events/in-memory-outbox-writer.js';
import { InMemoryInbox } from '../inbox/in-memory-inbox.js';
import { InMemoryChannelReader } from '../live/in-memory-channel-reader.js';
import { InMemoryChannelSnapshots } from '../live/in-memory-channel-snapshots.js';
import { InMemoryEventPruning } from '../live/in-memory-event-pruning.js';
import type { OutboxStorage } from './outbox-storage.js';
import { OUTBOX_TOPIC } from '../model/outbox-topic.js';
import { inMemoryRelayStorage } from '../relay/in-memory-relay-storage.js';
import type { MemoryOutbox } from '../relay/memory-outbox.js';
import type { RelaySignals } from '../relay/relay-options.js';

/** The twin of `sqlOutboxStorage`. What was delivered stays until it is pruned, whether it is to be retained or not. */
export function inMemoryOutboxStorage(tables: MemoryOutbox, transactions?: MemoryTransactions): OutboxStorage {
  const listeners = new Set<() => void>();
  const signals: RelaySignals = {
    live: true,
    subscribe: (topic, listener) => {
      if (topic === OUTBOX_TOPIC) listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const tell = () => listeners.forEach((listener) => listener());
  const reader = new InMemoryChannelReader({
    events: () => [...tables.stored.values()].map(({ event }) => event),
    pruned: (channel) => tables.pruned.get(channel),
  });
  const prunable = {
    stored: () => [...tables.stored.values()],
    remove: ({ sequenceId }: { sequenceId: string }) => void tables.stored.delete(sequenceId),
    positions: tables.pruned,
  };
  return {
    writer: new InMemoryOutboxWriter((event) => void tables.append(event), tell, transactions),
    relay: inMemoryRelayStorage(tables),
    inbox: new InMemoryInbox(tables.inbox),
    ...{ reader, signals, snapshots: new InMemoryChannelSnapshots(reader) },
    pruning: new InMemoryEventPruning(prunable, tables.clock),
  };
}
