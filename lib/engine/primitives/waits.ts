import type { Activation } from '../activation/activation.js';
import { inCallback } from '../activation/code-scope.js';
import { never } from '../activation/outcome.js';
import { checkName } from '../model/names.js';
import type { SignalWaitOptions, Waitable } from '../model/workflow-context.js';
import { WorkflowSignal, signalChannel } from '../model/mailbox.js';
import { SignalListener } from './signal-listener.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { Stored } from '../../protocol/stored.js';
import { type Duration, toMs } from '../../time/duration.js';
import { callOptions } from './call-options.js';
import { TIMED_WAIT_OPTIONS } from '../model/context-options.js';

/** A signal that a step waits for: sent to its run, or to a key. */
export class AwaitedSignal<T = unknown> implements Waitable<T> {
  declare readonly outcome?: T;
  readonly name: string;
  readonly key: string | undefined;
  readonly match: ((payload: Stored<T>) => boolean) | undefined;

  /** @throws InvalidArgumentError */
  constructor(
    signal: WorkflowSignal<T, unknown>,
    readonly options: SignalWaitOptions<T>,
  ) {
    const { key, match } = options ?? {};
    if (!(signal instanceof WorkflowSignal))
      throw new InvalidArgumentError('signal', signal, "a signal: new WorkflowSignal('name')");
    if (match !== undefined && typeof match !== 'function')
      throw new InvalidArgumentError('match', match, 'a function');
    this.name = signal.name;
    this.key = key === undefined ? undefined : checkName(key, 'The key of a signal');
    this.match = match;
  }

  matches(activation: Activation, payload: Stored<T>): boolean {
    const { name, match } = this;
    return !match || inCallback(activation, `the match of signal "${name}"`, () => match(payload));
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
  signal: WorkflowSignal<T, unknown>,
  options: SignalWaitOptions<T> & { timeout?: Duration } = {},
): Promise<T | null> {
  const awaited = new AwaitedSignal(signal, options);
  const { timeout } = callOptions(activation, options, TIMED_WAIT_OPTIONS, `ctx.waitForSignal "${name}"`);
  const timeoutMs = timeout === undefined ? undefined : toMs(timeout, 'timeout');
  const position = activation.ask('signal', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  const { payloads } = activation;
  if (step.settled === null) {
    new SignalListener(activation, step, {
      channels: awaited.channels(activation),
      signals: [awaited],
      timeoutMs,
      take: ({ payload }) =>
        awaited.match && !awaited.matches(activation, payloads.decode(payload) as Stored<T>)
          ? undefined
          : { output: payloads.adopted(payload) },
      outputWhenOver: () => null,
    }).begin(isNew);
  }
  return activation.journal.outcome<T | null>(seq);
}
