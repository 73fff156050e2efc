import { StepTimeoutError } from '../errors.js';
import type { Cancellation } from '../leasing/cancellation.js';
import type { Codec } from '../protocol/codec.js';
import { type LogLevel, type LogText, logText } from '../protocol/log-line.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { macrotask } from '../time/sleep.js';
import type { RegisteredHandler, StepContext, StepLog } from './handler-registry.js';
import { failed, readInput, type StepOutcome, writeOutput } from './step-answer.js';
import type { ClaimedTask } from './task-source.js';

export interface TaskRunnerOptions {
  codec: Codec;
  telemetry: Telemetry;
  /** The maximum size of an output in bytes of JSON. */
  payloadLimit: number;
  /** Renews the lease of a task if that is due. */
  beatIfDue: (task: ClaimedTask) => Promise<void>;
  /** Stores a log line with the step. Default: lines are only emitted as telemetry. */
  keepLine?: (task: ClaimedTask, line: LogText) => void;
}

/** Runs one handler once and always returns an outcome, whatever the handler throws, returns or ignores. */
export class TaskRunner {
  constructor(private readonly options: TaskRunnerOptions) {}

  /** Ends the attempt when it times out. */
  async run(task: ClaimedTask, handler: RegisteredHandler, control: Cancellation): Promise<StepOutcome> {
    const { codec, payloadLimit } = this.options;
    const { name, timeoutMs } = handler;
    try {
      const input = readInput(task.input, codec);
      const step = new RunningStep(task, control, this.options);
      const work = () => handler.run(input, step);
      const output = await (timeoutMs === undefined
        ? control.outlive(work)
        : control.outliveWithin(timeoutMs, work, () => new StepTimeoutError(name, timeoutMs)));
      return { status: 'completed', output: writeOutput(output, codec, payloadLimit), error: null };
    } catch (error) {
      return failed(error);
    }
  }
}

/** Rarely used members are created on demand. */
class RunningStep implements StepContext {
  readonly workflowId: string;
  readonly stepId: string;
  readonly seq: number;
  readonly name: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly #task: ClaimedTask;
  readonly #control: Cancellation;
  readonly #options: TaskRunnerOptions;
  #log: StepLog | undefined;

  constructor(task: ClaimedTask, control: Cancellation, options: TaskRunnerOptions) {
    this.workflowId = task.runId;
    this.stepId = this.idempotencyKey = task.stepId;
    this.seq = task.seq;
    this.name = task.name;
    this.attempt = task.attempt;
    this.#task = task;
    this.#control = control;
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** A property, so that handlers may destructure it. */
  readonly heartbeat = async (): Promise<void> => {
    await macrotask();
    await this.#options.beatIfDue(this.#task);
    this.#control.signal.throwIfAborted();
  };

  get log(): StepLog {
    return (this.#log ??= logOf(this.#task, this.#options));
  }
}

/** The maximum number of stored lines per attempt. */
const MOST_LINES = 1_000;
const TOO_MANY = 'Too many lines: later lines are not stored';

function logOf(task: ClaimedTask, { telemetry, keepLine }: TaskRunnerOptions): StepLog {
  const { stepId, name } = task;
  let said = 0;
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    telemetry.emit('step.log', { level, message, stepId, name, ...(fields ? { fields } : {}) });
    if (!keepLine || ++said > MOST_LINES) return;
    keepLine(task, said === MOST_LINES ? logText('warn', TOO_MANY) : logText(level, message, fields));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
