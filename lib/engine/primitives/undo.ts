import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { groupOf, inPartition } from '../../protocol/step.js';
import type { Activation } from '../activation/activation.js';
import type { Compensation } from '../activation/compensations.js';
import { checkName } from '../model/names.js';
import type { RetryPolicy } from '../model/retry-policy.js';
import type { StepRecord } from '../model/step-record.js';
import type { Compensate, LocalStepContext, StepOptions } from '../model/step-options.js';
import { tryUntilSettled } from './attempts.js';
import { withinTimeout } from './callbacks.js';
import { never } from '../activation/outcome.js';
import { type RemoteCall, RemoteStep } from './remote-work.js';
import { transact } from './transact.js';

/** The properties of the undone step that its compensation uses. */
interface Undone {
  name: string;
  policy: RetryPolicy;
  options: StepOptions;
}

/** Registers a compensation by a function in the process that plays the run. */
export function undoHere(
  activation: Activation,
  seq: number,
  { name, policy, options }: Undone,
  compensate: Compensate<never>,
): void {
  const run = (undone: StepRecord) =>
    undo(activation, seq, 'step', name, (step) => {
      const work = (context: LocalStepContext) => compensate(outputOf(activation, undone), context);
      return tryUntilSettled(activation, step, givingUp(policy), async (current) => {
        await withinTimeout(activation, current, options, work);
        activation.settle({ ...current, status: 'completed', output: null, error: null });
      });
    });
  register(activation, { seq, run });
}

/** Registers a compensation in its own transaction, which also commits its record. */
export function undoInTransaction(
  activation: Activation,
  seq: number,
  { name, policy, options }: Undone,
  compensate: (handle: unknown, output: never) => unknown,
): void {
  const run = (undone: StepRecord) =>
    undo(activation, seq, 'transaction', name, (step) => {
      const work = async (handle: unknown) => void (await compensate(handle, outputOf(activation, undone)));
      return tryUntilSettled(activation, step, givingUp(policy), (current) =>
        transact(activation, current, work, options),
      );
    });
  register(activation, { seq, run });
}

/** Registers a compensation by another remote step, which receives the output of this one. */
export function undoRemotely(
  activation: Activation,
  seq: number,
  undone: RemoteCall & { partition: string | undefined },
  name: string,
): void {
  const { timeoutMs, partition } = undone;
  const policy = givingUp(undone.policy);
  const definition = activation.shared.remoteSteps.ofName(name) ?? { name, group: groupOf(name) };
  const group = checkName(inPartition(definition.group, partition), `The group of step "${name}"`);
  const run = async ({ output }: StepRecord) =>
    undo(activation, seq, 'remote', name, (step, isNew) => {
      const input = output ?? activation.payloads.encodeFreely(null);
      new RemoteStep(activation, { name, group, input, policy, timeoutMs }, step).begin(isNew);
    });
  register(activation, { seq, run });
}

function register(activation: Activation, compensation: Compensation): void {
  const { compensations, journal, closed, closing } = activation;
  compensations.add(compensation);
  const step = journal.get(compensation.seq);
  // The step may have been recorded by older code, without a compensation.
  const extras = !step || closed || closing ? undefined : compensations.extrasFor(step);
  if (extras) activation.record({ extras });
}

/** A compensation without attempts left ends its run as `compensation_failed`, which `retry` continues. */
const givingUp = (policy: RetryPolicy): RetryPolicy => ({ ...policy, onExhausted: 'fail' });

/** Runs a compensation at its own position; continues where an earlier activation ended. */
function undo(
  activation: Activation,
  seq: number,
  kind: 'step' | 'transaction' | 'remote',
  name: string,
  begin: (step: StepRecord, isNew: boolean) => unknown,
): Promise<unknown> {
  const position = activation.askToUndo(seq, kind, name);
  if (!position) return never();
  if (position.step.settled === null) void begin(position.step, position.isNew);
  return activation.journal.outcome(position.seq);
}

/** SQL NULL of a worker is null, and no text of the codec. @throws UnreadablePayloadError */
const outputOf = ({ payloads }: Activation, { output, name }: StepRecord): never =>
  (output === null ? null : payloads.read(output, `The output of step "${name}"`)) as never;

/** Checks `compensate` before anything is recorded. @throws InvalidArgumentError */
export function checkCompensate(compensate: unknown, what: string, orName = false): void {
  if (compensate === undefined || typeof compensate === 'function') return;
  if (orName && typeof compensate === 'string') return void checkName(compensate, `The compensate of ${what}`);
  const expected = orName ? 'a function or the name of a remote step' : 'a function';
  throw new InvalidArgumentError(`The compensate of ${what}`, compensate, expected);
}
