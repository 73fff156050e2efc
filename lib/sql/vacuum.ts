import { byFamily } from './dialects/dialect.js';
import type { SqlExecutor } from './sql-executor.js';
import { sql } from './dialects/statement.js';
import type { Tables } from './tables.js';

/**
 * PostgreSQL: makes the space of deleted rows reusable and updates the planner's statistics, table by table, without
 * blocking others: not FULL, and locked tables are skipped. Returns the number of tables. Other servers do this by
 * themselves, so it does nothing and returns 0.
 */
export const vacuum = (db: SqlExecutor, { prefix: _, ...tables }: Tables): Promise<number> =>
  byFamily(db.dialect, {
    postgres: async () => {
      for (const table of Object.values(tables)) await db.run(sql`VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
      return Object.keys(tables).length;
    },
    mysql: () => Promise.resolve(0),
  });
