import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/tables.js';
import { SqlOutboxWriter } from '../events/sql-outbox-writer.js';
import { SqlEventErasure } from '../erasure/sql-event-erasure.js';
import { SqlInbox } from '../inbox/sql-inbox.js';
import { SqlChannelReader, SqlChannelSnapshots } from '../live/sql-channel-reader.js';
import { SqlEventPruning } from '../live/sql-event-pruning.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import type { OutboxStorage } from './outbox-storage.js';
import { sqlRelayStorage } from '../relay/sql-relay-storage.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';

export interface SqlOutboxStorageOptions {
  ordering: OutboxOrdering;
  /** Whether delivered events are kept until they are pruned. */
  retains: boolean;
  /** Default: the database's clock. */
  now?: SqlNow;
}

/** The outbox in the app's own database. */
export function sqlOutboxStorage(
  db: SqlExecutor,
  tables: OutboxTables,
  notifier: Notifier,
  options: SqlOutboxStorageOptions,
): OutboxStorage {
  return {
    writer: new SqlOutboxWriter(db, tables, notifier, options.ordering),
    relay: sqlRelayStorage(db, tables, options),
    inbox: new SqlInbox(db, tables),
    reader: new SqlChannelReader(db, tables),
    snapshots: new SqlChannelSnapshots(db, tables),
    pruning: new SqlEventPruning(db, tables, options.now),
    erasure: new SqlEventErasure(db, tables),
    signals: notifier,
  };
}
