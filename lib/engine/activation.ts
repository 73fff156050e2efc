import { HistoryLimitError, NonDeterminismError } from '../errors.js';
import type { StepAnswer } from '../protocol/step.js';
import type { Clock } from '../time/clock.js';
import type { Timers } from '../time/timers.js';
import { AwaitedAnswers } from './awaited-answers.js';
import { DueTimes } from './due-times.js';
import { Journal } from './journal.js';
import { deliveryOf } from './outcome.js';
import type { Payloads } from './payloads.js';
import type { Recorded, Recorder } from './recorder.js';
import type { RemoteStepDirectory } from './remote-step-directory.js';
import type { Transactions } from './run-catalog.js';
import type { BlockReason, ClaimedRun, RunTransition } from './run.js';
import type { RunClaim, RunWrite } from './run-store.js';
import type { StepKind, StepRecord } from './step-record.js';
import type { Retry } from './workflow-context.js';

/** What all activations of a process share. */
export interface ActivationShared {
  recorder: Recorder;
  payloads: Payloads;
  transactions: Transactions;
  remoteSteps: RemoteStepDirectory;
  clock: Clock;
  timers: Timers;
  /** The settled record at a position, if there is one; waits for a database that is away. */
  readBack: (claim: RunClaim, seq: number) => Promise<StepRecord | undefined>;
  /** For steps that say nothing themselves. */
  retry: Retry | undefined;
  limits: { steps: number };
}

/** How an activation ended: it wrote a transition, lost its run, or could not write. */
export type ActivationEnd =
  { how: 'left'; transition: RunTransition } | { how: 'lost' } | { how: 'broken'; error: unknown };

/** A place in the run's order, and what is recorded there. */
export interface Position {
  seq: number;
  step: StepRecord;
  isNew: boolean;
}

type PartialWrite = Partial<Pick<RunWrite, 'steps' | 'tasks' | 'takes' | 'withdraws' | 'transition'>>;

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
  private readonly abort = new AbortController();
  readonly awaited: AwaitedAnswers;
  readonly dueTimes: DueTimes;
  private working = 0;
  private tail: Promise<Recorded> = Promise.resolve('written');
  private clearCrashes: boolean;
  private ended = false;
  private leaving = false;
  private yielding = false;
  /** Something would have begun, had the run not been told to yield. */
  private heldUp = false;

  constructor(
    readonly run: ClaimedRun,
    history: readonly StepRecord[],
    readonly shared: ActivationShared,
    private readonly onEnd: (end: ActivationEnd) => void,
    private readonly onRest: () => void,
  ) {
    const { clock, payloads } = shared;
    this.lastProgress = clock.now();
    this.clearCrashes = run.crashes > 0;
    this.journal = new Journal(history, {
      runId: run.id,
      read: (step) => deliveryOf(step, payloads.codec),
      onRest: () => this.cameToRest(),
    });
    this.dueTimes = new DueTimes(shared.timers);
    this.awaited = new AwaitedAnswers(this.journal, ({ stepId }) => this.record({ takes: [stepId] }));
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Nothing may be recorded any more: the run was left, or is about to be. */
  get closed(): boolean {
    return this.ended || this.leaving;
  }

  /**
   * Takes the next position, with a fresh record of it. Undefined when the code does not fit the history, which
   * blocks the run, or when the run was left: then the code must go no further.
   */
  ask(kind: StepKind, name: string): Position | undefined {
    if (this.closed) return undefined;
    const { steps: limit } = this.shared.limits;
    if (this.journal.asked >= limit) throw new HistoryLimitError(this.run.id, limit);
    try {
      const { seq, recorded } = this.journal.ask(kind, name);
      return { seq, step: recorded ?? this.fresh(seq, kind, name), isNew: !recorded };
    } catch (error) {
      this.block('non_determinism', error);
      return undefined;
    }
  }

  private fresh(seq: number, kind: StepKind, name: string): StepRecord {
    const now = this.shared.clock.now();
    const open = { status: 'pending', attempt: 0, settled: null, output: null, error: null, wakeAt: null } as const;
    return { runId: this.run.id, seq, kind, name, ...open, createdAt: now, startedAt: now, finishedAt: null };
  }

  /** Records, with the next batch; never waits. */
  write(part: PartialWrite): Promise<Recorded> {
    if (this.ended) return Promise.resolve('lost');
    this.lastProgress = this.shared.clock.now();
    const { steps = [], tasks = [], takes = [], withdraws = [], transition } = part;
    const { id: runId, epoch } = this.run;
    const settles = this.clearCrashes && steps.some(({ settled }) => settled !== null);
    if (settles) this.clearCrashes = false;
    const write = {
      runId,
      epoch,
      steps,
      tasks,
      takes,
      withdraws,
      ...(transition && { transition }),
      ...(settles && { clearCrashes: true }),
    };
    const recorded = this.shared.recorder.record(write);
    this.tail = recorded;
    recorded.then(
      (outcome) => outcome === 'lost' && this.end({ how: 'lost' }),
      (error: unknown) => this.end({ how: 'broken', error }),
    );
    return recorded;
  }

  /** Gives a step its outcome: recorded with the next batch, handed to the code in its turn. */
  settle(step: StepRecord, also: Pick<PartialWrite, 'takes' | 'withdraws'> = {}): void {
    if (this.closed) return;
    const final = { ...step, wakeAt: null, finishedAt: this.shared.clock.now() };
    this.journal.settle(final, (settled) => this.record({ ...also, steps: [settled] }));
  }

  /** Records a step that goes on later: another attempt, an answer to come. */
  keep(step: StepRecord, also: Omit<PartialWrite, 'steps' | 'transition'> = {}): void {
    this.journal.keep(step);
    this.record({ ...also, steps: [step] });
  }

  private record(part: PartialWrite): void {
    this.write(part).catch(() => undefined);
  }

  /**
   * Resolves to true once everything recorded so far is in the database: what acts outside waits for this, so that
   * nothing ever happened after an outcome that a crash could decide differently. False when the run is lost.
   */
  async durable(): Promise<boolean> {
    const outcome = await this.tail.catch(() => 'lost' as const);
    this.heldUp ||= this.yielding;
    return outcome === 'written' && !this.closed && !this.yielding;
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
    return this.dueTimes.next;
  }

  /** No step of this process is running and the code has come to rest. */
  get idle(): boolean {
    return !this.closed && this.working === 0 && this.journal.atRest;
  }

  /** Nothing is under way here: all the run waits for is recorded and comes from outside or by the clock. */
  get parkable(): boolean {
    return this.idle && (this.awaited.size > 0 || this.dueTimes.size > 0);
  }

  /** Whether an answer may still come soon; sleeps alone say when they end. */
  get awaitsAnswers(): boolean {
    return this.awaited.size > 0;
  }

  /** Writes the run's last word in this activation; nothing is recorded after it. */
  async leave(transition: RunTransition): Promise<void> {
    if (this.closed) return;
    this.leaving = true;
    const recorded = await this.write({ transition }).catch(() => 'lost' as const);
    if (recorded === 'written') this.end({ how: 'left', transition });
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
    if (this.parkable && !this.heldUp) void this.park();
    else void this.leave({ status: 'suspended', wakeAt: 0, settled: this.journal.settledCount });
  }

  /** Stands the run still until code comes that fits: nothing is undone, nothing is lost. */
  block(reason: BlockReason, error: unknown): void {
    this.blockedBy ??= error;
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    void this.leave({ status: 'suspended', wakeAt: null, settled: this.journal.settledCount, reason, detail });
  }

  /** Lets go without writing: the run is another's, or this process ends. */
  drop(): void {
    this.end({ how: 'lost' });
  }

  /** Gives up because something unforeseen went wrong in here. */
  break(error: unknown): void {
    this.end({ how: 'broken', error });
  }

  private cameToRest(): void {
    if (this.closed) return;
    this.lastProgress = this.shared.clock.now();
    if (this.yielding) this.yield();
    else this.onRest();
  }

  /** A history that goes further than the code ever asked is not this code's. */
  unaskedError(): NonDeterminismError | undefined {
    const step = this.journal.unasked;
    return step && new NonDeterminismError(this.run.id, step.seq, `${step.kind} "${step.name}"`, 'nothing');
  }

  private end(end: ActivationEnd): void {
    if (this.ended) return;
    this.ended = true;
    this.journal.close();
    this.awaited.clear();
    this.dueTimes.clear();
    // A run that was left in good order has nothing going on that could be stopped, as a rule.
    if (end.how !== 'left' || this.working > 0) {
      this.abort.abort(new Error(`Run "${this.run.id}" is no longer played by this process`));
    }
    this.onEnd(end);
  }
}
