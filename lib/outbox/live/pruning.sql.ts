import { integerNow } from '../../sql/key-list.js';
import type { SqlNow } from '../../sql/sql-now.js';
import { id, join, raw, sql, type SqlPart, type Statement } from '../../sql/statement.js';
import type { LiveScope } from './channel-reader.sql.js';
import type { PruneRequest } from './event-pruning.js';

export interface PruningScope extends LiveScope {
  readonly now: SqlNow;
}

export interface PageRow {
  /** The last number that was looked at; null when there was nothing. */
  last: string | null;
  looked: number | string;
  /** Whether the last of them was old enough. */
  old: boolean | number | string | null;
}

const number = (text: string): number | bigint => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text));

/** Whether a row was written long enough ago, by the database's clock. */
function isOld({ dialect, now }: PruningScope, retainMs: number): Statement {
  const then = sql`(${integerNow(dialect, now)} - ${raw(String(Math.trunc(retainMs)))})`;
  if (dialect.family === 'postgres') return sql`(o.created_at < to_timestamp(${then} / 1000.0))`;
  // Columns of both kinds are read as they are written: in the time zone of the session.
  return sql`(o.created_at < TIMESTAMPADD(MICROSECOND, (${then} - ${dialect.now}) * 1000, NOW(3)))`;
}

const page = (scope: PruningScope, { retainMs, after, limit }: PruneRequest): Statement => sql`
  SELECT o.sequence_id, o.channel, o.processed, ${isOld(scope, retainMs)} AS old FROM ${scope.tables.outbox} AS o
  WHERE o.sequence_id > ${number(after)} ORDER BY o.sequence_id ${raw(`LIMIT ${Math.trunc(limit)}`)}`;

/** PostgreSQL: one statement, and so one commit. By number, never by range: a smaller one may yet become visible. */
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

/** MySQL family: what there is to look at, and the newest number. */
export const selectPage = (scope: PruningScope, request: PruneRequest): Statement => sql`
  SELECT CAST(p.sequence_id AS char) AS sequence_id, p.channel, p.processed, p.old,
    p.sequence_id = (SELECT MAX(sequence_id) FROM ${scope.tables.outbox}) AS newest FROM (${page(scope, request)}) AS p`;

export const notePruned = (
  scope: PruningScope,
  positions: readonly { channel: string; position: string }[],
): Statement =>
  sql`INSERT INTO ${scope.tables.pruned} (channel, position)
  VALUES ${join(positions.map(({ channel, position }) => sql`(${channel}, ${number(position)})`))}
  ${scope.dialect.onConflictUpdate([id('channel')], (incoming) => sql`position = GREATEST(position, ${incoming('position')})`)}`;

/** `(?, ?, …)` padded to a power of two, so that few different texts have to be prepared. */
export const deleteEvents = ({ tables }: PruningScope, numbers: readonly string[]): Statement => {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, numbers.length)));
  const listed = numbers.map(number);
  const padding = Array<SqlPart>(size - numbers.length).fill(listed.at(-1) ?? null);
  return sql`DELETE FROM ${tables.outbox} WHERE processed = 1 AND sequence_id IN (${join([...listed, ...padding])})`;
};
