import { listOf } from '../core/leasing.js';
import { columnRows, keyRows, numberArray, planned } from '../sql/dialects.js';
import { int, sql, type Statement } from '../sql/statement.js';
import { nowOf } from '../sql/tables.js';
import type { Acknowledged, DangerousDelivery, FailedHead, FetchRequest } from './deliveries.js';
import { leasesOf, type ShardLease } from './shards.js';
import { eventColumns, isPending, type RelayScope, shardOfRow, textArray } from './shards.sql.js';

export interface AckRow {
  /** Shards whose leases hold, as JSON; null: none. */
  held: string | null;
  /** Numbers that no longer existed, as JSON. */
  missing: string | null;
  /** The row that was kept as a mark: the newest event of all. */
  mark: string | number | null;
  alone: boolean;
}

/** The leases that hold, checked by the writing statement. */
const heldShards = (scope: RelayScope, owner: string, leases: readonly ShardLease[]): Statement => sql`
  held AS MATERIALIZED (
    SELECT s.shard FROM ${columnRows(leases, { shard: ['bigint', ({ shard }) => shard], epoch: ['bigint', ({ epoch }) => epoch] })} AS g
    JOIN ${scope.tables.shards} AS s ON s.destination = ${leases[0]?.destination ?? ''} AND s.shard = g.shard
      AND s.owner = ${owner} AND s.epoch = g.epoch AND s.lease_until > ${nowOf(scope)}
  )`;

const heldAsJson = sql`(SELECT CAST(json_agg(shard) AS text) FROM held)`;

/** The shards of the events, in the order of their numbers. */
const shardArray = (items: readonly Acknowledged[]): Statement =>
  sql`CAST(${`{${items.flatMap(({ ids, lease }) => ids.map(() => lease.shard)).join(',')}}`} AS integer[])`;

/**
 * Deletes the events of the CTE `wanted(id)`, or marks them if they are retained. Keeps the newest of all as a mark and
 * deletes earlier marks. Selects by number, not by range: a smaller number may become visible later.
 */
const ending = (scope: RelayScope, marks: readonly string[]): Statement => {
  const { outbox } = scope.tables;
  const ids = sql`ANY (ARRAY(SELECT id FROM wanted))`;
  if (scope.retains)
    return sql`ended AS (
    UPDATE ${outbox} AS o SET processed = true WHERE o.sequence_id = ${ids} AND NOT o.processed RETURNING o.sequence_id AS id, NULL::bigint AS mark
  )`;
  return sql`newest AS MATERIALIZED (SELECT max(sequence_id) AS id FROM ${outbox}),
  gone AS (
    DELETE FROM ${outbox} AS o WHERE o.sequence_id = ${ids} AND o.sequence_id < (SELECT id FROM newest) AND NOT o.processed
    RETURNING o.sequence_id AS id
  ), kept AS (
    UPDATE ${outbox} AS o SET processed = true
    WHERE o.sequence_id = (SELECT n.id FROM newest AS n WHERE n.id = ${ids}) AND NOT o.processed RETURNING o.sequence_id AS id
  ), outdated AS (
    DELETE FROM ${outbox} AS o WHERE o.sequence_id = ANY (${numberArray(marks)}) AND o.processed AND o.sequence_id < (SELECT id FROM newest)
  ), ended AS (
    SELECT id, NULL::bigint AS mark FROM gone UNION ALL SELECT id, id FROM kept
  )`;
};

const missing = sql`
    CASE WHEN (SELECT count(*) FROM ended) < (SELECT count(*) FROM wanted)
      THEN (SELECT CAST(json_agg(CAST(x.id AS text)) AS text) FROM (SELECT id FROM wanted EXCEPT SELECT id FROM ended) AS x) END AS missing,
    (SELECT max(mark) FROM ended) AS mark`;

const alone = ({ tables }: RelayScope, destination: string): Statement =>
  sql`alone AS MATERIALIZED (SELECT NOT EXISTS (SELECT FROM ${tables.destinations} WHERE name <> ${destination}) AS yes)`;

/** Deletes rows of channels that only record failures. */
const cleared = ({ tables }: RelayScope, destination: string, channels: readonly string[]): Statement => sql`
  cleared AS (
    DELETE FROM ${tables.channels} WHERE destination = ${destination} AND state IS NULL AND position = 0
      AND channel = ANY (ARRAY(SELECT k.key FROM ${keyRows(channels)} AS k)) AND (SELECT yes FROM alone)
      AND EXISTS (SELECT FROM held)
  )`;

/** For one destination; with several it writes nothing and reports that. */
export const endDelivered = (
  scope: RelayScope,
  owner: string,
  items: readonly Acknowledged[],
  marks: readonly string[],
): Statement => {
  const destination = items[0]?.lease.destination ?? '';
  const clearing = items.filter(({ clears }) => clears).map(({ channel }) => channel);
  const ids = items.flatMap((item) => item.ids);
  return sql`
  WITH ${heldShards(scope, owner, leasesOf(items))}, ${alone(scope, destination)},
  wanted AS MATERIALIZED (
    SELECT g.id FROM unnest(${numberArray(ids)}, ${shardArray(items)}) AS g(id, shard) CROSS JOIN ${planned}
    WHERE g.shard IN (SELECT shard FROM held) AND (SELECT yes FROM alone)
  ), ${ending(scope, marks)}${clearing.length > 0 ? sql`, ${cleared(scope, destination, clearing)}` : sql``}
  SELECT ${heldAsJson} AS held, (SELECT yes FROM alone) AS alone, ${missing}`;
};

/** With several destinations: moves this one's positions. Resets failures and crashes. */
export const movePositions = (scope: RelayScope, owner: string, items: readonly Acknowledged[]): Statement => {
  const rows = columnRows(items, {
    channel: ['text', ({ channel }) => channel],
    shard: ['bigint', ({ lease }) => lease.shard],
    last: ['text', ({ ids }) => ids.at(-1) ?? '0'],
  });
  return sql`
  WITH ${heldShards(scope, owner, leasesOf(items))}, moved AS (
    INSERT INTO ${scope.tables.channels} AS c (destination, channel, position)
    SELECT ${items[0]?.lease.destination ?? ''}, g.channel, max(CAST(g.last AS bigint)) FROM ${rows} AS g
    WHERE g.shard IN (SELECT shard FROM held) GROUP BY g.channel ORDER BY g.channel
    ON CONFLICT (destination, channel) DO UPDATE SET position = GREATEST(c.position, EXCLUDED.position),
      attempts = 0, crashed = NULL, available_at = NULL, last_error = NULL, failed_at = NULL
  )
  SELECT ${heldAsJson} AS held`;
};

/** The maximum number of events that one statement ends per channel. */
const PASSED_PER_CHANNEL = 1_000;

/** Ends events of these channels that all destinations have passed. */
export const endPassed = (scope: RelayScope, channels: readonly string[], marks: readonly string[]): Statement => sql`
  WITH passed AS MATERIALIZED (
    SELECT k.key AS channel, min(COALESCE(c.position, 0)) AS position FROM ${keyRows(channels)} AS k
    CROSS JOIN ${scope.tables.destinations} AS d
    LEFT JOIN LATERAL (
      SELECT c.position FROM ${scope.tables.channels} AS c WHERE c.destination = d.name AND c.channel = k.key LIMIT 1
    ) AS c ON true GROUP BY k.key
  ), wanted AS MATERIALIZED (
    SELECT m.sequence_id AS id FROM passed AS p CROSS JOIN LATERAL (
      SELECT o.sequence_id FROM ${scope.tables.outbox} AS o
      WHERE ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = (${shardOfValue(scope)}) AND o.channel = p.channel
        AND o.sequence_id <= p.position
      ORDER BY ${shardOfRow(scope, 'o')}, o.channel, o.sequence_id LIMIT ${int(PASSED_PER_CHANNEL)}
    ) AS m WHERE p.position > 0
  ), ${ending(scope, marks)}
  SELECT (SELECT max(mark) FROM ended) AS mark, (SELECT count(*) FROM ended) AS ended`;

const shardOfValue = (scope: RelayScope): Statement => shardOfRow(scope, 'p');

const FAILED = {
  channel: ['text', ({ channel }: FailedHead) => channel],
  shard: ['bigint', ({ lease }: FailedHead) => lease.shard],
  counts: ['bigint', ({ counts }: FailedHead) => counts],
  delay: ['bigint', ({ delayMs }: FailedHead) => delayMs],
  error: ['text', ({ error }: FailedHead) => error],
  state: ['text', ({ blocks }: FailedHead) => (blocks ? 'blocked' : null), 'nullable'],
  crashed: ['text', ({ died }: FailedHead) => (died ? listOf(died) : null), 'nullable'],
} as const;

/** A channel whose dead letters were requeued meanwhile keeps its state: they are delivered first. */
export const failHeads = (scope: RelayScope, owner: string, items: readonly FailedHead[]): Statement => sql`
  WITH ${heldShards(scope, owner, leasesOf(items))}, failed AS (
    INSERT INTO ${scope.tables.channels} AS c (destination, channel, attempts, available_at, state, last_error, failed_at, crashed)
    SELECT ${items[0]?.lease.destination ?? ''}, g.channel, g.counts, ${nowOf(scope)} + g.delay, g.state, g.error, ${nowOf(scope)}, g.crashed
    FROM ${columnRows(items, FAILED)} AS g WHERE g.shard IN (SELECT shard FROM held) ORDER BY g.channel
    ON CONFLICT (destination, channel) DO UPDATE SET attempts = c.attempts + EXCLUDED.attempts,
      crashed = EXCLUDED.crashed,
      available_at = EXCLUDED.available_at, last_error = EXCLUDED.last_error, failed_at = EXCLUDED.failed_at,
      state = CASE WHEN c.state = 'requeued' THEN c.state ELSE COALESCE(EXCLUDED.state, c.state) END
  )
  SELECT ${heldAsJson} AS held`;

export const countCrashes = (scope: RelayScope, owner: string, items: readonly DangerousDelivery[]): Statement => {
  const rows = columnRows(items, {
    channel: ['text', ({ channel }) => channel],
    shard: ['bigint', ({ lease }) => lease.shard],
    crashed: ['text', ({ abandonedBy }) => listOf([abandonedBy, owner])],
  });
  return sql`
  WITH ${heldShards(scope, owner, leasesOf(items))}
  INSERT INTO ${scope.tables.channels} AS c (destination, channel, crashed)
  SELECT ${items[0]?.lease.destination ?? ''}, g.channel, g.crashed FROM ${rows} AS g
  WHERE g.shard IN (SELECT shard FROM held) ORDER BY g.channel
  ON CONFLICT (destination, channel) DO UPDATE SET crashed = CASE WHEN c.crashed IS NULL THEN EXCLUDED.crashed
    WHEN position(${listOf([owner])} IN c.crashed) > 0 THEN c.crashed ELSE c.crashed || ${listOf([owner])} END
  RETURNING c.channel, c.crashed`;
};

export interface FetchedRow {
  shard: number | string;
  /** The position of the channel in its shard, from 1. */
  n: number | string;
  channel: string;
  attempts: number | string | null;
  crashed: string | null;
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
  SELECT ch.shard, ch.n, ch.channel, s.attempts, s.crashed, s.state, m.*
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
