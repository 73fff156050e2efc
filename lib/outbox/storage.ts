import { createHash, randomBytes } from 'node:crypto';
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

const OURS = 'durable:';
/** The column width on the MySQL family. */
const LONGEST = 191;
/** The length of a destination's mark in a node name. A collision is harmless: nodes then count those of both. */
const MARK = 3;

/**
 * A unique name for one life of a process in the published table of nodes. Other connectors, and apps with another
 * `prefix`, use the same table.
 */
export const relayNodeId = (name: string, prefix = 'durable'): string =>
  `${OURS}${prefix}:${name.slice(0, 80)}:${randomBytes(6).toString('hex')}`;

/**
 * Appends a mark for each destination, so that other nodes assign it only shards of these. If they do not fit, none are
 * appended: then it is assigned shards of all destinations.
 */
export function nodeServing(nodeId: string, destinations: readonly string[]): string {
  const marked = `${nodeId}/${destinations.map(markOf).join('')}`;
  return marked.length <= LONGEST ? marked : nodeId;
}

/** Whether a node may be assigned shards of a destination. */
export function isServing(nodeId: string, destination: string): boolean {
  const [, marks] = /\/([\w-]+)$/.exec(nodeId) ?? [];
  if (marks === undefined) return true;
  const mark = markOf(destination);
  return Array.from({ length: marks.length / MARK }, (_, n) => marks.slice(n * MARK, (n + 1) * MARK)).includes(mark);
}

const markOf = (destination: string): string =>
  createHash('md5').update(destination).digest('base64url').slice(0, MARK);

/** Whether a node uses the same side tables as this prefix: only then they see each other's shards. */
export const isOurNode = (id: string, prefix = 'durable'): boolean => id.startsWith(`${OURS}${prefix}:`);

/** The prefix in the name of a node. */
export const prefixOf = (nodeId: string): string => nodeId.split(':')[1] ?? '';

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
