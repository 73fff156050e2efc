import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { WrittenEvent } from '../model/outbox-event.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { eventRows } from './event-rows.sql.js';
import { lookAtEra } from './postgres-era.sql.js';
import { bucketOfChannel, bucketsNoted, lockBuckets, NOTED, quiet, tableNumber } from './postgres-ordering.sql.js';

const insertGiven = ({ outbox }: OutboxTables, condition: Statement): Statement => sql`
  INSERT INTO ${outbox} (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, CAST(g.data AS jsonb), CAST(g.headers AS jsonb)
  FROM given AS g${condition} ORDER BY g.ordinal`;

/** A plain INSERT: the triggers keep the order. */
export const insertEvents = (tables: OutboxTables, events: readonly WrittenEvent[]): Statement => sql`
  WITH given AS (SELECT * FROM ${eventRows(postgres, events)} AS r) ${insertGiven(tables, raw(''))}`;

/**
 * Skips the triggers, which would do the same row by row. With `locks`, first locks all buckets of the transaction in
 * order, including those of its plain INSERTs, and only then draws numbers. If there were plain INSERTs, the rows are
 * inserted like those, so that they follow them.
 */
export function writeEvents(tables: OutboxTables, events: readonly WrittenEvent[], locks: boolean): Statement {
  const table = tableNumber(tables.outbox);
  const noted = sql`current_setting('${raw(NOTED)}' || ${table}, true)`;
  const buckets = sql`SELECT ${bucketOfChannel(raw('channel'))} AS bucket FROM given
      UNION ALL SELECT bucket FROM ${bucketsNoted(noted)}`;
  const locked = locks ? sql`SELECT ${lockBuckets(table, buckets)}` : sql`SELECT 1`;
  return sql`
  WITH given AS MATERIALIZED (SELECT * FROM ${eventRows(postgres, events)} AS r),
  locked AS MATERIALIZED (${locked}),
  hushed AS MATERIALIZED (
    SELECT set_config(${quiet}, CASE WHEN coalesce(${noted}, '') = '' THEN CAST(${table} AS text) ELSE '' END, true), ${lookAtEra(tables.names)} AS era
  ),
  written AS (${insertGiven(tables, raw('\n  WHERE (SELECT count(*) FROM locked) >= 0 AND (SELECT count(*) FROM hushed) = 1'))}
    RETURNING 1
  )
  SELECT count(*) AS written, set_config(${quiet}, '', true) AS loud FROM written`;
}
