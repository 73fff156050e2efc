import { createHash, randomBytes } from 'node:crypto';
import type { Acknowledgements } from './acknowledgements.js';
import type { DeadLetters } from './dead-letters.js';
import type { EventSource } from './event-source.js';
import type { DestinationRoster, ShardLeases } from './shard-leases.js';
import type { StorageMethods } from '../../protocol/port-methods.js';

const OURS = 'durable:';
/** What the column of the MySQL family holds. */
const LONGEST = 191;
/** Of a destination, in the name of a node: two with one mark only take each other's shards into account. */
const MARK = 3;

/**
 * A name for one life of a process in the published table of nodes, where other connectors sign in too, and apps whose
 * side tables have another `prefix`.
 */
export const relayNodeId = (name: string, prefix = 'durable'): string =>
  `${OURS}${prefix}:${name.slice(0, 80)}:${randomBytes(6).toString('hex')}`;

/**
 * The same name with a mark of each destination behind it, so that others leave it shards of these and of no others. Of
 * more than fit none are named: then it is left shards of all.
 */
export function nodeServing(nodeId: string, destinations: readonly string[]): string {
  const marked = `${nodeId}/${destinations.map(markOf).join('')}`;
  return marked.length <= LONGEST ? marked : nodeId;
}

/** Whether a node may be left shards of a destination. */
export function isServing(nodeId: string, destination: string): boolean {
  const [, marks] = /\/([\w-]+)$/.exec(nodeId) ?? [];
  if (marks === undefined) return true;
  const mark = markOf(destination);
  return Array.from({ length: marks.length / MARK }, (_, n) => marks.slice(n * MARK, (n + 1) * MARK)).includes(mark);
}

const markOf = (destination: string): string =>
  createHash('md5').update(destination).digest('base64url').slice(0, MARK);

/** Whether a node shares its side tables with whoever has this id: only then they know of each other's shards. */
export const isOurNode = (id: string, prefix = 'durable'): boolean => id.startsWith(`${OURS}${prefix}:`);

/** Of the name of a node. */
export const prefixOf = (nodeId: string): string => nodeId.split(':')[1] ?? '';

/** The published table in which processes that publish the outbox sign in. Times are the storage's. */
export interface RelayNodes {
  /**
   * Looks whether another program publishes this outbox: both at once would break the order.
   *
   * @throws OutboxOccupiedError when a node lives that is not ours, or rows are locked by one.
   */
  admit(): Promise<void>;
  /** Signs in, or renews, for `timeoutMs`; forgets nodes that have lapsed. Returns the ids of all that live, sorted. */
  beat(nodeId: string, timeoutMs: number): Promise<string[]>;
  /** Has numbers go on behind all that were given, where another server has taken over. Returns why they cannot. */
  lookAtEra(): Promise<'denied' | 'narrow' | undefined>;
  /** Signs off. */
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
