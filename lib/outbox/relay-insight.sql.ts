import { byFamily } from '../sql/dialects.js';
import { int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, SqlAdapter } from '../sql/tables.js';
import { byOwner, type DestinationTroubles, type RelayInsight, type ShardsOfOwner } from './dead-letters.js';
import { channelHeads } from './deliveries.sql.js';
import { SHARDS } from './events.js';
import { isPending, type RelayScope, shardOfRow, shardValue } from './shards.sql.js';

type Int = number | string;

/** The number of channels that one statement looks at. */
const LOOKED_AT_ONCE = 100;

export class SqlRelayInsight extends SqlAdapter<RelayScope> implements RelayInsight {
  async shards(): Promise<ShardsOfOwner[]> {
    type Row = { destination: string; owner: string | null; shards: Int; lapsed: Int };
    const { rows } = await this.db.run<Row>(countShards(this.scope));
    return rows.map((row) => ({ ...row, shards: Number(row.shards), lapsed: Number(row.lapsed) })).sort(byOwner);
  }

  async troubles(destinations: readonly string[], atMost: number): Promise<DestinationTroubles[]> {
    if (destinations.length === 0) return [];
    type Row = Record<'blocked' | 'parked' | 'requeued' | 'dead', Int> & { destination: string; since: Int | null };
    const { rows } = await this.db.run<Row>(countTroubles(this.scope, destinations, atMost));
    return destinations.flatMap((destination) =>
      rows
        .filter((row) => row.destination === destination)
        .map(({ blocked, parked, requeued, dead, since }) => ({
          destination,
          blocked: Number(blocked),
          parked: Number(parked),
          requeued: Number(requeued),
          dead: Number(dead),
          since: since === null ? null : Number(since),
        })),
    );
  }

  async waitsMs(destination: string, channels: number): Promise<number | null> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => ({ shard, after: '' }));
    const heads = await channelHeads(this.db, this.scope, destination, shards, channels);
    const ages: number[] = [];
    for (let at = 0; at < heads.length; at += LOOKED_AT_ONCE) {
      const some = heads.slice(at, at + LOOKED_AT_ONCE).map((head) => ({ ...head, after: head.position }));
      const { rows } = await this.db.run<{ age: Int }>(selectAges(this.scope, some));
      ages.push(...rows.map(({ age }) => Math.max(0, Number(age))));
    }
    return ages.length === 0 ? null : Math.max(...ages);
  }
}

/** There are 64 for each destination. */
export const countShards = (scope: RelayScope): Statement => sql`
  SELECT s.destination, s.owner, count(*) AS shards,
    count(CASE WHEN s.owner IS NOT NULL AND s.lease_until <= ${nowOf(scope)} THEN 1 END) AS lapsed
  FROM ${scope.tables.shards} AS s GROUP BY s.destination, s.owner`;

export const countTroubles = (
  { tables, dialect }: RelayScope,
  destinations: readonly string[],
  atMost: number,
): Statement => {
  const counted = (rows: Statement) => sql`(SELECT count(*) FROM (${rows} LIMIT ${int(atMost + 1)}) AS c)`;
  const inState = (destination: string, state: string, column = 'channel') => sql`
    SELECT s.${raw(column)} FROM ${tables.channels} AS s
    WHERE s.destination = ${destination} AND s.state = ${raw(`'${state}'`)} AND s.state IS NOT NULL`;
  const troubles = (destination: string) => sql`
    SELECT ${dialect.asKey(dialect.cast(destination, 'text'))} AS destination,
      ${counted(inState(destination, 'blocked'))} AS blocked, ${counted(inState(destination, 'parked'))} AS parked,
      ${counted(inState(destination, 'requeued'))} AS requeued,
      ${counted(sql`SELECT d.sequence_id FROM ${tables.dead} AS d WHERE d.destination = ${destination}`)} AS dead,
      (SELECT min(c.failed_at) FROM (${inState(destination, 'blocked', 'failed_at')} LIMIT ${int(atMost + 1)}) AS c) AS since`;
  return join(destinations.map(troubles), ' UNION ALL ');
};

/** By the server's own clock, which has set the column. */
const ageOf = ({ dialect }: RelayScope): Statement =>
  byFamily(dialect, {
    postgres: () => sql`CAST(extract(epoch FROM clock_timestamp() - o.created_at) * 1000 AS bigint)`,
    mysql: () => sql`(TIMESTAMPDIFF(MICROSECOND, o.created_at, NOW(3)) DIV 1000)`,
  });

/** How old the first pending event of each of these channels is. */
export const selectAges = (
  scope: RelayScope,
  channels: readonly { channel: string; shard: number; after: string }[],
): Statement =>
  join(
    channels.map(
      ({ channel, shard, after }) => sql`
  (SELECT ${ageOf(scope)} AS age FROM ${scope.tables.outbox} AS o
    WHERE ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = ${shardValue(scope, shard)} AND o.channel = ${channel} AND o.sequence_id > ${after}
    ORDER BY o.sequence_id LIMIT 1)`,
    ),
    ' UNION ALL ',
  );
