import { InvalidArgumentError } from '../../core/errors.js';
import { groupOf, inPartition, type StepAnswer, stepIdOf, type StepTask } from '../../core/protocol.js';
import { NonDeterminismError, StepTimeoutError } from '../../core/run-errors.js';
import { parseWireError, revivedError, type WireError } from '../../core/wire-error.js';
import {
  type Compensate,
  LOCAL_STEP_OPTIONS,
  type LocalStepContext,
  type LocalStepOptions,
  type StepOptions,
  TRANSACTION_OPTIONS,
  type TransactionOptions,
} from '../context.js';
import { checkName, type LimitRequest } from '../run.js';
import type { RunExtras } from '../runs.js';
import { outputOf, ranBy, requestedAt, type StepRecord } from '../step.js';
import { type RetryPolicy, retryPolicy } from '../workflow.js';
import type { Activation, Compensation } from './activation.js';
import { endedAttempt, exhaust, judge, transact, tryUntilSettled, withinTimeout } from './attempts.js';
import { callOptions } from './code-scope.js';
import { standStill } from './departures.js';
import { type LocalAnswer, never } from './journal.js';

/** A value that would differ on replay, so it is recorded as a marker; the code does not wait for the record. */
export function sideValue<T>(activation: Activation, name: string, compute: () => T): T {
  if (activation.closed) return compute();
  const position = activation.ask('marker', name);
  // Nothing that depends on the value is recorded any more.
  if (!position && (activation.closing || activation.interrupted) && !activation.closed) return compute();
  // The code must not continue with a history that does not match; only a throw can stop synchronous code.
  if (!position)
    throw activation.blockedBy ?? new NonDeterminismError(activation.run.id, -1, 'something else', `marker "${name}"`);
  const { payloads } = activation;
  if (!position.isNew) return payloads.decode(position.step.output) as T;
  const output = payloads.encodeFreely(compute());
  activation.keep({ ...position.step, status: 'completed', output, finishedAt: position.step.createdAt });
  return payloads.decode(output) as T;
}

export function transactionStep<T>(
  activation: Activation,
  name: string,
  work: (handle: unknown) => T | Promise<T>,
  options: TransactionOptions<T, unknown> = {},
): Promise<T> {
  const { compensate } = callOptions(activation, options, TRANSACTION_OPTIONS, `transaction "${name}"`);
  checkCompensate(compensate, `transaction "${name}"`);
  const policy = retryPolicy(options, activation.shared);
  const position = activation.ask('transaction', name);
  if (!position) return never();
  const { seq, step } = position;
  if (compensate) undoInTransaction(activation, seq, { name, policy, options }, compensate);
  if (step.settled === null)
    void tryUntilSettled(activation, step, policy, (current) => transact(activation, current, work, options));
  return activation.journal.outcome<T>(seq);
}

export function localStep<T>(
  activation: Activation,
  name: string,
  work: (step: LocalStepContext) => T | Promise<T>,
  options: LocalStepOptions<T> = {},
): Promise<T> {
  const { compensate } = callOptions(activation, options, LOCAL_STEP_OPTIONS, `step "${name}"`);
  checkCompensate(compensate, `step "${name}"`);
  const policy = retryPolicy(options, activation.shared);
  const position = activation.ask('step', name);
  if (!position) return never();
  const { seq, step } = position;
  if (compensate) undoHere(activation, seq, { name, policy, options }, compensate);
  if (step.settled === null) {
    void tryUntilSettled(activation, step, policy, async (current) => {
      const value = await withinTimeout(activation, current, options, work);
      const output = activation.payloads.encode(value, `The output of step "${name}"`);
      activation.settle({ ...current, status: 'completed', output, error: null });
    });
  }
  return activation.journal.outcome<T>(seq);
}

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

/** The properties of the undone step that its compensation uses. */
interface Undone {
  name: string;
  policy: RetryPolicy;
  options: StepOptions;
}

/** Registers a compensation by a function in the process that plays the run. */
function undoHere(
  activation: Activation,
  seq: number,
  { name, policy, options }: Undone,
  compensate: Compensate<never>,
): void {
  const run = (undone: StepRecord) =>
    undo(activation, seq, 'step', name, (step) => {
      const work = (context: LocalStepContext) => compensate(undoneOutput(activation, undone), context);
      return tryUntilSettled(activation, step, givingUp(policy), async (current) => {
        await withinTimeout(activation, current, options, work);
        activation.settle({ ...current, status: 'completed', output: null, error: null });
      });
    });
  register(activation, { seq, run });
}

/** Registers a compensation in its own transaction, which also commits its record. */
function undoInTransaction(
  activation: Activation,
  seq: number,
  { name, policy, options }: Undone,
  compensate: (handle: unknown, output: never) => unknown,
): void {
  const run = (undone: StepRecord) =>
    undo(activation, seq, 'transaction', name, (step) => {
      const work = async (handle: unknown) => void (await compensate(handle, undoneOutput(activation, undone)));
      return tryUntilSettled(activation, step, givingUp(policy), (current) =>
        transact(activation, current, work, options),
      );
    });
  register(activation, { seq, run });
}

/** Registers a compensation by another remote step, which receives the output of this one. */
function undoRemotely(
  activation: Activation,
  seq: number,
  undone: RemoteCall & { partition: string | undefined },
  name: string,
): void {
  const { timeoutMs, partition } = undone;
  const policy = givingUp(undone.policy);
  const definition = activation.shared.remoteSteps.ofName(name) ?? { name, group: groupOf(name) };
  const group = checkName(inPartition(definition.group, partition), `The group of step "${name}"`);
  const run = async ({ output }: StepRecord) =>
    undo(activation, seq, 'remote', name, (step, isNew) => {
      const input = output ?? activation.payloads.encodeFreely(null);
      new RemoteStep(activation, { name, group, input, policy, timeoutMs }, step).begin(isNew);
    });
  register(activation, { seq, run });
}

function register(activation: Activation, compensation: Compensation): void {
  const { compensations, journal, closed, closing } = activation;
  compensations.add(compensation);
  const step = journal.get(compensation.seq);
  // The step may have been recorded by older code, without a compensation.
  const extras = !step || closed || closing ? undefined : compensations.extrasFor(step);
  if (extras) activation.record({ extras });
}

/** A compensation without attempts left ends its run as `compensation_failed`, which `retry` continues. */
const givingUp = (policy: RetryPolicy): RetryPolicy => ({ ...policy, onExhausted: 'fail' });

/** Runs a compensation at its own position; continues where an earlier activation ended. */
function undo(
  activation: Activation,
  seq: number,
  kind: 'step' | 'transaction' | 'remote',
  name: string,
  begin: (step: StepRecord, isNew: boolean) => unknown,
): Promise<unknown> {
  const position = activation.askToUndo(seq, kind, name);
  if (!position) return never();
  if (position.step.settled === null) void begin(position.step, position.isNew);
  return activation.journal.outcome(position.seq);
}

/** SQL NULL of a worker is null, and no text of the codec. @throws UnreadablePayloadError */
const undoneOutput = ({ payloads }: Activation, { output, name }: StepRecord): never =>
  (output === null ? null : payloads.read(output, `The output of step "${name}"`)) as never;

/** Checks `compensate` before anything is recorded. @throws InvalidArgumentError */
export function checkCompensate(compensate: unknown, what: string, orName = false): void {
  if (compensate === undefined || typeof compensate === 'function') return;
  if (orName && typeof compensate === 'string') return void checkName(compensate, `The compensate of ${what}`);
  const expected = orName ? 'a function or the name of a remote step' : 'a function';
  throw new InvalidArgumentError(`The compensate of ${what}`, compensate, expected);
}

interface RemoteCall {
  name: string;
  group: string;
  /** JSON text. */
  input: string;
  policy: RetryPolicy;
  /** The longest time from request to answer, per attempt. */
  timeoutMs: number | undefined;
  /** For a limited step: the queue it waits in. */
  limitRequest?: LimitRequest | undefined;
  priority?: number | undefined;
  keepsInput?: boolean;
}

/** An unsettled remote step: dispatches the task, waits for the answer, and retries by the policy. */
class RemoteStep {
  private timeouts = 0;

  constructor(
    private readonly activation: Activation,
    private readonly call: RemoteCall,
    private step: StepRecord,
  ) {}

  begin(isNew: boolean): void {
    const { step } = this;
    if (isNew) return this.dispatch(null);
    if (step.status === 'answered') return this.failed(parseWireError(step.error), []);
    if (step.status === 'exhausted') return standStill(this.activation, step);
    if (step.wakeAt === null) return this.goOnWaiting();
    void this.dispatchAt(step.wakeAt);
  }

  private get stepId(): string {
    return stepIdOf(this.step.runId, this.step.seq);
  }

  private get task(): StepTask {
    const { stepId, step, call } = this;
    const { runId, seq, name, attempt } = step;
    const priority = call.limitRequest ? undefined : call.priority;
    const task = { stepId, runId, seq, name, group: call.group, input: call.input, attempt: attempt + 1 };
    return priority ? { ...task, priority } : task;
  }

  private dispatch(askedAt: number | null): void {
    this.step = {
      ...this.step,
      status: 'pending',
      ref: this.call.limitRequest?.limiter ?? null,
      wakeAt: null,
      askedAt,
      startedAt: null,
      worker: null,
      ...(this.call.keepsInput && { input: this.call.input }),
    };
    // The task is not written yet, so an early answer belongs to a previous attempt.
    this.activation.awaited.forget(this.step.seq);
    this.activation.keep(this.step, this.request);
    this.wait();
  }

  /** A task, or a place in the queue of its limiter. */
  private get request(): { tasks: StepTask[] } | { extras: RunExtras } {
    const { task } = this;
    const { limitRequest, priority = 0 } = this.call;
    return limitRequest ? { extras: { queues: [{ task, limitRequest, priority }] } } : { tasks: [task] };
  }

  /** The extras at the end of an attempt: they release its permit. */
  private get leaves(): Pick<RunExtras, 'leaves'> {
    const limiter = this.step.ref;
    return limiter === null ? {} : { leaves: [{ holder: this.stepId, limiter }] };
  }

  private async dispatchAt(due: number): Promise<void> {
    await this.activation.until(this.step.seq, due);
    // The run's deadline may have passed at the same time.
    if (!this.activation.closed) this.dispatch(this.activation.moments.now());
  }

  private get since(): number {
    return requestedAt(this.step);
  }

  private wait(): void {
    const { activation, stepId, step, since } = this;
    // During the lookup its answer may have arrived, or the activation has ended.
    const ask = (): void => {
      if (!activation.closed && activation.awaited.has(awaited)) activation.record(this.request);
    };
    const resend = step.ref === null ? ask : () => activation.shared.limiters.askAgain(stepId, ask);
    const accept = (answer: StepAnswer | LocalAnswer) => this.answered(answer);
    const attempt = step.attempt + 1;
    const awaited = { stepId, since, attempt, accept, resend, isWritten: activation.writer.flushing };
    // First, since an early answer in `awaited.add` ends the watch.
    if (this.call.timeoutMs !== undefined) void this.watch(this.call.timeoutMs);
    activation.awaited.add(step.seq, awaited);
  }

  /** The process that queued the step may have died before it granted a permit. */
  private goOnWaiting(): void {
    const { ref } = this.step;
    if (ref !== null) this.activation.shared.limiters.changed([ref]);
    this.wait();
  }

  private async watch(timeoutMs: number): Promise<void> {
    const attempt = ++this.timeouts;
    const { activation } = this;
    await activation.until(this.step.seq, activation.dueFrom(this.since) + timeoutMs);
    if (activation.closed || attempt !== this.timeouts || !activation.awaited.delete(this.step.seq)) return;
    await activation.work(async () => {
      await this.lookAtHolder();
      if (activation.closed) return;
      const late = activation.payloads.error(new StepTimeoutError(this.step.name, timeoutMs));
      this.failed(late, [], [this.stepId]);
    });
  }

  /** Who runs the attempt, and its number: its worker reports neither. */
  private async lookAtHolder(): Promise<void> {
    const holder = await this.activation.shared.holder(this.step).catch(() => undefined);
    if (holder) this.step = { ...this.step, ...ranBy(this.step, { by: holder, startedAt: null }) };
  }

  private answered(answer: StepAnswer | LocalAnswer): void {
    this.timeouts++;
    this.activation.dueTimes.delete(this.step.seq);
    this.step = { ...this.step, ...ranBy(this.step, answer), output: outputOf(answer) };
    if (answer.status === 'failed') return this.failed(parseWireError(answer.error), [answer.stepId]);
    const extras = this.leaves;
    const gone = 'claimedBy' in answer ? { ends: [answer], onRecorded: answer.onRecorded } : { takes: [answer.stepId] };
    this.activation.settle(
      { ...this.step, status: 'completed', error: null },
      { ...gone, ...(extras.leaves && { extras }) },
    );
  }

  private failed(wire: WireError, takes: string[], withdraws: string[] = []): void {
    const { texts, context } = this.activation.payloads;
    const error = revivedError(texts.readable(wire, context));
    const { step: ended, outcome, next } = judge(this.activation, this.step, this.call.policy, { error, wire });
    const { leaves } = this;
    const gone = { takes, withdraws, ...(leaves.leaves && { extras: leaves }) };
    if (next === 'fail') return this.activation.settle({ ...ended, status: 'failed' }, gone);
    const extras = { ...leaves, attempts: [endedAttempt(this.activation, ended, outcome)] };
    // `wrong` is only what is rolled back.
    if (next === 'block' || next === 'wrong') return exhaust(this.activation, ended, { takes, withdraws, extras });
    const due = this.activation.shared.clock.now() + next;
    this.step = { ...ended, status: 'pending', output: null, wakeAt: due, startedAt: null, worker: null };
    this.activation.keep(this.step, { takes, withdraws, extras });
    void this.dispatchAt(due);
  }
}
