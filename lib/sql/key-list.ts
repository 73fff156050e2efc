import type { Dialect } from './dialect.js';
import type { SqlNow } from './sql-now.js';
import { join, raw, sql, type SqlPart, type Statement } from './statement.js';

/**
 * `= ANY (…)` or `IN (?, ?, …)` for a lookup by key. On MySQL in key order, so that transactions lock in the same
 * order, and padded to a power of two, so that few different texts have to be prepared.
 */
export function amongKeys(dialect: Dialect, keys: readonly string[]): Statement {
  const sorted = [...new Set(keys)].sort();
  if (dialect.family === 'postgres') {
    const rows = dialect.rows(JSON.stringify(sorted.map((key) => ({ key }))), { key: 'key' });
    return sql`= ANY (ARRAY(SELECT listed.key FROM ${rows} AS listed))`;
  }
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, sorted.length)));
  const padding = Array<SqlPart>(size - sorted.length).fill(sorted.at(-1) ?? null);
  return sql`IN (${join([...sorted, ...padding])})`;
}

/** The time as an integer, even where it is a parameter. */
export const integerNow = (dialect: Dialect, now: SqlNow): Statement =>
  sql`CAST(${now()} AS ${raw(dialect.family === 'postgres' ? 'bigint' : 'signed')})`;
