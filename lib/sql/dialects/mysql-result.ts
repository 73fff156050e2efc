import { type Identifier, sql, type Statement } from './statement.js';

/** The maximum number of rows per statement: a mark is `MARK + random * ROOM`, and the rest is a count. */
const ROOM = 2 ** 20;
const MARK = 2 ** 52;

/**
 * Keeps an existing row's key and counts such rows: the server reports a kept row like an inserted one, but it also
 * reports LAST_INSERT_ID. The mark is random because the session still has the previous one.
 */
export function keepMark(key: Identifier): Statement {
  const mark = MARK + Math.floor(Math.random() * 2 ** 31) * ROOM;
  const counted = sql`IF(LAST_INSERT_ID() BETWEEN ${mark} AND ${mark + ROOM - 1}, LAST_INSERT_ID() + 1, ${mark + 1})`;
  // VALUES(key) equals the row's key; the column name may be ambiguous in INSERT … SELECT.
  return sql`IF(LAST_INSERT_ID(${counted}) > 0, VALUES(${key}), VALUES(${key}))`;
}

/** Rows inserted, updated or deleted, without those that {@link keepMark} counted. */
export function affectedRows(affected: number, insertId: number | bigint | string | undefined): number {
  const mark = Number(insertId ?? 0);
  return mark >= MARK && mark < 2 * MARK ? affected - (mark % ROOM) : affected;
}

/** Integers beyond 2^53 stay text, all others become numbers, regardless of the driver. */
export function plainInteger(value: unknown): unknown {
  if (typeof value !== 'bigint' && typeof value !== 'string') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
