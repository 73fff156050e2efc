import { byFamily, type Dialect } from './dialect.js';
import { join, sql, type Statement } from './statement.js';

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
