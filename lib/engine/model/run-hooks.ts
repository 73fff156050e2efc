import type { Transaction } from '../../protocol/transaction.js';
import type { CheckedEvent } from './outgoing.js';
import { type ClaimedRun, isFinalTransition, type RunReason, type RunStatus, type RunTransition } from './run.js';

/** A run has ended, or is blocked for `reason`. */
export interface RunNews {
  runId: string;
  workflow: string;
  /** Default: that of this process. */
  namespace?: string;
  status: RunStatus;
  reason?: RunReason;
}

/**
 * Writes events of ended and blocked runs for the hooks of any process, in the transaction that ends or blocks the run.
 * What no hook wants is not written.
 */
export interface RunHooks {
  /** Reads which hooks there are. An engine does so with every heartbeat. */
  look(): Promise<void>;
  /** The event to write; undefined if nobody wanted it at the last look. */
  eventOf(news: RunNews): CheckedEvent | undefined;
  /** Writes the event in `tx`, if a hook wants it. Looks first if the last look is old. */
  tell(news: RunNews, tx: Transaction): Promise<void>;
}

/** Undefined if the run neither ends nor is blocked. */
export function newsOf(
  { id: runId, workflow }: Pick<ClaimedRun, 'id' | 'workflow'>,
  transition: RunTransition,
): RunNews | undefined {
  const { status } = transition;
  if (isFinalTransition(transition)) return { runId, workflow, status };
  const reason = transition.status === 'suspended' ? transition.reason : undefined;
  return reason && { runId, workflow, status, reason };
}
