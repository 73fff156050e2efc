import { ManualClock } from '../../lib/core/time.js';
import { SqlChannelReader, SqlChannelSnapshots, SqlEventPruning } from '../../lib/outbox/channels.sql.js';
import { migrateOutbox } from '../../lib/outbox/schema.sql.js';
import { type OutboxTables, outboxTables } from '../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import { migrate } from '../../lib/sql/migrations/migrator.js';
import { raw, sql } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';
import type { ChannelsFixture } from '../contract/conformance/outbox-channels.js';

/** The published tables, and ours beside them. */
export async function liveTables(executor: SqlExecutor): Promise<OutboxTables> {
  const names = { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: undefined };
  const tables = outboxTables('durable', names);
  await migrate(executor, tablesWithPrefix('durable'));
  await migrateOutbox(executor, tables);
  return tables;
}

/** Tables without a row; events grow old by a clock in the test's hand. */
export async function sqlChannels(executor: SqlExecutor, tables: OutboxTables): Promise<ChannelsFixture> {
  for (const table of [tables.outbox, tables.pruned]) await executor.run(sql`DELETE FROM ${table}`);
  const clock = new ManualClock(Date.now());
  const isPostgres = executor.dialect.family === 'postgres';
  const created = () =>
    isPostgres
      ? sql`to_timestamp(CAST(${clock.now()} AS bigint) / 1000.0)`
      : sql`TIMESTAMPADD(MICROSECOND, (${clock.now()} - ${executor.dialect.now}) * 1000, NOW(3))`;
  const numbers = async () => {
    const text = raw(isPostgres ? 'text' : 'char');
    const statement = sql`SELECT CAST(o.sequence_id AS ${text}) AS id FROM ${tables.outbox} AS o ORDER BY o.sequence_id`;
    return (await executor.run<{ id: string }>(statement)).rows.map(({ id }) => id);
  };
  return {
    clock,
    numbers,
    reader: new SqlChannelReader(executor, tables),
    snapshots: new SqlChannelSnapshots(executor, tables),
    pruning: new SqlEventPruning(executor, tables, () => sql`${clock.now()}`),
    write: async (channel, { processed = false, data = { n: 1 }, rejected = false } = {}) => {
      const json = sql`CAST(${JSON.stringify(data)} AS ${raw(isPostgres ? 'jsonb' : 'char')})`;
      await executor.run(sql`INSERT INTO ${tables.outbox} (mutation_id, channel, name, rejected, processed, data, created_at)
        VALUES ('m', ${channel}, 'changed', ${rejected}, ${processed}, ${json}, ${created()})`);
      return (await numbers()).at(-1)!;
    },
  };
}
