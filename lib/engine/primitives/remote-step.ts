import { StepTimeoutError } from '../../errors.js';
import { stepIdOf, type StepAnswer, type StepTask } from '../../protocol/step.js';
import { parseWireError, toWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from '../activation.js';
import { nextAttemptIn, type RetryPolicy } from '../retry-policy.js';
import type { StepRecord } from '../step-record.js';
import { never } from './never.js';

export interface RemoteCall {
  name: string;
  group: string;
  /** JSON text. */
  input: string;
  policy: RetryPolicy;
  /** The longest time from asking to answer, per attempt. */
  timeoutMs: number | undefined;
}

export function remoteStep<T>(activation: Activation, call: RemoteCall): Promise<T> {
  const position = activation.ask('remote', call.name);
  if (!position) return never();
  if (position.step.settled === null) new RemoteStep(activation, call, position.step).begin(position.isNew);
  return activation.journal.outcome<T>(position.seq);
}

/** A remote step without its outcome: asks, waits for the answer, asks again as the policy allows. */
class RemoteStep {
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
    if (step.wakeAt === null) return this.wait();
    void this.dispatchAt(step.wakeAt);
  }

  private get stepId(): string {
    return stepIdOf(this.step.runId, this.step.seq);
  }

  private get task(): StepTask {
    const { stepId, step, call } = this;
    const { runId, seq, name, attempt } = step;
    return { stepId, runId, seq, name, group: call.group, input: call.input, attempt: attempt + 1 };
  }

  private dispatch(): void {
    this.step = { ...this.step, status: 'pending', wakeAt: null, startedAt: this.activation.shared.clock.now() };
    this.activation.keep(this.step, { tasks: [this.task] });
    this.wait();
  }

  private async dispatchAt(due: number): Promise<void> {
    await this.activation.until(this.step.seq, due);
    this.dispatch();
  }

  private wait(): void {
    const { activation, stepId, step } = this;
    const since = activation.shared.clock.now();
    const resend = () => void activation.write({ tasks: [this.task] }).catch(() => undefined);
    activation.awaited.add(step.seq, { stepId, since, accept: (answer) => this.answered(answer), resend });
    if (this.call.timeoutMs !== undefined) void this.watch(this.call.timeoutMs);
  }

  private async watch(timeoutMs: number): Promise<void> {
    const attempt = ++this.timeouts;
    await this.activation.until(this.step.seq, (this.step.startedAt ?? this.step.createdAt) + timeoutMs);
    if (attempt !== this.timeouts || !this.activation.awaited.delete(this.step.seq)) return;
    this.failed(toWireError(new StepTimeoutError(this.step.name, timeoutMs)), [], [this.stepId]);
  }

  private answered(answer: StepAnswer): void {
    this.timeouts++;
    this.activation.dueTimes.delete(this.step.seq);
    this.step = { ...this.step, startedAt: answer.startedAt ?? this.step.startedAt };
    if (answer.status === 'failed') return this.failed(parseWireError(answer.error), [answer.stepId]);
    const { output } = answer;
    this.activation.settle({ ...this.step, status: 'completed', output, error: null }, { takes: [answer.stepId] });
  }

  private failed(wire: WireError, takes: string[], withdraws: string[] = []): void {
    const failure: StepRecord = { ...this.step, attempt: this.step.attempt + 1, error: JSON.stringify(wire) };
    const error = Object.assign(new Error(wire.message), { name: wire.name ?? 'Error', code: wire.code });
    const waitMs = nextAttemptIn(this.call.policy, failure.attempt, error, wire.retryable);
    if (waitMs === undefined) return this.activation.settle({ ...failure, status: 'failed' }, { takes, withdraws });
    const due = this.activation.shared.clock.now() + waitMs;
    this.step = { ...failure, status: 'pending', wakeAt: due };
    this.activation.keep(this.step, { takes, withdraws });
    void this.dispatchAt(due);
  }
}
