import { columnRows } from './column-rows.js';
import { byFamily, type Dialect } from './dialect.js';
import { join, raw, sql, type Statement } from './statement.js';

/** A whole number; as text if it exceeds 2^53. */
type Whole = number | bigint | string;

/** Beyond 2^53, a number that remains text would be compared as a float. */
export const wholeNumber = (value: Whole): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value);

/** Pads to a power of two with `filler`, so that few different texts are prepared. */
export function padded<Item>(items: readonly Item[], filler: Item): Item[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)));
  return [...items, ...Array<Item>(size - items.length).fill(filler)];
}

/** MySQL and MariaDB: a text in digits only. With a parameter instead, a loose scan would read the whole index. */
export const inlineText = (text: string): Statement =>
  raw(text === '' ? `''` : `_utf8mb4 0x${Buffer.from(text, 'utf8').toString('hex')}`);

/** MySQL and MariaDB: `(?, ?, …)` in order, padded. */
export function numberList(numbers: readonly Whole[]): Statement {
  const sorted = [...new Set(numbers.map(wholeNumber))].sort((a, b) => (a < b ? -1 : 1));
  return sql`(${join(padded<number | bigint | null>(sorted, sorted.at(-1) ?? null))})`;
}

/** PostgreSQL: all in one parameter. */
export const numberArray = (numbers: readonly Whole[]): Statement => sql`CAST(${`{${numbers.join(',')}}`} AS bigint[])`;

/** `= ANY (…)` or `IN (…)`: follows a column of whole numbers. */
export const amongNumbers = (dialect: Dialect, numbers: readonly Whole[]): Statement =>
  byFamily(dialect, {
    postgres: () => sql`= ANY (${numberArray(numbers)})`,
    mysql: () => sql`IN ${numberList(numbers)}`,
  });

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
