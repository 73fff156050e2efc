import type { StepTask } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { ClaimedRun } from './run.js';

/** Sends tasks whose turn has come, in the transaction that gives them their permit. */
export type Dispatching = (tasks: readonly StepTask[], tx: Transaction) => Promise<void>;

/** What a look at queues has brought. */
export interface Granted {
  /** Whether runs became due. */
  runs: boolean;
  /** When the first of these limiters opens that is closed for its rate, by the storage's clock; null when none is. */
  opensAt: number | null;
}

/**
 * Lets runs and limited steps pass when what they wait for is there. Permits in a limiter are given under the lock of the
 * limiter's row, in the order of the queue; who holds one gives it back in the transaction that ends it. Nothing is polled
 * per run.
 */
export interface Admissions {
  /**
   * Of runs that were claimed with a precondition: those that may be played now. The others are parked with their reason and
   * come back when the last run they wait for has ended, when their turn in the limiter has come, or at their deadline.
   */
  admit(runs: readonly ClaimedRun[]): Promise<Granted & { admitted: ClaimedRun[] }>;
  /** Gives free permits of these limiters to whoever is next: steps are dispatched, runs become due. */
  grant(limiters: readonly string[], dispatching: Dispatching): Promise<Granted>;
  /**
   * Limiters in which somebody waits although there is room, a page at a time: nobody was there to grant. And when the
   * first of the page opens that is closed for its rate.
   */
  waiting(
    afterLimiter: string,
    limit: number,
  ): Promise<{ limiters: string[]; opensAt: number | null; next: string | undefined }>;
  /** Which of these steps wait in a queue, so that nobody has been asked yet. */
  queued(stepIds: readonly string[]): Promise<string[]>;
  /** Calls `listener` when somebody else in this process has freed permits in limiters. Answers a function that ends it. */
  onFreed(listener: (limiters: readonly string[]) => void): () => void;
}
