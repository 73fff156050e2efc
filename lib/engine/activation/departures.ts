import { WorkflowTimeoutError } from '../../errors.js';
import { stepIdOf } from '../../protocol/step.js';
import { parseWireError, toWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from './activation.js';
import { ALONE, type Entry } from './run-writer.js';
import type { ClaimedRun, FinalTransition } from '../model/run.js';
import { leaving, untaken } from '../model/left-signals.js';

/**
 * Ends a run before its code has come to an end of its own accord, or because it threw. What there is to compensate, or
 * to close, is left to the next activation: there, nothing of this code runs beside it. What it has asked of workers is
 * withdrawn.
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
 * Ends a run whose owners died one after the other. What it did before is compensated; where that is what kills them,
 * the compensation has failed, and `retry` takes it up again.
 */
export function endCrashLoop(activation: Activation): Promise<void> {
  const { run, closing } = activation;
  const error = crashLoop(run);
  if (!closing) return conclude(activation, { status: 'failed', error });
  return activation.leave({ status: 'compensation_failed', error: withCause(error, run) }, () => askedOf(activation));
}

/** The error of a compensation that gave up, and what had ended the run. */
export const withCause = (error: WireError, { error: cause }: Pick<ClaimedRun, 'error'>): WireError =>
  cause === null ? error : { ...error, cause: parseWireError(cause) };

/**
 * What others have been asked for and is given up with the run: withdrawn, with its place in a queue, which nobody else
 * would give back. In the same commit as the end: what was answered already counts for one that is undone. Signals it
 * was given meanwhile, and has not come to, are released.
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

/** What its code waited for and did not need in the end: signals are for others. What workers do goes on. */
export function unwaited({ journal }: Activation): Entry {
  const stepIds = journal.open.flatMap(({ kind, runId, seq }) => (kind === 'signal' ? [stepIdOf(runId, seq)] : []));
  return stepIds.length === 0 ? ALONE : { extras: { unwaits: stepIds } };
}

const crashLoop = ({ id, crashes }: ClaimedRun): WireError => ({
  name: 'CrashLoopError',
  code: 'crash_loop',
  message: `Run "${id}" was ended: ${crashes} processes in a row died while they played it (crash_loop)`,
});
