import { columnRows } from './column-rows.js';
import { byFamily, type Dialect } from './dialect.js';
import { padded } from './number-list.js';
import { join, raw, sql, type Statement } from './statement.js';

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
  return sql`(${join(padded<string | null>(sorted, sorted.at(-1) ?? null))})`;
}

/** `= ANY (…)` or `IN (…)`: whatever follows a key column in a lookup. */
export const amongKeys = (dialect: Dialect, keys: readonly string[]): Statement =>
  byFamily(dialect, {
    postgres: () => sql`= ANY (ARRAY(SELECT k.key FROM ${keyRows(keys)} AS k))`,
    mysql: () => sql`IN ${keyList(keys)}`,
  });

/** PostgreSQL: no plan is kept from when the table was empty. `as`: whether it is the first or another of the FROM. */
export const plannedAnew = (dialect: Dialect, as: 'FROM' | 'CROSS JOIN'): Statement =>
  byFamily(dialect, { postgres: () => sql`${raw(as)} ${planned}`, mysql: () => raw('') });
