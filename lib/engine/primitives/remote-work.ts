import { StepTimeoutError } from '../../errors.js';
import { stepIdOf, type StepAnswer, type StepTask } from '../../protocol/step.js';
import { parseWireError, toWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from '../activation/activation.js';
import type { LimitRequest } from '../model/run.js';
import type { RunExtras } from '../model/run-store.js';
import { nextAttemptIn, type RetryPolicy } from '../model/retry-policy.js';
import type { StepRecord } from '../model/step-record.js';
import { failedAttempt } from './attempts.js';

export interface RemoteCall {
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
}

/** An unsettled remote step: dispatches the task, waits for the answer, and retries by the policy. */
export class RemoteStep {
  private timeouts = 0;

  constructor(
    private readonly activation: Activation,
    private readonly call: RemoteCall,
    private step: StepRecord,
  ) {}

  begin(isNew: boolean): void {
    const { step } = this;
    if (isNew) return this.dispatch();
    if (step.status === 'answered') return this.failed(parseWireError(step.error), []);
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

  private dispatch(): void {
    const startedAt = this.activation.shared.clock.now();
    this.step = {
      ...this.step,
      status: 'pending',
      ref: this.call.limitRequest?.limiter ?? null,
      wakeAt: null,
      startedAt,
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
    if (!this.activation.closed) this.dispatch();
  }

  private wait(): void {
    const { activation, stepId, step } = this;
    const since = step.startedAt ?? step.createdAt;
    // During the lookup its answer may have arrived, or the activation has ended.
    const ask = (): void => {
      if (!activation.closed && activation.awaited.has(awaited)) activation.record(this.request);
    };
    const resend = step.ref === null ? ask : () => activation.shared.limiters.askAgain(stepId, ask);
    const awaited = { stepId, since, accept: (answer: StepAnswer) => this.answered(answer), resend };
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
    await this.activation.until(this.step.seq, (this.step.startedAt ?? this.step.createdAt) + timeoutMs);
    if (this.activation.closed || attempt !== this.timeouts || !this.activation.awaited.delete(this.step.seq)) return;
    this.failed(toWireError(new StepTimeoutError(this.step.name, timeoutMs)), [], [this.stepId]);
  }

  private answered(answer: StepAnswer): void {
    this.timeouts++;
    this.activation.dueTimes.delete(this.step.seq);
    this.step = { ...this.step, startedAt: answer.startedAt ?? this.step.startedAt };
    if (answer.status === 'failed') return this.failed(parseWireError(answer.error), [answer.stepId]);
    const { output } = answer;
    const extras = this.leaves;
    this.activation.settle(
      { ...this.step, status: 'completed', output, error: null },
      { takes: [answer.stepId], ...(extras.leaves && { extras }) },
    );
  }

  private failed(wire: WireError, takes: string[], withdraws: string[] = []): void {
    const failure: StepRecord = { ...this.step, attempt: this.step.attempt + 1, error: JSON.stringify(wire) };
    const error = Object.assign(new Error(wire.message), { name: wire.name ?? 'Error', code: wire.code });
    const waitMs = nextAttemptIn(this.call.policy, failure.attempt, error, wire.retryable);
    const { leaves } = this;
    const gone = { takes, withdraws, ...(leaves.leaves && { extras: leaves }) };
    if (waitMs === undefined) return this.activation.settle({ ...failure, status: 'failed' }, gone);
    const due = this.activation.shared.clock.now() + waitMs;
    this.step = { ...failure, status: 'pending', wakeAt: due };
    const extras = { ...leaves, attempts: [failedAttempt(this.activation, failure)] };
    this.activation.keep(this.step, { takes, withdraws, extras });
    void this.dispatchAt(due);
  }
}
