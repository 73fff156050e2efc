import type { Activation } from '../activation/activation.js';
import { retryPolicy } from '../model/retry-policy.js';
import type { TransactionOptions } from '../model/workflow-context.js';
import { tryUntilSettled } from './attempts.js';
import { never } from '../activation/never.js';
import { transact } from './transact.js';
import { checkCompensate, undoInTransaction } from './undo.js';

export function transactionStep<T>(
  activation: Activation,
  name: string,
  work: (handle: unknown) => T | Promise<T>,
  options: TransactionOptions<T, unknown> = {},
): Promise<T> {
  const { compensate } = options;
  checkCompensate(compensate, `transaction "${name}"`);
  const policy = retryPolicy(options.retry, activation.shared.retry);
  const position = activation.ask('transaction', name);
  if (!position) return never();
  const { seq, step } = position;
  if (compensate) undoInTransaction(activation, seq, { name, policy, options }, compensate);
  if (step.settled === null)
    void tryUntilSettled(activation, step, policy, (current) => transact(activation, current, work, options));
  return activation.journal.outcome<T>(seq);
}
