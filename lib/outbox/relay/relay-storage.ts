import type { Acknowledgements } from './acknowledgements.js';
import type { DeadLetters } from './dead-letters.js';
import type { DestinationRoster } from './destination-roster.js';
import type { EventSource } from './event-source.js';
import type { RelayNodes } from './relay-nodes.js';
import type { ShardLeases } from './shard-leases.js';

/** Every port of the relay. */
export interface RelayStorage {
  readonly nodes: RelayNodes;
  readonly destinations: DestinationRoster;
  readonly leases: ShardLeases;
  readonly source: EventSource;
  readonly acknowledgements: Acknowledgements;
  readonly deadLetters: DeadLetters;
}
