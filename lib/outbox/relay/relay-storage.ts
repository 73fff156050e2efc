import type { StorageMethods } from '../../protocol/port-methods.js';
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

/** What each method of these does to what is stored. */
export const RELAY_METHODS: StorageMethods<RelayStorage> = {
  nodes: { admit: 'lives', beat: 'lives', lookAtEra: 'writes', leave: 'lives' },
  destinations: { register: 'writes', known: 'reads', forget: 'writes' },
  leases: { renew: 'lives', acquire: 'lives', release: 'writes' },
  source: { fetch: 'reads', requeued: 'reads' },
  acknowledgements: {
    acknowledge: 'writes',
    fail: 'writes',
    countCrash: 'writes',
    deadLetter: 'writes',
    acknowledgeRequeued: 'writes',
    tidy: 'finds',
  },
  deadLetters: {
    list: 'reads',
    requeue: 'writes',
    skip: 'writes',
    retry: 'writes',
    retryAll: 'writes',
    standing: 'reads',
    lag: 'reads',
  },
};
