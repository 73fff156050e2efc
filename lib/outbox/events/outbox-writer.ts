import type { OutboxEvent, WrittenEvent } from '../model/outbox-event.js';
import type { MemoryTransactions, Transaction } from '../../protocol/transaction.js';

/**
 * Writes to memory when the transaction ends; memory does not roll back. `append` numbers and stores the event; `tell`
 * notifies of the channels.
 */
export class InMemoryOutboxWriter implements OutboxWriter {
  constructor(
    private readonly append: (event: Omit<OutboxEvent, 'sequenceId'>) => void,
    private readonly tell: (channels: readonly string[]) => void,
    private readonly transactions?: MemoryTransactions,
  ) {}

  write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void> {
    if (transaction === undefined || !this.transactions) return this.writeAlone(events);
    return new Promise((resolve) => {
      this.transactions?.join(transaction).afterCommit(() => this.keep(events));
      resolve();
    });
  }

  writeAlone(events: readonly WrittenEvent[]): Promise<void> {
    this.keep(events);
    return Promise.resolve();
  }

  writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    this.put(events);
    tx.afterCommit(() => this.wake(channelsOf(events)));
    return Promise.resolve();
  }

  writeWith(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    return this.writeIn(tx, events);
  }

  wake(channels: readonly string[]): void {
    this.tell(channels);
  }

  private keep(events: readonly WrittenEvent[]): void {
    if (events.length === 0) return;
    this.put(events);
    this.wake(channelsOf(events));
  }

  private put(events: readonly WrittenEvent[]): void {
    for (const { data, headers, ...event } of events)
      this.append({ ...event, data: parsed(data), headers: parsed(headers) as OutboxEvent['headers'] });
  }
}

const channelsOf = (events: readonly WrittenEvent[]): string[] => [...new Set(events.map(({ channel }) => channel))];

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** Stores events that `Outbox` has checked. */
export interface OutboxWriter {
  /**
   * Writes the events with the commit of a transaction: `transaction`, which is the app's own as its ORM passes it;
   * otherwise the surrounding transaction if the ORM knows it; otherwise a new one. They are numbered in the given
   * order, after events that the same transaction wrote before. A rollback, also to a savepoint, discards them.
   *
   * With ordering `commit`, the numbers of a channel follow the order in which its transactions commit: a reader that
   * sees a number sees all smaller ones of the channel. Writers never deadlock with each other.
   *
   * @throws InvalidTransactionError when `transaction` is not an open transaction.
   */
  write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void>;
  /** Writes in a new transaction, even inside another one. */
  writeAlone(events: readonly WrittenEvent[]): Promise<void>;
  /**
   * Writes at once in one of our own transactions: call it shortly before COMMIT, with all events of the transaction.
   */
  writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void>;
  /**
   * Writes in a transaction that may be the app's own: right before its COMMIT if it can call us then, else at once.
   */
  writeWith(tx: Transaction, events: readonly WrittenEvent[]): Promise<void>;
  /** Notifies relays and readers of all processes of new events. Each write calls it after its commit. */
  wake(channels: readonly string[]): void;
}
