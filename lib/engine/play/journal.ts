import { UnreadablePayloadError } from '../../core/errors.js';
import { boundedText, type StepAnswer } from '../../core/protocol.js';
import { NonDeterminismError, StepFailedError } from '../../core/run-errors.js';
import { macrotask, type Timers } from '../../core/time.js';
import { errorLine, parseWireError, revivedParts, toWireError, type WireError } from '../../core/wire-error.js';
import type { Payloads } from '../payloads.js';
import { type BlockReason, type ClaimedRun, mismatchOf, type RunTransition } from '../run.js';
import type { SignalTaken } from '../runs.js';
import { type Delivered, readDelivered } from '../signals.js';
import { positionIn, type StepKind, type StepRecord } from '../step.js';
import type { HandedBack } from '../tasks.js';

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
  private halted = false;

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

  /** Delivers nothing more; outcomes still get their places. */
  halt(): void {
    this.halted = true;
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
    while (!this.closed && !this.halted && this.handOverNext()) await macrotask();
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

/** Stops the code without an exception: the promise that it awaits never settles. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * The transition of a blocked run. It is due again only at its deadline, or for a process with matching code. The
 * frames of the error show where the code is wrong.
 */
export function standstill(
  { closing, deadline }: Pick<ClaimedRun, 'closing' | 'deadline'>,
  settled: number,
  payloads: Payloads,
  reason: BlockReason,
  error: unknown,
): RunTransition {
  const { texts, context } = payloads;
  const { code, ...wire } = toWireError(error, { ...texts.rules, stack: true });
  const detail = texts.text(boundedText(errorLine(wire)), context);
  const wakeAt = closing ? null : deadline;
  const blockedBy = texts.seal({ ...wire, ...(code !== undefined && { code }) }, context);
  return { status: 'suspended', wakeAt, settled, reason, detail, blockedBy, ...mismatchOf(error) };
}

/**
 * The outcome for the code: always decoded from the record, so that the first time equals every replay. `unreadable`:
 * the codec of the app cannot decode it now, because its key is missing, or another version of the codec wrote it; then
 * the code must not continue. Only an output of a worker may be of no codec at all (SyntaxError), which fails its step.
 */
type Delivery = { status: 'completed'; value: unknown } | { status: 'failed' | 'unreadable'; error: Error };

export function deliveryOf(step: StepRecord, payloads: Payloads): Delivery {
  const { texts, context } = payloads;
  const what = step.status === 'failed' ? 'error' : 'output';
  try {
    if (step.status === 'failed') return failureOf(step, texts.open(parseWireError(step.error), context));
    // Nobody gets what undoing a step has returned.
    if (step.seq < 0) return { status: 'completed', value: undefined };
    return { status: 'completed', value: step.output === null ? null : payloads.decode(step.output) };
  } catch (cause) {
    const error = new UnreadablePayloadError(`The ${what} of step "${step.name}"`, { cause });
    const isForeign = step.kind === 'remote' && step.status === 'completed' && cause instanceof SyntaxError;
    if (texts.seals && !isForeign) return { status: 'unreadable', error };
    return failureOf(step, toWireError(error));
  }
}

function failureOf({ name, seq, attempt }: StepRecord, wire: WireError): Delivery {
  const { message, name: errorName = 'StepFailedError', code } = wire;
  const { cause, ...parts } = revivedParts({ ...wire, name: errorName });
  const fields = { name: errorName, message, ...parts, ...(code === undefined ? {} : { code }) };
  const error = new StepFailedError(name, seq, Math.max(1, attempt), fields, cause && { cause });
  return { status: 'failed', error };
}

/** An answer of a worker of this process that is no row. */
export type LocalAnswer = HandedBack & Pick<StepAnswer, 'createdAt'>;

/** A request to a worker that has no answer yet. */
export interface AwaitedAnswer {
  stepId: string;
  /** When it was requested, perhaps by another process; epoch ms. */
  since: number;
  /** The number of the attempt; undefined if no worker was asked. */
  attempt?: number;
  accept: (answer: StepAnswer | LocalAnswer) => void;
  /** Dispatches a lost task again. Undefined if the awaited answer cannot get lost. */
  resend?: () => void | Promise<void>;
  /** Whether the request was written: until then its task is not lost. Undefined where nothing is sent again. */
  isWritten?: () => boolean;
}

/** The kinds of steps that are settled by answers. */
export const ANSWERED: ReadonlySet<string> = new Set(['remote', 'child', 'signal']);

/** The answers that a run waits for. Also handles answers that come early, twice, or too late. */
export class AwaitedAnswers {
  private readonly awaited = new Map<number, AwaitedAnswer>();
  /** Answers that came before the code awaited them; at most one per position. */
  private readonly early = new Map<number, StepAnswer>();
  /** The last accepted or discarded answer per position: it may arrive again before its row is deleted. */
  private readonly last = new Map<number, string>();

  constructor(
    private readonly journal: Journal,
    /** Hears when the answer of a worker was written that the code gets now. */
    private readonly onAccepted: (since: number) => void,
    /** Deletes an unneeded answer. */
    private readonly discard: (answer: StepAnswer) => void,
  ) {}

  get size(): number {
    return this.awaited.size;
  }

  all(): AwaitedAnswer[] {
    return [...this.awaited.values()];
  }

  /** Whether its answer is still awaited. */
  has(awaited: AwaitedAnswer): boolean {
    return this.all().includes(awaited);
  }

  add(seq: number, awaited: AwaitedAnswer): void {
    this.awaited.set(seq, awaited);
    const early = this.early.get(seq);
    this.early.delete(seq);
    if (early) this.hand(early);
  }

  /** Returns false if no answer was awaited there. */
  delete(seq: number): boolean {
    return this.awaited.delete(seq);
  }

  /** Whether the outcome of this attempt is awaited. A worker that takes over a task raises the number. */
  awaits({ seq, by }: Pick<StepAnswer, 'seq' | 'by'>): boolean {
    const asked = this.awaited.get(seq)?.attempt;
    return asked !== undefined && by !== undefined && by.attempt >= asked;
  }

  hand(answer: StepAnswer | LocalAnswer): void {
    const { seq } = answer;
    if (this.last.get(seq) === identityOf(answer)) return;
    const awaited = this.awaited.get(seq);
    if (awaited) {
      this.last.set(seq, identityOf(answer));
      this.awaited.delete(seq);
      // Others, as signals, may have been written long before somebody waited for them.
      if (this.journal.get(seq)?.kind === 'remote') this.onAccepted(answer.createdAt);
      return awaited.accept(answer);
    }
    const step = this.journal.get(seq);
    if (!step || !ANSWERED.has(step.kind) || step.settled !== null) return this.discard(answer);
    this.early.set(seq, answer);
    if (isBetweenAttempts(step)) this.forget(seq);
  }

  /** Discards an early answer: it does not belong to the request made at `seq` now. */
  forget(seq: number): void {
    const early = this.early.get(seq);
    if (!early) return;
    this.early.delete(seq);
    this.last.set(seq, identityOf(early));
    this.discard(early);
  }

  clear(): void {
    this.awaited.clear();
    this.early.clear();
  }
}

/** The step waits for its next attempt: an answer belongs to the previous attempt and came too late. */
const isBetweenAttempts = ({ kind, wakeAt }: StepRecord): boolean => kind === 'remote' && wakeAt !== null;

const identityOf = ({ createdAt, startedAt, output, by }: StepAnswer): string =>
  `${createdAt}/${startedAt}/${by?.attempt}/${output?.slice(0, 100)}`;

type SignalPosition = Pick<Delivered, 'channel' | 'position'>;

/** The signals that a run has taken according to its history, by their positions in their channels. */
export class TakenSignals {
  private readonly byChannel = new Map<string, Set<number>>();
  /** Per channel: the run has taken all signals up to this position. */
  private readonly upTo = new Map<string, number>();

  constructor(history: readonly StepRecord[]) {
    for (const { kind, ref } of history) if (kind === 'signal') for (const taken of positionIn(ref)) this.add(taken);
  }

  add({ channel, position }: SignalPosition): void {
    const taken = this.byChannel.get(channel) ?? new Set();
    this.byChannel.set(channel, taken.add(position));
  }

  has({ channel, position }: SignalPosition): boolean {
    return this.byChannel.get(channel)?.has(position) ?? false;
  }

  /** Returns the last position, from `after` on, up to which the run has taken all signals. */
  after(channel: string, after = 0): number {
    const taken = this.byChannel.get(channel);
    const from = this.upTo.get(channel) ?? 0;
    let last = Math.max(after, from);
    while (taken?.has(last + 1)) last++;
    if (after <= from) this.upTo.set(channel, last);
    return last;
  }

  /** The extras for discarding a late answer: the signal in it is released. */
  refusal({ output }: StepAnswer, step: StepRecord | undefined): { extras?: { receives: SignalTaken[] } } {
    const delivered = step?.kind === 'signal' ? readDelivered(output) : undefined;
    if (!delivered || this.has(delivered)) return {};
    const { channel, position } = delivered;
    return { extras: { receives: [{ channel, position, how: 'refused' }] } };
  }
}

/** The `ref` of a step that took a signal. */
export const refOf = ({ channel, position }: SignalPosition): string => `${channel}:${position}`;

/** The due times of a run's positions, with their timers. */
export class DueTimes {
  private readonly bySeq = new Map<number, number>();
  private readonly cancels = new Set<() => void>();

  constructor(
    private readonly timers: Timers,
    /** Hears which due time is reached. */
    private readonly onDue: (due: number) => void,
  ) {}

  get size(): number {
    return this.bySeq.size;
  }

  /** The earliest, epoch ms; null when there is none. */
  get next(): number | null {
    return this.bySeq.size === 0 ? null : Math.min(...this.bySeq.values());
  }

  /** Calls `fire` at `due`, unless `clear` is called before. */
  add(seq: number, due: number, fire: () => void): void {
    this.bySeq.set(seq, due);
    const cancel = this.timers.at(due, () => {
      if (this.bySeq.get(seq) === due) this.bySeq.delete(seq);
      this.cancels.delete(cancel);
      this.onDue(due);
      fire();
    });
    this.cancels.add(cancel);
  }

  /** Removes the due time of a position; its timer still fires. */
  delete(seq: number): void {
    this.bySeq.delete(seq);
  }

  clear(): void {
    this.bySeq.clear();
    for (const cancel of this.cancels) cancel();
    this.cancels.clear();
  }
}

/** A promise for the code of a run, which knows whether anybody has awaited it. */
class Call<T> extends Promise<T> {
  /** Of promises that are derived from it: ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  onAwaited: (() => void) | undefined;

  // `await`, Promise.all and the like call it, since this is not the class Promise itself.
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.onAwaited?.();
    this.onAwaited = undefined;
    return super.then(onFulfilled, onRejected);
  }

  /** Node does not end the process if it is rejected and nobody awaits it. */
  spare(): void {
    super.then(undefined, () => {});
  }
}

/** The calls of `ctx` that the code of an activation has made and nobody has awaited. */
export class CodeCalls {
  /** Whether `run` has returned or thrown. */
  codeHasEnded = false;
  private readonly unawaited = new Map<Call<unknown>, () => string>();

  constructor(
    /** Called when one of them fails, or one that was awaited by code which nobody awaits. */
    private readonly onFailure: (call: string, error: unknown) => void,
  ) {}

  /** Returns the outcome for the code. */
  watch<T>(name: () => string, outcome: Promise<T>): Promise<T> {
    const call: Call<T> = new Call((resolve, reject) => {
      outcome.then(resolve, (error: Error) => {
        const tell = () => this.onFailure(name(), error);
        noteReceived(error, tell);
        if (call.onAwaited) {
          call.spare();
          tell();
        }
        reject(error);
      });
    });
    this.unawaited.set(call, name);
    call.onAwaited = () => this.unawaited.delete(call);
    return call;
  }

  /** The names of calls that nobody has awaited, in the order of the calls. */
  get open(): string[] {
    return [...this.unawaited.values()].map((name) => name());
  }
}

/** The errors that code has received from calls, and who is told if nothing of the app handles one. */
const received = new WeakMap<Error, () => void>();
let isListening = false;

/**
 * Code of the app that nobody awaits can pass the error on. Node then ends the process, unless the app decides otherwise:
 * that is left as it is, but the error itself does not say which run it comes from.
 */
function noteReceived(error: Error, tell: () => void): void {
  received.set(error, tell);
  if (!isListening) process.on('uncaughtExceptionMonitor', (uncaught) => received.get(uncaught)?.());
  isListening = true;
}

/** A rejection that its receiver may ignore: it has been reported elsewhere. */
export function reported(error: Error): Promise<never> {
  const rejected = Promise.reject(error);
  rejected.catch(() => undefined);
  return rejected;
}
