import type { Activation } from '../activation/activation.js';
import { never } from '../activation/outcome.js';
import { checkName } from '../model/names.js';
import type { StepRecord } from '../model/step-record.js';
import type { SignalWaitOptions, Waitable } from '../model/workflow-context.js';
import { WorkflowSignal, signalChannel } from '../model/mailbox.js';
import { SignalListener } from './signal-listener.js';
import { InvalidArgumentError } from '../../errors.js';
import { type Duration, toMs } from '../../time/duration.js';

export function sleep(activation: Activation, name: string, duration: Duration): Promise<void> {
  const ms = toMs(duration, `The duration of sleep "${name}"`);
  const position = activation.ask('sleep', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  if (step.settled === null) {
    const due = step.wakeAt ?? step.createdAt + ms;
    const asleep: StepRecord = { ...step, wakeAt: due };
    if (isNew) activation.keep(asleep);
    void activation.until(seq, due).then(() => activation.settle({ ...asleep, status: 'completed' }));
  }
  return activation.journal.outcome<unknown>(seq).then(() => undefined);
}

/** A signal that a step waits for: sent to its run, or to a key. */
export class AwaitedSignal<T = unknown> implements Waitable<T> {
  declare readonly outcome?: T;
  readonly name: string;
  readonly key: string | undefined;
  readonly match: ((payload: T) => boolean) | undefined;

  /** @throws InvalidArgumentError */
  constructor(signal: WorkflowSignal<T>, { key, match }: SignalWaitOptions<T>) {
    if (!(signal instanceof WorkflowSignal))
      throw new InvalidArgumentError('signal', signal, "a signal: new WorkflowSignal('name')");
    if (match !== undefined && typeof match !== 'function')
      throw new InvalidArgumentError('match', match, 'a function');
    this.name = signal.name;
    this.key = key === undefined ? undefined : checkName(key, 'The key of a signal');
    this.match = match;
  }

  channels({ run, shared }: Activation): string[] {
    const { name, key } = this;
    const { namespace } = shared;
    const own = signalChannel({ namespace, addressed: 'run', name, target: run.id });
    if (key === undefined) return [own];
    return [own, signalChannel({ namespace, addressed: 'key', name, target: key })];
  }
}

export class AwaitedTime implements Waitable<undefined> {
  declare readonly outcome?: undefined;
  readonly ms: number;

  constructor(duration: Duration) {
    this.ms = toMs(duration, 'The duration of a timer');
  }
}

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
