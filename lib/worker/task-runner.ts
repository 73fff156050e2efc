import { RefusedOutputError } from '../errors/argument-errors.js';
import { StepTimeoutError } from '../errors/step-errors.js';
import type { Cancellation } from '../leasing/cancellation.js';
import type { Codec, CodecContext } from '../protocol/codec.js';
import type { StoredTexts } from '../protocol/stored-texts.js';
import { type LogLevel, type LogText, logText } from '../protocol/log-line.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { TraceCarrier, TracedWork } from '../telemetry/tracing.js';
import type { Clock } from '../time/clock.js';
import { macrotask } from '../time/sleep.js';
import type { StepContext, StepLog } from '../protocol/step-context.js';
import type { RegisteredHandler } from './handler-registry.js';
import { failed, keptOutput, readInput, type StepOutcome, writeOutput } from './step-answer.js';
import type { ClaimedTask } from './task-source.js';

export interface TaskRunnerOptions {
  /** For errors that name the date of the next attempt. Default: that of this machine. */
  clock?: Clock;
  /** Measures how long handlers take. */
  elapsed: Clock;
  codec: Codec;
  /** Errors and log lines, as they are stored. */
  texts: StoredTexts;
  telemetry: Telemetry;
  /** The maximum size of an output in bytes of JSON. */
  payloadLimit: number;
  /** Renews the lease of a task if that is due. */
  beatIfDue: (task: ClaimedTask) => Promise<void>;
  /** Reads what the run of a task carries. Default: nothing. */
  contextOf?: (runId: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Stores a log line with the step. Default: lines are only emitted as telemetry. */
  keepLine?: (task: ClaimedTask, line: LogText) => void;
}

/** Runs one handler once and always returns an outcome, whatever the handler throws, returns or ignores. */
export class TaskRunner {
  constructor(private readonly options: TaskRunnerOptions) {}

  /** Ends the attempt when it times out. */
  async run(task: ClaimedTask, handler: RegisteredHandler, control: Cancellation): Promise<StepOutcome> {
    const { codec, texts, payloadLimit, elapsed } = this.options;
    const context = contextOf(task);
    const { name, timeoutMs } = handler;
    let began = elapsed.now();
    try {
      const input = readInput(task.input, codec, context);
      const step = new RunningStep(task, control, this.options);
      const work = () => handler.run(input, step);
      const attempt = () =>
        timeoutMs === undefined
          ? control.outlive(work)
          : control.outliveWithin(timeoutMs, work, () => new StepTimeoutError(name, timeoutMs));
      // Within `control`: the lease may be lost meanwhile.
      const carrier = this.options.telemetry.tracing && (await control.outlive(() => this.carriedBy(task)));
      began = elapsed.now();
      const output = await this.options.telemetry.around('process', () => tracedOf(task, carrier), attempt);
      const tookMs = elapsed.now() - began;
      return { status: 'completed', output: writeOutput(output, codec, payloadLimit, context), error: null, tookMs };
    } catch (error) {
      const tookMs = elapsed.now() - began;
      const failure = failed(error, texts, context, this.options.clock);
      const kept = error instanceof RefusedOutputError ? keptOutput(error.output, codec, payloadLimit, context) : null;
      return { ...failure, output: kept, tookMs };
    }
  }

  /** Without it, the span begins a trace of its own. */
  private async carriedBy({ runId }: ClaimedTask): Promise<TraceCarrier | undefined> {
    return this.options.contextOf?.(runId).catch(() => undefined);
  }
}

const tracedOf = (task: ClaimedTask, carrier: TraceCarrier | undefined): Omit<TracedWork, 'kind'> => {
  const { name, runId, stepId, seq, attempt, group } = task;
  return { name, runId, stepId, seq, attempt, group, carrier, links: [carrier] };
};

/** What a worker knows of the run: its id, and its stored input. */
const contextOf = ({ runId, input }: ClaimedTask): CodecContext => ({ runId, ...(input !== null && { input }) });

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

  /** A property, so that handlers may destructure it. */
  readonly context = (): Promise<Readonly<Record<string, unknown>>> =>
    this.#options.contextOf?.(this.workflowId) ?? Promise.resolve({});

  get log(): StepLog {
    return (this.#log ??= logOf(this.#task, this.#options));
  }
}

/** The maximum number of stored lines per attempt. */
const MOST_LINES = 1_000;
const TOO_MANY = 'Too many lines: later lines are not stored';

function logOf(task: ClaimedTask, { telemetry, texts, keepLine }: TaskRunnerOptions): StepLog {
  const { stepId, name } = task;
  let said = 0;
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    telemetry.emit('step.log', { level, message, stepId, name, ...(fields ? { fields } : {}) });
    if (!keepLine || ++said > MOST_LINES) return;
    const line = said === MOST_LINES ? logText('warn', TOO_MANY) : logText(level, message, fields);
    keepLine(task, texts.line(line, contextOf(task)));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
