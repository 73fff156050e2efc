import { StepTimeoutError } from '../errors.js';
import type { Codec } from '../protocol/codec.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { macrotask } from '../time/macrotask.js';
import { sleep } from '../time/sleep.js';
import type { Cancellation } from './cancellation.js';
import type { RegisteredHandler } from './handler-registry.js';
import { failed, readInput, type StepOutcome, writeOutput } from './step-answer.js';
import type { StepContext, StepLog } from './step-context.js';
import type { ClaimedTask } from './task-source.js';

export interface TaskRunnerOptions {
  codec: Codec;
  telemetry: Telemetry;
  /** Most bytes of JSON an output may have. */
  payloadLimit: number;
  /** Renews the lease of a task if that is due. */
  beatIfDue: (task: ClaimedTask) => Promise<void>;
}

/** Runs one handler once, and always comes to an outcome: whatever the handler throws, answers or ignores. */
export class TaskRunner {
  constructor(private readonly options: TaskRunnerOptions) {}

  /** Cancels the attempt when it times out. */
  async run(task: ClaimedTask, handler: RegisteredHandler, control: Cancellation): Promise<StepOutcome> {
    const { codec, payloadLimit } = this.options;
    try {
      const input = readInput(task.input, codec);
      const work = async () => handler.run(input, this.contextOf(task, control));
      const output = await (handler.timeoutMs === undefined
        ? control.outlive(work)
        : this.withTimeout(handler.name, handler.timeoutMs, control, work));
      return { status: 'completed', output: writeOutput(output, codec, payloadLimit), error: null };
    } catch (error) {
      return failed(error);
    }
  }

  /** A handler that does not heed its signal goes on unheard; nobody waits for it. */
  private async withTimeout(
    name: string,
    timeoutMs: number,
    control: Cancellation,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const done = new AbortController();
    void this.expire(name, timeoutMs, control, done.signal);
    try {
      return await control.outlive(work);
    } finally {
      // With a reason, because making up the usual one costs more than all the rest.
      done.abort('done');
    }
  }

  private async expire(name: string, timeoutMs: number, control: Cancellation, done: AbortSignal): Promise<void> {
    await sleep(timeoutMs, done);
    if (!done.aborted) control.cancel(new StepTimeoutError(name, timeoutMs));
  }

  private contextOf(task: ClaimedTask, control: Cancellation): StepContext {
    const { runId, stepId, seq, name, attempt } = task;
    const logOf = () => this.logOf(task);
    let log: StepLog | undefined;
    return {
      workflowId: runId,
      stepId,
      seq,
      name,
      attempt,
      idempotencyKey: stepId,
      get signal() {
        return control.signal;
      },
      heartbeat: async () => {
        await macrotask();
        await this.options.beatIfDue(task);
        control.signal.throwIfAborted();
      },
      get log() {
        return (log ??= logOf());
      },
    };
  }

  private logOf({ stepId, name }: ClaimedTask): StepLog {
    const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: Record<string, unknown>) =>
      this.options.telemetry.emit('step.log', { level, message, stepId, name, ...(fields ? { fields } : {}) });
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}
