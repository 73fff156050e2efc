import type { RunClaim } from '../runs/run-store.js';

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
}

/** Where processes sign in, so that others notice when one has died. */
export interface NodeRoster {
  /** Signs in, or renews, for `leaseMs`. Answers the storage's clock. */
  beat(node: NodeIdentity, leaseMs: number): Promise<number>;
  /** The same, with a look around: what a process does all the time has to be little. */
  pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse>;
  /** Releases up to `limit` runs of nodes that have lapsed and strikes off nodes that have none left. Answers how many runs. */
  reap(limit: number): Promise<number>;
  /** Forgets nodes that lapsed a while ago. */
  strikeOff(): Promise<void>;
  /** Signs off. */
  leave(nodeId: string): Promise<void>;
}
