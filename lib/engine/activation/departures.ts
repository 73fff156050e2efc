import { WorkflowTimeoutError } from '../../errors.js';
import { stepIdOf } from '../../protocol/step.js';
import { parseWireError, toWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from './activation.js';
import { ALONE, type Entry } from './run-writer.js';
import type { ClaimedRun, FinalTransition } from '../model/run.js';
import { leaving, untaken } from '../model/left-signals.js';

/**
 * Ends a run early, or because its code threw. Compensations, and closing of children, are left to the next activation,
 * where no code of this one runs in parallel. Open tasks are withdrawn.
 */
export function conclude(
  activation: Activation,
  final: Exclude<FinalTransition, { status: 'completed' | 'compensation_failed' }>,
): Promise<void> {
  const closing = final.status === 'cancelled' ? 'cancelled' : 'failed';
  const { compensations, journal } = activation;
  const error = final.error && { error: final.error };
  return activation.leave(
    () =>
      compensations.unwinds ? { status: 'compensating', closing, settled: journal.settledCount, ...error } : final,
    () => askedOf(activation),
  );
}

/** The run has reached its deadline. */
export const timeOut = (activation: Activation): Promise<void> =>
  conclude(activation, { status: 'failed', error: toWireError(new WorkflowTimeoutError(activation.run.id)) });

/**
 * Ends a run whose owners crashed one after the other. Its completed steps are compensated. If the owners crash during
 * compensation, the run ends as `compensation_failed`, and `retry` continues it.
 */
export function endCrashLoop(activation: Activation): Promise<void> {
  const { run, closing } = activation;
  const error = crashLoop(run);
  if (!closing) return conclude(activation, { status: 'failed', error });
  return activation.leave({ status: 'compensation_failed', error: withCause(error, run) }, () => askedOf(activation));
}

/** The error of a failed compensation, with the error that had ended the run as its cause. */
export const withCause = (error: WireError, { error: cause }: Pick<ClaimedRun, 'error'>): WireError =>
  cause === null ? error : { ...error, cause: parseWireError(cause) };

/**
 * Withdraws the open requests of an ending run, with their places in limiter queues, which are not released otherwise.
 * It is in the same commit as the end, so existing answers count for a run that is compensated. Signals that its code
 * has not taken are released.
 */
export function askedOf(activation: Activation): Entry {
  const { open } = activation.journal;
  if (open.length === 0) return {};
  const stepIds = open.map(({ runId, seq }) => stepIdOf(runId, seq));
  const leaves = open.flatMap(({ runId, seq, kind, ref }) =>
    kind === 'remote' && ref !== null ? [{ holder: stepIdOf(runId, seq), limiter: ref }] : [],
  );
  const extras = { unwaits: stepIds, ...(leaves.length > 0 && { leaves }) };
  const given = untaken(open);
  if (given.length === 0) return { withdraws: stepIds, extras };
  const { steps, receives } = leaving(given);
  return { steps, withdraws: stepIds, extras: { ...extras, receives } };
}

/** Ends the unneeded signal waits of a completed run, which releases their signals. Open tasks continue. */
export function unwaited({ journal }: Activation): Entry {
  const stepIds = journal.open.flatMap(({ kind, runId, seq }) => (kind === 'signal' ? [stepIdOf(runId, seq)] : []));
  return stepIds.length === 0 ? ALONE : { extras: { unwaits: stepIds } };
}

const crashLoop = ({ id, crashes }: ClaimedRun): WireError => ({
  name: 'CrashLoopError',
  code: 'crash_loop',
  message: `Run "${id}" failed: ${crashes} processes in a row died while they executed it (crash_loop)`,
});
