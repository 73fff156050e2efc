import type { Activation } from '../activation.js';
import { retryPolicy } from '../retry-policy.js';
import type { LocalStepContext, StepOptions } from '../workflow-context.js';
import { tryUntilSettled, withinTimeout } from './attempts.js';
import { never } from './never.js';

export function localStep<T>(
  activation: Activation,
  name: string,
  work: (step: LocalStepContext) => T | Promise<T>,
  options: StepOptions = {},
): Promise<T> {
  const position = activation.ask('step', name);
  if (!position) return never();
  const { seq, step } = position;
  if (step.settled === null) {
    const policy = retryPolicy(options.retry, activation.shared.retry);
    void tryUntilSettled(activation, step, policy, async (current) => {
      const value = await withinTimeout(activation, current, options, work);
      const output = activation.shared.payloads.encode(value, `The output of step "${name}"`);
      activation.settle({ ...current, status: 'completed', output, error: null });
    });
  }
  return activation.journal.outcome<T>(seq);
}
