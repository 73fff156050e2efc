import type { CodecContext } from '../core/codec.js';
import { RefusedOutputError } from '../core/errors.js';
import { type StepAnswer, stepIdOf } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { parseWireError, storedWireError } from '../core/wire-error.js';
import type { RunStatus } from './run.js';

/**
 * The kinds of recorded positions. A marker holds a value that a replay must return again: a time, a random number. A
 * compensation has the kind of its own work, and the position -1 - seq, where seq is the step that it undoes.
 */
export const STEP_KINDS = ['step', 'transaction', 'remote', 'sleep', 'signal', 'child', 'marker'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/**
 * `pending`: requested, no outcome yet. `answered`: a failed attempt or a signal arrived while the run had no owner;
 * the next owner processes it. `exhausted`: it has used all its attempts, and blocks the run until `retry`. `completed`,
 * `failed`: final.
 */
export const STEP_STATUSES = ['pending', 'answered', 'exhausted', 'completed', 'failed'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Below them is only the count of log lines. */
const LAST_COMPENSATION = -1_000_000_000;

export const isCompensation = ({ seq }: Pick<StepRecord, 'seq'>): boolean => seq < 0 && seq > LAST_COMPENSATION;

/**
 * The position at which a history stores how many lines its code has logged. No position of code or of a compensation
 * can reach it.
 */
export const LINE_COUNT_SEQ = -(2 ** 31);

/** Whether it is a position of the run itself, not the internal line count. */
export const isPosition = ({ seq }: Pick<StepRecord, 'seq'>): boolean => seq !== LINE_COUNT_SEQ;

/** One position of a run's history, as the table holds it. Payloads are JSON texts; times are epoch ms. */
export interface StepRecord {
  runId: string;
  seq: number;
  kind: StepKind;
  name: string;
  status: StepStatus;
  /** The number of the last attempt that has ended without success: failed, lost or deferred; 0 before. */
  attempt: number;
  /** How many attempts have failed: these count for the retry policy. */
  failures: number;
  /** How many attempts have ended with a `RetryAfterError`. */
  deferrals: number;
  /** The place in the order in which the code received outcomes, from 1; null without an outcome, and for markers. */
  settled: number | null;
  /** For an open signal wait: the signals it waits for, see `readListened`. */
  output: string | null;
  error: string | null;
  /** The input that a remote step was asked with last, if it is kept. Read only with whole histories, for people. */
  input?: string;
  /** The id of a child, the limiter of a limited remote step, or `<channel>:<position>` of a signal it took. */
  ref: string | null;
  /** When a timer continues it: the end of a sleep, the next attempt. */
  wakeAt: number | null;
  createdAt: number;
  /** When the last attempt was requested; null for the first one, which is requested when the step is created. */
  askedAt: number | null;
  /** When the last attempt began; null while that is not known. */
  startedAt: number | null;
  finishedAt: number | null;
  /** Who ran the last attempt: a worker, or the process that played the run. */
  worker: string | null;
}

/**
 * Applies answers to the open steps of runs without an owner. An output, or the end of a child, is final and takes the
 * next place in the run's order of outcomes. A failure waits for an owner, who decides whether to retry the step; a
 * signal waits for an owner, who decides whether the run takes it. Answers to other steps change nothing.
 */
export function settleAnswers(
  runs: readonly { id: string; settled: number }[],
  open: readonly StepRecord[],
  answers: readonly StepAnswer[],
): { steps: StepRecord[]; runs: { id: string; settled: number }[] } {
  const settled = new Map(runs.map(({ id, settled }) => [id, settled]));
  const steps = new Map(open.filter(isAsked).map((step) => [`${step.runId}:${step.seq}`, step]));
  const touched = new Set<string>();
  const changed = answers.flatMap((answer): StepRecord[] => {
    const step = steps.get(answer.stepId);
    if (!step) return [];
    steps.delete(answer.stepId);
    touched.add(step.runId);
    const { status, output } = answer;
    const error = storedWireError(answer.error);
    const { startedAt, ...ran } = ranBy(step, answer);
    // The answer of a completed operation has no output: the recorded operation stays.
    if (step.kind === 'signal')
      return [{ ...step, status: 'answered', output: output ?? step.output, error, startedAt }];
    if (step.kind === 'remote' && status === 'failed')
      return [{ ...step, ...ran, status: 'answered', output: outputOf(answer), error, startedAt }];
    const order = (settled.get(step.runId) ?? 0) + 1;
    settled.set(step.runId, order);
    return [
      { ...step, ...ran, status, output, error, settled: order, startedAt, finishedAt: answeredAt(step, answer) },
    ];
  });
  return { steps: changed, runs: [...touched].map((id) => ({ id, settled: settled.get(id) ?? 0 })) };
}

/**
 * Applies the last answers to the open remote steps of runs that are closed. The steps get the outcomes that their
 * workers wrote, after all other outcomes, in the order of writing. Failures are not retried.
 */
export function lastOutcomes(
  runs: readonly { id: string; settled: number }[],
  open: readonly StepRecord[],
  answers: readonly StepAnswer[],
): StepRecord[] {
  const orders = new Map(runs.map(({ id, settled }) => [id, settled]));
  const steps = new Map(open.filter(isRemoteWork).map((step) => [stepIdOf(step.runId, step.seq), step]));
  const inOrder = [...answers].sort((a, b) => a.createdAt - b.createdAt || (a.stepId < b.stepId ? -1 : 1));
  return inOrder.flatMap((answer): StepRecord[] => {
    const { stepId, status, error } = answer;
    const step = steps.get(stepId);
    const last = step && orders.get(step.runId);
    if (!step || last === undefined) return [];
    steps.delete(stepId);
    orders.set(step.runId, last + 1);
    const ran = { ...step, ...ranBy(step, answer) };
    const outcome = {
      status,
      output: outputOf(answer),
      error: storedWireError(error),
      settled: last + 1,
      wakeAt: null,
    };
    return [{ ...(status === 'failed' ? failedOnce(ran) : ran), ...outcome, finishedAt: answeredAt(step, answer) }];
  });
}

/** What the step keeps as its output: of a failure, only a value that the schema of the step has refused. */
export const outputOf = ({ status, output, error }: Pick<StepAnswer, 'status' | 'output' | 'error'>): string | null =>
  status === 'completed' || parseWireError(error).name === RefusedOutputError.name ? output : null;

/** Whether its work is done, so that it can be undone. */
export const isDone = ({ status, kind, output }: StepRecord): boolean =>
  status === 'completed' || (status === 'failed' && kind === 'remote' && output !== null);

/** An answer with a higher number is not believed: nobody claims a task this often. */
const MOST_LOST = 1_000;

/**
 * Who ran the attempt of this answer, and when it began. Each claim after an expired lease is an attempt of its own, so
 * an answer may have a higher number than the attempt that was requested: those between them were lost.
 */
export function ranBy(
  step: StepRecord,
  answer: Pick<StepAnswer, 'startedAt'> & {
    createdAt?: number;
    by?: { worker: string | null; attempt: number } | undefined;
  },
): Pick<StepRecord, 'attempt' | 'startedAt' | 'worker'> {
  const { attempt, startedAt } = step;
  const { by } = answer;
  const before = by && by.attempt - 1 <= attempt + MOST_LOST ? by.attempt - 1 : attempt;
  return {
    attempt: Math.max(attempt, before),
    startedAt: answer.startedAt === null ? startedAt : between(requestedAt(step), answer.startedAt, answer.createdAt),
    worker: by?.worker ?? null,
  };
}

/** When the current attempt was requested. */
export const requestedAt = ({ askedAt, createdAt }: StepRecord): number => askedAt ?? createdAt;

/** Not before it was asked for: the storage's clock says the one, and that of a process the other. */
const answeredAt = (step: StepRecord, { createdAt }: StepAnswer): number => Math.max(createdAt, requestedAt(step));

/** A worker's own clock may be wrong: it has begun between the request and the answer. */
const between = (from: number, at: number, to = Infinity): number => Math.max(from, Math.min(at, to));

/** The step after an attempt that has failed. */
export const failedOnce = <S extends Pick<StepRecord, 'attempt' | 'failures'>>(step: S): S => ({
  ...step,
  attempt: step.attempt + 1,
  failures: step.failures + 1,
});

/** An open remote step that is no compensation. */
const isRemoteWork = ({ kind, seq, settled }: StepRecord): boolean => kind === 'remote' && seq >= 0 && settled === null;

/** Whether an answer is awaited: not for a remote step that waits for its next attempt. */
const isAsked = ({ kind, status, wakeAt }: StepRecord): boolean =>
  status === 'pending' && (wakeAt === null || kind !== 'remote');

/**
 * The open steps that answers may still settle. In a run that is being compensated only the compensations: their order
 * is decided, and a further outcome would change it.
 */
export const openIn = (open: readonly StepRecord[], status: RunStatus): readonly StepRecord[] =>
  status === 'compensating' ? open.filter(({ seq }) => seq < 0) : open;

/** In the `ref` of a step: the signal that it took, if it took one. */
export function positionIn(ref: string | null | undefined): { channel: string; position: number }[] {
  const colon = ref?.lastIndexOf(':') ?? -1;
  return colon < 0 ? [] : [{ channel: ref!.slice(0, colon), position: Number(ref!.slice(colon + 1)) }];
}

/** A step that waits for an operation. */
export interface OperationWaiter {
  stepId: string;
  runId: string;
  seq: number;
}

/** The waits for operations: rows that are written with the records of their steps. */
export interface EffectWaits {
  /** Returns the committed waits on a channel. Locks nothing. */
  waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]>;
  /** Of these channels, those on which steps wait. Locks nothing. */
  awaited(channels: readonly string[], tx: Transaction): Promise<string[]>;
}

/** A checked operation, ready to be stored. */
export interface CheckedOperation {
  readonly operation: string;
  readonly subject: string;
  /** The ids of its calls, in their order. Empty: the operation is already complete. */
  readonly entryIds: readonly string[];
  /** The length of its texts, in characters. */
  readonly size: number;
}

/** The operation of a run. */
export interface RunOperation {
  readonly runId: string;
  readonly operation: CheckedOperation;
}

/** Writes the calls of `ctx.effects` to the effects, with the record of the step that waits for them. */
export interface StepEffects {
  /**
   * Checks an operation and returns what to write. It generates the ids of the calls, so that a retried commit writes
   * the same ids. `context`: what the codec is told of the run.
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError for a call that
   *   cannot be made
   */
  check(operation: WorkflowOperation, context?: CodecContext): CheckedOperation;
  /**
   * Writes the calls of several operations in `tx`, a transaction of the engine; a rollback discards them. Effect
   * runners are notified after the commit.
   */
  write(operations: readonly RunOperation[], tx: Transaction): Promise<void>;
}

/** A checked event, ready to be stored. */
export interface CheckedEvent {
  readonly mutationId: string;
  readonly channel: string;
  /** JSON text. */
  readonly data: string | null;
  /** JSON text. */
  readonly headers: string | null;
}

/** The record of `ctx.publish`: ids and names, no payloads, so the codec does not write it. */
export interface PublishedIds {
  readonly ids: string[];
  readonly channels: readonly string[];
}

export const publishedOf = (events: readonly CheckedEvent[]): PublishedIds => ({
  ids: events.map(({ mutationId }) => mutationId),
  channels: [...new Set(events.map(({ channel }) => channel))],
});

/** Returns nothing for the record of another marker. */
export function readPublished(text: string | null): PublishedIds {
  const { ids = [], channels = [] } = (JSON.parse(text ?? '{}') ?? {}) as Partial<PublishedIds>;
  return { ids, channels };
}

/** Writes the events of `ctx.publish` to the outbox, with the records of the steps that publish them. */
export interface StepEvents {
  /**
   * Checks an event and returns what to write. It generates a missing `mutationId`, so that a retried commit writes the
   * same one. `context`: what the codec is told of the run.
   *
   * @throws InvalidArgumentError, SerializationError for an event that cannot be stored.
   */
  check(event: WorkflowEvent, context?: CodecContext): CheckedEvent;
  /**
   * Writes events in `tx`, a transaction of the engine, in the order given; a rollback discards them. Events of one
   * channel are published in this order. Called once per transaction with the events of all its runs, shortly before
   * the COMMIT, after all other locks have been taken. Relays are notified after the COMMIT.
   */
  write(events: readonly CheckedEvent[], tx: Transaction): Promise<void>;
}

/** An event for the outbox. */
export interface WorkflowEvent {
  /** Events of one channel are published in order. 1 to 255 characters. */
  channel: string;
  /** 1 to 191 characters. */
  name: string;
  /** Any JSON value. Default null. */
  data?: unknown;
  /** Correlates the event with its cause. 1 to 191 characters. Default: a new UUID. */
  mutationId?: string;
  headers?: Readonly<Record<string, unknown>>;
  /** True: the data is stored as it is although `outbox.codec` is set, for programs without the codec. Default false. */
  plain?: boolean;
}

/** Calls to external systems, retried until all have succeeded. */
export interface WorkflowOperation {
  /** The name of the operation, such as `erase`. 1 to 191 characters. */
  operation: string;
  /** A unique id of the target, 1 to 255 characters. Calls with the same operation and subject complete together. */
  subject: string;
  /** Each pair of handler and ref may occur once. */
  calls: readonly WorkflowCall[];
}

export interface WorkflowCall {
  /** The name of an `@Effect` method, of this process or of another one. */
  handler: string;
  /** Identifies the external object of the call: a string, a number or a small object. At most 8 KiB of JSON. */
  ref: unknown;
  /** Further data for the handler; erased once the call has ended. */
  payload?: unknown;
}

/** A call of an operation that has not succeeded. */
export interface CallInSight {
  handler: string;
  /** `pending`, `in_flight`, `failed`, `scheduled` or `abandoned`. */
  status: string;
  /** How often it was tried. */
  attempts: number;
  /** The next attempt, epoch ms; null: at once, or never. */
  nextAttemptAt: number | null;
}

/** Reads calls of `ctx.effects` for people. */
export interface CallsInSight {
  /** The calls of an operation that have not succeeded, at most {@link MOST_CALLS}. */
  open(group: { operation: string; subject: string }): Promise<CallInSight[]>;
}

export const MOST_CALLS = 100;
