import type { SqlExecutor } from '../../sql/sql-executor.js';
import * as mysql from './fetch.mysql.sql.js';
import * as postgres from './fetch.postgres.sql.js';
import type { RelayScope } from './relay-scope.sql.js';

export interface ChannelHead {
  shard: number;
  channel: string;
  /** Of the destination that was asked for. */
  position: string;
}

/** The channels of some shards in which anything is pending, behind the given ones, at most `channels` of each shard. */
export async function channelHeads(
  db: SqlExecutor,
  scope: RelayScope,
  destination: string,
  shards: readonly { shard: number; after: string }[],
  channels: number,
): Promise<ChannelHead[]> {
  if (shards.length === 0) return [];
  const { selectHeads } = db.dialect.family === 'postgres' ? postgres : mysql;
  type Row = { shard: number | string; channel: string; position: string | number | null };
  const { rows } = await db.run<Row>(selectHeads(scope, shards, channels, destination));
  return rows.map(({ shard, channel, position }) => ({
    shard: Number(shard),
    channel,
    position: String(position ?? 0),
  }));
}
