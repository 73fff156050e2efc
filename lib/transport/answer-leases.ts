import type { StepAnswer } from '../protocol/step.js';
import type { Claim } from '../worker/task-source.js';

export interface LeasedAnswer extends StepAnswer {
  claim: Claim;
}

/**
 * For collectors that act on an answer outside of any transaction: whoever leases one is the only one to act on it
 * until the lease runs out. An engine needs none of this; it takes answers in the transaction that records them.
 */
export interface AnswerLeases {
  /** Leases those of these answers that are there and free, or whose lease is older than `leaseMs`. */
  lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]>;
  /** Renews all leases in one statement. Returns the renewed claims; those it leaves out are lost. */
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Deletes the answers whose claim still holds. */
  settle(claims: readonly Claim[]): Promise<void>;
  /** Releases the claims: the answers may be claimed at once. */
  release(claims: readonly Claim[]): Promise<void>;
}
