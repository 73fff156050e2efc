import type { CodecContext } from '../../protocol/codec.js';
import type { Transaction } from '../../protocol/transaction.js';

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
