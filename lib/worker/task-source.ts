import type { PortMethods } from '../protocol/port-methods.js';
import type { StepTask } from '../protocol/step.js';

/** One claim of one task: whoever holds it may extend, report and release, and nobody else may. */
export interface Claim {
  stepId: string;
  /** The worker and the claim: no two claims have the same. */
  claimedBy: string;
  /** The lease stamp, epoch ms by the storage's clock; changes with each extension. */
  claimedAt: number;
}

export interface ClaimedTask extends StepTask {
  claim: Claim;
  /** Whether somebody held it before and let the lease run out: its worker died, or was cut off. */
  reclaimed: boolean;
}

/** How many tasks of one group to take at most. */
export interface GroupQuota {
  group: string;
  limit: number;
}

export interface ClaimRequest {
  /** Unique per process; begins the `claimedBy` of its claims. */
  workerId: string;
  /** The queue tokens to look at, in this order. Each is one indexed probe, however long its backlog. */
  groups: readonly GroupQuota[];
  /** The handler keys to take; a task of any other name is left alone. */
  names: readonly string[];
  /** The most tasks to take in all. */
  limit: number;
  /** A lease older than this, in ms, is up. */
  leaseMs: number;
}

/** What a handler came to; texts, ready to be written. */
export interface TaskReport {
  claim: Claim;
  runId: string;
  seq: number;
  status: 'completed' | 'failed';
  output: string | null;
  error: string | null;
  /** Pickup time, epoch ms by the storage's clock. */
  startedAt: number;
}

/** Tasks that wait in a worker's groups although it has no handler for them. */
export interface UnservedTasks {
  name: string;
  group: string;
  count: number;
  /** Dispatch time of the oldest, epoch ms. */
  since: number;
}

/** How a worker hears, long before it renews its leases, that nobody wants any more what it works on. */
export interface TaskRevocations {
  /** True while this process hears of what others dispatch and withdraw, so that polling may be slow. */
  readonly live: boolean;
  /** Which of these claims hold no longer: one statement that reads by key, locks nothing and renews nothing. */
  lostClaims(claims: readonly Claim[]): Promise<Claim[]>;
  /**
   * Calls `listener` with tasks that nobody wants any more, or without when any may be: whoever works on one looks after
   * its lease at once. A hint; a transport may do without.
   */
  onWithdrawn?(listener: (stepIds?: readonly string[]) => void): () => void;
}

/** What a worker needs from a transport. */
export interface TaskSource extends TaskRevocations {
  /**
   * Leases up to `limit` tasks that are free or whose lease is up, oldest first within a group. No task is ever
   * held by two claims at once. A task whose lease was up comes back with its `attempt` raised by one.
   */
  claim(request: ClaimRequest): Promise<ClaimedTask[]>;
  /** Renews all leases in one statement. Returns the renewed claims; those it leaves out are lost. */
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /**
   * Answer and end of the task in one commit, for each report whose claim still holds; the others write nothing.
   * Returns whether each claim held. An answer that is there already stays: the first one counts.
   */
  report(reports: readonly TaskReport[]): Promise<boolean[]>;
  /** Gives up claims whose work never began: the tasks may be claimed at once, as if they never had been. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Unclaimed tasks of these groups, older than `olderThanMs`, whose name is none of `names`. A sample, for people. */
  unserved(groups: readonly string[], names: readonly string[], olderThanMs: number): Promise<UnservedTasks[]>;
  /** Calls `listener` with groups that have new tasks, or without when any may have. Returns a function that ends it. */
  onTasks(listener: (groups?: readonly string[]) => void): () => void;
}

/** What each method does to what is stored. */
export const TASK_SOURCE_METHODS: PortMethods<TaskSource> = {
  claim: 'finds',
  extend: 'lives',
  report: 'writes',
  release: 'writes',
  unserved: 'reads',
  onTasks: 'tells',
  lostClaims: 'reads',
  onWithdrawn: 'tells',
};
