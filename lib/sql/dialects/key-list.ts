import { columnRows } from './column-rows.js';
import { byFamily, type Dialect } from './dialect.js';
import { padded } from './number-list.js';
import { join, raw, sql, type Statement } from './statement.js';

/**
 * PostgreSQL: one row to join with, which forces a new plan for each execution. A queue may be empty at one moment and
 * long at the next, and a plan cached for the empty table would scan the long one. A generic plan expects a million
 * rows here, so it never looks cheaper.
 */
export const planned = sql`generate_series(1, CAST(${1} AS integer)) AS planned CROSS JOIN generate_series(1, CAST(${1} AS integer)) AS again`;

const PLANNED = /generate_series\(1, (CAST\(\$\d+ AS integer\))\) AS (planned|again)\b/g;

/**
 * The statement for sessions that always cache plans (`plan_cache_mode = force_generic_plan`). There, expecting a
 * million rows would not prevent the cached plan, but trigger JIT compilation for each execution.
 */
export const unplanned = (text: string): string => text.replace(PLANNED, '(SELECT $1) AS $2');

/** PostgreSQL: the keys as a table of one column, `key`. */
export function keyRows(keys: readonly string[]): Statement {
  return sql`(SELECT listed.key FROM ${columnRows(keys, { key: ['text', (key) => key] })} AS listed CROSS JOIN ${planned})`;
}

/**
 * `(?, ?, …)` for a MySQL key lookup: in key order, so that transactions lock in the same order, and padded to a power
 * of two, so that few different texts are prepared.
 */
export function keyList(keys: readonly string[]): Statement {
  const sorted = [...new Set(keys)].sort();
  return sql`(${join(padded<string | null>(sorted, sorted.at(-1) ?? null))})`;
}

/** `= ANY (…)` or `IN (…)`: follows a key column in a lookup. */
export const amongKeys = (dialect: Dialect, keys: readonly string[]): Statement =>
  byFamily(dialect, {
    postgres: () => sql`= ANY (ARRAY(SELECT k.key FROM ${keyRows(keys)} AS k))`,
    mysql: () => sql`IN ${keyList(keys)}`,
  });

/** PostgreSQL: prevents plans cached for an empty table. `as`: whether it is the first or a later part of FROM. */
export const plannedAnew = (dialect: Dialect, as: 'FROM' | 'CROSS JOIN'): Statement =>
  byFamily(dialect, { postgres: () => sql`${raw(as)} ${planned}`, mysql: () => raw('') });
