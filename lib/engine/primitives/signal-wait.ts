import { type Duration, toMs } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import type { SignalWaitOptions } from '../model/workflow-context.js';
import type { WorkflowSignal } from '../model/workflow-signal.js';
import { never } from '../activation/never.js';
import { SignalListener } from './signal-listener.js';
import { AwaitedSignal } from './waitables.js';

export function waitForSignal<T>(
  activation: Activation,
  name: string,
  signal: WorkflowSignal<T>,
  options: SignalWaitOptions<T> & { timeout?: Duration } = {},
): Promise<T | null> {
  const awaited = new AwaitedSignal(signal, options);
  const { timeout } = options;
  const timeoutMs = timeout === undefined ? undefined : toMs(timeout, 'timeout');
  const position = activation.ask('signal', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  const { codec } = activation.shared.payloads;
  if (step.settled === null) {
    new SignalListener(activation, step, {
      channels: awaited.channels(activation),
      signals: [awaited],
      timeoutMs,
      take: ({ payload }) =>
        awaited.match && !awaited.match(codec.decode(payload) as T) ? undefined : { output: payload },
      outputWhenOver: () => null,
    }).begin(isNew);
  }
  return activation.journal.outcome<T | null>(seq);
}
