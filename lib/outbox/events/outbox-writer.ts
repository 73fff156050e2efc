import type { OutboxEvent, WrittenEvent } from '../model/outbox-event.js';
import type { Transaction } from '../../protocol/transaction.js';

/** Where a handle becomes a transaction. */
export interface MemoryTransactions {
  /** @throws InvalidTransactionError when it is none that is open. */
  join(transaction: unknown): Transaction;
}

/**
 * Writes into memory, at the end of the transaction; memory rolls nothing back. `append` gives the number and keeps the
 * event, `tell` is told of the channels.
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
   * Writes in a transaction of ours, at once: call it shortly before the COMMIT, with all events of the transaction.
   */
  writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void>;
  /** Tells relays and readers of all processes to look at these channels. Each write does so after its commit. */
  wake(channels: readonly string[]): void;
}
