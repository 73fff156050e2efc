import type { ActLog } from '../../acts/act-log.js';
import { InMemoryOutboxWriter, type OutboxWriter } from '../events/outbox-writer.js';
import type { EventErasure } from '../erasure/event-erasure.js';
import { InMemoryEventErasure } from '../erasure/in-memory-event-erasure.js';
import { InMemoryInbox, type Inbox } from '../inbox/inbox.js';
import type { ChannelReader, ChannelSnapshots } from '../live/channel-reader.js';
import {
  InMemoryChannelReader,
  InMemoryChannelSnapshots,
  InMemoryEventPruning,
} from '../live/in-memory-channel-reader.js';
import type { EventPruning } from '../live/outbox-pruner.js';
import { OUTBOX_TOPIC } from '../model/outbox-event.js';
import { inMemoryRelayStorage } from '../relay/in-memory-relay-storage.js';
import type { MemoryOutbox } from '../relay/memory-outbox.js';
import type { RelaySignals } from '../relay/relay-options.js';
import type { RelayStorage } from '../relay/relay-storage.js';
import type { StorageMethods } from '../../protocol/port-methods.js';
import type { MemoryTransactions } from '../../protocol/transaction.js';

/** The counterpart of `sqlOutboxStorage`. Delivered events are kept until they are pruned, even without retention. */
export function inMemoryOutboxStorage(
  tables: MemoryOutbox,
  transactions?: MemoryTransactions,
  acts?: ActLog,
): OutboxStorage {
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
    sweep: (limit: number) => tables.sweep(limit),
  };
  return {
    writer: new InMemoryOutboxWriter((event) => void tables.append(event), tell, transactions),
    relay: inMemoryRelayStorage(tables, acts),
    inbox: new InMemoryInbox(tables.inbox),
    reader,
    signals,
    snapshots: new InMemoryChannelSnapshots(reader),
    pruning: new InMemoryEventPruning(prunable, tables.clock),
    erasure: new InMemoryEventErasure(tables),
  };
}

/** Every port of the outbox. */
export interface OutboxStorage {
  readonly writer: OutboxWriter;
  readonly relay: RelayStorage;
  readonly inbox: Inbox;
  readonly reader: ChannelReader;
  readonly snapshots: ChannelSnapshots;
  readonly pruning: EventPruning;
  readonly erasure: EventErasure;
  readonly signals: RelaySignals;
}

/** The kind of access of each method to the storage. The relay's ports have their own list; signals store nothing. */
export const OUTBOX_METHODS: StorageMethods<Omit<OutboxStorage, 'relay' | 'signals'>> = {
  writer: { write: 'writes', writeAlone: 'writes', writeIn: 'writes', writeWith: 'writes', wake: 'tells' },
  inbox: { receive: 'writes' },
  reader: { read: 'reads', tops: 'reads' },
  snapshots: { snapshot: 'reads' },
  pruning: { prune: 'finds', sweep: 'finds' },
  erasure: { erase: 'writes', eraseDead: 'writes', forgetErrors: 'writes' },
};
