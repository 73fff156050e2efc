import { RUN_CHANNELS } from '../model/outbox-event.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { type Identifier, type Statement, int, raw, sql } from '../../sql/dialects/statement.js';

export interface SweepScope {
  readonly tables: Pick<OutboxTables, 'outbox' | 'pruned' | 'channels' | 'inbox'>;
  readonly dialect: Dialect;
}

/** A table of positions, whose key is its owner and the channel. */
export interface PositionTable {
  readonly table: Identifier;
  readonly owner: 'destination' | 'consumer';
  /** What a row must be besides, to go: `state IS NULL`. */
  readonly only?: string;
}

export interface SweepCursor {
  readonly owner: string;
  readonly channel: string;
}

/** PostgreSQL has partial indexes with this condition; elsewhere the names are a range of the key, byte by byte. */
const isRun = (dialect: Dialect): Statement =>
  byFamily(dialect, {
    postgres: () => raw(`channel LIKE '${RUN_CHANNELS}%'`),
    mysql: () => raw(`channel >= '${RUN_CHANNELS}' AND channel < '${RUN_CHANNELS.slice(0, -1)};'`),
  });

/** The next owner of positions. */
export const selectOwner = ({ dialect }: SweepScope, { table, owner }: PositionTable, after: string): Statement => sql`
  SELECT ${raw(owner)} AS owner FROM ${table} WHERE ${raw(owner)} > ${after}${byFamily(dialect, {
    postgres: () => sql` AND ${isRun(dialect)}`,
    mysql: () => raw(''),
  })} ORDER BY ${raw(owner)} LIMIT 1`;

/** A page of the channels of runs of one owner. Locks nothing. */
export const selectRunChannels = (
  { dialect }: SweepScope,
  { table, owner }: PositionTable,
  after: SweepCursor,
  limit: number,
): Statement => sql`
  SELECT channel FROM ${table}
  WHERE ${raw(owner)} = ${after.owner} AND ${isRun(dialect)} AND channel > ${after.channel}
  ORDER BY ${raw(owner)}, channel LIMIT ${int(limit)}`;

/** Rows that somebody is changing are left to the next pass. */
export const lockPositions = (
  { dialect }: SweepScope,
  { table, owner, only }: PositionTable,
  of: string,
  channels: readonly string[],
): Statement => sql`
  SELECT channel FROM ${table} WHERE ${raw(owner)} = ${of} AND channel ${amongKeys(dialect, channels)}
  ${raw(only ? `AND ${only} ` : '')}FOR UPDATE SKIP LOCKED`;

/** After the locks: what was delivered before them is seen. */
export const selectUnprocessed = ({ tables, dialect }: SweepScope, channels: readonly string[]): Statement => sql`
  SELECT DISTINCT o.channel FROM ${tables.outbox} AS o
  WHERE o.channel ${amongKeys(dialect, channels)} AND ${dialect.isFalse('o.processed')}`;

export const deletePositions = (
  { dialect }: SweepScope,
  { table, owner }: Pick<PositionTable, 'table' | 'owner'>,
  of: string,
  channels: readonly string[],
): Statement => sql`DELETE FROM ${table} WHERE ${raw(owner)} = ${of} AND channel ${amongKeys(dialect, channels)}`;

/** The last removed numbers of channels of runs, which nobody streams. */
export const lockPruned = ({ tables, dialect }: SweepScope, limit: number): Statement =>
  sql`SELECT channel FROM ${tables.pruned} WHERE ${isRun(dialect)} ORDER BY channel LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

export const deletePruned = ({ tables, dialect }: SweepScope, channels: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.pruned} WHERE channel ${amongKeys(dialect, channels)}`;
