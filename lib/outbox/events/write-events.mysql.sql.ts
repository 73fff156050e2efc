import type { Dialect } from '../../sql/dialects/dialect.js';
import { LOCK_BUCKETS } from '../../sql/migrations/001-outbox.js';
import { numberList } from '../../sql/dialects/key-list.js';
import { sql, type Statement } from '../../sql/dialects/statement.js';
import type { WrittenEvent } from '../model/outbox-event.js';
import { crcOf } from '../model/shards.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { eventRows } from './event-rows.sql.js';

const bucketList = (events: readonly WrittenEvent[]): Statement =>
  numberList(events.map(({ channel }) => crcOf(channel) % LOCK_BUCKETS));

/** Every writer locks in key order, so writers never deadlock. */
export const lockBuckets = ({ locks }: OutboxTables, events: readonly WrittenEvent[]): Statement =>
  sql`SELECT bucket FROM ${locks} WHERE bucket IN ${bucketList(events)} ORDER BY bucket FOR UPDATE`;

const insert = (dialect: Dialect, { outbox }: OutboxTables, events: readonly WrittenEvent[], held: Statement) => sql`
  INSERT INTO ${outbox} (mutation_id, channel, name, rejected, data, headers)
  SELECT g.mutation_id, g.channel, g.name, g.rejected, g.data, g.headers
  FROM ${held}${eventRows(dialect, events)} AS g ORDER BY g.ordinal`;

export const insertEvents = (dialect: Dialect, tables: OutboxTables, events: readonly WrittenEvent[]): Statement =>
  insert(dialect, tables, events, sql``);

/**
 * Counting the locked rows first ensures that all locks for `all` are held before the first of `events` is numbered.
 * `insertEvents` writes the rest afterwards in the same transaction.
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
