import { createHash, randomUUID } from 'node:crypto';
import { ACT_METHODS, type ActLog } from '../acts/acts.js';
import type { StorageMethods } from '../core/transaction.js';
import type { ChannelReader, ChannelSnapshots, EventPruning } from './channels.js';
import type { DeadLetterRemoval, DeadLetters, DeadLetterStory, RelayInsight } from './dead-letters.js';
import type { Acknowledgements, EventSource } from './deliveries.js';
import type { Inbox, RelaySignals } from './destinations.js';
import type { EventErasure, OutboxWriter } from './events.js';
import type { DestinationRoster, ShardLeases } from './shards.js';

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

/** As RFC 9562 wants it of ids with a meaning of their own (version 8): the tables, 42 random bits, the destinations. */
const OURS = /^([0-9a-f]{8})-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-([0-9a-f]{12})$/;

const digestOf = (text: string): string => createHash('md5').update(text).digest('hex');

const tablesOf = (prefix: string): string => digestOf(`nest-durable ${prefix}`).slice(0, 8);

/** One of 48 bits. A collision is harmless: nodes then count those of both. */
const bitOf = (destination: string): bigint => 1n << (BigInt(`0x${digestOf(destination).slice(0, 12)}`) % 48n);

/**
 * A UUID for one life of a process in the published table of nodes, as that of other connectors. Apps with another
 * `prefix` use the same table.
 */
export function relayNodeId(prefix = 'durable'): string {
  const [, second, third, fourth] = randomUUID().split('-') as [string, string, string, string];
  return `${tablesOf(prefix)}-${second}-8${third.slice(1)}-${fourth}-${'f'.repeat(12)}`;
}

/** The same node, which says which destinations it has: others assign it only shards of these. */
export function nodeServing(nodeId: string, destinations: readonly string[]): string {
  const bits = destinations.reduce((all, destination) => all | bitOf(destination), 0n);
  return nodeId.slice(0, -12) + bits.toString(16).padStart(12, '0');
}

/** Whether a node may be assigned shards of a destination. */
export function isServing(nodeId: string, destination: string): boolean {
  const [, , bits = 'f'.repeat(12)] = OURS.exec(nodeId) ?? [];
  return (BigInt(`0x${bits}`) & bitOf(destination)) !== 0n;
}

/** Whether a node uses the same side tables as this prefix: only then they see each other's shards. */
export const isOurNode = (id: string, prefix = 'durable'): boolean => OURS.exec(id)?.[1] === tablesOf(prefix);

/** Whether two nodes of ours use the same side tables. */
export const isBeside = (id: string, nodeId: string): boolean => {
  const [, tables] = OURS.exec(id) ?? [];
  return tables !== undefined && nodeId.startsWith(tables);
};

/** The published table in which processes that publish the outbox register. Times are the storage's. */
export interface RelayNodes {
  /**
   * Checks whether another program publishes this outbox: two at once would break the order.
   *
   * @throws OutboxOccupiedError when a foreign node is alive or has locked rows.
   */
  admit(): Promise<void>;
  /** Registers the node or renews it for `timeoutMs`; removes expired nodes. Returns the ids of live ones, sorted. */
  beat(nodeId: string, timeoutMs: number): Promise<string[]>;
  /** Makes numbers jump beyond all assigned ones if another server has taken over. Returns why they cannot. */
  lookAtEra(): Promise<'denied' | 'narrow' | undefined>;
  /** Unregisters the node. */
  leave(nodeId: string): Promise<void>;
}

/** Every port of the relay. */
export interface RelayStorage {
  readonly nodes: RelayNodes;
  readonly destinations: DestinationRoster;
  readonly leases: ShardLeases;
  readonly source: EventSource;
  readonly acknowledgements: Acknowledgements;
  readonly deadLetters: DeadLetters;
  readonly insight: RelayInsight;
  readonly deadLetterStory: DeadLetterStory;
  readonly deadLetterRemoval: DeadLetterRemoval;
  readonly acts: ActLog;
}

/** The kind of access of each method to the storage. */
export const RELAY_METHODS: StorageMethods<RelayStorage> = {
  nodes: { admit: 'lives', beat: 'lives', lookAtEra: 'writes', leave: 'lives' },
  destinations: { register: 'writes', want: 'lives', wants: 'reads', known: 'reads', forget: 'writes' },
  leases: { renew: 'lives', acquire: 'lives', release: 'writes' },
  source: { fetch: 'reads', requeued: 'reads' },
  acknowledgements: {
    acknowledge: 'writes',
    fail: 'writes',
    countCrash: 'writes',
    withdraw: 'writes',
    deadLetter: 'writes',
    acknowledgeRequeued: 'writes',
    tidy: 'finds',
  },
  deadLetters: {
    list: 'reads',
    requeue: 'writes',
    skip: 'writes',
    retry: 'writes',
    retrySome: 'writes',
    standing: 'reads',
    lag: 'reads',
  },
  insight: { shards: 'reads', troubles: 'reads', waitsMs: 'reads' },
  deadLetterStory: { moments: 'reads' },
  deadLetterRemoval: { purge: 'finds' },
  acts: ACT_METHODS,
};
