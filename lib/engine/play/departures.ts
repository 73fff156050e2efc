import { stepIdOf } from '../../core/protocol.js';
import {
  StepExhaustedError,
  StepFailedError,
  UnawaitedCallsError,
  WorkflowTimeoutError,
} from '../../core/run-errors.js';
import {
  combinedWithCause,
  isWithoutOutcome,
  parseWireError,
  revivedError,
  toWireError,
  type WireError,
} from '../../core/wire-error.js';
import { TERMINATED } from '../control.js';
import type { ClaimedRun, FinalTransition, ResumePoint } from '../run.js';
import { leaving, untaken } from '../signals.js';
import { isDone, type StepRecord } from '../step.js';
import { type Activation, ALONE, type Entry } from './activation.js';

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
  const resume = 'resume' in final && final.resume && { resume: final.resume };
  return activation.leave(
    () =>
      compensations.unwinds
        ? { status: 'compensating', closing, settled: journal.settledCount, ...error, ...resume }
        : final,
    () => askedOf(activation),
  );
}

/** The run has reached its deadline. */
export const timeOut = (activation: Activation): Promise<void> =>
  conclude(activation, {
    status: 'failed',
    error: toWireError(new WorkflowTimeoutError(activation.run.id)),
    resume: resumeAt(activation, []),
  });

/**
 * Ends a run whose owners crashed one after the other. Its completed steps are compensated. If the owners crash during
 * compensation, the run ends as `compensation_failed`, and `retry` continues it.
 */
export function endCrashLoop(activation: Activation): Promise<void> {
  const { run, closing } = activation;
  const error = crashLoop(run);
  if (!closing) return conclude(activation, { status: 'failed', error, resume: resumeAt(activation, []) });
  return activation.leave({ status: 'compensation_failed', error: withCause(error, run) }, () => askedOf(activation));
}

/** How a run that failed because of `thrown` could be resumed. */
export function resumePoint(activation: Activation, thrown: unknown): ResumePoint {
  const { journal } = activation;
  const { failed, after } = journal.lastFailures;
  const step = failedStepOf(thrown);
  const next = step === undefined ? undefined : journal.failedAt(step.seq);
  if (step !== undefined && next !== undefined && !failed.includes(step.seq))
    return { ...resumeAt(activation, []), passed: { seq: step.seq, name: step.step, next } };
  const at = step !== undefined && next !== undefined && { at: step.seq };
  return { ...resumeAt(activation, failed), ...at, ...(failed.length > 0 && { after }) };
}

const resumeAt = ({ run: { resume }, journal }: Activation, failed: readonly number[]): ResumePoint => ({
  failed,
  delivered: journal.delivered,
  ...(resume?.forgiven && { forgiven: resume.forgiven }),
});

const MOST_CAUSES = 8;

/** The step whose failure this error is, or is caused by. */
function failedStepOf(thrown: unknown): StepFailedError | undefined {
  for (let error = thrown, i = 0; error instanceof Error && i < MOST_CAUSES; error = error.cause, i++)
    if (error instanceof StepFailedError) return error;
  return undefined;
}

/** Tells of the calls that nobody has awaited when the code ends. If `strict`, returns the error that blocks the run. */
export function unawaitedCalls(
  { calls: { open }, run, shared }: Activation,
  strict = shared.strict,
): UnawaitedCallsError | undefined {
  if (open.length === 0) return undefined;
  if (strict) return new UnawaitedCallsError(run, open);
  shared.telemetry?.emit('calls.unawaited', { runId: run.id, workflow: run.workflow, calls: open });
  return undefined;
}

/**
 * Blocks the run once its work in progress is recorded: a step of it has used all its attempts, or it is done
 * without an outcome. Its work begins again only after `retry`.
 */
export function standStill(activation: Activation, step: StepRecord): void {
  const error = activation.payloads.readError(step.error);
  if (isWithoutOutcome(error)) return standCorrected(activation, revivedError(error));
  activation.yield(() => activation.block('exhausted', new StepExhaustedError(step, error.message)));
}

/** Blocks the run once its work in progress is recorded: its code has to be fixed. */
export function standCorrected(activation: Activation, error: unknown): void {
  activation.yield(() => activation.block('programming_error', error));
}

/** The error of a failed compensation, with the error that had ended the run as its cause. */
const withCause = (error: WireError, { error: cause }: Pick<ClaimedRun, 'error'>): WireError =>
  combinedWithCause(error, cause === null ? undefined : parseWireError(cause));

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

/**
 * Compensates and ends a run. Its code has been replayed up to the end of its records, which registered its
 * compensations. Children are closed first, since their work may depend on the run's; then the completed steps are
 * compensated one after the other, in reverse order.
 */
export function unwind(activation: Activation): void {
  // If the code did not ask for all recorded positions, it is other code, and would compensate only a part.
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  void undoAll(activation).catch((error: unknown) => activation.break(error));
}

async function undoAll(activation: Activation): Promise<void> {
  if (activation.hasChildren) await activation.work(() => close(activation));
  for (const { seq, run } of activation.compensations.inReverse()) {
    const step = activation.journal.get(seq);
    if (!step || !isDone(step)) continue;
    const failure = await run(step).then(
      () => undefined,
      (error: unknown) => activation.payloads.error(error),
    );
    if (failure) return activation.leave(failedToUndo(activation, failure, step), () => askedOf(activation));
  }
  // They were withdrawn at the close, except those that the older snapshot of the app's transaction did not show.
  await activation.leave(finalOf(activation), () => askedOf(activation));
}

const failedToUndo = ({ run }: Activation, failure: WireError, { name, seq }: StepRecord): FinalTransition => ({
  status: 'compensation_failed',
  error: withCause(failure, run),
  undoing: { name, seq },
});

/** Ends a run without compensation: it was terminated, or has nothing to compensate. */
export async function endUndoingNothing(activation: Activation): Promise<void> {
  await endWithChildren(activation, finalOf(activation), () => askedOf(activation));
}

/** Ends a run whose code has ended, so that it starts no more children; existing ones are closed before. */
export function endWithChildren(activation: Activation, final: FinalTransition, also?: () => Entry): Promise<void> {
  return activation.leave(final, also, activation.hasChildren ? () => close(activation) : undefined);
}

/** Closes the children according to their `parentClose`. */
async function close({ writer, shared, run }: Activation): Promise<void> {
  // Children in pending writes must be visible, and what the code has done must count.
  if (await writer.flushed()) await shared.closeChildren(run.id);
}

function finalOf({ run }: Activation): FinalTransition {
  if (run.closing === 'terminated') return { status: 'cancelled', error: TERMINATED };
  if (run.closing === 'cancelled') return { status: 'cancelled' };
  return { status: 'failed', error: parseWireError(run.error) };
}
