import { UnreadablePayloadError } from '../../errors.js';
import { toWireError } from '../../protocol/wire-error.js';
import type { Activation } from '../activation/activation.js';
import { conclude, unwaited } from '../activation/departures.js';
import { isProgrammingError } from '../model/mismatch.js';
import { replayContext } from './replay-context.js';
import { endUndoingNothing, endWithChildren, unwind } from '../activation/unwind.js';
import type { WorkflowDefinition } from '../model/workflow-registry.js';

/** Lets a workflow's code run on an activation and writes down how it ends. */
export function play(activation: Activation, definition: WorkflowDefinition): Promise<void> {
  // Nothing of it is undone, so nothing of its code is needed: that may never have begun.
  if (activation.closing === 'terminated' || (activation.closing && !activation.compensations.unwinds))
    return endUndoingNothing(activation);
  let input: unknown;
  try {
    input = inputOf(activation);
  } catch (error) {
    // Perhaps this process has another codec than the one that wrote it.
    activation.block('programming_error', error);
    return Promise.resolve();
  }
  if (activation.closing) activation.onUnwind(() => unwind(activation));
  return activation.journal.begin(() => {
    // One hop away, so that a `run` that throws before its first await rejects like any other.
    Promise.resolve()
      .then(() => definition.runner.run(replayContext(activation), input))
      .then(
        (output) => completed(activation, output),
        (error: unknown) => failed(activation, error),
      )
      .catch((error: unknown) => activation.break(error));
  });
}

/** @throws UnreadablePayloadError */
function inputOf({ run, shared }: Activation): unknown {
  try {
    return run.input === null ? null : shared.payloads.codec.decode(run.input);
  } catch (cause) {
    throw new UnreadablePayloadError(`The input of run "${run.id}"`, { cause });
  }
}

async function completed(activation: Activation, output: unknown): Promise<void> {
  // It is brought to another end: the code has only said what there is to undo.
  if (activation.closing) return;
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  let text: string;
  try {
    text = activation.shared.payloads.encode(output, `The output of workflow "${activation.run.workflow}"`);
  } catch (error) {
    return conclude(activation, { status: 'failed', error: toWireError(error) });
  }
  await endWithChildren(activation, { status: 'completed', output: text }, () => unwaited(activation));
}

async function failed(activation: Activation, error: unknown): Promise<void> {
  const unasked = activation.unaskedError();
  const isWrong = isProgrammingError(error);
  // On its way to its end it has said all there is to undo as long as it came as far as its history.
  if (activation.closing && !(isWrong && unasked)) return;
  if (isWrong) return activation.block('programming_error', error);
  if (unasked) return activation.block('non_determinism', unasked);
  await conclude(activation, { status: 'failed', error: toWireError(error) });
}
