import type { Transaction } from '../../protocol/transaction.js';

/** A step that waits for an operation. */
export interface OperationWaiter {
  stepId: string;
  runId: string;
  seq: number;
}

/** Who waits for operations: the rows that are written with the records of their steps. */
export interface EffectWaits {
  /** The steps that wait on a channel, as far as they have committed. Locks nothing. */
  waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]>;
}
