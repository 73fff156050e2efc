import { migrateOutbox } from '../../lib/outbox/schema.sql.js';
import { SqlOutboxWriter } from '../../lib/outbox/events.sql.js';
import { Outbox } from '../../lib/outbox/outbox.js';
import { outboxTables, type OutboxTables } from '../../lib/outbox/tables.sql.js';
import type { Address } from '../server.js';
import { openStorage, type Storage } from '../transport/storage.js';

export interface OutboxStorage extends Storage {
  events: OutboxTables;
}

/** The published tables, made where they are not there. */
export async function openOutboxStorage(address: Address): Promise<OutboxStorage> {
  const storage = await openStorage(address);
  const events = outboxTables('durable', { table: 'outbox', nodesTable: 'nodes', schema: undefined });
  await migrateOutbox(storage.executor, events);
  return { ...storage, events };
}

export function outboxOf({ executor, events, notifier }: OutboxStorage): Outbox {
  return new Outbox(new SqlOutboxWriter(executor, events, notifier, 'commit'), { payloadBytes: 1 << 20 });
}
