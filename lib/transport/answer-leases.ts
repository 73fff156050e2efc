import type { StepAnswer } from '../protocol/step.js';
import type { Claim } from '../worker/task-source.js';

export interface LeasedAnswer extends StepAnswer {
  claim: Claim;
}

/**
 * For collectors that process an answer outside a transaction: only the holder of its lease processes it until the
 * lease expires. Engines do not need this; they take answers in the transaction that records them.
 */
export interface AnswerLeases {
  /** Leases those of these answers that exist and are free, or whose lease is older than `leaseMs`. */
  lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]>;
  /** Renews all leases in one statement. Returns the renewed claims; the others are lost. */
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Deletes the answers whose claim still holds. */
  settle(claims: readonly Claim[]): Promise<void>;
  /** Releases the claims: the answers may be claimed at once. */
  release(claims: readonly Claim[]): Promise<void>;
}
