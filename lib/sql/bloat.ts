import { byFamily } from './dialects/dialect.js';
import { join, sql, type Statement } from './dialects/statement.js';
import type { SqlExecutor } from './sql-executor.js';

/** What PostgreSQL keeps of deleted rows, which every look at their tables reads. */
export interface Bloat {
  /** For how long the oldest transaction has kept deleted rows; undefined if this user may not see those of others. */
  horizonMs: number | undefined;
  /** Of tables that the server has counted. */
  deadRows: readonly { table: string; rows: number }[];
}

/** A transaction that has only begun and read nothing holds nothing; one with a number of its own does. */
const selectHorizon: Statement = sql`
  SELECT
    (SELECT count(*) FROM pg_catalog.pg_stat_activity
      WHERE datname = current_database() AND query = '<insufficient privilege>') AS hidden,
    greatest(
      (SELECT max(CAST(extract(epoch FROM clock_timestamp() - xact_start) * 1000 AS bigint))
        FROM pg_catalog.pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'
          AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)),
      (SELECT max(CAST(extract(epoch FROM clock_timestamp() - prepared) * 1000 AS bigint))
        FROM pg_catalog.pg_prepared_xacts WHERE database = current_database())) AS open`;

const selectDeadRows = (names: readonly string[]): Statement => sql`
  SELECT s.relname AS name, s.n_dead_tup AS dead FROM pg_catalog.pg_stat_user_tables AS s
  WHERE s.schemaname = current_schema() AND s.relname IN (${join(names)})`;

type Int = number | string;

/** Undefined on databases that keep no such rows in their tables. */
export const bloatOf = (db: SqlExecutor, names: readonly string[]): Promise<Bloat | undefined> =>
  byFamily<Promise<Bloat | undefined>>(db.dialect, {
    postgres: async () => {
      const [horizon] = (await db.run<{ hidden: Int; open: Int | null }>(selectHorizon)).rows;
      const { rows } = await db.run<{ name: string; dead: Int }>(selectDeadRows(names));
      return {
        horizonMs: Number(horizon?.hidden) > 0 ? undefined : Math.max(0, Number(horizon?.open ?? 0)),
        deadRows: rows.map(({ name, dead }) => ({ table: name, rows: Number(dead) })),
      };
    },
    mysql: () => Promise.resolve(undefined),
  });
