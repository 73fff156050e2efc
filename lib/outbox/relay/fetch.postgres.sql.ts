import { columnRows } from '../../sql/dialects/column-rows.js';
import { planned } from '../../sql/dialects/key-list.js';
import { nowOf } from '../../sql/tables.js';
import { int, sql, type Statement } from '../../sql/dialects/statement.js';
import type { FetchRequest } from './event-source.js';
import { eventColumns, isPending, type RelayScope, shardOfRow, textArray } from './relay-scope.sql.js';

export interface FetchedRow {
  shard: number | string;
  /** The position of the channel in its shard, from 1. */
  n: number | string;
  channel: string;
  attempts: number | string | null;
  crashes: number | string | null;
  state: string | null;
  /** Null if no event of the channel can be delivered. */
  sequence_id: string | null;
  mutation_id: string;
  name: string;
  rejected: boolean | number;
  data: string | null;
  headers: string | null;
}

/** The next channel of a shard after `after`: one index lookup, regardless of the number of events before. */
const nextChannel = (scope: RelayScope, shard: Statement, after: Statement): Statement => sql`
    SELECT o.channel FROM ${scope.tables.outbox} AS o
    WHERE ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = ${shard} AND o.channel > ${after}
    ORDER BY ${shardOfRow(scope, 'o')}, o.channel LIMIT 1`;

/** `ch(shard, channel, n)`: the channels of several shards, one of each in turn, each by one index lookup. */
const channelsOf = (scope: RelayScope, shards: FetchRequest['shards'], channels: number): Statement => sql`
  ch(shard, channel, n) AS (
    SELECT CAST(g.shard AS int), h.channel, 1
    FROM ${columnRows(shards, { shard: ['bigint', ({ shard }) => shard], after: ['text', ({ after }) => after] })} AS g
    CROSS JOIN ${planned}
    CROSS JOIN LATERAL (${nextChannel(scope, sql`CAST(g.shard AS int)`, sql`g.after`)}) AS h
    UNION ALL
    SELECT ch.shard, h.channel, ch.n + 1 FROM ch
    CROSS JOIN LATERAL (${nextChannel(scope, sql`ch.shard`, sql`ch.channel`)}) AS h
    WHERE ch.n < ${int(channels)}
  )`;

/**
 * Reads several shards at once, one channel of each in turn. All joins are lateral, so rows are read lazily and in
 * order until the limit: the recursion goes from channel to channel by the index and reads only the first rows of each.
 */
export const fetchEvents = (scope: RelayScope, request: FetchRequest): Statement => {
  const { destination, shards, channels, perChannel, limit, busy } = request;
  const { tables } = scope;
  const waits = sql`(s.state IS NOT NULL AND s.state <> 'parked') OR s.available_at > t.now`;
  return sql`
  WITH RECURSIVE ${channelsOf(scope, shards, channels)}
  SELECT ch.shard, ch.n, ch.channel, s.attempts, s.crashes, s.state, m.*
  FROM ch CROSS JOIN (SELECT ${nowOf(scope)} AS now) AS t
  LEFT JOIN LATERAL (
    SELECT c.* FROM ${tables.channels} AS c WHERE c.destination = ${destination} AND c.channel = ch.channel LIMIT 1
  ) AS s ON true
  LEFT JOIN LATERAL (
    SELECT ${eventColumns(scope, 'o')} FROM ${tables.outbox} AS o
    WHERE (${waits}) IS NOT TRUE AND ch.channel <> ALL (${textArray(busy)})
      AND ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = ch.shard AND o.channel = ch.channel
      AND o.sequence_id > COALESCE(s.position, 0)
    ORDER BY ${shardOfRow(scope, 'o')}, o.channel, o.sequence_id LIMIT ${int(perChannel)}
  ) AS m ON true
  LIMIT ${int(limit)}`;
};

/** Channels with pending events, and the position of `destination` in them. */
export const selectHeads = (
  scope: RelayScope,
  shards: FetchRequest['shards'],
  channels: number,
  destination: string,
): Statement => sql`
  WITH RECURSIVE ${channelsOf(scope, shards, channels)}
  SELECT ch.shard, ch.channel, CAST(s.position AS text) AS position FROM ch
  LEFT JOIN LATERAL (
    SELECT c.position FROM ${scope.tables.channels} AS c WHERE c.destination = ${destination} AND c.channel = ch.channel LIMIT 1
  ) AS s ON true`;

/** Channels with events that `destination` has not passed; `limit` of them, whose first one is the oldest. */
export const selectLagging = (
  scope: RelayScope,
  shards: FetchRequest['shards'],
  { destination, channels, limit }: { destination: string; channels: number; limit: number },
): Statement => sql`
  WITH RECURSIVE ${channelsOf(scope, shards, channels)}
  SELECT ch.shard, ch.channel, CAST(s.position AS text) AS position FROM ch
  LEFT JOIN LATERAL (
    SELECT c.position FROM ${scope.tables.channels} AS c WHERE c.destination = ${destination} AND c.channel = ch.channel LIMIT 1
  ) AS s ON true
  CROSS JOIN LATERAL (
    SELECT o.sequence_id FROM ${scope.tables.outbox} AS o
    WHERE ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = ch.shard AND o.channel = ch.channel
      AND o.sequence_id > COALESCE(s.position, 0)
    ORDER BY ${shardOfRow(scope, 'o')}, o.channel, o.sequence_id LIMIT 1
  ) AS f
  ORDER BY f.sequence_id LIMIT ${int(limit)}`;
