import type { Transaction } from '../../protocol/transaction.js';

/** A step that waits for an operation. */
export interface OperationWaiter {
  stepId: string;
  runId: string;
  seq: number;
}

/** Who waits for operations: the rows that are written with the records of their steps. */
export interface EffectWaits {
  /** The steps that wait on a channel, as far as they have committed. Locks nothing. */
  waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]>;
}

/** An operation that can be stored, as whoever writes it has it. */
export interface CheckedOperation {
  readonly operation: string;
  readonly subject: string;
  /** Of its calls, in their order. None: it is complete as it is. */
  readonly entryIds: readonly string[];
  /** How long its texts are, in characters. */
  readonly size: number;
}

/** Where the calls of `ctx.effects` go: among the effects, with the record of the step that waits for them. */
export interface StepEffects {
  /**
   * What is written of an operation. Its calls are given their ids here, so that they have the same however often their
   * commit is tried.
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError for a call that
   *   cannot be made
   */
  check(operation: WorkflowOperation): CheckedOperation;
  /**
   * Writes the calls of several operations in `tx`, a transaction of the engine; a rollback discards them. Whoever makes
   * calls hears of them after the commit.
   */
  write(operations: readonly CheckedOperation[], tx: Transaction): Promise<void>;
}

/** An event that can be stored, as whoever writes it has it. */
export interface CheckedEvent {
  readonly mutationId: string;
  /** JSON text. */
  readonly data: string | null;
  /** JSON text. */
  readonly headers: string | null;
}

/** Where the events of `ctx.publish` go: into the outbox, with the records of the steps that publish them. */
export interface StepEvents {
  /**
   * What is written of an event. One that brings no `mutationId` is given one here, so that it has the same however often
   * its commit is tried.
   *
   * @throws InvalidArgumentError for an event that cannot be stored as it is.
   */
  check(event: WorkflowEvent): CheckedEvent;
  /**
   * Writes events in `tx`, a transaction of the engine, in the order given: a rollback discards them, and those of one
   * channel are published in this order. Called once per transaction with the events of all its runs, after everything
   * that others may wait for has been locked, and shortly before the COMMIT. Relays hear of it after that.
   */
  write(events: readonly CheckedEvent[], tx: Transaction): Promise<void>;
}

/** An event for the outbox. */
export interface WorkflowEvent {
  /** What shares an order: 1 to 255 characters. */
  channel: string;
  /** 1 to 191 characters. */
  name: string;
  /** Anything that JSON holds. Default null. */
  data?: unknown;
  /** Correlates it with what caused it. Default: a new UUID. 1 to 191 characters. */
  mutationId?: string;
  headers?: Readonly<Record<string, unknown>>;
}

/** Calls to the outside world, made until all have succeeded. */
export interface WorkflowOperation {
  /** What is done, as `erase`. 1 to 191 characters. */
  operation: string;
  /** To whom: 1 to 255 characters that stand for nothing else. Calls with the same operation and subject complete together. */
  subject: string;
  /** Each handler and ref once. */
  calls: readonly WorkflowCall[];
}

export interface WorkflowCall {
  /** The name of an `@Effect` method, of this process or of another one. */
  handler: string;
  /** What the call is about, as an id of the other side: a text, a number or a small object. At most 8 KiB of JSON. */
  ref: unknown;
  /** What the handler needs besides; erased once the call has come to its end. */
  payload?: unknown;
}
