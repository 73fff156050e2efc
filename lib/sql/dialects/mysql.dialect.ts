import type { Assignments, CastType, Dialect, JsonColumn } from './dialect.js';
import { flattened, id, type Identifier, join, raw, sql, Statement } from './statement.js';

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

/** Keys compare byte by byte and keep trailing spaces: ids that differ in case, accent or space are different ids. */
export const KEY_COLLATION = { mysql: 'utf8mb4_0900_bin', mariadb: 'utf8mb4_nopad_bin' } as const;

/** The differences between MySQL and MariaDB. */
interface Words {
  name: 'mysql' | 'mariadb';
  /** MariaDB truncates values that are too long, so its keys are wider here and fail when they are stored. */
  keyLength: number;
  forUpdateOf: (alias: string) => Statement;
  limited: (read: Statement, ms: number) => Statement;
}

/** JSON_TABLE columns carry the collation of our key columns, so that comparing them uses the index. */
function jsonType({ name, keyLength }: Words, type: JsonColumn): string {
  const text = `CHARACTER SET utf8mb4 COLLATE ${KEY_COLLATION[name]}`;
  switch (type) {
    case 'key':
      return `varchar(${keyLength}) ${text}`;
    case 'text':
      return `longtext ${text}`;
    case 'int':
      return 'bigint';
    case 'bool':
      return 'tinyint';
  }
}

const CASTS: Record<CastType, string> = { bigint: 'signed', int: 'signed', double: 'double', text: 'char' };

const assigned = (as: string, set: Assignments): Statement =>
  join(Object.entries(set).map(([column, value]) => sql`${raw(`${as}.${column}`)} = ${value}`));

function mysqlDialect(words: Words): Dialect {
  const { name, forUpdateOf, limited } = words;
  const column = (key: string, type: JsonColumn) => {
    if (!/^\w+$/.test(key)) throw new TypeError(`"${key}" cannot be a column of JSON rows`);
    return sql`${id(key)} ${raw(`${jsonType(words, type)} PATH '$.${key}' NULL ON EMPTY ERROR ON ERROR`)}`;
  };
  return {
    name,
    family: 'mysql',
    placeholder: () => '?',
    quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
    literal: (text) => raw(`'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`),
    cast: (value, type) => sql`CAST(${value} AS ${raw(CASTS[type])})`,
    tableOptions: () => `ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${KEY_COLLATION[name]}`,
    textType: 'longtext',
    asKey: (value) => sql`${value} COLLATE ${raw(KEY_COLLATION[name])}`,
    isFalse: (column) => raw(`${column} = 0`),
    currentSchema: raw('DATABASE()'),
    // From UTC and a fixed date: UNIX_TIMESTAMP() repeats an hour when the session's summer time ends.
    now: sql`(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)`,
    once: (value) => value,
    forNoKeyUpdate: raw('FOR UPDATE'),
    forUpdateOf,
    newest: raw('LOCK IN SHARE MODE'),
    forceIndex: (index) => sql`FORCE INDEX (${index})`,
    limitTime: (read, ms) => ({ read: isRead(read) ? limited(read, ms) : read }),
    canListen: false,
    hasPartialIndexes: false,
    rows: (json, columns) => {
      const listed = join(Object.entries(columns).map(([key, type]) => column(key, type)));
      return sql`JSON_TABLE(${json}, '$[*]' COLUMNS (${listed}))`;
    },
    assign: assigned,
    updateFrom: ({ table, as, from, on, set }) =>
      sql`UPDATE ${table} AS ${raw(as)} JOIN ${from} ON ${on} SET ${assigned(as, set)}`,
    deleteFrom: ({ table, as, from, on }) => sql`DELETE ${raw(as)} FROM ${table} AS ${raw(as)} JOIN ${from} ON ${on}`,
    // Not INSERT IGNORE: that would also swallow truncation, NULLs and foreign key errors.
    insertOrKeep: (insert, keys) => {
      const [key] = [keys].flat();
      if (!key) throw new TypeError('insertOrKeep needs the columns of the key');
      return sql`${insert} ON DUPLICATE KEY UPDATE ${key} = ${keepMark(key)}`;
    },
    onConflictUpdate: (_key, set) => sql`ON DUPLICATE KEY UPDATE ${set((incoming) => sql`VALUES(${id(incoming)})`)}`,
    notify: () => undefined,
  };
}

const isRead = (statement: Statement): boolean => /^[\s(]*(SELECT|WITH)\b/i.test(flattened(statement).strings[0] ?? '');

/** MySQL reads it after the first SELECT, but not after one of a WITH: then, after that of the query itself. */
function hinted(read: Statement, hint: string): Statement {
  const { strings, values } = flattened(read);
  const afterWith = /^\s*WITH\b/i.test(strings[0] ?? '');
  let [depth, isThere] = [0, false];
  const insertHint = (token: string): string => {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (isThere || !/^select$/i.test(token) || (afterWith && depth > 0)) return token;
    isThere = true;
    return `${token} ${hint}`;
  };
  return new Statement(
    strings.map((text) => text.replaceAll(/'[^']*'|[()]|\bSELECT\b/gi, insertHint)),
    values,
  );
}

export const mysql = mysqlDialect({
  name: 'mysql',
  keyLength: 191,
  forUpdateOf: (alias) => raw(`FOR UPDATE OF ${alias}`),
  limited: (read, ms) => hinted(read, `/*+ MAX_EXECUTION_TIME(${ms}) */`),
});

export const mariadb = mysqlDialect({
  name: 'mariadb',
  keyLength: 1000,
  forUpdateOf: () => raw('FOR UPDATE'),
  limited: (read, ms) => sql`${raw(`SET STATEMENT max_statement_time = ${ms / 1_000} FOR `)}${read}`,
});
