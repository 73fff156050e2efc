import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import { nowOf } from '../../sql/tables.js';
import { isPending, type RelayScope, shardOfRow, shardValue } from './relay-scope.sql.js';

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
