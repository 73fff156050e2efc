import type { RunClaim } from './run-store.js';

export interface NodeIdentity {
  id: string;
  namespace: string;
  /** `engine`, `worker` or both, comma separated: for people. */
  roles: string;
}

/** What a process hears when it says that it lives. */
export interface Pulse {
  /** The storage's clock. */
  now: number;
  /** The runs that are this node's by the storage's word. */
  owned: RunClaim[];
  /** Runs are owned by nodes that have lapsed, or never signed in: see {@link NodeRoster.reap}. */
  orphans: boolean;
  /** See {@link NodeRoster.elsewhere}. */
  elsewhere: Elsewhere[];
}

/** A process that last said that it lives through another server than the one that was asked. */
export interface Elsewhere {
  nodeId: string;
  server: string;
  /** The server that was asked. */
  here: string;
  /** Grows with each beat. */
  expiresAt: number;
}

/** Where processes sign in, so that others notice when one has died. */
export interface NodeRoster {
  /** Signs in, or renews, for `leaseMs`. Answers the storage's clock. */
  beat(node: NodeIdentity, leaseMs: number): Promise<number>;
  /** The same, with a look around: what a process does all the time has to be little. */
  pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse>;
  /** Releases up to `limit` runs of nodes that have lapsed and strikes off nodes that have none left. Answers how many runs. */
  reap(limit: number): Promise<number>;
  /** Who lives and last beat through another server of a cluster. Nobody where that cannot be told, or was allowed. */
  elsewhere(): Promise<Elsewhere[]>;
  /** Forgets nodes that lapsed a while ago. */
  strikeOff(): Promise<void>;
  /** Signs off. */
  leave(nodeId: string): Promise<void>;
}
