import { type Codec, type CodecContext, jsonCodec, StoredTexts } from '../core/codec.js';
import { DatabaseError, ProcessEndingError, RefusedOutputError } from '../core/errors.js';
import { Cancellation, type Lease, type LeaseKeeper } from '../core/leasing.js';
import { Batcher } from '../core/loops.js';
import {
  idempotencyKeyOf,
  type LogLevel,
  type LogText,
  logText,
  type StepContext,
  type StepLog,
} from '../core/protocol.js';
import { StepTimeoutError } from '../core/run-errors.js';
import { messageOf, readably } from '../core/thrown.js';
import type { TaskEvent, Telemetry, TelemetryEvents, TraceCarrier, TracedWork } from '../core/telemetry.js';
import { backoffMs, type Clock, macrotask, sleep } from '../core/time.js';
import { type ErrorRules, isWithoutOutcome } from '../core/wire-error.js';
import { reporterOf } from './claims.js';
import {
  failed,
  type HandlerRegistry,
  keptOutput,
  readInput,
  type RegisteredHandler,
  type Slots,
  type StepOutcome,
  writeOutput,
} from './handlers.js';
import type { Claim, ClaimedTask, TaskReport, TaskSource } from './task-source.js';

export interface TaskLivesParts {
  source: Pick<TaskSource, 'release' | 'handBack'>;
  handlers: HandlerRegistry;
  runner: TaskRunner;
  keeper: LeaseKeeper<Claim>;
  reporter: Reporter;
  slots: Slots;
}

export interface TaskLivesOptions {
  leaseMs: number;
  maxClaims: number;
  telemetry: Telemetry;
  /** Called when another task may start. */
  onFreed: () => void;
}

interface Life {
  task: ClaimedTask;
  handler: RegisteredHandler;
  control: Cancellation;
  lease: Lease<Claim>;
  /** Another worker holds the lease, or this process released it. */
  over: boolean;
  /** How many workers in a row have ended in it; undefined if that is not known. */
  losses: number | undefined;
  /** The engine records its outcome, or tells that it does not. */
  handedBack?: boolean;
}

/** Handles each claimed task until it is answered, released or lost. */
export class TaskLives {
  private readonly begun = new Map<ClaimedTask, Life>();
  /** Claimed tasks whose class has no free slot: possible when classes share a group. */
  private waiting: Life[] = [];
  private readonly releases = new Set<Promise<void>>();
  /** The number of lives that started and are not over. */
  private open = 0;
  private onIdle: (() => void)[] = [];
  private ending = false;
  private closed = false;

  constructor(
    private readonly parts: TaskLivesParts,
    private readonly options: TaskLivesOptions,
  ) {}

  get running(): number {
    return this.begun.size;
  }

  /**
   * @param askedAt - time by the keeper's clock before they were claimed
   * @param losses - how many workers in a row have ended in these tasks, if that is known
   */
  begin(tasks: readonly ClaimedTask[], askedAt: number, losses: ReadonlyMap<ClaimedTask, number> = new Map()): void {
    const unknown: ClaimedTask[] = [];
    for (const task of tasks) {
      const handler = this.parts.handlers.find(task.name);
      if (!handler) unknown.push(task);
      else this.admit(task, handler, askedAt, losses.get(task));
    }
    if (unknown.length > 0) this.refuse(unknown, 'no-handler');
  }

  /** Releases tasks that do not begin here; `idle` waits for it. */
  refuse(tasks: readonly ClaimedTask[], reason: TelemetryEvents['task.released']['reason']): void {
    if (!this.closed) this.track(this.release(tasks, reason));
  }

  async release(
    tasks: readonly ClaimedTask[],
    reason: TelemetryEvents['task.released']['reason'],
    claims?: readonly Claim[],
  ): Promise<void> {
    if (tasks.length === 0) return;
    try {
      await this.parts.source.release(claims ?? tasks.map(({ claim }) => claim));
      for (const task of tasks) this.options.telemetry.emit('task.released', { ...eventOf(task), reason });
    } catch (error) {
      // Their leases will expire.
      this.options.telemetry.emit('loop.error', { loop: 'worker.release', error });
    }
  }

  /** The number of handlers that have ended without a written outcome. */
  get unanswered(): number {
    return this.open - this.begun.size;
  }

  /** Releases what has not begun, asks running handlers to end, and from now on releases what fails. */
  interrupt(): void {
    if (this.ending) return;
    this.ending = true;
    this.track(this.giveUp(this.waiting.splice(0)));
    for (const { control } of this.begun.values()) control.ask(new ProcessEndingError());
  }

  /** Resolves once nothing runs and every answer is written. */
  async idle(): Promise<void> {
    while (this.open + this.releases.size > 0) {
      if (this.open > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
      await Promise.all(this.releases);
    }
  }

  /** Aborts running handlers and releases their claims, so that other workers may run them at once. */
  async abandon(): Promise<void> {
    this.closed = true;
    const lives = [...this.begun.values()].filter(({ over }) => !over);
    await Promise.all([this.giveUp(lives), ...this.releases]);
  }

  private async giveUp(lives: readonly Life[]): Promise<void> {
    const claims = await Promise.all(lives.map(async ({ lease }) => this.parts.keeper.settle(lease)));
    for (const life of lives) this.finish(life, new Error('The worker stops'));
    const held = lives.filter((_, i) => claims[i]);
    await this.release(
      held.map(({ task }) => task),
      'shutdown',
      claims.filter((claim) => claim !== undefined),
    );
  }

  private admit(task: ClaimedTask, handler: RegisteredHandler, askedAt: number, losses: number | undefined): void {
    const { keeper, slots } = this.parts;
    const { telemetry, leaseMs } = this.options;
    telemetry.tell('task.claimed', () => claimedEventOf(task));
    const lease = keeper.keep(task.claim, leaseMs, askedAt, () => this.lose(life));
    const life: Life = { task, handler, lease, control: new Cancellation(), over: false, losses };
    if (slots.free > 0 && slots.freeIn(life.handler.concurrencyClass) > 0) this.start(life);
    else this.waiting.push(life);
  }

  private start(life: Life): void {
    this.parts.slots.take(life.handler.concurrencyClass);
    this.begun.set(life.task, life);
    this.open++;
    void this.live(life).catch((error: unknown) =>
      this.options.telemetry.emit('loop.error', { loop: 'worker.task', error }),
    );
  }

  private async live(life: Life): Promise<void> {
    const { task, handler, lease } = life;
    // Whatever happens, the task has an outcome: without one it would be claimed again and again.
    const outcome = await this.outcomeOf(life).catch((error: unknown) => failed(error));
    this.begun.delete(task);
    this.parts.slots.giveBack(handler.concurrencyClass);
    this.freed();
    if (life.over || this.closed) return this.ended();
    const renewal = this.parts.keeper.rest(lease);
    if (renewal) await renewal;
    if (life.over || this.closed) return this.ended();
    if (!this.handBack(life, outcome)) await this.settle(life, outcome);
  }

  private async settle(life: Life, outcome: StepOutcome): Promise<void> {
    const claim = this.parts.keeper.settle(life.lease);
    this.answer(life, outcome, claim instanceof Promise ? await claim : claim);
  }

  /** Whether the engine of the run is here and records the outcome. What the database may refuse fails the step alone. */
  private handBack(life: Life, outcome: StepOutcome): boolean {
    const { source, keeper } = this.parts;
    const { task, lease } = life;
    const { status, output, error, tookMs = 0 } = outcome;
    if (status === 'failed' || (output !== null && !isStorable(output))) return false;
    const onRecorded = (isRecorded: boolean) => {
      life.handedBack = false;
      if (!isRecorded && !lease.lost) return void this.settle(life, outcome);
      keeper.drop(lease);
      this.answered(life, outcome, isRecorded);
    };
    const { runId, seq, claim: first } = task;
    const times = { startedAt: first.claimedAt, createdAt: Math.round(first.claimedAt + tookMs) };
    const what = { ...lease.claim, runId, seq, status, output, error, ...times };
    life.handedBack = source.handBack?.({ ...what, by: reporterOf(task), onRecorded }) ?? false;
    return life.handedBack;
  }

  private async outcomeOf(life: Life): Promise<StepOutcome> {
    const { task, handler, control } = life;
    return this.isCrashLoop(life) ? crashLoop(task) : this.parts.runner.run(task, handler, control);
  }

  /** The attempt does not count: perhaps it failed because parts of the app are gone. */
  private async giveBack({ task }: Life, claim: Claim): Promise<void> {
    await this.release([task], 'shutdown', [claim]);
    this.ended();
  }

  private answer(life: Life, outcome: StepOutcome, claim: Claim | undefined): void {
    if (!claim || this.closed) return this.ended();
    if (this.ending && isUndone(outcome)) return this.track(this.giveBack(life, claim));
    const { runId, seq, attempt, claim: first } = life.task;
    const { status, output, error } = outcome;
    const report = { claim, runId, seq, attempt, status, output, error, startedAt: first.claimedAt };
    this.parts.reporter.report(report, (held) => this.answered(life, outcome, held));
  }

  private answered({ task }: Life, { status, wireError, tookMs = 0 }: StepOutcome, held: boolean): void {
    const { telemetry } = this.options;
    // Unwritten answers may have held back claims.
    this.options.onFreed();
    const ended = () => endedEventOf(task, tookMs);
    const failed = () => ({ ...ended(), error: wireError ?? { message: '' } });
    const retryInMs = wireError?.retryable === false ? undefined : wireError?.retryAfterMs;
    if (!held) telemetry.tell('task.lease-lost', () => eventOf(task));
    else if (status === 'completed') telemetry.tell('task.completed', ended);
    else if (retryInMs === undefined) telemetry.tell('task.failed', failed);
    else telemetry.tell('task.deferred', () => ({ ...failed(), retryInMs }));
    this.ended();
  }

  private ended(): void {
    if (--this.open === 0) for (const resolve of this.onIdle.splice(0)) resolve();
  }

  private lose(life: Life): void {
    const { telemetry } = this.options;
    // Its commit decides.
    if (life.handedBack) return;
    telemetry.tell('task.lease-lost', () => eventOf(life.task));
    this.waiting = this.waiting.filter((other) => other !== life);
    this.finish(life, new Error('The lease was lost: another worker may run this step'));
  }

  private finish(life: Life, reason: Error): void {
    life.over = true;
    life.control.end(reason);
  }

  /** To be called when a slot is free again. */
  freed(): void {
    this.startNext();
    this.options.onFreed();
  }

  private startNext(): void {
    const { slots } = this.parts;
    if (this.waiting.length === 0 || this.ending || slots.free <= 0) return;
    const next = this.waiting.find(({ handler }) => slots.freeIn(handler.concurrencyClass) > 0);
    if (!next) return;
    this.waiting = this.waiting.filter((other) => other !== next);
    this.start(next);
  }

  /** A task that keeps crashing its worker would otherwise run forever. */
  private isCrashLoop({ task, handler, losses }: Life): boolean {
    const { maxClaims } = this.options;
    if (losses !== undefined) return losses >= maxClaims;
    // The number also counts failures.
    return task.reclaimed && task.attempt > Math.max(maxClaims, handler.retryAttempts ?? 0);
  }

  private track(release: Promise<void>): void {
    this.releases.add(release);
    void release.finally(() => this.releases.delete(release));
  }
}

const eventOf = ({ stepId, runId, name, group, attempt }: ClaimedTask): TaskEvent => ({
  stepId,
  runId,
  name,
  group,
  attempt,
});

// Each field by its name: a spread is ten times slower, and these are made for every step.
const claimedEventOf = ({ stepId, runId, name, group, attempt, reclaimed, waitedMs }: ClaimedTask) => ({
  stepId,
  runId,
  name,
  group,
  attempt,
  reclaimed,
  waitedMs,
});

const endedEventOf = ({ stepId, runId, name, group, attempt }: ClaimedTask, durationMs: number) => ({
  stepId,
  runId,
  name,
  group,
  attempt,
  durationMs,
});

const crashLoop = ({ name, attempt }: ClaimedTask): StepOutcome =>
  failed(
    Object.assign(new Error(`Step "${name}" crashed its workers repeatedly: failed at attempt ${attempt}`), {
      code: 'crash_loop',
      retryable: false,
    }),
  );

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
  keepLine?: (task: ClaimedTask, line: LogText, loggedAt: number) => void;
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
      const work = () => readably(() => handler.run(input, step));
      const attempt = () =>
        timeoutMs === undefined
          ? control.outlive(work)
          : control.outliveWithin(timeoutMs, work, () => new StepTimeoutError(name, timeoutMs));
      // Within `control`: the lease may be lost meanwhile.
      const carrier = this.options.telemetry.tracing && (await control.outlive(() => this.carriedBy(task)));
      if (control.asked) control.signal.throwIfAborted();
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
  readonly #began: number;
  #log: StepLog | undefined;

  constructor(task: ClaimedTask, control: Cancellation, options: TaskRunnerOptions) {
    this.workflowId = task.runId;
    this.stepId = task.stepId;
    this.idempotencyKey = idempotencyKeyOf(task.stepId);
    this.seq = task.seq;
    this.name = task.name;
    this.attempt = task.attempt;
    this.#task = task;
    this.#control = control;
    this.#options = options;
    this.#began = options.elapsed.now();
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
    return (this.#log ??= logOf(this.#task, this.#began, this.#options));
  }
}

/** The maximum number of stored lines per attempt. */
const MOST_LINES = 1_000;
const TOO_MANY = 'Too many lines: later lines are not stored';

/** Times of lines go on from that of the claim, which the storage's clock said: a process's own may be wrong. */
function logOf(task: ClaimedTask, began: number, { telemetry, texts, keepLine, elapsed }: TaskRunnerOptions): StepLog {
  const { stepId, name } = task;
  let said = 0;
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    telemetry.emit('step.log', { level, message, stepId, name, ...(fields ? { fields } : {}) });
    if (!keepLine || ++said > MOST_LINES) return;
    const line = said === MOST_LINES ? logText('warn', TOO_MANY) : logText(level, message, fields);
    keepLine(task, texts.line(line, contextOf(task)), Math.round(task.claim.claimedAt + elapsed.now() - began));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const RETRY = { delay: 50, factor: 2, maxDelay: 5_000, jitter: 'full' } as const;

/** From this try on, checks whether the claim still holds; if that is known, the answer is written alone. */
const LOOKS_FROM = 5;

/** Longer outputs are answers as rows, in characters. */
const LONGEST_HANDED_BACK = 65_536;

/** Whether every database accepts the text. */
const isStorable = (text: string): boolean => text.length <= LONGEST_HANDED_BACK && !text.includes('\0');

/** Whether the database will never accept this answer. Other errors concern the statement, not the step's result. */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && error.aboutData;

/**
 * Writes answers in batches. An answer that cannot be written is retried until another worker holds the task: the fence
 * of the claim decides whether the answer still counts.
 */
export class Reporter {
  private readonly batcher: Batcher<TaskReport, boolean>;
  /** Answers whose batch keeps failing are written one at a time: one may block the others. */
  private readonly alone: Batcher<TaskReport, boolean>;
  private readonly looks: Batcher<Claim, boolean>;
  private readonly stopped = new AbortController();

  constructor(
    source: Pick<TaskSource, 'report' | 'lostClaims'>,
    private readonly telemetry: Telemetry,
    private readonly errors: ErrorRules = {},
  ) {
    this.batcher = new Batcher<TaskReport, boolean>((reports) => source.report(reports), {
      maxItems: 500,
      sizeOf: ({ output, error }) => (output?.length ?? 0) + (error?.length ?? 0),
      keyOf: ({ claim }) => keyOf(claim),
      isolates: isRefusal,
    });
    this.alone = new Batcher((reports) => source.report(reports), { maxItems: 1 });
    this.looks = new Batcher(async (claims) => {
      const lost = new Set((await source.lostClaims(claims)).map(keyOf));
      return claims.map((claim) => lost.has(keyOf(claim)));
    });
  }

  /**
   * Calls `written` with whether the claim still held, so that the answer counts. Also false when the process stops
   * before it could be written. A callback, because promises per task would dominate the worker's CPU time.
   */
  report(report: TaskReport, written: (held: boolean) => void): void {
    if (this.stopped.signal.aborted) return written(false);
    this.batcher.put(report, written, (error) => void this.writeAgain(report, error).then(written));
  }

  /** Ends the retries; writes in progress are finished. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all([this.batcher.idle(), this.alone.idle(), this.looks.idle()]);
  }

  private async writeAgain(report: TaskReport, failure: unknown): Promise<boolean> {
    let error = failure;
    let next = report;
    for (let attempt = 1; ; attempt++) {
      if (isRefusal(error)) this.telemetry.emit('task.report-refused', { stepId: report.claim.stepId, error });
      else this.telemetry.emit('loop.error', { loop: 'worker.report', error });
      // If even a plain failure is rejected, the answer is not at fault and is retried.
      next = isRefusal(error) && next === report ? { ...report, ...refusal(error, this.errors) } : report;
      if (next === report) await sleep(backoffMs(attempt, RETRY), this.stopped.signal);
      if (this.stopped.signal.aborted) return false;
      const isLost = attempt >= LOOKS_FROM ? await this.isLost(report.claim) : undefined;
      if (isLost) return false;
      try {
        return await (isLost === undefined ? this.batcher : this.alone).add(next);
      } catch (thrown) {
        error = thrown;
      }
    }
  }

  /** A write that never succeeds cannot report this. Undefined while the database is unavailable. */
  private isLost(claim: Claim): Promise<boolean | undefined> {
    return this.looks.add(claim).catch(() => undefined);
  }
}

/** Whether the work has failed, and not only what it has returned. */
const isUndone = ({ status, output, wireError = { message: '' } }: StepOutcome): boolean =>
  status === 'failed' && output === null && !isWithoutOutcome(wireError);

const keyOf = ({ stepId, claimedBy }: Claim): string => `${claimedBy}/${stepId}`;

/** A step must end even if the database cannot store its answer. */
function refusal(error: unknown, rules: ErrorRules): Pick<TaskReport, 'status' | 'output' | 'error'> {
  const reason = messageOf(error);
  const {
    status,
    output,
    error: text,
  } = failed(
    Object.assign(new Error(`The database rejected the output of the step: ${reason}`), {
      code: 'REPORT_REFUSED',
      retryable: false,
    }),
    new StoredTexts(jsonCodec, rules),
  );
  return { status, output, error: text };
}

/** The maximum number of lines that wait to be written; more are dropped. */
const MOST_WAITING = 10_000;

/**
 * Writes handlers' log lines in batches. Handlers and answers never wait for them: while the database is unavailable or
 * too slow, lines are dropped, which is reported.
 */
export class StepLogKeeper {
  private readonly batcher: Batcher<StepLogLine, undefined>;
  private waiting = 0;
  private dropped = 0;

  constructor(
    sink: StepLogSink,
    private readonly telemetry: Telemetry,
  ) {
    this.batcher = new Batcher((lines) => sink.write(lines).then(() => lines.map(() => undefined)), {
      maxItems: 500,
      sizeOf: ({ message, fields }) => message.length + (fields?.length ?? 0),
      isolates: (error) => error instanceof DatabaseError && !error.transient,
    });
  }

  keep(line: StepLogLine): void {
    if (this.waiting >= MOST_WAITING) return this.drop(new Error(`${MOST_WAITING} lines already wait to be written`));
    this.waiting++;
    this.batcher.put(
      line,
      () => this.waiting--,
      (error) => {
        this.waiting--;
        this.drop(error);
      },
    );
  }

  /** Resolves once all waiting lines are written or dropped. */
  idle(): Promise<void> {
    return this.batcher.idle();
  }

  /** Reported once for all lines of one turn of the event loop. */
  private drop(error: unknown): void {
    if (this.dropped++ > 0) return;
    void macrotask().then(() => {
      this.telemetry.emit('step.log-dropped', { lines: this.dropped, error });
      this.dropped = 0;
    });
  }
}

/** A log line of a handler and its step. */
export interface StepLogLine extends LogText {
  runId: string;
  seq: number;
  attempt: number;
  /** Epoch ms, by the process's clock. */
  loggedAt: number;
}

/** Stores handlers' log lines with their steps. */
export interface StepLogSink {
  /** Stores these lines in order; those of runs that do not exist are dropped. */
  write(lines: readonly StepLogLine[]): Promise<void>;
}
