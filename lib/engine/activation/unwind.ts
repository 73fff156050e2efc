import { parseWireError, toWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from './activation.js';
import { askedOf, withCause } from './departures.js';
import { TERMINATED } from '../model/run-control.js';
import type { Entry } from './run-writer.js';
import type { FinalTransition } from '../model/run.js';

/**
 * Brings a run to its end: its code has been played as far as it is recorded, and has thereby said how to undo what it
 * did. Children are closed first, since what they do may build on it; then each completed step is compensated, the last
 * first, one after the other.
 */
export function unwind(activation: Activation): void {
  // A journal that goes further than the code is another code's: it would be undone in part.
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  void undoAll(activation).catch((error: unknown) => activation.break(error));
}

async function undoAll(activation: Activation): Promise<void> {
  if (activation.hasChildren) await activation.work(() => close(activation));
  for (const { seq, run } of activation.compensations.inReverse()) {
    const step = activation.journal.get(seq);
    if (step?.status !== 'completed') continue;
    const failure = await run(step).then(
      () => undefined,
      (error: unknown) => toWireError(error),
    );
    if (failure) return activation.leave(failedToUndo(activation, failure), () => askedOf(activation));
  }
  // Withdrawn when it was closed; a transaction of the app's that reads an older snapshot does not see all of it.
  await activation.leave(finalOf(activation), () => askedOf(activation));
}

const failedToUndo = ({ run }: Activation, failure: WireError): FinalTransition => ({
  status: 'compensation_failed',
  error: withCause(failure, run),
});

/** Ends a run that was terminated, or has done nothing. */
export async function endUndoingNothing(activation: Activation): Promise<void> {
  await endWithChildren(activation, finalOf(activation), () => askedOf(activation));
}

/** Ends a run whose code has said its last word: there will be no more children, and those that it has are closed before. */
export function endWithChildren(activation: Activation, final: FinalTransition, also?: () => Entry): Promise<void> {
  return activation.leave(final, also, activation.hasChildren ? () => close(activation) : undefined);
}

/** What becomes of them was said when they were started. */
async function close({ writer, shared, run }: Activation): Promise<void> {
  // Those that are just being started are to be seen.
  await writer.flushed();
  await shared.closeChildren(run.id);
}

function finalOf({ run }: Activation): FinalTransition {
  if (run.closing === 'terminated') return { status: 'cancelled', error: TERMINATED };
  if (run.closing === 'cancelled') return { status: 'cancelled' };
  return { status: 'failed', error: parseWireError(run.error) };
}
