import { InvalidArgumentError } from '../../errors.js';
import { type Duration, toMs } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import { checkName } from '../model/names.js';
import { signalChannel } from '../model/signal-channel.js';
import type { SignalWaitOptions, Waitable } from '../model/workflow-context.js';
import { WorkflowSignal } from '../model/workflow-signal.js';

/** A signal that a step listens to: sent to its run, or to a key. */
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

/** A time from the beginning of a wait. */
export class AwaitedTime implements Waitable<undefined> {
  declare readonly outcome?: undefined;
  readonly ms: number;

  constructor(duration: Duration) {
    this.ms = toMs(duration, 'The duration of a timer');
  }
}
