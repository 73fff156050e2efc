import { byFamily } from './dialects/dialect.js';
import type { SqlExecutor } from './sql-executor.js';
import { sql } from './dialects/statement.js';
import type { Tables } from './tables.js';

/**
 * PostgreSQL: makes the room of deleted rows usable again and brings the planner's statistics up to date, table by
 * table, while everything goes on: not FULL, and nobody's lock is waited for. Returns how many tables. Elsewhere the
 * server does so by itself all the time, so there is nothing to do and the answer is 0.
 */
export const vacuum = (db: SqlExecutor, { prefix: _, ...tables }: Tables): Promise<number> =>
  byFamily(db.dialect, {
    postgres: async () => {
      for (const table of Object.values(tables)) await db.run(sql`VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
      return Object.keys(tables).length;
    },
    mysql: () => Promise.resolve(0),
  });
