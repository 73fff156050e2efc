import type { SqlExecutor } from '../../sql/sql-executor.js';
import * as mysql from './fetch.mysql.sql.js';
import * as postgres from './fetch.postgres.sql.js';
import type { RelayScope } from './relay-scope.sql.js';

export interface ChannelHead {
  slot: number;
  channel: string;
  /** Of the destination that was asked for. */
  position: string;
}

/** The channels of some slots in which anything is pending, behind the given ones, at most `channels` of each slot. */
export async function channelHeads(
  db: SqlExecutor,
  scope: RelayScope,
  destination: string,
  slots: readonly { slot: number; after: string }[],
  channels: number,
): Promise<ChannelHead[]> {
  if (slots.length === 0) return [];
  const { selectHeads } = db.dialect.family === 'postgres' ? postgres : mysql;
  type Row = { slot: number | string; channel: string; position: string | number | null };
  const { rows } = await db.run<Row>(selectHeads(scope, slots, channels, destination));
  return rows.map(({ slot, channel, position }) => ({ slot: Number(slot), channel, position: String(position ?? 0) }));
}
