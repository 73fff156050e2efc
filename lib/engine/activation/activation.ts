import { NonDeterminismError } from '../../errors/code-errors.js';
import { StepFailedError } from '../../errors/step-errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { ActivationShared, LastWord } from './activation-shared.js';
import { AwaitedAnswers } from './awaited-answers.js';
import { CodeCalls } from './code-calls.js';
import { Compensations } from './compensations.js';
import { DueTimes } from './due-times.js';
import { Journal } from './journal.js';
import { deliveryOf, standstill } from './outcome.js';
import { ALONE, type Entry, type Loss, RunWriter, withSteps } from './run-writer.js';
import type { Payloads } from '../model/payloads.js';
import { isPast, type Position, Positions } from './positions.js';
import type { BlockReason, ClaimedRun, Closing, RunTransition } from '../model/run.js';
import type { StepKind, StepRecord } from '../model/step-record.js';
import { TakenSignals } from './taken-signals.js';

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
  private unwinding: (() => void) | undefined;
  private working = 0;
  private ended = false;
  private leaving = false;
  /** Set once nothing new may begin: it leaves the run. */
  private yielding: (() => void) | undefined;
  /** Work was skipped because this process stops. The next owner must do it, so the run is never parked. */
  private heldUp = false;

  constructor(
    readonly run: ClaimedRun,
    history: readonly StepRecord[],
    readonly shared: ActivationShared,
    private readonly onEnd: (end: ActivationEnd) => void,
    private readonly onRest: () => void,
  ) {
    this.payloads = shared.payloads.ofRun(run);
    this.lastProgress = shared.clock.now();
    this.compensations = new Compensations(run.unwinds, run.forkedSeq ?? 0);
    this.writer = new RunWriter(run, history, shared.recorder, (loss) => this.end(loss));
    this.journal = new Journal(history, {
      runId: run.id,
      firstSeq: run.firstSeq,
      read: (step) => deliveryOf(step, this.payloads),
      onUnreadable: (error) => this.block('programming_error', error),
      onRest: () => this.cameToRest(),
    });
    this.positions = new Positions(run, this.journal, shared);
    this.dueTimes = new DueTimes(shared.timers, (due) => this.closed || shared.onWoken?.(run, 'timer', due));
    this.takenSignals = new TakenSignals(history);
    this.calls = new CodeCalls((call, error) => {
      // The first time it was told of.
      if (error instanceof StepFailedError && this.journal.isReplayed(error.seq)) return;
      shared.onUnhandled({ runId: run.id, workflow: run.workflow, call, error });
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
   * does not match the history (which blocks the run), the activation is closed, or the run is closing.
   */
  ask(kind: StepKind, name: string): Position | undefined {
    if (this.closed) return undefined;
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
    if (this.ended) return;
    this.lastProgress = this.shared.clock.now();
    this.writer.write(entry).catch(() => undefined);
  }

  /** Settles a step: its outcome is recorded with the next batch, and delivered to the code in its turn. */
  settle(step: StepRecord, also: Omit<Entry, 'steps'> = ALONE): void {
    if (this.closed) return;
    const final = { ...step, wakeAt: null, finishedAt: this.shared.clock.now() };
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

  /** When the clock has reached `due`; never if the run is parked before. */
  until(seq: number, due: number): Promise<void> {
    return new Promise((resolve) => this.dueTimes.add(seq, due, () => this.closed || resolve()));
  }

  /** Accepts an answer from the transport. Returns false if this activation is closed. */
  answer(answer: StepAnswer): boolean {
    if (this.closed) return false;
    try {
      this.awaited.hand(answer);
    } catch (error) {
      this.break(error); // Only this run: the answers to other runs must still be handled.
    }
    return true;
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
    const instead = this.shared.review && (await this.shared.review(this, how));
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

  /** Ends without writing: the run has another owner, this process stops, or the run is ahead of the database. */
  drop(how: 'lost' | 'ahead' = 'lost'): void {
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
    if (unwind) unwind();
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
