import { columnRows } from './column-rows.js';
import type { Dialect } from './dialect.js';
import type { SqlNow } from './sql-now.js';
import { join, raw, sql, type SqlPart, type Statement } from './statement.js';

/**
 * PostgreSQL: one row, for a join that changes nothing, except that the statement is planned each time it runs. Queues
 * are empty at one moment and long at the next, and a plan that was kept from the empty table scans the long one.
 * Without the values of the parameters a million rows are expected here, so no kept plan ever looks cheaper.
 */
export const planned = sql`generate_series(1, CAST(${1} AS integer)) AS planned CROSS JOIN generate_series(1, CAST(${1} AS integer)) AS again`;

const PLANNED = /generate_series\(1, (CAST\(\$\d+ AS integer\))\) AS (planned|again)\b/g;

/**
 * The same statement for a session that keeps plans whatever they cost (`plan_cache_mode = force_generic_plan`). There a
 * million expected rows would not keep the server from the plan, but make it compile each execution.
 */
export const unplanned = (text: string): string => text.replace(PLANNED, '(SELECT $1) AS $2');

/** PostgreSQL: the keys as a table of one column, `key`. */
export function keyRows(keys: readonly string[]): Statement {
  return sql`(SELECT listed.key FROM ${columnRows(keys, { key: ['text', (key) => key] })} AS listed CROSS JOIN ${planned})`;
}

/**
 * `(?, ?, …)` for a MySQL key lookup: in key order, so that transactions lock in the same order, and padded to a power
 * of two, so that few different texts have to be prepared.
 */
export function keyList(keys: readonly string[]): Statement {
  const sorted = [...new Set(keys)].sort();
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, sorted.length)));
  const padding = Array<SqlPart>(size - sorted.length).fill(sorted.at(-1) ?? null);
  return sql`(${join([...sorted, ...padding])})`;
}

/** `= ANY (…)` or `IN (…)`: whatever follows a key column in a lookup. */
export const amongKeys = (dialect: Dialect, keys: readonly string[]): Statement =>
  dialect.family === 'postgres'
    ? sql`= ANY (ARRAY(SELECT k.key FROM ${keyRows(keys)} AS k))`
    : sql`IN ${keyList(keys)}`;

/** The time as an integer, even where it is a parameter. */
export const integerNow = (dialect: Dialect, now: SqlNow): Statement =>
  sql`CAST(${now()} AS ${raw(dialect.family === 'postgres' ? 'bigint' : 'signed')})`;
