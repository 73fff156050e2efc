import { padded } from '../../sql/dialects/key-list.js';
import { nowOf } from '../../sql/tables.js';
import { int, join, raw, sql, type SqlPart, type Statement } from '../../sql/dialects/statement.js';
import { eventColumns, type RelayScope, shardValue } from './relay-scope.sql.js';
import type { FetchRequest } from './event-source.js';

export interface HeadRow {
  shard: number | string;
  channel: string;
  first: number | string;
  position: number | string | null;
  attempts: number | string | null;
  crashes: number | string | null;
  state: string | null;
  waits: number | string | null;
}

/** Encoded as hex, so that no part of the text is parsed as SQL. */
const written = (text: string): Statement => raw(`_utf8mb4 X'${Buffer.from(text).toString('hex')}'`);

/**
 * The channels of a shard and their first events. With exactly this grouping, by all index columns before the number,
 * the server skips from one channel to the next; MySQL does so only without parameters.
 */
const headsOf = (scope: RelayScope, shard: number, after: string, channels: number): Statement => sql`
  (SELECT shard, channel, MIN(sequence_id) AS first FROM ${scope.tables.outbox}
   WHERE processed = 0 AND shard = ${int(shard)}${after === '' ? raw('') : sql` AND channel > ${written(after)}`}
   GROUP BY processed, shard, channel ORDER BY processed, shard, channel LIMIT ${int(channels)})`;

export const selectHeads = (
  scope: RelayScope,
  shards: FetchRequest['shards'],
  channels: number,
  destination: string,
): Statement => {
  const select = sql`
  SELECT h.shard, h.channel, h.first, s.position, s.attempts, s.crashes, s.state,
    CASE WHEN s.available_at > ${nowOf(scope)} THEN 1 ELSE 0 END AS waits
  FROM (${join(
    shards.map(({ shard, after }) => headsOf(scope, shard, after, channels)),
    ' UNION ALL ',
  )}) AS h
  LEFT JOIN ${scope.tables.channels} AS s ON s.destination = ${destination} AND s.channel = ${scope.dialect.asKey(raw('h.channel'))}`;
  // Texts that do not repeat should not be prepared; only those that begin with a verb are.
  return shards.some(({ after }) => after !== '') ? sql`(${select})` : select;
};

/** Channels with events that `destination` has not passed; `limit` of them, whose first one is the oldest. */
export const selectLagging = (
  scope: RelayScope,
  shards: FetchRequest['shards'],
  { destination, channels, limit }: { destination: string; channels: number; limit: number },
): Statement => {
  const next = sql`SELECT MIN(o.sequence_id) FROM ${scope.tables.outbox} AS o
    WHERE o.processed = 0 AND o.shard = h.shard AND o.channel = h.channel AND o.sequence_id > s.position`;
  return sql`
  SELECT h.shard, h.channel, s.position, CASE WHEN s.position >= h.first THEN (${next}) ELSE h.first END AS oldest
  FROM (${join(
    shards.map(({ shard, after }) => headsOf(scope, shard, after, channels)),
    ' UNION ALL ',
  )}) AS h
  LEFT JOIN ${scope.tables.channels} AS s ON s.destination = ${destination} AND s.channel = ${scope.dialect.asKey(raw('h.channel'))}
  HAVING oldest IS NOT NULL ORDER BY oldest LIMIT ${int(limit)}`;
};

export interface WantedHead {
  shard: number;
  channel: string;
  /** Only numbers greater than this. */
  after: SqlPart;
}

/** No channel has this name, and no shard has this number. */
const NOWHERE: WantedHead = { shard: 255, channel: '', after: '0' };

/** The first events of each channel, with a separate limit for each, which a join could not have. */
export const selectEvents = (scope: RelayScope, heads: readonly WantedHead[], perChannel: number): Statement =>
  join(
    padded<WantedHead>(heads, NOWHERE).map(
      ({ shard, channel, after }) => sql`
  (SELECT o.channel, ${eventColumns(scope, 'o')} FROM ${scope.tables.outbox} AS o
   WHERE o.processed = 0 AND o.shard = ${shardValue(scope, shard)} AND o.channel = ${channel} AND o.sequence_id > ${after}
   ORDER BY o.processed, o.shard, o.channel, o.sequence_id LIMIT ${int(perChannel)})`,
    ),
    ' UNION ALL ',
  );
