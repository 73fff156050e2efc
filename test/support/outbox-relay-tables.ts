import { outboxTables, type OutboxTables } from '../../lib/outbox/sql-outbox-tables.js';
import { slotExpression } from '../../lib/outbox/slot.sql.js';
import { migrate } from '../../lib/sql/migrator.js';
import type { SqlExecutor } from '../../lib/sql/sql-executor.js';
import { id, raw, sql, type Statement } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';

const NAMES = { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: undefined };

const postgresTables = (db: SqlExecutor, { outbox, nodes }: OutboxTables): Statement[] => [
  sql`CREATE TABLE IF NOT EXISTS ${outbox} (sequence_id bigserial PRIMARY KEY, mutation_id text NOT NULL, channel text NOT NULL,
    name text NOT NULL, rejected boolean NOT NULL DEFAULT false, data jsonb, headers jsonb, locked_by text,
    lock_expiry timestamp without time zone, processed boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())`,
  sql`CREATE INDEX IF NOT EXISTS durable_outbox_pending ON ${outbox} (${slotExpression(db.dialect, id('channel'))}, channel, sequence_id) WHERE NOT processed`,
  sql`CREATE TABLE IF NOT EXISTS ${nodes} (id text PRIMARY KEY, expiry timestamp without time zone NOT NULL)`,
];

const mysqlTables = ({ outbox, nodes }: OutboxTables): Statement[] => [
  sql`CREATE TABLE IF NOT EXISTS ${outbox} (sequence_id bigint AUTO_INCREMENT PRIMARY KEY, mutation_id varchar(191) NOT NULL,
    channel varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, name varchar(191) NOT NULL, rejected boolean NOT NULL DEFAULT false,
    data json, headers json, locked_by varchar(191), lock_expiry datetime(3), processed boolean NOT NULL DEFAULT false,
    created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), slot tinyint unsigned AS (crc32(channel) & 63) STORED,
    KEY durable_outbox_pending (processed, slot, channel, sequence_id))`,
  sql`CREATE TABLE IF NOT EXISTS ${nodes} (id varchar(191) PRIMARY KEY, expiry datetime(3) NOT NULL)`,
];

/** The published tables with nothing that orders their writers, and ours beside them. */
export async function relayTables(db: SqlExecutor): Promise<OutboxTables> {
  const tables = outboxTables('durable', NAMES);
  await migrate(db, tablesWithPrefix('durable'));
  for (const statement of db.dialect.family === 'postgres' ? postgresTables(db, tables) : mysqlTables(tables))
    await db.run(statement);
  return tables;
}

/** Deletes all rows of the outbox, so that one case knows nothing of another. */
export async function emptyOutbox(db: SqlExecutor, tables: OutboxTables): Promise<void> {
  const { outbox, nodes, destinations, slots, channels, dead } = tables;
  for (const table of [outbox, nodes, destinations, slots, channels, dead]) await db.run(sql`DELETE FROM ${table}`);
}

/** Writes an event to each of these channels, one after the other, and answers their numbers. */
export async function writeEvents(
  db: SqlExecutor,
  { outbox }: OutboxTables,
  channels: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, channel] of channels.entries()) {
    const data = JSON.stringify({ n });
    await db.run(sql`INSERT INTO ${outbox} (mutation_id, channel, name, data, headers)
      VALUES (${`m-${n}`}, ${channel}, 'changed', ${raw(`'${data}'`)}, '{"source":"test"}')`);
    const { rows } = await db.run<{ id: string | number }>(sql`SELECT MAX(sequence_id) AS id FROM ${outbox}`);
    ids.push(String(rows[0]?.id));
  }
  return ids;
}
