import { ProcessEndingError } from '../../core/errors.js';
import { Cancellation, type Patience, untilBack } from '../../core/leasing.js';
import { type StepAnswer, stepIdOf } from '../../core/protocol.js';
import { HistoryLimitError, NonDeterminismError, StepFailedError } from '../../core/run-errors.js';
import type { Telemetry, TelemetryEvents } from '../../core/telemetry.js';
import { type Clock, Moments, type Timers } from '../../core/time.js';
import type { OnExhausted, Retry } from '../context.js';
import type { RunInsight } from '../insight.js';
import type { LimiterKeeper } from '../limits.js';
import type { Payloads } from '../payloads.js';
import type { BlockReason, ClaimedRun, Closing, RunTransition } from '../run.js';
import type { LogLine, RunExtras, RunWrite } from '../runs.js';
import type { SignalExchange } from '../signals.js';
import type { RunCatalog, Transactions } from '../starts.js';
import type { StepEffects, StepEvents, StepKind, StepRecord } from '../step.js';
import type { HandedBack, TaskDispatcher, TaskHolder } from '../tasks.js';
import type { RemoteStepDirectory, WorkflowLookup, WorkflowTraits } from '../workflow.js';
import { AwaitedAnswers, CodeCalls, deliveryOf, DueTimes, Journal, standstill, TakenSignals } from './journal.js';
import { Footing, type PlayedWrite, type Recorded, type Recorder } from './recorder.js';

/** How an activation ended: it wrote a transition, lost its run, could not write, or was ahead of the database. */
export type ActivationEnd = { how: 'left'; transition: RunTransition } | Loss;

/**
 * One claimed run in this process's memory. It assigns positions, records their outcomes, and knows what the run waits
 * for. It ends when the run ends, is parked, or is owned by another process.
 */
export class Activation {
  readonly journal: Journal;
  /** When the run last made progress, by the clock; its residency time counts from here. */
  lastProgress: number;
  /** The error that blocked the run. */
  blockedBy: unknown;
  readonly payloads: Payloads;
  private readonly cancellation = new Cancellation();
  readonly awaited: AwaitedAnswers;
  readonly dueTimes: DueTimes;
  readonly takenSignals: TakenSignals;
  readonly calls: CodeCalls;
  readonly compensations: Compensations;
  private readonly positions: Positions;
  readonly writer: RunWriter;
  /** The clock of what is recorded of the run. */
  readonly moments: Moments;
  private unwinding: (() => void) | undefined;
  private working = 0;
  private ended = false;
  private leaving = false;
  /** Set once nothing new may begin: it leaves the run. */
  private yielding: (() => void) | undefined;
  /** Work was skipped because this process stops. The next owner must do it, so the run is never parked. */
  private heldUp = false;
  /** The process ends: the code gets no further, and what fails is given back. */
  interrupted = false;

  constructor(
    readonly run: ClaimedRun,
    history: readonly StepRecord[],
    readonly shared: ActivationShared,
    private readonly onEnd: (end: ActivationEnd) => void,
    private readonly onRest: () => void,
  ) {
    this.payloads = shared.payloads.ofRun(run);
    this.lastProgress = shared.clock.now();
    this.moments = new Moments(shared.clock);
    this.moments.follow(run.claimedAt);
    for (const { createdAt, startedAt, finishedAt } of history)
      for (const at of [createdAt, startedAt, finishedAt]) this.moments.follow(at);
    this.compensations = new Compensations(run.unwinds, run.forkedSeq ?? 0);
    this.writer = new RunWriter(this, history, (loss) => this.end(loss));
    this.journal = new Journal(history, {
      runId: run.id,
      firstSeq: run.firstSeq,
      read: (step) => deliveryOf(step, this.payloads),
      onUnreadable: (error) => this.block('programming_error', error),
      onRest: () => this.cameToRest(),
    });
    this.positions = new Positions(run, this.journal, shared.limits, this.moments);
    this.dueTimes = new DueTimes(shared.timers, (due) => this.closed || shared.onWoken?.(run, 'timer', due));
    this.takenSignals = new TakenSignals(history);
    this.calls = new CodeCalls((call, error) => {
      // The first time it was told of.
      if (error instanceof StepFailedError && this.journal.isReplayed(error.seq)) return;
      shared.telemetry?.emit('call.unhandled', { runId: run.id, workflow: run.workflow, call, error });
    });
    const woken = (since: number): void => shared.onWoken?.(run, 'answer', since);
    this.awaited = new AwaitedAnswers(this.journal, woken, (answer) =>
      this.record({ takes: [answer.stepId], ...this.takenSignals.refusal(answer, this.journal.get(answer.seq)) }),
    );
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /** Set while the run is being closed: then only compensations begin. */
  get closing(): Closing | null {
    return this.run.closing;
  }

  /** Whether it may have open children. Children from before `continueAsNew` are not in this history. */
  get hasChildren(): boolean {
    return (this.run.unwinds && this.run.firstSeq > 0) || this.journal.hasOpen('child');
  }

  /** True once nothing may be recorded any more: the activation has ended or is ending. */
  get closed(): boolean {
    return this.ended || this.leaving;
  }

  /**
   * Takes the next position, with its existing record or a new one. Returns undefined if the code must not continue: it
   * does not match the history (which blocks the run), the activation is closed or interrupted, or the run is closing.
   */
  ask(kind: StepKind, name: string): Position | undefined {
    if (this.closed || this.interrupted) return undefined;
    const position = this.fitting(() => this.positions.ask(kind, name));
    return this.closing && !isPast(position) ? undefined : position;
  }

  /** Returns the position of the compensation of `seq`; undefined if another record is there, which blocks the run. */
  askToUndo(seq: number, kind: StepKind, name: string): Position | undefined {
    return this.closed ? undefined : this.fitting(() => this.positions.toUndo(seq, kind, name));
  }

  private fitting(ask: () => Position): Position | undefined {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof NonDeterminismError)) throw error;
      this.block('non_determinism', error);
      return undefined;
    }
  }

  /** Records with the next batch; does not wait. */
  record(entry: Entry): void {
    if (this.ended) return entry.onRecorded?.(false);
    this.lastProgress = this.shared.clock.now();
    this.writer.write(entry).catch(() => undefined);
  }

  /** Settles a step: its outcome is recorded with the next batch, and delivered to the code in its turn. */
  settle(step: StepRecord, also: Omit<Entry, 'steps'> = ALONE): void {
    if (this.closed) return also.onRecorded?.(false);
    const final = { ...step, wakeAt: null, finishedAt: this.moments.now() };
    const extras = this.compensations.extrasFor(final, also.extras);
    this.journal.settle(final, (settled) => this.record(withSteps([settled], also, extras)));
  }

  /** Records a step without an outcome: it waits for another attempt or an answer. */
  keep(step: StepRecord, also: Omit<Entry, 'steps'> = {}): void {
    this.keepAll([step], also);
  }

  keepAll(steps: readonly StepRecord[], also: Omit<Entry, 'steps'> = {}): void {
    if (this.closed) return;
    for (const step of steps) this.journal.keep(step);
    const extras = this.compensations.extrasFor(steps[0]!, also.extras);
    this.record(withSteps(steps, also, extras));
  }

  /**
   * Resolves to true once everything recorded so far is in the database, and to false if the run is lost. Work with
   * side effects waits for this, so that it never follows an outcome that could change after a crash.
   */
  async durable(): Promise<boolean> {
    const flushed = await this.writer.flushed();
    this.heldUp ||= this.yielding !== undefined;
    return flushed && !this.closed && !this.yielding;
  }

  holdUp(): void {
    this.heldUp = true;
  }

  /** Keeps the run resident while `work` runs. */
  async work(work: () => Promise<void>): Promise<void> {
    this.working++;
    try {
      await work();
    } catch (error) {
      this.end({ how: 'broken', error });
    } finally {
      this.working--;
      this.lastProgress = this.shared.clock.now();
      if (this.journal.atRest) this.cameToRest();
    }
  }

  /** From when a wait counts that began then: timers go by the clock, which the moments of the run may be ahead of. */
  dueFrom(begun: number): number {
    return Math.min(begun, this.shared.clock.now());
  }

  /** When the clock has reached `due`; never if the run is parked before. */
  until(seq: number, due: number): Promise<void> {
    return new Promise((resolve) => this.dueTimes.add(seq, due, () => this.closed || resolve()));
  }

  /** Accepts an answer from the transport. Returns false if this activation is closed. */
  answer(answer: StepAnswer): boolean {
    if (this.closed) return false;
    // Workers in other languages may use a clock of their own.
    if (answer.by || this.journal.get(answer.seq)?.kind !== 'remote') this.moments.follow(answer.createdAt);
    try {
      this.awaited.hand(answer);
    } catch (error) {
      this.break(error); // Only this run: the answers to other runs must still be handled.
    }
    return true;
  }

  /**
   * Accepts the outcome of a task from a worker of this process, if it is awaited: its task ends with the commit that
   * records it. The code gets it before, as it gets that of a local step.
   */
  handBack(outcome: HandedBack): boolean {
    if (this.closed || !this.awaited.awaits(outcome)) return false;
    this.moments.follow(outcome.createdAt);
    return this.answer({ ...outcome, createdAt: this.moments.now() });
  }

  /** When a timer continues the run; null if it waits only for external events. */
  get wakeAt(): number | null {
    const { next } = this.dueTimes;
    const deadline = this.closing ? null : this.run.deadline;
    return next === null || deadline === null ? (next ?? deadline) : Math.min(next, deadline);
  }

  get idle(): boolean {
    return !this.closed && this.working === 0 && this.journal.atRest;
  }

  get isWorking(): boolean {
    return !this.closed && this.working > 0;
  }

  /** The run only waits for recorded timers or external events, so it can be parked. */
  get parkable(): boolean {
    return this.idle && !this.heldUp && (this.awaited.size > 0 || this.dueTimes.size > 0);
  }

  /**
   * Writes the final transition of this activation, together with `also`; nothing is recorded after it. Runs `before`
   * first; meanwhile no step begins, and the run is not parked.
   */
  async leave(how: LastWord, also = (): Entry => ALONE, before?: () => Promise<void>): Promise<void> {
    if (this.closed) return;
    this.leaving = true;
    this.lastProgress = this.shared.clock.now();
    const instead = !this.interrupted && this.shared.review && (await this.shared.review(this, how));
    if (instead) [how, also, before] = [instead, () => ALONE, undefined];
    if (before) await before();
    // A transaction that is committing now has its place in the order, and may need compensation.
    if (this.journal.isReserved) await this.journal.unreserved();
    // A failed write has ended the activation meanwhile: nothing may be based on it.
    if (this.ended) return;
    const transition = typeof how === 'function' ? how() : how;
    const last = 'settled' in transition ? { ...transition, settled: this.journal.settledCount } : transition;
    const recorded = await this.writer.write(also(), last).catch(() => 'lost' as const);
    if (recorded === 'written') this.end({ how: 'left', transition: last });
  }

  /** For a run that is being closed: `unwind` is called once all recorded outcomes have been replayed. */
  onUnwind(unwind: () => void): void {
    this.unwinding = unwind;
  }

  park(): Promise<void> {
    return this.leave({ status: 'suspended', wakeAt: this.wakeAt, settled: this.journal.settledCount });
  }

  /** Begins nothing new and leaves the run once its work in progress is recorded, by default to other processes. */
  yield(how = () => this.handOn()): void {
    this.yielding ??= how;
    if (this.idle) this.yielding();
  }

  /**
   * The process ends: asks the run's steps to end, and leaves the run once those that complete are recorded. Its code gets
   * no further outcome, since it may see by its signal that the process ends, and a replay would not see that.
   */
  interrupt(): void {
    if (this.closed || this.interrupted) return;
    this.interrupted = true;
    this.heldUp ||= !this.idle;
    this.journal.halt();
    this.cancellation.ask(new ProcessEndingError());
    this.yield();
  }

  /** Parked if it only waits, else due for other processes at once. */
  private handOn(): void {
    if (this.parkable) void this.park();
    else void this.leave({ status: 'suspended', wakeAt: 0, settled: this.journal.settledCount });
  }

  /** Blocks the run until matching code is deployed; nothing is compensated. */
  block(reason: BlockReason, error: unknown): void {
    this.blockedBy ??= error;
    void this.leave(standstill(this.run, this.journal.settledCount, this.payloads, reason, error));
  }

  /** Ends without writing: the run has another owner, this process stops, or what the run has done does not count. */
  drop(how: 'lost' | 'ahead' | 'unheld' = 'lost'): void {
    this.end({ how });
  }

  break(error: unknown): void {
    this.end({ how: 'broken', error });
  }

  private cameToRest(): void {
    if (this.closed) return;
    this.lastProgress = this.shared.clock.now();
    const unwind = this.unwinding;
    this.unwinding = undefined;
    // Its code was replayed in part.
    if (unwind && !this.interrupted) unwind();
    else if (this.yielding) this.yield();
    else this.onRest();
  }

  unaskedError(): NonDeterminismError | undefined {
    return this.positions.unaskedError();
  }

  private end(end: ActivationEnd): void {
    if (this.ended) return;
    this.ended = true;
    this.journal.close();
    this.awaited.clear();
    this.dueTimes.clear();
    // After a normal end there is usually no work to abort.
    if (end.how !== 'left' || this.working > 0) {
      this.cancellation.end(new Error(`Run "${this.run.id}" is no longer executed by this process`));
    }
    this.onEnd(end);
  }
}

/** Without the owner: the empty commit only waits for the run's lock, no matter who owns the run by then. */
export type RunAtEpoch = Pick<RunWrite, 'runId' | 'epoch'>;

/** How an activation leaves its run; a function if that is decided once nothing is recorded any more. */
export type LastWord = RunTransition | (() => RunTransition);

/** What is to be known of an activation that leaves its run. */
export type Reviewed = Pick<Activation, 'run' | 'journal' | 'payloads' | 'closing' | 'calls'>;

/** What all activations of a process share. */
export interface ActivationShared {
  /** The namespace of all runs. */
  namespace: string;
  /** Undefined if nobody may see what happens: no spans, no channels, no events. */
  telemetry?: Telemetry;
  /** The name of this process: it runs the local steps. */
  process: string;
  recorder: Recorder;
  payloads: Payloads;
  transactions: Transactions;
  catalog: Pick<RunCatalog, 'targets' | 'find'>;
  /** Undefined if the module has no outbox. */
  events: Pick<StepEvents, 'check'> | undefined;
  /** Undefined if the module has no effects. */
  effects: Pick<StepEffects, 'check'> | undefined;
  remoteSteps: RemoteStepDirectory;
  clock: Clock;
  timers: Timers;
  /** Who holds the task of a step, or held it last. */
  holder: (step: Pick<StepRecord, 'runId' | 'seq'>) => Promise<Pick<TaskHolder, 'attempt' | 'worker'>>;
  /** Returns the settled record at a position, if there is one; waits while the database is unavailable. */
  readBack: (claim: RunAtEpoch, seq: number) => Promise<StepRecord | undefined>;
  /** For steps without a `retry` of their own. */
  retry: Retry | undefined;
  /** For steps without an `onExhausted` of their own. */
  onExhausted: OnExhausted | undefined;
  /** Whether the inputs of remote steps are stored in the history, without a `keepInputs` of their own. */
  keepInputs: boolean;
  limits: ActivationLimits;
  workflows: WorkflowLookup;
  signals: SignalExchange;
  limiters: LimiterKeeper;
  /** In development: may replace the last transition of an activation, which is written after it. */
  review?: (activation: Reviewed, how: LastWord) => Promise<RunTransition | undefined>;
  /** Whether unawaited calls block the run. */
  strict: boolean;
  /** Called when a timer, or the answer of a worker, continues a run; `since` is when it was due, or written. */
  onWoken?: (run: ClaimedRun, by: TelemetryEvents['run.woken']['by'], since: number) => void;
  /** Closes the children of a run that ends. */
  closeChildren: (runId: string) => Promise<void>;
}

export interface ActivationLimits {
  /** The most steps of one history, and the number of steps that triggers a warning. */
  steps: number;
  warnSteps: number;
  /** Called once per activation that passes `warnSteps`. */
  onLongHistory: (run: ClaimedRun, steps: number) => void;
}

/**
 * Reads who holds the task of a step, and retries while the database fails. An answer that has just come has deleted the
 * task: then the attempts that were recorded as lost show the number of the one that it is about.
 */
export function holderFrom(
  { dispatcher, insight }: { dispatcher: Pick<TaskDispatcher, 'holders'>; insight: Pick<RunInsight, 'attempts'> },
  patience: Patience,
) {
  return ({ runId, seq }: Pick<StepRecord, 'runId' | 'seq'>): Promise<Pick<TaskHolder, 'attempt' | 'worker'>> =>
    untilBack(async () => {
      const [holder] = await dispatcher.holders([stepIdOf(runId, seq)]);
      if (holder) return holder;
      const before = (await insight.attempts(runId, [seq])).map(({ attempt }) => attempt);
      return { attempt: Math.max(0, ...before) + 1, worker: null };
    }, patience);
}

/** What the activations of a workflow share: its own options go before those of the module. */
export const ofWorkflow = (
  shared: ActivationShared,
  { retry, onExhausted, keepInputs }: WorkflowTraits,
): ActivationShared =>
  retry === undefined && onExhausted === undefined && keepInputs === undefined
    ? shared
    : {
        ...shared,
        retry: retry ?? shared.retry,
        onExhausted: onExhausted ?? shared.onExhausted,
        keepInputs: keepInputs ?? shared.keepInputs,
      };

/** The parts of one write of a run. */
export interface Entry extends Partial<Pick<RunWrite, 'steps' | 'tasks' | 'takes' | 'ends' | 'withdraws'>> {
  extras?: RunExtras;
  /** Called once it is known whether it was written; false if that remains unknown. */
  onRecorded?: (isRecorded: boolean) => void;
}

/** No further parts beside the steps: the usual case. */
export const ALONE: Omit<Entry, 'steps'> = {};

function withSteps(steps: readonly StepRecord[], also: Omit<Entry, 'steps'>, extras?: RunExtras): Entry {
  if (also === ALONE && !extras) return { steps };
  return extras ? { ...also, extras, steps } : { ...also, steps };
}

const NONE: readonly never[] = [];

/**
 * `ahead`: this claim owns the run, but the database has lost records of it. `unheld`: it does, but has gone on with the
 * outcome of a task that its worker did not hold any more.
 */
type Loss = { how: 'lost' } | { how: 'ahead' } | { how: 'unheld' } | { how: 'broken'; error: unknown };

/** Writes for one claim of a run, in order, each with the next batch of the process. */
class RunWriter {
  readonly footing: Footing;
  private tail: Promise<Recorded> = Promise.resolve('written');
  private asked = 0;
  private answered = 0;
  private clearCrashes: boolean;
  private lines: LogLine[] = [];
  private progressed = false;
  /** Whether the database has new records of this claim. */
  hasProgressed = false;

  private readonly run: ClaimedRun;
  private readonly recorder: Recorder;

  constructor(
    private readonly activation: Pick<Activation, 'run' | 'shared' | 'moments'>,
    history: readonly StepRecord[],
    /** Called when the run has another owner, or cannot be written. */
    private readonly onLoss: (loss: Loss) => void,
  ) {
    this.run = activation.run;
    this.recorder = activation.shared.recorder;
    this.footing = new Footing(history);
    this.clearCrashes = this.run.crashes > 0 || this.run.crashed !== undefined;
  }

  /** The line is written with the next write. */
  log(line: LogLine): void {
    this.lines.push(line);
  }

  write(entry: Entry, transition?: RunTransition): Promise<Recorded> {
    const recorded = this.recorder.record(this.writeOf(entry, transition));
    this.tail = recorded;
    const number = ++this.asked;
    const answered = () => void (this.answered = number);
    recorded.then(answered, answered);
    recorded.then(
      (outcome) => {
        entry.onRecorded?.(outcome === 'written');
        if (outcome !== 'written') return this.onLoss({ how: outcome === 'settled' ? 'lost' : outcome });
        this.hasProgressed ||= (entry.steps?.length ?? 0) > 0;
      },
      (error: unknown) => {
        entry.onRecorded?.(false);
        this.onLoss({ how: 'broken', error });
      },
    );
    return recorded;
  }

  /** Returns what tells whether all writes until now have been answered: they are answered in order. */
  get flushing(): () => boolean {
    const { asked } = this;
    return () => this.answered >= asked;
  }

  /** Waits for all writes so far, and returns whether they are in the database. */
  async flushed(): Promise<boolean> {
    return (await this.tail.catch(() => 'lost' as const)) === 'written';
  }

  private writeOf(
    { steps = NONE, tasks = NONE, takes = NONE, ends, withdraws = NONE, extras }: Entry,
    transition?: RunTransition,
  ): PlayedWrite {
    const { id: runId, epoch, notifies } = this.run;
    const settles = this.clearCrashes && steps.some(({ settled }) => settled !== null);
    if (settles) this.clearCrashes = false;
    const all = this.withNews(this.withLines(extras), transition);
    this.progressed ||= steps.length > 0;
    const at = this.activation.moments.now();
    const write: PlayedWrite = { runId, epoch, at, steps, tasks, takes, withdraws, footing: this.footing };
    if (ends) write.ends = ends;
    if (all) write.extras = all;
    if (settles) write.clearCrashes = true;
    return transition ? { ...write, transition, notifies } : write;
  }

  /** A run that was blocked, and is blocked again without progress, is no news. */
  private withNews(extras?: RunExtras, transition?: RunTransition): RunExtras | undefined {
    if (!transition || (this.run.wasBlocked && !this.progressed && transition.status === 'suspended')) return extras;
    const event = this.recorder.eventOf(this.run, transition);
    return event ? { ...extras, tells: [event] } : extras;
  }

  private withLines(extras?: RunExtras): RunExtras | undefined {
    if (this.lines.length === 0) return extras;
    return { ...extras, logs: [...this.lines.splice(0), ...(extras?.logs ?? [])] };
  }
}

interface Position {
  seq: number;
  step: StepRecord;
  isNew: boolean;
}

/** Assigns positions to the code of a run, and checks them against the records. */
class Positions {
  constructor(
    private readonly run: ClaimedRun,
    private readonly journal: Journal,
    private readonly limits: ActivationShared['limits'],
    private readonly clock: Clock,
  ) {}

  /** @throws NonDeterminismError, HistoryLimitError */
  ask(kind: StepKind, name: string): Position {
    const { steps: limit, warnSteps, onLongHistory } = this.limits;
    if (this.journal.asked >= limit) throw new HistoryLimitError(this.run.id, limit);
    if (this.journal.asked === warnSteps) onLongHistory(this.run, warnSteps);
    const { seq, recorded } = this.journal.ask(kind, name);
    return { seq, step: recorded ?? this.fresh(seq, kind, name), isNew: !recorded };
  }

  /**
   * Code that was mended may compensate in another way than attempts that have failed: by another function, or another
   * remote step. Not while a worker may still have the task.
   *
   * @throws NonDeterminismError
   */
  toUndo(undone: number, kind: StepKind, name: string): Position {
    const seq = undoingSeq(undone);
    const recorded = this.journal.get(seq);
    if (!recorded || (recorded.kind === kind && recorded.name === name))
      return { seq, step: recorded ?? this.fresh(seq, kind, name), isNew: !recorded };
    const { status, wakeAt } = recorded;
    if (status === 'exhausted' || (status === 'pending' && (recorded.kind !== 'remote' || wakeAt !== null))) {
      const due = status === 'exhausted' ? null : (wakeAt ?? this.clock.now());
      return { seq, step: { ...recorded, kind, name, wakeAt: due }, isNew: false };
    }
    const found = `${recorded.kind} "${recorded.name}"`;
    throw new NonDeterminismError(this.run.id, seq, found, `${kind} "${name}"`);
  }

  unaskedError(): NonDeterminismError | undefined {
    const step = this.journal.unasked;
    return step && new NonDeterminismError(this.run.id, step.seq, `${step.kind} "${step.name}"`, 'nothing');
  }

  private fresh(seq: number, kind: StepKind, name: string): StepRecord {
    const now = this.clock.now();
    return {
      runId: this.run.id,
      seq,
      kind,
      name,
      status: 'pending',
      attempt: 0,
      failures: 0,
      deferrals: 0,
      settled: null,
      output: null,
      error: null,
      ref: null,
      wakeAt: null,
      createdAt: now,
      askedAt: null,
      startedAt: now,
      finishedAt: null,
      worker: null,
    };
  }
}

/** Whether the code has passed the position: it has its outcome or value, or it is a child that was started. */
const isPast = (position: Position | undefined): boolean =>
  position !== undefined && !position.isNew && (position.step.settled !== null || PASSED.has(position.step.kind));

const PASSED: ReadonlySet<StepKind> = new Set(['marker', 'child']);

/** The compensation of one step. */
export interface Compensation {
  seq: number;
  /** Runs it with records and retries; rejects once it is not retried any more. */
  run: (undone: StepRecord) => Promise<unknown>;
}

/**
 * The compensations to run if the run ended now; the code registers them again in each activation. Also whether the
 * run's row is marked to need unwinding: the mark is written at the latest with the first step that needs it.
 */
class Compensations {
  private readonly bySeq = new Map<number, Compensation>();

  constructor(
    /** Whether the row has the mark, or a pending write will set it. */
    private told: boolean,
    /** Steps at lower positions belong to another run, which compensates them. */
    private readonly from: number,
  ) {}

  add(compensation: Compensation): void {
    if (compensation.seq >= this.from) this.bySeq.set(compensation.seq, compensation);
  }

  has(seq: number): boolean {
    return this.bySeq.has(seq);
  }

  /** The point of no return: earlier steps are no longer compensated. */
  commit(): void {
    this.bySeq.clear();
  }

  /** In reverse order, including those of steps that have not completed. */
  inReverse(): Compensation[] {
    return [...this.bySeq.values()].sort((a, b) => b.seq - a.seq);
  }

  /** Whether the run must be played to end it early. */
  get unwinds(): boolean {
    return this.told;
  }

  /** Adds the mark to the extras of the first step that needs compensation, or the first child to close. */
  extrasFor({ seq, status }: StepRecord, extras?: RunExtras): RunExtras | undefined {
    if (this.told || status === 'failed' || !(this.has(seq) || extras?.children)) return extras;
    this.told = true;
    return { ...extras, unwinds: true };
  }
}

const undoingSeq = (seq: number): number => -1 - seq;
