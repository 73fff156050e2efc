import { UnreadablePayloadError } from '../errors.js';
import { toWireError } from '../protocol/wire-error.js';
import type { Activation } from './activation.js';
import { replayContext } from './replay-context.js';
import type { WorkflowDefinition } from './workflow-registry.js';

/** What V8 throws when code is wrong, rather than when business fails. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, SyntaxError, RangeError];

/** Lets a workflow's code run on an activation and writes down how it ends. */
export function play(activation: Activation, definition: WorkflowDefinition): Promise<void> {
  let input: unknown;
  try {
    input = inputOf(activation);
  } catch (error) {
    // Perhaps this process has another codec than the one that wrote it.
    activation.block('programming_error', error);
    return Promise.resolve();
  }
  return activation.journal.begin(() => {
    // One hop away, so that a `run` that throws before its first await rejects like any other.
    Promise.resolve()
      .then(() => definition.runner.run(replayContext(activation), input))
      .then(
        (output) => complete(activation, output),
        (error: unknown) => fail(activation, error),
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

async function complete(activation: Activation, output: unknown): Promise<void> {
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  let text: string;
  try {
    text = activation.shared.payloads.encode(output, `The output of workflow "${activation.run.workflow}"`);
  } catch (error) {
    return activation.leave({ status: 'failed', error: toWireError(error) });
  }
  await activation.leave({ status: 'completed', output: text });
}

async function fail(activation: Activation, error: unknown): Promise<void> {
  if (PROGRAMMING_ERRORS.some((type) => error instanceof type)) return activation.block('programming_error', error);
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  await activation.leave({ status: 'failed', error: toWireError(error) });
}
