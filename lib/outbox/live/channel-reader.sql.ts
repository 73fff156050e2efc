import { columnRows } from '../../sql/dialects/column-rows.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { planned, wholeNumber } from '../../sql/dialects/key-list.js';
import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import type { ReadPosition } from './channel-reader.js';

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

const columns = ({ dialect }: LiveScope): Statement => {
  const text = (column: string) => dialect.cast(raw(column), 'text');
  return sql`${text('o.sequence_id')} AS sequence_id, o.mutation_id, o.name, o.rejected, ${text('o.data')} AS data, ${text('o.headers')} AS headers`;
};

const limited = (limit: number): Statement => raw(`LIMIT ${Math.trunc(limit)}`);

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
    SELECT ${columns(scope)}, o.sequence_id AS number FROM ${outbox} AS o
    WHERE o.channel = g.channel AND o.sequence_id > g.after AND p.channel IS NULL
    ORDER BY o.sequence_id ${limited(limit)}
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
  const asked = dialect.rows(JSON.stringify(channels.map((channel, n) => ({ n, channel }))), {
    n: 'int',
    channel: 'text',
  });
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
  (SELECT ${int(n)} AS n, ${columns(scope)} FROM ${outbox} AS o WHERE o.channel = ${channel} AND o.sequence_id > ${wholeNumber(after)}
   ORDER BY o.channel, o.sequence_id ${limited(limit)})`,
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
