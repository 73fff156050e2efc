import { NonDeterminismError } from '../../errors.js';
import type { Activation } from '../activation/activation.js';

/** A value that code may not compute for itself, because it would differ on replay: recorded without a wait. */
export function sideValue<T>(activation: Activation, name: string, compute: () => T): T {
  if (activation.closed) return compute();
  const position = activation.ask('marker', name);
  // Nothing that comes of it is recorded any more.
  if (!position && activation.closing && !activation.closed) return compute();
  // The code must stop at a history that is not its own, and here only a throw can stop it.
  if (!position)
    throw activation.blockedBy ?? new NonDeterminismError(activation.run.id, -1, 'something else', `marker "${name}"`);
  const { codec } = activation.shared.payloads;
  if (!position.isNew) return codec.decode(position.step.output ?? 'null') as T;
  const output = codec.encode(compute());
  activation.keep({ ...position.step, status: 'completed', output, finishedAt: position.step.createdAt });
  return codec.decode(output) as T;
}
