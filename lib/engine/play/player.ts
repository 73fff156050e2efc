import type { Activation } from '../activation/activation.js';
import { inRun } from '../activation/code-scope.js';
import { conclude, resumePoint, unawaitedCalls, unwaited } from '../activation/departures.js';
import { isProgrammingError } from '../model/mismatch.js';
import { replayContext } from './replay-context.js';
import { endUndoingNothing, endWithChildren, unwind } from '../activation/unwind.js';
import type { WorkflowContext } from '../model/workflow-context.js';
import type { WorkflowDefinition } from '../model/workflow-registry.js';

/** Runs a workflow's code on an activation and records how it ends. */
export function play(
  activation: Activation,
  definition: WorkflowDefinition,
  contextOf: (activation: Activation) => WorkflowContext = replayContext,
): Promise<void> {
  // Nothing is compensated, so the code is not needed; it may never have begun.
  if (activation.closing === 'terminated' || (activation.closing && !activation.compensations.unwinds))
    return endUndoingNothing(activation);
  let input: unknown;
  try {
    input = inputOf(activation);
  } catch (error) {
    // This process may have another codec than the one that wrote the input.
    activation.block('programming_error', error);
    return Promise.resolve();
  }
  if (activation.closing) activation.onUnwind(() => unwind(activation));
  return activation.journal.begin(() => {
    // In a promise callback, so that a `run` that throws before its first await rejects, too.
    Promise.resolve()
      .then(() => inRun(activation, () => definition.runner.run(contextOf(activation), input)))
      .finally(() => (activation.calls.codeHasEnded = true))
      .then(
        (output) => completed(activation, output),
        (error: unknown) => failed(activation, error),
      )
      .catch((error: unknown) => activation.break(error));
  });
}

/** @throws UnreadablePayloadError */
const inputOf = ({ run, payloads }: Activation): unknown =>
  run.input === null ? null : payloads.read(run.input, `The input of run "${run.id}"`);

async function completed(activation: Activation, output: unknown): Promise<void> {
  // The run is being closed: the code was only replayed to register its compensations.
  if (activation.closing) return;
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  const left = unawaitedCalls(activation);
  if (left) return activation.block('programming_error', left);
  let text: string;
  try {
    text = activation.payloads.encode(output, `The output of workflow "${activation.run.workflow}"`);
  } catch (error) {
    return conclude(activation, {
      status: 'failed',
      error: activation.payloads.error(error),
      resume: resumePoint(activation, error),
    });
  }
  await endWithChildren(activation, { status: 'completed', output: text }, () => unwaited(activation));
}

async function failed(activation: Activation, error: unknown): Promise<void> {
  const unasked = activation.unaskedError();
  const isWrong = isProgrammingError(error);
  // While the run is closing, the code has registered all compensations if it reached the end of its history.
  if (activation.closing && !(isWrong && unasked)) return;
  if (isWrong) return activation.block('programming_error', error);
  if (unasked) return activation.block('non_determinism', unasked);
  // Also if the module is strict: the run ends with its own error.
  unawaitedCalls(activation, false);
  const resume = resumePoint(activation, error);
  await conclude(activation, { status: 'failed', error: activation.payloads.error(error), resume });
}
