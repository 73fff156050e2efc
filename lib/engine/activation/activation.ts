import { NonDeterminismError } from '../../errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { ActivationShared } from './activation-shared.js';
import { AwaitedAnswers } from './awaited-answers.js';
import { type Compensation, Compensations } from './compensations.js';
import { DueTimes } from './due-times.js';
import { Journal } from './journal.js';
import { deliveryOf, standstill } from './outcome.js';
import { ALONE, type Entry, type Loss, RunWriter, withSteps } from './run-writer.js';
import { isPast, type Position, Positions } from './positions.js';
import type { BlockReason, ClaimedRun, Closing, RunTransition } from '../model/run.js';
import type { StepKind, StepRecord } from '../model/step-record.js';
import { TakenSignals } from './taken-signals.js';

/** How an activation ended: it wrote a transition, lost its run, could not write, or was ahead of the database. */
export type ActivationEnd = { how: 'left'; transition: RunTransition } | Loss;

type LastWord = RunTransition | (() => RunTransition);

/**
 * One run in this process's memory, under its claim. It hands out positions, records what happens at them, and
 * knows what the run waits for; it is left when the run ends, is parked, or turns out to be another's.
 */
export class Activation {
  readonly journal: Journal;
  /** When the code last moved, by the clock; how long it may stay resident counts from here. */
  lastProgress: number;
  /** Why the run stands still, once it does. */
  blockedBy: unknown;
  private readonly cancellation = new Cancellation();
  readonly awaited: AwaitedAnswers;
  readonly dueTimes: DueTimes;
  readonly takenSignals: TakenSignals;
  readonly compensations: Compensations;
  private readonly positions: Positions;
  readonly writer: RunWriter;
  private unwinding: (() => void) | undefined;
  private working = 0;
  private ended = false;
  private leaving = false;
  private yielding = false;
  /** Something was not done here because this process ends: whoever takes it over has to, so it is never parked. */
  private heldUp = false;

  constructor(
    readonly run: ClaimedRun,
    history: readonly StepRecord[],
    readonly shared: ActivationShared,
    private readonly onEnd: (end: ActivationEnd) => void,
    private readonly onRest: () => void,
  ) {
    this.lastProgress = shared.clock.now();
    this.compensations = new Compensations(run.unwinds);
    this.writer = new RunWriter(run, history, shared.recorder, (loss) => this.end(loss));
    this.journal = new Journal(history, {
      runId: run.id,
      firstSeq: run.firstSeq,
      read: (step) => deliveryOf(step, shared.payloads.codec),
      onRest: () => this.cameToRest(),
    });
    this.positions = new Positions(run, this.journal, shared);
    this.dueTimes = new DueTimes(shared.timers);
    this.takenSignals = new TakenSignals(history);
    this.awaited = new AwaitedAnswers(this.journal, (answer) =>
      this.record({ takes: [answer.stepId], ...this.takenSignals.refusal(answer, this.journal.get(answer.seq)) }),
    );
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /** The run is being brought to its end: nothing new begins but compensations. */
  get closing(): Closing | null {
    return this.run.closing;
  }

  /** Runs that this run has started may not have ended; those of an earlier life are not in this history. */
  get hasChildren(): boolean {
    return (this.run.unwinds && this.run.firstSeq > 0) || this.journal.hasOpen('child');
  }

  /** Nothing may be recorded any more: the run was left, or is about to be. */
  get closed(): boolean {
    return this.ended || this.leaving;
  }

  /**
   * Takes the next position, with a fresh record of it. Undefined when the code does not fit the history, which
   * blocks the run, or when the run was left or is brought to its end: then the code must go no further.
   */
  ask(kind: StepKind, name: string): Position | undefined {
    if (this.closed) return undefined;
    const position = this.fitting(() => this.positions.ask(kind, name));
    return this.closing && !isPast(position) ? undefined : position;
  }

  /** The position at which the step at `seq` is undone. Undefined when something else is recorded there: that blocks. */
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

  /** Records, with the next batch; never waits. */
  record(entry: Entry): void {
    if (this.ended) return;
    this.lastProgress = this.shared.clock.now();
    this.writer.write(entry).catch(() => undefined);
  }

  /** Gives a step its outcome: recorded with the next batch, handed to the code in its turn. */
  settle(step: StepRecord, also: Omit<Entry, 'steps'> = ALONE): void {
    if (this.closed) return;
    const final = { ...step, wakeAt: null, finishedAt: this.shared.clock.now() };
    const extras = this.compensations.extrasFor(final, also.extras);
    this.journal.settle(final, (settled) => this.record(withSteps([settled], also, extras)));
  }

  /** How the step at its position is undone, should it come to that. */
  compensate(compensation: Compensation): void {
    this.compensations.add(compensation);
    const step = this.journal.get(compensation.seq);
    // Recorded by code that did not compensate it yet.
    const extras = !step || this.closed || this.closing ? undefined : this.compensations.extrasFor(step);
    if (extras) this.record({ extras });
  }

  /** Records a step that goes on later: another attempt, an answer to come. */
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
   * Resolves to true once everything recorded so far is in the database: what acts outside waits for this, so that
   * nothing ever happened after an outcome that a crash could decide differently. False when the run is lost.
   */
  async durable(): Promise<boolean> {
    const flushed = await this.writer.flushed();
    this.heldUp ||= this.yielding;
    return flushed && !this.closed && !this.yielding;
  }

  holdUp(): void {
    this.heldUp = true;
  }

  /** Keeps the run resident while `work` goes on. */
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

  /** Resolves when the clock has reached `due`. The run may be parked meanwhile: then it never does. */
  until(seq: number, due: number): Promise<void> {
    return new Promise((resolve) => this.dueTimes.add(seq, due, () => this.closed || resolve()));
  }

  /** Hands in an answer from the transport. False when this activation can do nothing with it. */
  answer(answer: StepAnswer): boolean {
    if (this.closed) return false;
    try {
      this.awaited.hand(answer);
    } catch (error) {
      // Its own business: those whose answers come next must get them.
      this.break(error);
    }
    return true;
  }

  /** When the run goes on by itself; null when only the outside can move it. */
  get wakeAt(): number | null {
    const { next } = this.dueTimes;
    const deadline = this.closing ? null : this.run.deadline;
    return next === null || deadline === null ? (next ?? deadline) : Math.min(next, deadline);
  }

  /** No step of this process is running and the code has come to rest. */
  get idle(): boolean {
    return !this.closed && this.working === 0 && this.journal.atRest;
  }

  /** Something of it is under way in this process. */
  get isWorking(): boolean {
    return !this.closed && this.working > 0;
  }

  /** Nothing is under way here: all the run waits for is recorded and comes from outside or by the clock. */
  get parkable(): boolean {
    return this.idle && !this.heldUp && (this.awaited.size > 0 || this.dueTimes.size > 0);
  }

  /**
   * Writes the run's last word in this activation, and `also` with it; nothing is recorded after it. What has to be done
   * `before` is part of that: meanwhile nothing begins, and the run is not parked.
   */
  async leave(how: LastWord, also = (): Entry => ALONE, before?: () => Promise<void>): Promise<void> {
    if (this.closed) return;
    this.leaving = true;
    this.lastProgress = this.shared.clock.now();
    if (before) await before();
    // A transaction that is just committing has its place in the order, and may have to be undone.
    if (this.journal.isReserved) await this.journal.unreserved();
    // What could not be written meanwhile, nothing may build on.
    if (this.ended) return;
    const transition = typeof how === 'function' ? how() : how;
    const last = 'settled' in transition ? { ...transition, settled: this.journal.settledCount } : transition;
    const recorded = await this.writer.write(also(), last).catch(() => 'lost' as const);
    if (recorded === 'written') this.end({ how: 'left', transition: last });
  }

  /** What happens when all that is recorded has been played, on a run that is brought to its end. */
  onUnwind(unwind: () => void): void {
    this.unwinding = unwind;
  }

  park(): Promise<void> {
    return this.leave({ status: 'suspended', wakeAt: this.wakeAt, settled: this.journal.settledCount });
  }

  /**
   * Begins nothing new and lets go of the run as soon as what is under way is recorded: parked when it only waits, else
   * due for others at once.
   */
  yield(): void {
    this.yielding = true;
    if (!this.idle) return;
    if (this.parkable) void this.park();
    else void this.leave({ status: 'suspended', wakeAt: 0, settled: this.journal.settledCount });
  }

  /** Stands the run still until code comes that fits: nothing is undone, nothing is lost. */
  block(reason: BlockReason, error: unknown): void {
    this.blockedBy ??= error;
    void this.leave(standstill(this.run, this.journal.settledCount, reason, error));
  }

  /** Lets go without writing: the run is another's, this process ends, or the run is ahead of the database. */
  drop(how: 'lost' | 'ahead' = 'lost'): void {
    this.end({ how });
  }

  /** Gives up because something unforeseen went wrong in here. */
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

  /** A history that goes further than the code ever asked is not this code's. */
  unaskedError(): NonDeterminismError | undefined {
    return this.positions.unaskedError();
  }

  private end(end: ActivationEnd): void {
    if (this.ended) return;
    this.ended = true;
    this.journal.close();
    this.awaited.clear();
    this.dueTimes.clear();
    // A run that was left in good order has nothing going on that could be stopped, as a rule.
    if (end.how !== 'left' || this.working > 0) {
      this.cancellation.end(new Error(`Run "${this.run.id}" is no longer played by this process`));
    }
    this.onEnd(end);
  }
}
