import type { Transaction } from '../../protocol/transaction.js';
import type { WorkflowEvent } from './outgoing.js';

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
   * Writes events in `tx`, a transaction of the engine, in the order given: what rolls back never was, and those of one
   * channel are published in this order. Called once per transaction with the events of all its runs, after everything
   * that others may wait for has been locked, and shortly before the COMMIT.
   */
  write(events: readonly CheckedEvent[], tx: Transaction): Promise<void>;
  /** Tells relays, after the commit. Best effort. */
  announce(events: readonly CheckedEvent[]): void;
}
