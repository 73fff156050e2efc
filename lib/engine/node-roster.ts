export interface NodeIdentity {
  id: string;
  namespace: string;
  /** `engine`, `worker` or both, comma separated: for people. */
  roles: string;
}

/** Where processes sign in, so that others notice when one has died. */
export interface NodeRoster {
  /** Signs in, or renews, for `leaseMs`. Answers the storage's clock. */
  beat(node: NodeIdentity, leaseMs: number): Promise<number>;
  /** Releases up to `limit` runs of nodes that have lapsed and strikes off nodes that have none left. Answers how many runs. */
  reap(limit: number): Promise<number>;
  /** Signs off. */
  leave(nodeId: string): Promise<void>;
}
