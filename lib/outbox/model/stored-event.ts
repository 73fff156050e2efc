import type { OutboxEvent } from './outbox-event.js';

/** An event as the process keeps it in place of a row. */
export interface StoredEvent {
  readonly event: OutboxEvent;
  readonly processed: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
}
