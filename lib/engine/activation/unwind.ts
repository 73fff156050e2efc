import { parseWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from './activation.js';
import { askedOf, withCause } from './departures.js';
import { TERMINATED } from '../model/run-control.js';
import type { Entry } from './run-writer.js';
import type { FinalTransition } from '../model/run.js';
import { isDone, type StepRecord } from '../model/step-record.js';

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
  // Children in pending writes must be visible.
  await writer.flushed();
  await shared.closeChildren(run.id);
}

function finalOf({ run }: Activation): FinalTransition {
  if (run.closing === 'terminated') return { status: 'cancelled', error: TERMINATED };
  if (run.closing === 'cancelled') return { status: 'cancelled' };
  return { status: 'failed', error: parseWireError(run.error) };
}
