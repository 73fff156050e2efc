import type { Transaction } from '../../protocol/transaction.js';
import type { OutboxEvent, WrittenEvent } from '../model/outbox-event.js';
import type { OutboxWriter } from './outbox-writer.js';

/** The part of a transaction in memory that a writer needs. */
export interface MemoryTransactions {
  /** @throws InvalidTransactionError when it is none that is open. */
  join(transaction: unknown): { afterCommit(listener: () => void): void };
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

  writeIn(_tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    this.put(events);
    return Promise.resolve();
  }

  announce(events: readonly WrittenEvent[]): void {
    this.tell([...new Set(events.map(({ channel }) => channel))]);
  }

  private keep(events: readonly WrittenEvent[]): void {
    if (events.length === 0) return;
    this.put(events);
    this.announce(events);
  }

  private put(events: readonly WrittenEvent[]): void {
    for (const { data, headers, ...event } of events)
      this.append({ ...event, data: parsed(data), headers: parsed(headers) as OutboxEvent['headers'] });
  }
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
