import { listOf } from '../core/leasing.js';
import { deleteByKeys, deleteByNumbers, keyList, listedNumbers, numberList, padded } from '../sql/dialects.js';
import { inline, int, join, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { nowOf } from '../sql/tables.js';
import type { Acknowledged, ChannelWrite, DangerousDelivery, FailedHead, FetchRequest } from './deliveries.js';
import { leasesOf, type ShardLease } from './shards.js';
import { eventColumns, type RelayScope, shardValue, underLeases } from './shards.sql.js';

/** The greatest number, and the number of other destinations. */
export const selectStanding = ({ tables }: RelayScope, destination: string): Statement => sql`
  SELECT (SELECT CAST(MAX(sequence_id) AS char) FROM ${tables.outbox}) AS newest,
    (SELECT COUNT(*) FROM ${tables.destinations} WHERE name <> ${destination}) AS others`;

export interface FencedEnding {
  owner: string;
  destination: string;
  leases: readonly ShardLease[];
  ids: readonly string[];
}

/** Pending events under our leases, if this is the only destination; checked by the writing statement. */
const fenced = ({ tables, ...scope }: RelayScope, { owner, destination, leases, ids }: FencedEnding): Statement => sql`
  ${listedNumbers(scope.dialect, ids)}
  STRAIGHT_JOIN ${tables.outbox} AS o FORCE INDEX (PRIMARY) ON o.sequence_id = k.found AND o.processed = 0
  STRAIGHT_JOIN ${tables.shards} AS s FORCE INDEX (PRIMARY) ON s.shard = o.shard AND s.destination = ${destination}
    AND s.owner = ${owner} AND s.lease_until > ${nowOf(scope)} AND ${underLeases('s.', leases)}
    AND NOT EXISTS (SELECT 1 FROM ${tables.destinations} AS d WHERE d.name <> ${destination})`;

/** One statement, no transaction: a process that is suspended in between must not keep rows locked. */
export const deleteFenced = (scope: RelayScope, ending: FencedEnding): Statement =>
  sql`DELETE o FROM ${fenced(scope, ending)}`;

export const markFenced = (scope: RelayScope, ending: FencedEnding): Statement =>
  sql`UPDATE ${fenced(scope, ending)} SET o.processed = 1`;

export const selectPending = ({ tables }: RelayScope, ids: readonly string[]): Statement => sql`
  SELECT CAST(sequence_id AS char) AS sequence_id FROM ${tables.outbox}
  WHERE sequence_id IN ${numberList(ids)} AND processed = 0`;

export const lockPending = ({ tables, dialect }: RelayScope, ids: readonly string[]): Statement => sql`
  SELECT CAST(sequence_id AS char) AS sequence_id FROM ${tables.outbox} ${dialect.forceIndex()}
  WHERE sequence_id IN ${numberList(ids)} AND processed = 0 ORDER BY sequence_id FOR UPDATE`;

export const deleteEvents = ({ tables, dialect }: RelayScope, ids: readonly string[]): Statement =>
  deleteByNumbers(dialect, tables.outbox, 'sequence_id', ids);

export const markEvents = ({ tables, dialect }: RelayScope, ids: readonly string[]): Statement =>
  sql`UPDATE ${tables.outbox} ${dialect.forceIndex()} SET processed = 1 WHERE sequence_id IN ${numberList(ids)}`;

export const deleteMarks = ({ tables, dialect }: RelayScope, ids: readonly string[]): Statement =>
  sql`${deleteByNumbers(dialect, tables.outbox, 'sequence_id', ids)} AND processed = 1`;

export const clearChannels = (
  { tables, dialect }: RelayScope,
  destination: string,
  channels: readonly string[],
): Statement =>
  sql`
  ${deleteByKeys(dialect, tables.channels, 'channel', channels)} AND destination = ${destination}
    AND state IS NULL AND position = 0`;

/** Rows of channels as JSON: channel names may be longer than keys. */
const channelRows = (scope: RelayScope, rows: readonly object[], columns: Record<string, 'text' | 'int'>): Statement =>
  scope.dialect.rows(rows, { channel: 'text', ...columns });

/** Rows of channels whose shard `owner` holds in that epoch; checked by the writing statement. */
const fencedRows = (
  scope: RelayScope,
  owner: string,
  items: readonly ChannelWrite[],
  rows: readonly object[],
  columns: Record<string, 'text' | 'int'>,
): Statement => {
  const sharded = rows.map((row, i) => ({ ...row, held: items[i]?.lease.shard }));
  return sql`${channelRows(scope, sharded, { ...columns, held: 'int' })} AS g
  JOIN ${scope.tables.shards} AS s ON s.shard = g.held AND s.destination = ${items[0]?.lease.destination ?? ''}
    AND s.owner = ${owner} AND s.lease_until > ${nowOf(scope)} AND ${underLeases('s.', leasesOf(items))}`;
};

/** With several destinations: moves this one's positions. */
export const movePositions = (scope: RelayScope, owner: string, items: readonly Acknowledged[]): Statement => {
  const rows = items.map(({ channel, ids }) => ({ channel, last: ids.at(-1) }));
  return sql`
  INSERT INTO ${scope.tables.channels} (destination, channel, position)
  SELECT s.destination, g.channel, MAX(g.last) FROM ${fencedRows(scope, owner, items, rows, { last: 'int' })}
  GROUP BY s.destination, g.channel ORDER BY g.channel
  ON DUPLICATE KEY UPDATE position = GREATEST(position, VALUES(position)), attempts = 0, crashed = NULL,
    available_at = NULL, last_error = NULL, failed_at = NULL`;
};

/**
 * One statement without a transaction, like the deletions. A channel whose dead letters were requeued meanwhile keeps
 * its state: they are delivered first.
 */
export const failHeads = (scope: RelayScope, owner: string, items: readonly FailedHead[]): Statement => {
  const rows = items.map(({ channel, counts, delayMs, error, blocks, died }) => ({
    channel,
    counts,
    delay: delayMs,
    error,
    // Must differ from all column names of the table: otherwise the update below would be ambiguous.
    stands: blocks ? 'blocked' : null,
    died: died ? listOf(died) : null,
  }));
  const columns = { counts: 'int', delay: 'int', error: 'text', stands: 'text', died: 'text' } as const;
  return sql`
  INSERT INTO ${scope.tables.channels} (destination, channel, attempts, available_at, state, last_error, failed_at, crashed)
  SELECT s.destination, g.channel, g.counts, ${nowOf(scope)} + g.delay, g.stands, g.error, ${nowOf(scope)}, g.died
  FROM ${fencedRows(scope, owner, items, rows, columns)} ORDER BY g.channel
  ON DUPLICATE KEY UPDATE attempts = attempts + VALUES(attempts),
    crashed = VALUES(crashed), available_at = VALUES(available_at),
    state = CASE WHEN state = 'requeued' THEN state ELSE COALESCE(VALUES(state), state) END,
    last_error = VALUES(last_error), failed_at = VALUES(failed_at)`;
};

export const countCrashes = (scope: RelayScope, owner: string, items: readonly DangerousDelivery[]): Statement => {
  const rows = items.map(({ channel, abandonedBy }) => ({ channel, died: listOf([abandonedBy, owner]) }));
  return sql`
  INSERT INTO ${scope.tables.channels} (destination, channel, crashed)
  SELECT s.destination, g.channel, g.died FROM ${fencedRows(scope, owner, items, rows, { died: 'text' })} ORDER BY g.channel
  ON DUPLICATE KEY UPDATE crashed = CASE WHEN crashed IS NULL THEN VALUES(crashed)
    WHEN LOCATE(${listOf([owner])}, crashed) > 0 THEN crashed ELSE CONCAT(crashed, ${listOf([owner])}) END`;
};

export const selectCrashes = ({ tables }: RelayScope, destination: string, channels: readonly string[]): Statement =>
  sql`SELECT channel, crashed FROM ${tables.channels} WHERE destination = ${destination} AND channel IN ${keyList(channels)}`;

/** The minimum position of all destinations in each channel; omitted while one of them has none. */
export const selectPassed = ({ tables }: RelayScope, channels: readonly string[]): Statement => sql`
  SELECT channel, CAST(MIN(position) AS char) AS position FROM ${tables.channels}
  WHERE destination IN (SELECT name FROM ${tables.destinations}) AND channel IN ${keyList(channels)}
  GROUP BY channel HAVING COUNT(*) = (SELECT COUNT(*) FROM ${tables.destinations})`;

interface Passed {
  channel: string;
  shard: number;
  position: string;
}

const NOWHERE: Passed = { channel: '', shard: 255, position: '0' };

export const selectPassedEvents = (scope: RelayScope, passed: readonly Passed[], limit: number): Statement =>
  join(
    padded(passed, NOWHERE).map(
      ({ channel, shard, position }) => sql`
  (SELECT CAST(sequence_id AS char) AS sequence_id FROM ${scope.tables.outbox}
   WHERE processed = 0 AND shard = ${shardValue(scope, shard)} AND channel = ${channel} AND sequence_id <= ${position}
   ORDER BY processed, shard, channel, sequence_id LIMIT ${int(limit)})`,
    ),
    ' UNION ALL ',
  );

export interface HeadRow {
  shard: number | string;
  channel: string;
  first: number | string;
  position: number | string | null;
  attempts: number | string | null;
  crashed: string | null;
  state: string | null;
  waits: number | string | null;
}

/** Encoded as hex, so that no part of the text is parsed as SQL. */
const written = (text: string): Statement => inline(`_utf8mb4 X'${Buffer.from(text).toString('hex')}'`);

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
  SELECT h.shard, h.channel, h.first, s.position, s.attempts, s.crashed, s.state,
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
const NO_HEAD: WantedHead = { shard: 255, channel: '', after: '0' };

/** The first events of each channel, with a separate limit for each, which a join could not have. */
export const selectEvents = (scope: RelayScope, heads: readonly WantedHead[], perChannel: number): Statement =>
  join(
    padded<WantedHead>(heads, NO_HEAD).map(
      ({ shard, channel, after }) => sql`
  (SELECT o.channel, ${eventColumns(scope, 'o')} FROM ${scope.tables.outbox} AS o
   WHERE o.processed = 0 AND o.shard = ${shardValue(scope, shard)} AND o.channel = ${channel} AND o.sequence_id > ${after}
   ORDER BY o.processed, o.shard, o.channel, o.sequence_id LIMIT ${int(perChannel)})`,
    ),
    ' UNION ALL ',
  );
