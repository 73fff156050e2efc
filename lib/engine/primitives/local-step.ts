import type { Activation } from '../activation/activation.js';
import { never } from '../activation/outcome.js';
import { retryPolicy } from '../model/retry-policy.js';
import type { LocalStepContext, LocalStepOptions, TransactionOptions } from '../model/step-options.js';
import { tryUntilSettled } from './attempts.js';
import { withinTimeout } from './callbacks.js';
import { transact } from './transact.js';
import { checkCompensate, undoHere, undoInTransaction } from './undo.js';
import { NonDeterminismError } from '../../errors/code-errors.js';
import { callOptions } from './call-options.js';
import { LOCAL_STEP_OPTIONS, TRANSACTION_OPTIONS } from '../model/context-options.js';

/** A value that would differ on replay, so it is recorded as a marker; the code does not wait for the record. */
export function sideValue<T>(activation: Activation, name: string, compute: () => T): T {
  if (activation.closed) return compute();
  const position = activation.ask('marker', name);
  // Nothing that depends on the value is recorded any more.
  if (!position && activation.closing && !activation.closed) return compute();
  // The code must not continue with a history that does not match; only a throw can stop synchronous code.
  if (!position)
    throw activation.blockedBy ?? new NonDeterminismError(activation.run.id, -1, 'something else', `marker "${name}"`);
  const { payloads } = activation;
  if (!position.isNew) return payloads.decode(position.step.output) as T;
  const output = payloads.encodeFreely(compute());
  activation.keep({ ...position.step, status: 'completed', output, finishedAt: position.step.createdAt });
  return payloads.decode(output) as T;
}

export function transactionStep<T>(
  activation: Activation,
  name: string,
  work: (handle: unknown) => T | Promise<T>,
  options: TransactionOptions<T, unknown> = {},
): Promise<T> {
  const { compensate } = callOptions(activation, options, TRANSACTION_OPTIONS, `transaction "${name}"`);
  checkCompensate(compensate, `transaction "${name}"`);
  const policy = retryPolicy(options, activation.shared);
  const position = activation.ask('transaction', name);
  if (!position) return never();
  const { seq, step } = position;
  if (compensate) undoInTransaction(activation, seq, { name, policy, options }, compensate);
  if (step.settled === null)
    void tryUntilSettled(activation, step, policy, (current) => transact(activation, current, work, options));
  return activation.journal.outcome<T>(seq);
}

export function localStep<T>(
  activation: Activation,
  name: string,
  work: (step: LocalStepContext) => T | Promise<T>,
  options: LocalStepOptions<T> = {},
): Promise<T> {
  const { compensate } = callOptions(activation, options, LOCAL_STEP_OPTIONS, `step "${name}"`);
  checkCompensate(compensate, `step "${name}"`);
  const policy = retryPolicy(options, activation.shared);
  const position = activation.ask('step', name);
  if (!position) return never();
  const { seq, step } = position;
  if (compensate) undoHere(activation, seq, { name, policy, options }, compensate);
  if (step.settled === null) {
    void tryUntilSettled(activation, step, policy, async (current) => {
      const value = await withinTimeout(activation, current, options, work);
      const output = activation.payloads.encode(value, `The output of step "${name}"`);
      activation.settle({ ...current, status: 'completed', output, error: null });
    });
  }
  return activation.journal.outcome<T>(seq);
}
