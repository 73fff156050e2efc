import type { Dialect } from '../../sql/dialect.js';
import { LOCK_BUCKETS } from '../../sql/migrations/003-outbox.js';
import { join, sql, type SqlPart, type Statement } from '../../sql/statement.js';
import type { WrittenEvent } from '../model/outbox-event.js';
import { crcOf } from '../model/shards.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { eventRows } from './event-rows.sql.js';

/** In order, and padded to a power of two, so that few different texts have to be prepared. */
function bucketList(events: readonly WrittenEvent[]): Statement {
  const buckets = [...new Set(events.map(({ channel }) => crcOf(channel) % LOCK_BUCKETS))].sort((a, b) => a - b);
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, buckets.length)));
  return sql`(${join([...buckets, ...Array<SqlPart>(size - buckets.length).fill(buckets.at(-1) ?? null)])})`;
}

/** Taken in the order of the key by whoever takes several, so no two wait for each other. */
export const lockBuckets = ({ locks }: OutboxTables, events: readonly WrittenEvent[]): Statement =>
  sql`SELECT bucket FROM ${locks} WHERE bucket IN ${bucketList(events)} ORDER BY bucket FOR UPDATE`;

const insert = (dialect: Dialect, { outbox }: OutboxTables, events: readonly WrittenEvent[], held: Statement) => sql`
  INSERT INTO ${outbox} (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM ${held}${eventRows(dialect, events)} AS g ORDER BY g.ordinal`;

export const insertEvents = (dialect: Dialect, tables: OutboxTables, events: readonly WrittenEvent[]): Statement =>
  insert(dialect, tables, events, sql``);

/**
 * The count is known, and so all locks are held, before the first row is written and numbered: those of `all`, of which
 * `events` are the first. The rest comes behind them by `insertEvents`, in the same transaction.
 */
export const insertUnderLocks = (
  dialect: Dialect,
  tables: OutboxTables,
  events: readonly WrittenEvent[],
  all: readonly WrittenEvent[],
): Statement =>
  insert(
    dialect,
    tables,
    events,
    sql`(SELECT COUNT(*) AS buckets FROM (${lockBuckets(tables, all)}) AS taken) AS held CROSS JOIN `,
  );
