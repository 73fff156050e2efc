import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { Duration } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import type { Delivered, WorkflowSignal } from '../model/mailbox.js';
import type { SignalWaitOptions, Waitable } from '../model/workflow-context.js';
import { childOf, type StartedChild } from './child.js';
import { never } from '../activation/outcome.js';
import { SignalListener } from './signal-listener.js';
import { AwaitedSignal, AwaitedTime } from './waits.js';
import { callOptions } from './call-options.js';
import { SIGNAL_WAIT_OPTIONS } from '../model/context-options.js';

export const signalWait = <T>(signal: WorkflowSignal<T, unknown>, options: SignalWaitOptions<T> = {}): Waitable<T> =>
  new AwaitedSignal(signal, options);

export const timer = (duration: Duration): Waitable<undefined> => new AwaitedTime(duration);

/** One step, whose outcome is the key and value of the first wait to finish: so it is the same on every replay. */
export function waitForAny(
  activation: Activation,
  name: string,
  waits: Record<string, Waitable<unknown>>,
): Promise<never> {
  const { signals, children, first } = sorted(waits);
  for (const { wait } of signals) callOptions(activation, wait.options, SIGNAL_WAIT_OPTIONS, 'ctx.signalWait');
  const position = activation.ask('signal', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  if (step.settled === null) {
    const listener = new SignalListener(activation, step, {
      channels: [...new Set(signals.flatMap(({ wait }) => wait.channels(activation)))],
      signals: signals.map(({ wait }) => wait),
      timeoutMs: first?.ms,
      take: (delivered) => taken(activation, signals, delivered),
      outputWhenOver: () => outputOf(activation, first!.key, undefined),
    });
    listener.begin(isNew);
    for (const { key, child } of children) listenTo(activation, listener, key, child);
  }
  return activation.journal.outcome<never>(seq);
}

interface Named<T> {
  key: string;
  wait: T;
}

interface Parts {
  signals: Named<AwaitedSignal>[];
  children: { key: string; child: StartedChild }[];
  /** The timer that ends first. */
  first: { key: string; ms: number } | undefined;
}

/** @throws InvalidArgumentError */
function sorted(waits: Record<string, Waitable<unknown>>): Parts {
  const parts: Parts = { signals: [], children: [], first: undefined };
  const entries = Object.entries(waits ?? {});
  for (const [key, wait] of entries) {
    const child = typeof wait === 'object' && wait !== null ? childOf(wait) : undefined;
    if (child) parts.children.push({ key, child });
    else if (wait instanceof AwaitedSignal) parts.signals.push({ key, wait });
    else if (!(wait instanceof AwaitedTime))
      throw new InvalidArgumentError(`"${key}" of ctx.waitForAny`, wait, ALLOWED);
    else if (!parts.first || wait.ms < parts.first.ms) parts.first = { key, ms: wait.ms };
  }
  if (entries.length === 0)
    throw new InvalidArgumentError('The argument of ctx.waitForAny', waits, `an object of ${ALLOWED}`);
  return parts;
}

const ALLOWED = 'ctx.signalWait(…), ctx.timer(…) or the result of ctx.startChild';

const outputOf = ({ payloads }: Activation, key: string, value: unknown): string =>
  payloads.encodeFreely({ key, value });

/** The first wait, in the order of the keys, that matches the signal takes it. */
function taken(
  activation: Activation,
  signals: readonly Named<AwaitedSignal>[],
  { channel, payload }: Delivered,
): { output: string } | undefined {
  const value = activation.payloads.decode(payload);
  const taker = signals.find(
    ({ wait }) => wait.channels(activation).includes(channel) && wait.matches(activation, value),
  );
  return taker && { output: outputOf(activation, taker.key, value) };
}

function listenTo(activation: Activation, listener: SignalListener, key: string, { outcome }: StartedChild): void {
  outcome
    .then(
      (value) =>
        ({
          status: 'completed',
          output: outputOf(activation, key, value),
          error: null,
          attempt: 0,
          failures: 0,
        }) as const,
      (error: unknown) =>
        ({
          status: 'failed',
          output: null,
          error: JSON.stringify(activation.payloads.error(error)),
          attempt: 1,
          failures: 1,
        }) as const,
    )
    .then((step) => listener.settle(step))
    .catch((error: unknown) => activation.break(error));
}
