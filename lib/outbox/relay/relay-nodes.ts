import { randomBytes } from 'node:crypto';

const OURS = 'durable:';

/** A name for one life of a process in the published table of nodes, where other connectors sign in too. */
export const relayNodeId = (name: string): string => `${OURS}${name.slice(0, 150)}:${randomBytes(6).toString('hex')}`;

/** Whether a node is one of this library. */
export const isOurNode = (id: string): boolean => id.startsWith(OURS);

/** The published table in which processes that publish the outbox sign in. Times are the storage's. */
export interface RelayNodes {
  /**
   * Looks whether another program publishes this outbox: both at once would break the order.
   *
   * @throws OutboxOccupiedError when a node lives that is not ours, or rows are locked by one.
   */
  admit(): Promise<void>;
  /** Signs in, or renews, for `timeoutMs`; forgets nodes that have lapsed. Answers the ids of all that live, sorted. */
  beat(nodeId: string, timeoutMs: number): Promise<string[]>;
  /** Signs off. */
  leave(nodeId: string): Promise<void>;
}
