import { NonDeterminismError } from '../../errors.js';
import { macrotask } from '../../time/within.js';
import type { Delivery } from './outcome.js';
import type { StepKind, StepRecord } from '../model/step-record.js';

const ASKED: ReadonlySet<StepKind> = new Set(['remote', 'signal']);

interface Waiter {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export interface JournalOptions {
  runId: string;
  /** Where the code begins to ask. */
  firstSeq: number;
  /** Reads an outcome back from its record. */
  read: (step: StepRecord) => Delivery;
  /** Called whenever the code has come to rest: it waits for something that is not there yet, or has ended. */
  onRest: () => void;
}

/**
 * What a run has recorded, and the order in which its code gets to see it. Outcomes are handed over one at a time
 * in the order they were settled, and the code comes to rest in between, live as on replay: so races are decided the
 * same way every time.
 */
export class Journal {
  private readonly recorded: Map<number, StepRecord>;
  private readonly waiters = new Map<number, Waiter>();
  /** Settled outcomes in order. */
  private readonly outcomes: StepRecord[];
  /** How many of them have been handed over. */
  private handed = 0;
  private position: number;
  private lastRecorded: number;
  private lastSettled: number;
  private handing = false;
  /** Settlements that wait for a reserved place to be confirmed or given back. */
  private behindReservation: (() => void)[] | undefined;
  private closed = false;

  constructor(
    history: readonly StepRecord[],
    private readonly options: JournalOptions,
  ) {
    this.recorded = new Map(history.map((step) => [step.seq, step]));
    this.outcomes = history.filter(({ settled }) => settled !== null).sort((a, b) => a.settled! - b.settled!);
    this.position = options.firstSeq;
    this.lastSettled = this.outcomes.at(-1)?.settled ?? 0;
    this.lastRecorded = history.reduce((last, { seq }) => Math.max(last, seq), -1);
  }

  /**
   * Takes the next position: `recorded` is what an earlier activation left there.
   *
   * @throws NonDeterminismError when that was something else.
   */
  ask(kind: StepKind, name: string): { seq: number; recorded: StepRecord | undefined } {
    const seq = this.position++;
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

  /** The outcome at `seq`, once it is its turn. */
  outcome<T>(seq: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiters.set(seq, { resolve: resolve as (value: unknown) => void, reject });
      void this.handOver();
    });
  }

  /** Gives a record that has its outcome the next place in the order, and `then` tells which. */
  settle(step: StepRecord, then: (settled: StepRecord) => void): void {
    if (this.behindReservation) return void this.behindReservation.push(() => this.settle(step, then));
    const settled = { ...step, settled: this.lastSettled + 1 };
    this.append(settled);
    then(settled);
  }

  /** The next place in the order for an outcome that may still be rolled back; everything later waits for it. */
  async reserve(): Promise<number> {
    while (this.behindReservation) await new Promise<void>((resolve) => this.behindReservation?.push(resolve));
    this.behindReservation = [];
    return this.lastSettled + 1;
  }

  /** Resolves once no place is reserved: whatever was to be settled meanwhile has its own then. */
  async unreserved(): Promise<void> {
    while (this.behindReservation) await new Promise<void>((resolve) => this.behindReservation?.push(resolve));
  }

  get isReserved(): boolean {
    return this.behindReservation !== undefined;
  }

  /** Ends a reservation: with the record that took the place, or without when nothing did. */
  release(settled?: StepRecord): void {
    const waiting = this.behindReservation ?? [];
    this.behindReservation = undefined;
    if (settled) this.append(settled);
    for (const next of waiting) next();
  }

  /** Remembers a record that has no outcome yet, or whose value needs no turn. */
  keep(step: StepRecord): void {
    this.recorded.set(step.seq, step);
    this.lastRecorded = Math.max(this.lastRecorded, step.seq);
  }

  /** Lets the code begin and hands over whatever it asks for. */
  async begin(code: () => void): Promise<void> {
    this.handing = true;
    code();
    await macrotask();
    this.handing = false;
    await this.handOver();
  }

  /** Nothing is handed over any more. */
  close(): void {
    this.closed = true;
    this.waiters.clear();
  }

  get(seq: number): StepRecord | undefined {
    return this.recorded.get(seq);
  }

  /** What others have been asked for and have not answered. */
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

  /** How many positions the code has asked for. */
  get asked(): number {
    return this.position - this.options.firstSeq;
  }

  /** Where the code asks next, and what is recorded there. */
  get next(): { seq: number; recorded: StepRecord | undefined } {
    return { seq: this.position, recorded: this.recorded.get(this.position) };
  }

  /** The code has come to rest and nothing that is settled can move it. */
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

  /** False when the next outcome is not there yet, or not asked for yet. */
  private handOverNext(): boolean {
    const step = this.outcomes[this.handed];
    const waiter = step && this.waiters.get(step.seq);
    if (!waiter) return false;
    if (++this.handed === this.outcomes.length) this.outcomes.length = this.handed = 0;
    this.waiters.delete(step.seq);
    const delivery = this.options.read(step);
    if (delivery.status === 'failed') waiter.reject(delivery.error);
    else waiter.resolve(delivery.value);
    return true;
  }
}
