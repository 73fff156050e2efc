import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import type { RelayStorage } from './relay-storage.js';
import { SqlAcknowledgements } from './sql-acknowledgements.js';
import { SqlDeadLetters } from './sql-dead-letters.js';
import { SqlDestinationRoster } from './sql-destination-roster.js';
import { SqlEventSource } from './sql-event-source.js';
import { SqlRelayNodes } from './sql-relay-nodes.js';
import { SqlShardLeases } from './sql-shard-leases.js';

export interface SqlRelayStorageOptions {
  /** Delivered events stay, marked as processed, until they are pruned. */
  retains: boolean;
  /** Default: the database's clock. */
  now?: SqlNow;
}

export function sqlRelayStorage(db: SqlExecutor, tables: OutboxTables, options: SqlRelayStorageOptions): RelayStorage {
  const { retains, now = () => db.dialect.now } = options;
  const scope = { tables, dialect: db.dialect, now, retains };
  return {
    nodes: new SqlRelayNodes(db, scope),
    destinations: new SqlDestinationRoster(db, scope),
    leases: new SqlShardLeases(db, scope),
    source: new SqlEventSource(db, scope),
    acknowledgements: new SqlAcknowledgements(db, scope),
    deadLetters: new SqlDeadLetters(db, scope),
  };
}
