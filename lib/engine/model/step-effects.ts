import type { Transaction } from '../../protocol/transaction.js';
import type { WorkflowOperation } from './outgoing.js';

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
  /** Writes the calls of several operations in `tx`, a transaction of the engine. What rolls back never was. */
  write(operations: readonly CheckedOperation[], tx: Transaction): Promise<void>;
  /** Tells whoever makes calls, after the commit. Best effort. */
  announce(operations: readonly CheckedOperation[]): void;
}
