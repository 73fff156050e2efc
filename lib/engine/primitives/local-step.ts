import type { Activation } from '../activation/activation.js';
import { retryPolicy } from '../model/retry-policy.js';
import type { LocalStepContext, LocalStepOptions } from '../model/workflow-context.js';
import { tryUntilSettled, withinTimeout } from './attempts.js';
import { never } from '../activation/never.js';
import { checkCompensate, undoHere } from './undo.js';

export function localStep<T>(
  activation: Activation,
  name: string,
  work: (step: LocalStepContext) => T | Promise<T>,
  options: LocalStepOptions<T> = {},
): Promise<T> {
  const { compensate } = options;
  checkCompensate(compensate, `step "${name}"`);
  const policy = retryPolicy(options.retry, activation.shared.retry);
  const position = activation.ask('step', name);
  if (!position) return never();
  const { seq, step } = position;
  if (compensate) undoHere(activation, seq, { name, policy, options }, compensate);
  if (step.settled === null) {
    void tryUntilSettled(activation, step, policy, async (current) => {
      const value = await withinTimeout(activation, current, options, work);
      const output = activation.shared.payloads.encode(value, `The output of step "${name}"`);
      activation.settle({ ...current, status: 'completed', output, error: null });
    });
  }
  return activation.journal.outcome<T>(seq);
}
