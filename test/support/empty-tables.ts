import type { SqlExecutor } from '../../lib/sql/executor.js';
import { sql } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';

/** Deletes all rows, so that one case knows nothing of another. */
export async function emptyTables(db: SqlExecutor, prefix = 'durable'): Promise<void> {
  const { migrations: _, prefix: __, ...tables } = tablesWithPrefix(prefix);
  for (const table of Object.values(tables)) await db.run(sql`DELETE FROM ${table}`);
}
