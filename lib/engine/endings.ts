import { compare, type StepAnswer, stepIdOf } from '../core/protocol.js';
import { DependencyFailedError, WorkflowCancelledError } from '../core/run-errors.js';
import type { Transaction } from '../core/transaction.js';
import { toWireError } from '../core/wire-error.js';
import {
  type ClaimedRun,
  isFinal,
  isFinalTransition,
  type RunReason,
  type RunStatus,
  type RunTransition,
} from './run.js';
import type { CheckedEvent } from './step.js';

/** An ended child, and the step that waits for it. */
export interface EndedChild {
  id: string;
  parentId: string;
  parentSeq: number;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** The answer to the step of its parent. */
export function answerOfChild({ id, parentId, parentSeq: seq, status, output, error }: EndedChild): StepAnswer {
  const to = { stepId: stepIdOf(parentId, seq), runId: parentId, seq, startedAt: null, createdAt: 0 };
  if (status === 'completed') return { ...to, status, output, error: null };
  const why = error ?? JSON.stringify(toWireError(new WorkflowCancelledError(id)));
  return { ...to, status: 'failed', output: null, error: why };
}

/** A run that waits for a run that has ended. */
export interface Dependence {
  runId: string;
  targetId: string;
  /** Null when it was deleted meanwhile. */
  status: RunStatus | null;
}

/** Whether the run has ended or was deleted. */
export const isOver = (status: RunStatus | null): boolean => status === null || isFinal(status);

/** The effect of ended runs on one run that waits for them. */
export interface Release {
  id: string;
  /** How many of them completed. */
  met: number;
  /** JSON text of the error that the run fails with, if one of them did not complete. */
  error: string | null;
}

/** One release per waiting run, in the order of their ids. */
export function releasesOf(dependences: readonly Dependence[]): Release[] {
  const byRun = new Map<string, Release>();
  const inOrder = [...dependences].sort((a, b) => compare(a.runId, b.runId) || compare(a.targetId, b.targetId));
  for (const { runId: id, targetId, status } of inOrder) {
    const sofar = byRun.get(id) ?? { id, met: 0, error: null };
    if (status === 'completed') sofar.met++;
    else sofar.error ??= JSON.stringify(toWireError(new DependencyFailedError(id, targetId, status ?? 'deleted')));
    byRun.set(id, sofar);
  }
  return [...byRun.values()];
}

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
