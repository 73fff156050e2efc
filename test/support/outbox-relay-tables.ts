import { outboxTables, type OutboxTables } from '../../lib/outbox/tables.sql.js';
import { migrateOutbox } from '../../lib/outbox/schema.sql.js';
import type { OutboxOrdering } from '../../lib/outbox/events.js';
import { migrate } from '../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import { raw, sql } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';

const NAMES = { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: undefined };

/** The published tables, and ours beside them. */
export async function relayTables(db: SqlExecutor, ordering: OutboxOrdering = 'commit'): Promise<OutboxTables> {
  const tables = outboxTables('durable', NAMES);
  await migrate(db, tablesWithPrefix('durable'));
  await migrateOutbox(db, tables, { ordering });
  return tables;
}

/** Deletes all rows of the outbox, so that one case knows nothing of another. */
export async function emptyOutbox(db: SqlExecutor, tables: OutboxTables): Promise<void> {
  const { outbox, nodes, destinations, shards, channels, dead } = tables;
  for (const table of [outbox, nodes, destinations, shards, channels, dead]) await db.run(sql`DELETE FROM ${table}`);
}

/** Writes an event to each of these channels, one after the other, and returns their numbers. */
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
