import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { WorkflowFailure } from '../../errors/run-errors.js';
import type { Activation } from '../activation/activation.js';
import { acceptedInput } from '../model/accepted-input.js';
import { checkName } from '../model/names.js';
import { carriedAnew } from '../model/traced-start.js';
import { askedOf, unawaitedCalls } from '../activation/departures.js';
import { never } from '../activation/outcome.js';

/** The point of no return. It is recorded, so that code which moves it no longer matches the history. */
export function commit(activation: Activation, name: string): void {
  if (activation.closed) return;
  const position = activation.ask('marker', checkName(`commit:${name}`, 'The name of a commit'));
  if (!position) return;
  const { step, isNew } = position;
  if (isNew) activation.keep({ ...step, status: 'completed', finishedAt: step.createdAt });
  activation.compensations.commit();
}

export function fail(message: string, code?: string): never {
  if (typeof message !== 'string' || message === '')
    throw new InvalidArgumentError('The message of ctx.fail', message, 'a string that says what went wrong');
  throw new WorkflowFailure(message, code);
}

/**
 * Whether this run takes the code behind `id`: true if the patch is recorded, or if no record is left. If the history
 * continues with another record, the run passed this line before the patch was added.
 */
export function patched(activation: Activation, id: string): boolean {
  const name = checkName(`patched:${checkName(id, 'The id of a patch')}`, 'The id of a patch');
  const { recorded } = activation.journal.next;
  if (recorded ? recorded.name !== name : activation.journal.unasked !== undefined) return false;
  const position = activation.ask('marker', name);
  if (!position) return recorded !== undefined;
  if (position.isNew) activation.keep({ ...position.step, status: 'completed', finishedAt: position.step.createdAt });
  return true;
}

/**
 * Restarts the run with an empty history. Open requests are withdrawn, children continue, and earlier steps are no
 * longer compensated.
 *
 * @throws ValidationError, AsyncSchemaError, SerializationError, PayloadTooLargeError
 */
export function continueAsNew<T>(activation: Activation, input: unknown): Promise<T> {
  const { run, payloads, closed, closing, shared } = activation;
  const next = acceptedInput(shared.workflows(run.workflow, run.version), input);
  const text = payloads.encode(next ?? null, `The input with which workflow "${run.workflow}" continues`);
  if (!closed && !closing) void renew(activation, text).catch((error: unknown) => activation.break(error));
  return never();
}

/** The new positions begin after all existing ones, so that step ids are not reused. */
async function renew(activation: Activation, input: string): Promise<void> {
  const { journal, run, shared } = activation;
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  const left = unawaitedCalls(activation);
  if (left) return activation.block('programming_error', left);
  const tracing = shared.telemetry?.tracing;
  const anew = { input, firstSeq: journal.next.seq, ...(tracing && carriedAnew(tracing, run)) };
  return activation.leave({ status: 'pending', ...anew }, () => askedOf(activation));
}
