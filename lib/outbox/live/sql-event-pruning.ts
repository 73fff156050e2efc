import type { LiveScope } from './channel-reader.sql.js';
import type { EventPruning, PruneRequest, Pruned, Swept } from './outbox-pruner.js';
import { SqlRunChannels } from './sql-run-channels.js';
import { laterOf } from './channel-reader.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import { numberList, wholeNumber } from '../../sql/dialects/key-list.js';
import { type Statement, id, int, join, raw, sql } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { type Clocked, type SqlNow, nowOf } from '../../sql/tables.js';

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
  WHERE o.sequence_id > ${wholeNumber(after)} ORDER BY o.sequence_id ${raw(`LIMIT ${Math.trunc(limit)}`)}`;

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

export const deleteEvents = ({ tables }: PruningScope, numbers: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.outbox} WHERE processed = 1 AND sequence_id IN ${numberList(numbers)}`;

/** Reads the outbox from its start, one page of the primary key at a time. */
export class SqlEventPruning implements EventPruning {
  private readonly scope: PruningScope;
  private readonly runChannels: SqlRunChannels;

  constructor(
    private readonly db: SqlExecutor,
    tables: PruningScope['tables'],
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
    this.runChannels = new SqlRunChannels(db, this.scope);
  }

  prune(request: PruneRequest): Promise<Pruned> {
    return byFamily(this.db.dialect, {
      postgres: () => this.pruneAtOnce(request),
      mysql: () => this.pruneInSteps(request),
    });
  }

  sweep(limit: number): Promise<Swept> {
    return this.runChannels.sweep(limit);
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
}

const isTrue = (value: boolean | number | string | null): boolean => value === true || Number(value) === 1;
