import { NonDeterminismError } from '../../errors/code-errors.js';
import { macrotask } from '../../time/sleep.js';
import type { Delivery } from './outcome.js';
import type { StepKind, StepRecord } from '../model/step-record.js';

const ASKED: ReadonlySet<StepKind> = new Set(['remote', 'signal']);

interface Waiter {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export interface JournalOptions {
  runId: string;
  /** The first position of the code. */
  firstSeq: number;
  /** Decodes an outcome from its record. */
  read: (step: StepRecord) => Delivery;
  /** Called with the error of an outcome that cannot be decoded; it is not delivered. */
  onUnreadable?: (error: Error) => void;
  /** Called whenever the code has come to rest: it waits for an outcome that does not exist yet, or has ended. */
  onRest: () => void;
}

/**
 * The records of a run, and the order in which its code receives them. Outcomes are delivered one at a time in the
 * order in which they were settled, and the code comes to rest in between, both live and on replay: so races have the
 * same winner every time.
 */
export class Journal {
  private readonly recorded: Map<number, StepRecord>;
  private readonly waiters = new Map<number, Waiter>();
  /** Settled outcomes in order. */
  private readonly outcomes: StepRecord[];
  /** How many of them have been delivered. */
  private handed = 0;
  /** The next position of the code when it received each failure. */
  private readonly failuresAt = new Map<number, number>();
  /** The last position that did more than hold a value. */
  private lastAct = -1;
  private position: number;
  private lastRecorded: number;
  private lastSettled: number;
  /** The last place in the order that an earlier activation has given. */
  private readonly replayedTo: number;
  /** The last position that an earlier activation has recorded; -1 if there is none. */
  private readonly recordedTo: number;
  private handing = false;
  /** Settlements that wait until a reserved place is confirmed or released. */
  private behindReservation: (() => void)[] | undefined;
  private closed = false;

  constructor(
    history: readonly StepRecord[],
    private readonly options: JournalOptions,
  ) {
    this.recorded = new Map(history.map((step) => [step.seq, step]));
    this.outcomes = history.filter(({ settled }) => settled !== null).sort((a, b) => a.settled! - b.settled!);
    this.position = options.firstSeq;
    this.replayedTo = this.lastSettled = this.outcomes.at(-1)?.settled ?? 0;
    this.recordedTo = this.lastRecorded = history.reduce((last, { seq }) => Math.max(last, seq), -1);
  }

  /**
   * Takes the next position: `recorded` is the record of an earlier activation there.
   *
   * @throws NonDeterminismError when that record has another kind or name.
   */
  ask(kind: StepKind, name: string): { seq: number; recorded: StepRecord | undefined } {
    const seq = this.position++;
    if (kind !== 'marker') this.lastAct = seq;
    const recorded = this.recorded.get(seq);
    if (recorded && (recorded.kind !== kind || recorded.name !== name)) {
      throw new NonDeterminismError(
        this.options.runId,
        seq,
        `${recorded.kind} "${recorded.name}"`,
        `${kind} "${name}"`,
      );
    }
    return { seq, recorded };
  }

  /** The marker at this position has an effect outside of the run. */
  hasEffect(seq: number): void {
    this.lastAct = Math.max(this.lastAct, seq);
  }

  /** The failures after which the code took no position but markers, and the first position after them. */
  get lastFailures(): { failed: number[]; after: number } {
    const last = [...this.failuresAt].filter(([, next]) => next > this.lastAct);
    return { failed: last.map(([seq]) => seq), after: Math.min(this.position, ...last.map(([, next]) => next)) };
  }

  /** The next position of the code when it received this failure; undefined if it has received none there. */
  failedAt(seq: number): number | undefined {
    return this.failuresAt.get(seq);
  }

  /** Resolves to the outcome at `seq`, in its turn. */
  outcome<T>(seq: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiters.set(seq, { resolve: resolve as (value: unknown) => void, reject });
      void this.handOver();
    });
  }

  /** Gives a record with an outcome the next place in the order, and passes it to `then`. */
  settle(step: StepRecord, then: (settled: StepRecord) => void): void {
    if (this.behindReservation) return void this.behindReservation.push(() => this.settle(step, then));
    const settled = { ...step, settled: this.lastSettled + 1 };
    this.append(settled);
    then(settled);
  }

  /** Reserves the next place in the order for an outcome that may still be rolled back; later settlements wait. */
  async reserve(): Promise<number> {
    while (this.behindReservation) await new Promise<void>((resolve) => this.behindReservation?.push(resolve));
    this.behindReservation = [];
    return this.lastSettled + 1;
  }

  /** Resolves once no place is reserved; settlements that waited have their places then. */
  async unreserved(): Promise<void> {
    while (this.behindReservation) await new Promise<void>((resolve) => this.behindReservation?.push(resolve));
  }

  get isReserved(): boolean {
    return this.behindReservation !== undefined;
  }

  /** Ends a reservation: with the record that took the place, or without one if the place is not used. */
  release(settled?: StepRecord): void {
    const waiting = this.behindReservation ?? [];
    this.behindReservation = undefined;
    if (settled) this.append(settled);
    for (const next of waiting) next();
  }

  /** Stores a record that has no outcome yet, or whose value needs no turn. */
  keep(step: StepRecord): void {
    this.recorded.set(step.seq, step);
    this.lastRecorded = Math.max(this.lastRecorded, step.seq);
  }

  /** Starts the code and delivers outcomes to it. */
  async begin(code: () => void): Promise<void> {
    this.handing = true;
    code();
    await macrotask();
    this.handing = false;
    await this.handOver();
  }

  /** Stops all deliveries. */
  close(): void {
    this.closed = true;
    this.waiters.clear();
  }

  get(seq: number): StepRecord | undefined {
    return this.recorded.get(seq);
  }

  get records(): StepRecord[] {
    return [...this.recorded.values()];
  }

  /** The remote steps and signal waits without an outcome. */
  get open(): StepRecord[] {
    return [...this.recorded.values()].filter(({ kind, settled }) => ASKED.has(kind) && settled === null);
  }

  /** Whether a position of this kind has no outcome yet. */
  hasOpen(kind: StepKind): boolean {
    for (const step of this.recorded.values()) if (step.kind === kind && step.settled === null) return true;
    return false;
  }

  /** How many outcomes have a place in the order. */
  get settledCount(): number {
    return this.lastSettled;
  }

  /** Whether an earlier activation has recorded the outcome at this position. */
  isReplayed(seq: number): boolean {
    return (this.recorded.get(seq)?.settled ?? Number.POSITIVE_INFINITY) <= this.replayedTo;
  }

  /** An earlier activation has executed what the code does now: nothing new was asked for, and no new outcome received. */
  get isReplaying(): boolean {
    if (this.recordedTo < 0 || this.position > this.recordedTo + 1 || this.delivered > this.replayedTo) return false;
    // Behind all that is recorded, with nothing to wait for: an earlier activation may have ended before it came here.
    return this.position <= this.recordedTo || this.delivered < this.replayedTo || this.awaits;
  }

  /** Whether a position has no outcome yet. */
  private get awaits(): boolean {
    for (const { kind, settled } of this.recorded.values()) if (kind !== 'marker' && settled === null) return true;
    return false;
  }

  /** The last place in the order whose outcome the code has received. */
  get delivered(): number {
    return (this.outcomes[this.handed]?.settled ?? this.lastSettled + 1) - 1;
  }

  /** How many positions the code has asked for. */
  get asked(): number {
    return this.position - this.options.firstSeq;
  }

  /** The next position of the code, and its record. */
  get next(): { seq: number; recorded: StepRecord | undefined } {
    return { seq: this.position, recorded: this.recorded.get(this.position) };
  }

  /** The code has come to rest, and no settled outcome can continue it. */
  get atRest(): boolean {
    return !this.handing;
  }

  /** A recorded position that the code has not asked for. */
  get unasked(): StepRecord | undefined {
    if (this.lastRecorded < this.position) return undefined;
    for (const step of this.recorded.values()) if (step.seq >= this.position) return step;
    return undefined;
  }

  private append(settled: StepRecord): void {
    this.lastSettled = settled.settled ?? this.lastSettled;
    this.keep(settled);
    this.outcomes.push(settled);
    void this.handOver();
  }

  private async handOver(): Promise<void> {
    if (this.handing) return;
    this.handing = true;
    while (!this.closed && this.handOverNext()) await macrotask();
    this.handing = false;
    if (!this.closed) this.options.onRest();
  }

  /** Returns false if the next outcome does not exist yet, or the code does not await it yet. */
  private handOverNext(): boolean {
    const step = this.outcomes[this.handed];
    const waiter = step && this.waiters.get(step.seq);
    if (!waiter) return false;
    if (++this.handed === this.outcomes.length) this.outcomes.length = this.handed = 0;
    this.waiters.delete(step.seq);
    const delivery = this.options.read(step);
    if (delivery.status === 'completed') waiter.resolve(delivery.value);
    else if (delivery.status === 'unreadable') this.options.onUnreadable?.(delivery.error);
    else {
      this.failuresAt.set(step.seq, this.position);
      waiter.reject(delivery.error);
    }
    return true;
  }
}
