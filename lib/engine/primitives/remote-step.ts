import type { Activation } from '../activation/activation.js';
import type { Compensate } from '../model/step-options.js';
import { never } from '../activation/outcome.js';
import { type RemoteCall, RemoteStep } from './remote-work.js';
import { undoHere, undoRemotely } from './undo.js';

export interface CompensatedCall extends RemoteCall {
  partition: string | undefined;
  compensate: string | Compensate<never> | undefined;
}

export function remoteStep<T>(activation: Activation, call: CompensatedCall): Promise<T> {
  const position = activation.ask('remote', call.name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  if (call.compensate !== undefined) compensate(activation, seq, call, call.compensate);
  if (step.settled === null) new RemoteStep(activation, call, step).begin(isNew);
  return activation.journal.outcome<T>(seq);
}

function compensate(activation: Activation, seq: number, call: CompensatedCall, how: string | Compensate<never>): void {
  if (typeof how === 'string') return undoRemotely(activation, seq, call, how);
  const { name, policy, timeoutMs } = call;
  undoHere(activation, seq, { name, policy, options: timeoutMs === undefined ? {} : { timeout: timeoutMs } }, how);
}
