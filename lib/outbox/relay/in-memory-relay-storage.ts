import { InMemoryAcknowledgements } from './in-memory-acknowledgements.js';
import { InMemoryDeadLetters } from './in-memory-dead-letters.js';
import { InMemoryEventSource } from './in-memory-event-source.js';
import { InMemoryRelayNodes } from './in-memory-relay-nodes.js';
import { InMemoryDestinationRoster, InMemoryShardLeases } from './in-memory-shard-leases.js';
import type { MemoryOutbox } from './memory-outbox.js';
import type { RelayStorage } from './relay-storage.js';

export const inMemoryRelayStorage = (tables: MemoryOutbox): RelayStorage => ({
  nodes: new InMemoryRelayNodes(tables),
  destinations: new InMemoryDestinationRoster(tables),
  leases: new InMemoryShardLeases(tables),
  source: new InMemoryEventSource(tables),
  acknowledgements: new InMemoryAcknowledgements(tables),
  deadLetters: new InMemoryDeadLetters(tables),
});
