import type { Activation } from './activation.js';
import { reported } from './code-calls.js';
import { misuseOf } from './code-scope.js';

/**
 * What of a call must not get lost. `outcome`: it must be awaited. `nothing`: it is complete once it is made, and
 * returns a promise. `value`: it returns a value.
 */
export type Kind = 'outcome' | 'nothing' | 'value';

/** @throws ContextMisuseError; a promise that is rejected with it when the run has ended, since nobody may catch it */
export function guardedCall<T>(activation: Activation, name: () => string, kind: Kind, call: () => T): T {
  const misuse = misuseOf(activation, name);
  if (misuse) {
    activation.shared.onMisuse({ runId: misuse.workflowId, workflow: misuse.workflow, error: misuse });
    if (misuse.why !== 'after_end' || kind === 'value') throw misuse;
    return reported(misuse) as T;
  }
  const { telemetry } = activation.shared;
  const outcome = telemetry ? telemetry.quietly(call) : call();
  return kind === 'outcome' ? (activation.calls.watch(name, outcome as Promise<unknown>) as T) : outcome;
}
