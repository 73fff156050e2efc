import type { Stored } from '../../core/codec.js';
import { ConfigurationError, InvalidArgumentError } from '../../core/errors.js';
import { stepIdOf } from '../../core/protocol.js';
import { asError } from '../../core/thrown.js';
import { type Duration, toMs } from '../../core/time.js';
import { SIGNAL_WAIT_OPTIONS, type SignalWaitOptions, TIMED_WAIT_OPTIONS, type Waitable } from '../context.js';
import { checkName, isProgrammingError } from '../run.js';
import type { SignalTaken, SignalWait } from '../runs.js';
import {
  type Delivered,
  effectChannel,
  readDelivered,
  readOperation,
  type RecordedOperation,
  signalChannel,
  WorkflowSignal,
  writeListened,
  writeOperation,
} from '../signals.js';
import type { CheckedOperation, StepRecord, WorkflowOperation } from '../step.js';
import type { Activation, Entry } from './activation.js';
import { childOf, type StartedChild } from './children.js';
import { callOptions, inCallback } from './code-scope.js';
import { never, refOf } from './journal.js';

/** A signal that a step waits for: sent to its run, or to a key. */
class AwaitedSignal<T = unknown> implements Waitable<T> {
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

class AwaitedTime implements Waitable<undefined> {
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
      (value) => ({ status: 'completed', output: outputOf(activation, key, value), error: null }) as const,
      (error: unknown) => failedWith(activation, error),
    )
    .then((step) => listener.settle(step))
    .catch((error: unknown) => activation.break(error));
}

const failedWith = ({ payloads }: Activation, error: unknown) =>
  ({ status: 'failed', output: null, error: JSON.stringify(payloads.error(error)), attempt: 1, failures: 1 }) as const;

export interface Listening {
  channels: readonly string[];
  /** The signals of the channels, for people. */
  signals: readonly { name: string; key: string | undefined }[];
  /** The timeout in ms, from the start of the wait. */
  timeoutMs: number | undefined;
  /** Returns the output of the step for this signal; undefined if the step does not take it. */
  take: (delivered: Delivered) => { output: string | null } | undefined;
  /** The output after the timeout. */
  outputWhenOver: () => string | null;
}

/** An unsettled step that waits on channels: it takes the first matching signal, and ends at its timeout. */
class SignalListener {
  private readonly cursors = new Map<string, number>();
  /** The number of the current wait; callbacks of earlier waits have no effect. */
  private round = 0;
  private isOver = false;

  constructor(
    private readonly activation: Activation,
    private step: StepRecord,
    private readonly listening: Listening,
  ) {}

  begin(isNew: boolean): void {
    if (isNew) return this.listen({});
    if (this.step.status === 'answered') return this.answered(this.step.output, []);
    this.wait();
  }

  /** Settles the step by another event, if that comes first; its signals are left to other waits. */
  settle(step: Pick<StepRecord, 'status' | 'output' | 'error'> & Partial<StepRecord>): void {
    if (this.isOver) return;
    this.activation.awaited.delete(this.step.seq);
    this.end({ ...this.step, ...step }, {});
  }

  private get stepId(): string {
    return stepIdOf(this.step.runId, this.step.seq);
  }

  private get listens(): boolean {
    return this.listening.channels.length > 0;
  }

  private get due(): number | null {
    const { timeoutMs } = this.listening;
    return (
      this.step.wakeAt ?? (timeoutMs === undefined ? null : this.activation.dueFrom(this.step.createdAt) + timeoutMs)
    );
  }

  private listen({ extras, ...also }: Entry): void {
    const output = writeListened(this.listening.signals);
    this.step = { ...this.step, status: 'pending', output, wakeAt: this.due };
    this.activation.keep(this.step, this.listens ? { ...also, extras: { ...extras, waits: this.waits() } } : {});
    this.wait();
  }

  private waits(): SignalWait[] {
    const { run, takenSignals } = this.activation;
    const { runId, seq } = this.step;
    return this.listening.channels.map((channel) => ({
      channel,
      stepId: this.stepId,
      runId,
      seq,
      after: takenSignals.after(channel, this.cursors.get(channel)),
      since: run.since,
      deadline: this.due,
    }));
  }

  private wait(): void {
    const { activation, stepId, step } = this;
    if (this.due !== null) void this.watch(this.due);
    if (!this.listens) return;
    void this.look(this.listening.channels);
    const accept = ({ output }: { output: string | null }) => this.answered(output, [stepId]);
    activation.awaited.add(step.seq, { stepId, since: activation.shared.clock.now(), accept });
  }

  /** Starts delivery on these channels, once all records are durable. */
  private look(channels: readonly string[]): Promise<void> {
    const { activation } = this;
    return activation.work(async () => {
      if (!(await activation.durable())) return;
      const looked = await activation.shared.signals.opened(channels, activation.signal);
      if (looked === 'stopped') activation.holdUp();
    });
  }

  private async watch(due: number): Promise<void> {
    const { activation, round } = this;
    await activation.until(this.step.seq, due);
    if (round !== this.round) return;
    await activation.work(async () => {
      if (this.listens) {
        if (!(await activation.durable()) || round !== this.round) return;
        const verdict = await activation.shared.signals.expire(this.stepId, activation.signal);
        if (verdict === 'stopped') activation.holdUp();
        if (verdict !== 'expired' || round !== this.round) return;
      }
      const output = this.listening.outputWhenOver();
      this.settle({ status: 'completed', output, error: null });
    });
  }

  private answered(output: string | null, takes: string[]): void {
    const { activation } = this;
    this.round++;
    activation.dueTimes.delete(this.step.seq);
    const delivered = readDelivered(output);
    if (!delivered) throw new Error(`The answer to step ${this.stepId} is not a signal`);
    // Another wait of this run has taken the same signal.
    if (activation.takenSignals.has(delivered)) return this.goOn(delivered, takes, []);
    const { channel, position } = delivered;
    const refused: SignalTaken[] = [{ channel, position, how: 'refused' }];
    try {
      const taken = this.listening.take(delivered);
      if (!taken) return this.goOn(delivered, takes, refused);
      activation.takenSignals.add(delivered);
      const step = { ...this.step, status: 'completed', output: taken.output, error: null } as const;
      const receives: SignalTaken[] = [{ channel, position, how: 'kept' }];
      this.end({ ...step, ref: refOf(delivered) }, { takes, extras: { receives } });
    } catch (thrown) {
      const error = asError(thrown);
      // The answer is kept, for fixed code.
      if (isProgrammingError(error)) return activation.block('programming_error', error);
      this.end({ ...this.step, ...failedWith(activation, error) }, { takes, extras: { receives: refused } });
      void this.look([channel]);
    }
  }

  private goOn({ channel, position }: Delivered, takes: string[], receives: SignalTaken[]): void {
    this.cursors.set(channel, position);
    this.listen({ takes, extras: { receives } });
  }

  /**
   * Deletes the waits also after a delivery: a commit whose reply was lost is repeated, and writes the wait again
   * although it was answered meanwhile.
   */
  private end(step: StepRecord, { extras, ...also }: Omit<Entry, 'steps'>): void {
    this.round++;
    this.isOver = true;
    this.activation.dueTimes.delete(step.seq);
    const all = this.listens ? { ...extras, unwaits: [this.stepId] } : extras;
    this.activation.settle(step, { ...also, ...(all && { extras: all }) });
  }
}

/** Until the recorded time: a replay that passes another time changes nothing. */
export function sleep(activation: Activation, name: string, time: Duration | Date): Promise<void> {
  const dueOf =
    time instanceof Date
      ? dueAt(time, `The end of sleep "${name}"`)
      : dueAfter(time, `The duration of sleep "${name}"`);
  const position = activation.ask('sleep', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  if (step.settled === null) {
    const due = step.wakeAt ?? dueOf(activation.dueFrom(step.createdAt));
    const asleep: StepRecord = { ...step, wakeAt: due };
    if (isNew) activation.keep(asleep);
    void activation.until(seq, due).then(() => activation.settle({ ...asleep, status: 'completed' }));
  }
  return activation.journal.outcome<unknown>(seq).then(() => undefined);
}

export function sleepUntil(activation: Activation, name: string, time: Date): Promise<void> {
  if (!(time instanceof Date)) throw new InvalidArgumentError(`The end of sleep "${name}"`, time, 'a Date');
  return sleep(activation, name, time);
}

type DueOf = (from: number) => number;

/** @throws InvalidArgumentError */
function dueAt(time: Date, what: string): DueOf {
  const due = time.getTime();
  if (Number.isNaN(due)) throw new InvalidArgumentError(what, time, 'a valid Date');
  return () => due;
}

/** @throws TypeError with `code: 'INVALID_ARGUMENT'` */
function dueAfter(duration: Duration, what: string): DueOf {
  const ms = toMs(duration, what);
  return (from) => from + ms;
}

/**
 * Enqueues calls and waits until all of them have succeeded: a wait on the channel of the operation, which begins in
 * the commit that enqueues them.
 *
 * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError, UnknownEffectHandlerError, ConfigurationError
 */
export function effects(
  activation: Activation,
  first: string | WorkflowOperation,
  second?: WorkflowOperation,
): Promise<string[]> {
  const [name, given] = typeof first === 'string' ? [first, second] : [(first as typeof second)?.operation, first];
  checkName(name, 'The name of effects');
  const { recorded } = activation.journal.next;
  const isOver = recorded !== undefined || activation.closing !== null;
  const operation = isOver ? undefined : checkedCalls(activation, given);
  const position = activation.ask('signal', name!);
  if (!position) return never();
  const { seq, step } = position;
  if (step.settled === null) new OperationWait(activation, step).begin(operation);
  return activation.journal.outcome<string[]>(seq);
}

function checkedCalls({ shared, run, payloads }: Activation, given: WorkflowOperation | undefined): CheckedOperation {
  if (shared.effects) return shared.effects.check(given as WorkflowOperation, payloads.context);
  throw new ConfigurationError(
    `ctx.effects needs effects, and the process that executes workflow "${run.workflow}" has none: ` +
      'set effects: {} in DurableModule.forRoot, or omit the option, instead of effects: false. The run continues in a process that has effects',
  );
}

/** An unsettled step that waits for an operation. */
class OperationWait {
  constructor(
    private readonly activation: Activation,
    private step: StepRecord,
  ) {}

  /** `operation` is set if it is not recorded yet. */
  begin(operation: CheckedOperation | undefined): void {
    if (operation) return this.enqueue(operation);
    if (this.step.status === 'answered') return this.settle([]);
    this.wait();
  }

  private get stepId(): string {
    return stepIdOf(this.step.runId, this.step.seq);
  }

  /** The operation in the step's record. */
  private get awaited(): RecordedOperation {
    const recorded = readOperation(this.step.output);
    if (!recorded) throw new Error(`The record of step ${this.stepId} contains no operation`);
    return recorded;
  }

  private enqueue(operation: CheckedOperation): void {
    this.step = { ...this.step, output: writeOperation(operation) };
    if (operation.entryIds.length === 0) return this.settle([]);
    const { seq } = this.step;
    this.activation.keep(this.step, { extras: { enqueues: [{ seq, operation }], waits: [this.listening] } });
    this.wait();
  }

  private get listening(): SignalWait {
    const { runId, seq } = this.step;
    const channel = effectChannel(this.awaited);
    return { channel, stepId: this.stepId, runId, seq, after: 0, since: this.activation.run.since, deadline: null };
  }

  private wait(): void {
    const { activation, stepId } = this;
    const since = activation.shared.clock.now();
    activation.awaited.add(this.step.seq, { stepId, since, accept: () => this.settle([stepId]) });
  }

  private settle(takes: string[]): void {
    const { activation, stepId } = this;
    const output = activation.payloads.encodeFreely([...this.awaited.entryIds]);
    const step: StepRecord = { ...this.step, status: 'completed', output, error: null };
    activation.settle(step, { takes, extras: { unwaits: [stepId] } });
  }
}
