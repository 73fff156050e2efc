import { ConfigurationError } from '../core/errors.js';
import {
  amongKeys,
  byFamily,
  columnRows,
  deleteByKeys,
  deleteByNumbers,
  type Dialect,
  planned,
  wholeNumber,
} from '../sql/dialects.js';
import type { SqlTransaction } from '../sql/executor.js';
import { id, type Identifier, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { type Clocked, nowOf, TablesAdapter } from '../sql/tables.js';
import {
  type ChannelPage,
  type ChannelReader,
  type ChannelSnapshot,
  type ChannelSnapshots,
  type EventPruning,
  isAfter,
  laterOf,
  type Pruned,
  type PruneRequest,
  type ReadEvent,
  type ReadPosition,
  type Swept,
} from './channels.js';
import { eventOf } from './deliveries.sql.js';
import { RUN_CHANNELS } from './events.js';
import { eventColumns } from './shards.sql.js';
import type { OutboxTables } from './tables.sql.js';

/** Reads in one transaction at REPEATABLE READ, so the channel's position and the app's tables are one snapshot. */
export class SqlChannelSnapshots
  extends TablesAdapter<Pick<OutboxTables, 'outbox' | 'pruned'>>
  implements ChannelSnapshots
{
  /** @throws ConfigurationError if the executor has no `ormSnapshot`. */
  async snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>> {
    if (!this.db.ormSnapshot) {
      throw new ConfigurationError(
        'snapshot() needs an executor with ormSnapshot(): use the executor of your ORM, or add the method',
      );
    }
    return this.db.ormSnapshot(async (handle, tx) => {
      const { rows } = await tx.run<TopRow>(selectPosition(this.scope, channel));
      const [{ top, pruned } = { top: null, pruned: null }] = rows;
      return { data: await read(handle), sequenceId: laterOf(top ?? '0', pruned ?? '0') };
    });
  }
}

/** MySQL family: the maximum number of positions per statement; each makes it longer. */
const POSITIONS_PER_STATEMENT = 100;

/** Reads channels by the index on channel and number. */
export class SqlChannelReader extends TablesAdapter<Pick<OutboxTables, 'outbox' | 'pruned'>> implements ChannelReader {
  async read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]> {
    if (positions.length === 0) return [];
    const asked = positions.map((position, n) => ({ ...position, n }));
    const rows = byFamily(this.db.dialect, {
      postgres: () => this.readAll(asked, limit),
      mysql: () => this.readChanged(asked, limit),
    });
    const pages: { events: ReadEvent[]; gone?: string }[] = asked.map(() => ({ events: [] }));
    for (const row of await rows) {
      const n = Number(row.n);
      const { [n]: page } = pages;
      const { [n]: position } = asked;
      if (!page || !position) continue;
      if (row.sequence_id === null) page.gone = row.mutation_id;
      else page.events.push({ event: eventOf({ ...row, channel: position.channel }), size: sizeOf(row) });
    }
    return pages.map(({ events, gone }) => (gone === undefined ? { events } : { events: [], gone }));
  }

  async tops(channels: readonly string[]): Promise<string[]> {
    const tops = channels.map(() => '0');
    for (const { n, top, pruned } of await this.topRows(channels)) tops[Number(n)] = laterOf(top ?? '0', pruned ?? '0');
    return tops;
  }

  private async readAll(asked: readonly AskedPosition[], limit: number): Promise<EventRow[]> {
    return (await this.db.run<EventRow>(selectPages(this.scope, asked, limit))).rows;
  }

  /** Reads the last numbers of all channels first, then only the channels with new events. */
  private async readChanged(asked: readonly AskedPosition[], limit: number): Promise<EventRow[]> {
    const channels = [...new Set(asked.map(({ channel }) => channel))];
    const tops = new Map((await this.tops(channels)).map((top, n) => [channels[n], top]));
    const changed = asked.filter(({ channel, after }) => isAfter(tops.get(channel) ?? '0', after));
    const rows: EventRow[] = [];
    for (let at = 0; at < changed.length; at += POSITIONS_PER_STATEMENT) {
      const some = changed.slice(at, at + POSITIONS_PER_STATEMENT);
      const found = (await this.db.run<EventRow>(selectPagesOf(this.scope, some, limit))).rows;
      // Maps the index in this statement to the index in the request.
      rows.push(...found.sort(inOrder).map((row) => ({ ...row, n: some[Number(row.n)]?.n ?? -1 })));
    }
    return rows;
  }

  private async topRows(channels: readonly string[]): Promise<TopRow[]> {
    if (channels.length === 0) return [];
    const select = byFamily(this.db.dialect, { postgres: () => selectTops, mysql: () => selectTopsOf });
    return (await this.db.run<TopRow>(select(this.scope, channels))).rows;
  }
}

/** The rows of a UNION have no order. */
const inOrder = (a: EventRow, b: EventRow): number =>
  Number(a.n) - Number(b.n) || (isAfter(a.sequence_id ?? '0', b.sequence_id ?? '0') ? 1 : -1);

const sizeOf = ({ data, headers }: EventRow): number => (data?.length ?? 0) + (headers?.length ?? 0);

export interface LiveScope {
  readonly tables: Pick<OutboxTables, 'outbox' | 'pruned'>;
  readonly dialect: Dialect;
}

/** A position with its index in the request. */
export interface AskedPosition extends ReadPosition {
  readonly n: number;
}

export interface EventRow {
  n: number | string;
  /** Null if an event after the position was removed; `mutation_id` then holds the last removed number. */
  sequence_id: string | null;
  mutation_id: string;
  name: string;
  rejected: boolean | number;
  data: string | null;
  headers: string | null;
}

/** PostgreSQL: the events after each position, or one row without an event where some were removed. One snapshot. */
export const selectPages = (scope: LiveScope, positions: readonly AskedPosition[], limit: number): Statement => {
  const { outbox, pruned } = scope.tables;
  const asked = columnRows(positions, {
    n: ['bigint', ({ n }) => n],
    channel: ['text', ({ channel }) => channel],
    after: ['text', ({ after }) => after],
  });
  return sql`
  SELECT g.n, e.sequence_id, COALESCE(CAST(p.position AS text), e.mutation_id) AS mutation_id, e.name, e.rejected, e.data, e.headers
  FROM (SELECT n, channel, CAST(after AS bigint) AS after FROM ${asked} AS listed) AS g
  CROSS JOIN ${planned}
  LEFT JOIN ${pruned} AS p ON p.channel = g.channel AND p.position > g.after
  LEFT JOIN LATERAL (
    SELECT ${eventColumns(scope, 'o')}, o.sequence_id AS number FROM ${outbox} AS o
    WHERE o.channel = g.channel AND o.sequence_id > g.after AND p.channel IS NULL
    ORDER BY o.sequence_id LIMIT ${int(limit)}
  ) AS e ON true
  WHERE e.number IS NOT NULL OR p.channel IS NOT NULL
  ORDER BY g.n, e.number`;
};

export interface TopRow {
  n: number | string;
  /** Null if the channel has no row. */
  top: string | null;
  pruned: string | null;
}

/** PostgreSQL: the last number of each channel, and the last removed number. */
export const selectTops = ({ tables }: LiveScope, channels: readonly string[]): Statement => {
  const asked = columnRows(
    channels.map((channel, n) => ({ channel, n })),
    { n: ['bigint', ({ n }) => n], channel: ['text', ({ channel }) => channel] },
  );
  return sql`
  SELECT g.n, (SELECT CAST(o.sequence_id AS text) FROM ${tables.outbox} AS o WHERE o.channel = g.channel
    ORDER BY o.sequence_id DESC LIMIT 1) AS top, CAST(p.position AS text) AS pruned
  FROM ${asked} AS g CROSS JOIN ${planned} LEFT JOIN ${tables.pruned} AS p ON p.channel = g.channel`;
};

/** With the other one's ORDER BY, each of these databases sorts the whole channel. PostgreSQL does not use this. */
const BACKWARDS: Record<Dialect['name'], Statement> = {
  postgres: raw('o.sequence_id DESC'),
  mysql: raw('o.channel DESC, o.sequence_id DESC'),
  mariadb: raw('o.sequence_id DESC'),
};

/**
 * MySQL family: the same. CONVERT gives names the collation of the column that they are compared with, so that its
 * index is used. Reads one index entry per channel, from its end.
 */
export const selectTopsOf = ({ tables, dialect }: LiveScope, channels: readonly string[]): Statement => {
  const asked = dialect.rows(
    channels.map((channel, n) => ({ n, channel })),
    {
      n: 'int',
      channel: 'text',
    },
  );
  return sql`
  SELECT g.n, (SELECT CAST(o.sequence_id AS char) FROM ${tables.outbox} AS o
      WHERE o.channel = CONVERT(g.channel USING utf8mb4) ORDER BY ${BACKWARDS[dialect.name]} LIMIT 1) AS top,
    (SELECT CAST(p.position AS char) FROM ${tables.pruned} AS p WHERE p.channel = CONVERT(g.channel USING utf8mb4)) AS pruned
  FROM ${asked} AS g`;
};

/** MySQL family: the events after each position `n`, and what was removed of their channels. One snapshot. */
export const selectPagesOf = (scope: LiveScope, positions: readonly ReadPosition[], limit: number): Statement => {
  const { outbox, pruned } = scope.tables;
  const pages = positions.map(
    ({ channel, after }, n) => sql`
  (SELECT ${int(n)} AS n, ${eventColumns(scope, 'o')} FROM ${outbox} AS o WHERE o.channel = ${channel} AND o.sequence_id > ${wholeNumber(after)}
   ORDER BY o.channel, o.sequence_id LIMIT ${int(limit)})`,
  );
  const gone = positions.map(
    ({ channel, after }, n) => sql`
  SELECT ${int(n)}, NULL, CAST(position AS char), NULL, NULL, NULL, NULL FROM ${pruned} WHERE channel = ${channel} AND position > ${wholeNumber(after)}`,
  );
  return join([...pages, ...gone], ' UNION ALL ');
};

/** The position of one channel inside a transaction, in the same snapshot as its other reads. */
export const selectPosition = ({ tables, dialect }: LiveScope, channel: string): Statement => {
  const text = (column: string) => dialect.cast(raw(column), 'text');
  return sql`
  SELECT (SELECT ${text('max(o.sequence_id)')} FROM ${tables.outbox} AS o WHERE o.channel = ${channel}) AS top,
    (SELECT ${text('p.position')} FROM ${tables.pruned} AS p WHERE p.channel = ${channel}) AS pruned`;
};

export interface PruningScope extends LiveScope, Clocked {
  readonly tables: Pick<OutboxTables, 'outbox' | 'pruned' | 'channels' | 'inbox'>;
}

export interface PageRow {
  /** The last checked number; null when there was none. */
  last: string | null;
  looked: number | string;
  /** Whether the last checked event was old enough. */
  old: boolean | number | string | null;
}

/** Whether a row was written long enough ago, by the database's clock. */
function isOld(scope: PruningScope, retainMs: number): Statement {
  const then = sql`(${nowOf(scope)} - ${int(retainMs)})`;
  return byFamily(scope.dialect, {
    postgres: () => sql`(o.created_at < to_timestamp(${then} / 1000.0))`,
    // Both column types return times in the session's time zone.
    mysql: () => sql`(o.created_at < TIMESTAMPADD(MICROSECOND, (${then} - ${scope.dialect.now}) * 1000, NOW(3)))`,
  });
}

const page = (scope: PruningScope, { retainMs, after, limit }: PruneRequest): Statement => sql`
  SELECT o.sequence_id, o.channel, o.processed, ${isOld(scope, retainMs)} AS old FROM ${scope.tables.outbox} AS o
  WHERE o.sequence_id > ${wholeNumber(after)} ORDER BY o.sequence_id LIMIT ${int(limit)}`;

/** PostgreSQL: one statement, so one commit. Deletes by number, not by range: a smaller number may appear later. */
export const pruneOnce = (scope: PruningScope, request: PruneRequest): Statement => {
  const { outbox, pruned } = scope.tables;
  return sql`
  WITH page AS MATERIALIZED (${page(scope, request)}), gone AS (
    DELETE FROM ${outbox} AS o WHERE o.processed AND o.sequence_id < (SELECT max(sequence_id) FROM ${outbox})
      AND o.sequence_id = ANY (ARRAY(SELECT p.sequence_id FROM page AS p WHERE p.processed AND p.old))
    RETURNING o.sequence_id, o.channel
  ), noted AS (
    INSERT INTO ${pruned} AS p (channel, position)
    SELECT g.channel, max(g.sequence_id) FROM gone AS g GROUP BY g.channel ORDER BY g.channel
    ON CONFLICT (channel) DO UPDATE SET position = GREATEST(p.position, EXCLUDED.position)
  )
  SELECT CAST(max(sequence_id) AS text) AS last, count(*) AS looked, (SELECT count(*) FROM gone) AS removed,
    (SELECT p.old FROM page AS p ORDER BY p.sequence_id DESC LIMIT 1) AS old FROM page`;
};

export interface OldRow {
  sequence_id: string;
  channel: string;
  processed: boolean | number;
  old: boolean | number | string;
}

/** MySQL family: the rows to check, and whether each is the newest. */
export const selectPage = (scope: PruningScope, request: PruneRequest): Statement => sql`
  SELECT CAST(p.sequence_id AS char) AS sequence_id, p.channel, p.processed, p.old,
    p.sequence_id = (SELECT MAX(sequence_id) FROM ${scope.tables.outbox}) AS newest FROM (${page(scope, request)}) AS p`;

export const notePruned = (
  scope: PruningScope,
  positions: readonly { channel: string; position: string }[],
): Statement =>
  sql`INSERT INTO ${scope.tables.pruned} (channel, position)
  VALUES ${join(positions.map(({ channel, position }) => sql`(${channel}, ${wholeNumber(position)})`))}
  ${scope.dialect.onConflictUpdate([id('channel')], (incoming) => sql`position = GREATEST(position, ${incoming('position')})`)}`;

export const deleteEvents = ({ tables, dialect }: PruningScope, numbers: readonly string[]): Statement =>
  sql`${deleteByNumbers(dialect, tables.outbox, 'sequence_id', numbers)} AND processed = 1`;

const START: SweepCursor = { owner: '', channel: '' };

/** Reads the outbox from its start, one page of the primary key at a time. */
export class SqlEventPruning extends TablesAdapter<PruningScope['tables']> implements EventPruning {
  private readonly cursors: Record<'channels' | 'inbox', SweepCursor> = { channels: START, inbox: START };

  prune(request: PruneRequest): Promise<Pruned> {
    return byFamily(this.db.dialect, {
      postgres: () => this.pruneAtOnce(request),
      mysql: () => this.pruneInSteps(request),
    });
  }

  private async pruneAtOnce(request: PruneRequest): Promise<Pruned> {
    type Row = PageRow & { removed: number | string };
    const [row] = (await this.db.run<Row>(pruneOnce(this.scope, request))).rows;
    const isOver = !row || row.last === null || Number(row.looked) < request.limit || !isTrue(row.old);
    return { removed: Number(row?.removed ?? 0), next: isOver ? undefined : String(row.last) };
  }

  private async pruneInSteps(request: PruneRequest): Promise<Pruned> {
    type Row = OldRow & { newest: number | string };
    // Processed events stay processed, so a later transaction may act on these rows.
    const found = (await this.db.run<Row>(selectPage(this.scope, request))).rows;
    const rows = found.sort((a, b) => Number(BigInt(a.sequence_id) - BigInt(b.sequence_id)));
    const old = rows.filter((row) => isTrue(row.processed) && isTrue(row.old) && !isTrue(row.newest));
    const removed = old.length === 0 ? 0 : await this.remove(old);
    const last = rows.at(-1);
    return { removed, next: !last || rows.length < request.limit || !isTrue(last.old) ? undefined : last.sequence_id };
  }

  private remove(old: readonly OldRow[]): Promise<number> {
    const positions = new Map<string, string>();
    for (const { channel, sequence_id: number } of old)
      positions.set(channel, laterOf(number, positions.get(channel) ?? '0'));
    const noted = [...positions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([channel, position]) => ({ channel, position }));
    return this.db.transaction(async (tx) => {
      await tx.run(notePruned(this.scope, noted));
      const numbers = old.map(({ sequence_id: number }) => number);
      return (await tx.run(deleteEvents(this.scope, numbers))).affected;
    });
  }

  /** Deletes what is left of channels of runs, page by page, in small transactions that wait for no lock. */
  async sweep(limit: number): Promise<Swept> {
    const { channels, inbox } = this.scope.tables;
    const swept = [
      await this.page(
        'channels',
        { table: channels, owner: 'destination', reached: 'position', only: 'state IS NULL' },
        limit,
      ),
      await this.page('inbox', { table: inbox, owner: 'consumer', reached: 'last_sequence_id' }, limit),
      await this.pruned(limit),
    ];
    return {
      deleted: Math.max(...swept.map(({ deleted }) => deleted)),
      more: swept.some(({ deleted, more }) => more && deleted > 0),
    };
  }

  /** Looks at up to `limit` rows, from where the last call ended; `more`: the end was not reached. */
  private async page(which: 'channels' | 'inbox', of: PositionTable, limit: number): Promise<Swept> {
    let at = this.cursors[which];
    for (let [deleted, looked] = [0, 0]; ;) {
      const asked = selectRunChannels(this.scope, of, at, limit - looked);
      const found = (await this.db.run<ChannelRow>(asked)).rows.map(({ channel }) => channel);
      if (found.length > 0) deleted += await this.delete(of, at.owner, found);
      looked += found.length;
      this.cursors[which] = at = { owner: at.owner, channel: found.at(-1) ?? at.channel };
      if (looked >= limit) return { deleted, more: true };
      const [next] = (await this.db.run<{ owner: string }>(selectOwner(this.scope, of, at.owner))).rows;
      this.cursors[which] = at = { owner: next?.owner ?? '', channel: '' };
      if (!next) return { deleted, more: false };
    }
  }

  private delete(of: PositionTable, owner: string, channels: readonly string[]): Promise<number> {
    return this.db.transaction(async (tx) => {
      const locked = await channelsOf(tx, lockPositions(this.scope, of, owner, channels));
      if (locked.length === 0) return 0;
      const pending = new Set(await channelsOf(tx, selectUnprocessed(this.scope, locked)));
      const over = locked.filter((channel) => !pending.has(channel));
      if (over.length === 0) return 0;
      return (await tx.run(deletePositions(this.scope, of, owner, over))).affected;
    });
  }

  private pruned(limit: number): Promise<Swept> {
    return this.db.transaction(async (tx) => {
      const locked = await channelsOf(tx, lockPruned(this.scope, limit));
      if (locked.length === 0) return { deleted: 0, more: false };
      const { affected } = await tx.run(deletePruned(this.scope, locked));
      return { deleted: affected, more: locked.length === limit };
    });
  }
}

const isTrue = (value: boolean | number | string | null): boolean => value === true || Number(value) === 1;

interface ChannelRow {
  channel: string;
}

const channelsOf = async (tx: SqlTransaction, statement: Parameters<SqlTransaction['run']>[0]): Promise<string[]> =>
  (await tx.run<ChannelRow>(statement)).rows.map(({ channel }) => channel);

/** A table of positions, whose key is its owner and the channel. */
export interface PositionTable {
  readonly table: Identifier;
  readonly owner: 'destination' | 'consumer';
  readonly reached: 'position' | 'last_sequence_id';
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
export const selectOwner = (
  { dialect }: PruningScope,
  { table, owner }: PositionTable,
  after: string,
): Statement => sql`
  SELECT ${raw(owner)} AS owner FROM ${table} WHERE ${raw(owner)} > ${after}${byFamily(dialect, {
    postgres: () => sql` AND ${isRun(dialect)}`,
    mysql: () => raw(''),
  })} ORDER BY ${raw(owner)} LIMIT 1`;

/** A page of the channels of runs of one owner. Locks nothing. */
export const selectRunChannels = (
  { dialect }: PruningScope,
  { table, owner }: PositionTable,
  after: SweepCursor,
  limit: number,
): Statement => sql`
  SELECT channel FROM ${table}
  WHERE ${raw(owner)} = ${after.owner} AND ${isRun(dialect)} AND channel > ${after.channel}
  ORDER BY ${raw(owner)}, channel LIMIT ${int(limit)}`;

/** Rows that somebody is changing are left to the next pass. With the number, see {@link Dialect.forceIndex}. */
export const lockPositions = (
  { dialect }: PruningScope,
  { table, owner, reached, only }: PositionTable,
  of: string,
  channels: readonly string[],
): Statement => sql`
  SELECT channel, ${raw(reached)} FROM ${table} ${dialect.forceIndex()} WHERE ${raw(owner)} = ${of} AND channel ${amongKeys(dialect, channels)}
  ${raw(only ? `AND ${only} ` : '')}FOR UPDATE SKIP LOCKED`;

/** After the locks: what was delivered before them is seen. */
export const selectUnprocessed = ({ tables, dialect }: PruningScope, channels: readonly string[]): Statement => sql`
  SELECT DISTINCT o.channel FROM ${tables.outbox} AS o
  WHERE o.channel ${amongKeys(dialect, channels)} AND ${dialect.isFalse('o.processed')}`;

export const deletePositions = (
  { dialect }: PruningScope,
  { table, owner }: Pick<PositionTable, 'table' | 'owner'>,
  of: string,
  channels: readonly string[],
): Statement => sql`${deleteByKeys(dialect, table, 'channel', channels)} AND ${raw(owner)} = ${of}`;

/** The last removed numbers of channels of runs, which nobody streams. */
export const lockPruned = ({ tables, dialect }: PruningScope, limit: number): Statement =>
  sql`SELECT channel FROM ${tables.pruned} WHERE ${isRun(dialect)} ORDER BY channel LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

export const deletePruned = ({ tables, dialect }: PruningScope, channels: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.pruned, 'channel', channels);
