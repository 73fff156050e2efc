import { StepTimeoutError } from '../../errors/step-errors.js';
import { stepIdOf, type StepAnswer, type StepTask } from '../../protocol/step.js';
import { revivedError } from '../../protocol/revived-error.js';
import { parseWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from '../activation/activation.js';
import { standStill } from '../activation/departures.js';
import type { LimitRequest } from '../model/run.js';
import type { RunExtras } from '../model/run-store.js';
import type { RetryPolicy } from '../model/retry-policy.js';
import { outputOf, ranBy, type StepRecord } from '../model/step-record.js';
import { endedAttempt, exhaust } from './attempts.js';
import { judge } from './judgement.js';

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
  keepsInput?: boolean;
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
    if (!this.activation.closed) this.dispatch(this.activation.shared.clock.now());
  }

  private get since(): number {
    return this.step.askedAt ?? this.step.createdAt;
  }

  private wait(): void {
    const { activation, stepId, step, since } = this;
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
    const { activation } = this;
    await activation.until(this.step.seq, this.since + timeoutMs);
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

  private answered(answer: StepAnswer): void {
    this.timeouts++;
    this.activation.dueTimes.delete(this.step.seq);
    this.step = { ...this.step, ...ranBy(this.step, answer), output: outputOf(answer) };
    if (answer.status === 'failed') return this.failed(parseWireError(answer.error), [answer.stepId]);
    const extras = this.leaves;
    this.activation.settle(
      { ...this.step, status: 'completed', error: null },
      { takes: [answer.stepId], ...(extras.leaves && { extras }) },
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
    if (next === 'block') return exhaust(this.activation, ended, { takes, withdraws, extras });
    const due = this.activation.shared.clock.now() + next;
    this.step = { ...ended, status: 'pending', output: null, wakeAt: due, startedAt: null, worker: null };
    this.activation.keep(this.step, { takes, withdraws, extras });
    void this.dispatchAt(due);
  }
}
