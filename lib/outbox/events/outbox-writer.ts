import type { Transaction } from '../../protocol/transaction.js';
import type { WrittenEvent } from '../model/outbox-event.js';

/** Where `Outbox` puts events that it has checked. */
export interface OutboxWriter {
  /**
   * Writes the events with the commit of `transaction`, the app's own as its ORM hands it over; of the one that
   * surrounds the caller, where the ORM knows it; or else at once, in a transaction of its own. They are numbered in
   * the order given, behind what the same transaction wrote before. Rolled back, also to a savepoint, they never were.
   *
   * With ordering `commit` the numbers of a channel follow the order in which its transactions commit: whoever sees a
   * number sees all smaller ones of the channel. No two writers wait for each other in a circle.
   *
   * @throws InvalidTransactionError when `transaction` is no open one.
   */
  write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void>;
  /** The same in a transaction of its own, whatever surrounds the caller. */
  writeAlone(events: readonly WrittenEvent[]): Promise<void>;
  /**
   * Writes in a transaction of ours, at once: call it shortly before the COMMIT, with all events of the transaction, and
   * {@link announce} after it.
   */
  writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void>;
  /** Tells relays and readers that these were committed. Best effort. */
  announce(events: readonly WrittenEvent[]): void;
}
