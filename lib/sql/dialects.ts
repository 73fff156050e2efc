import {
  flattened,
  type Home,
  id,
  type Identifier,
  inline,
  int,
  join,
  raw,
  type Spelling,
  sql,
  type SqlPart,
  type SqlValue,
  Statement,
  templated,
} from './statement.js';

const PRIMARY = id('PRIMARY');

/** Columns of rows that are sent as one JSON text: `key` is a string, `text` a long one, `int` fits 64 bits. */
export type JsonColumn = 'key' | 'text' | 'int' | 'bool';

/**
 * How rows are sent: as one list, so that one text serves any number of rows, or as values of their own, which a server
 * reads in half the time. Only PostgreSQL makes the difference.
 */
export type SentAs = 'list' | 'values';

/** For statements that are mostly about one row. */
export const ofOne = ({ length }: readonly unknown[]): SentAs => (length === 1 ? 'values' : 'list');

/** The types of a cast: a 64-bit or 32-bit integer, a floating point number, a text. */
type CastType = 'bigint' | 'int' | 'double' | 'text';

/** Databases with the same dialect, apart from a few keywords. */
export type Family = 'postgres' | 'mysql';

/** New values by column. */
export type Assignments = Readonly<Record<string, SqlPart>>;

/** Rows of `table`, aliased `as`, that match rows of `from`. */
export interface JoinedRows {
  readonly table: SqlPart;
  readonly as: string;
  /** Includes its alias: `${dialect.rows(…)} AS n`. */
  readonly from: Statement;
  readonly on: Statement;
  /** Of `table`: finds what `on` asks for. Default: its primary key. */
  readonly index?: Identifier;
}

/** A read that its server ends when it takes too long. */
export interface TimeLimited {
  readonly first?: Statement;
  readonly read: Statement;
}

/**
 * The syntax and features that differ between databases. Where a family needs another approach, use {@link byFamily}.
 */
export interface Dialect extends Spelling {
  readonly name: 'postgres' | 'mysql' | 'mariadb';
  readonly family: Family;
  /** One of our own texts as a literal, for DDL, which has no parameters. */
  literal(text: string): Statement;
  cast(value: SqlPart, type: CastType): Statement;
  /** Follows CREATE TABLE: text compares byte by byte, and pages are filled up to `fillfactor` percent. */
  tableOptions(fillfactor: number): string;
  /** The type of payload columns: `text` ends at 64 KiB on MySQL. */
  readonly textType: string;
  /** A column's value with the collation of keys. */
  asKey(value: SqlPart): Statement;
  /** A boolean column that is false, in the form of the indexes. */
  isFalse(column: string): Statement;
  /** The schema of tables with this home; that of unqualified names until it is known. */
  schemaOf(home: Home): Statement;
  /** The database's clock as epoch milliseconds: the only clock for leases and due times. */
  readonly now: Statement;
  /**
   * Evaluates a value once instead of once per row. PostgreSQL's clock changes within a statement, so it cannot be an
   * index bound unless it is evaluated once.
   */
  once(value: Statement): Statement;
  /** `FOR UPDATE` of rows whose key does not change, with the weakest lock: foreign keys may still refer to them. */
  readonly forNoKeyUpdate: Statement;
  /** `FOR UPDATE` of one table among several, if the server supports it. */
  forUpdateOf(alias: string): Statement;
  /**
   * Follows a SELECT: reads the newest committed rows, even if the transaction has an older snapshot. Empty on
   * PostgreSQL, where such a transaction fails at the row, and a lock would block others.
   */
  readonly newest: Statement;
  /**
   * Follows a table: forces an index. MySQL family: in a locking read or an UPDATE without it, a list of keys reads all
   * of a short table, and waits for each row that others have locked. It does not help a DELETE, see
   * {@link deleteByKeys}, nor a read of nothing but columns of that index, which MySQL then reads whole. Default: the
   * index of the primary key.
   */
  forceIndex(name?: Identifier): Statement;
  /**
   * How the server ends a read that takes longer than `ms`: by its own text, or by a setting of its transaction, which is
   * to be run `first`.
   */
  limitTime(read: Statement, ms: number): TimeLimited;
  /** Whether a connection can receive notifications of others. */
  readonly canListen: boolean;
  /** Whether the database has partial indexes. */
  readonly hasPartialIndexes: boolean;
  /**
   * A table expression over objects, with a column for each of their fields; it needs an alias: `FROM
   * ${dialect.rows(runs, { id: 'key', output: 'text' })} AS r`. One round trip and one text for any number of rows, which
   * are sent as JSON. Columns that an object lacks are NULL. Texts must contain neither NUL nor lone surrogates; JSON
   * escapes them anyway.
   */
  rows(rows: readonly object[], columns: Readonly<Record<string, JsonColumn>>, as?: SentAs): Statement;
  /** The assignments after SET in an UPDATE whose table has the alias `as`. */
  assign(as: string, set: Assignments): Statement;
  /** An UPDATE of rows with values of matching rows, in the order of `set` (MySQL assigns from left to right). */
  updateFrom(rows: JoinedRows & { readonly set: Assignments }): Statement;
  /** A DELETE of rows that match others. */
  deleteFrom(rows: JoinedRows): Statement;
  /**
   * Turns an INSERT into one that keeps an existing row with the same key and hides no other error. `key` is the column
   * or columns of the table's only unique key.
   */
  insertOrKeep(insert: Statement, key: Identifier | readonly Identifier[]): Statement;
  /** `ON CONFLICT (key) DO UPDATE SET …` / `ON DUPLICATE KEY UPDATE …`; `incoming('col')` names the new value. */
  onConflictUpdate(key: readonly Identifier[], set: (incoming: (column: string) => Statement) => Statement): Statement;
  /**
   * A statement that notifies listeners of `<schema of the tables>.<topic>` when its transaction commits; undefined if the
   * database has no notifications. It is a SELECT: as a CTE it runs only when another part selects from it.
   */
  notify(topic: string, payload: SqlPart, home: Home): Statement | undefined;
}

export type ByFamily<T> = Readonly<Record<Family, () => T>>;

/**
 * What each family does differently. A new family does not compile until each of these places handles it;
 * CONTRIBUTING.md lists them.
 */
export const byFamily = <T>({ family }: Pick<Dialect, 'family'>, ways: ByFamily<T>): T => ways[family]();

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
  inline(text === '' ? `''` : `_utf8mb4 0x${Buffer.from(text, 'utf8').toString('hex')}`);

const inOrder = (numbers: readonly Whole[]): (number | bigint)[] =>
  [...new Set(numbers.map(wholeNumber))].sort((a, b) => (a < b ? -1 : 1));

/** MySQL and MariaDB: `(?, ?, …)` in order, padded. */
export function numberList(numbers: readonly Whole[]): Statement {
  const sorted = inOrder(numbers);
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

const KEY: Columns<string> = { key: ['text', (key) => key] };

/** PostgreSQL: the keys as a table of one column, `key`. */
export function keyRows(keys: readonly string[], as?: SentAs): Statement {
  return sql`(SELECT listed.key FROM ${columnRows(keys, KEY, as)} AS listed CROSS JOIN ${planned})`;
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
export const amongKeys = (dialect: Dialect, keys: readonly string[], as?: SentAs): Statement =>
  byFamily(dialect, {
    postgres: () => sql`= ANY (ARRAY(SELECT k.key FROM ${keyRows(keys, as)} AS k))`,
    mysql: () => sql`IN ${keyList(keys)}`,
  });

/**
 * A text key at the end of an index that has it for the order of rows only. PostgreSQL: by its bytes, so that no lookup of
 * the key can use that index: while few rows are left among many dead ones, reading all of it seems to cost less than some
 * lookups by the index of the key.
 */
export const orderKey = (dialect: Dialect, column: string): string =>
  byFamily(dialect, { postgres: () => `${column} COLLATE "C"`, mysql: () => column });

interface FoundBy {
  /** Default: that of the primary key. */
  readonly index?: Identifier;
  readonly as?: SentAs | undefined;
}

/**
 * A DELETE of the rows with these keys; AND may follow. MySQL family: as a join, since no hint of both servers keeps a
 * DELETE with a list from reading all of a short table, and from waiting for each row that others have locked.
 */
export const deleteByKeys = (
  dialect: Dialect,
  table: SqlPart,
  column: string,
  keys: readonly string[],
  { index, as }: FoundBy = {},
): Statement =>
  byFamily(dialect, {
    postgres: () => sql`DELETE FROM ${table} WHERE ${raw(column)} ${amongKeys(dialect, keys, as)}`,
    mysql: () => deleteListed(dialect, listedKeys(dialect, keys), table, column, index),
  });

export const deleteByNumbers = (
  dialect: Dialect,
  table: SqlPart,
  column: string,
  numbers: readonly Whole[],
): Statement =>
  byFamily(dialect, {
    postgres: () => sql`DELETE FROM ${table} WHERE ${raw(column)} ${amongNumbers(dialect, numbers)}`,
    mysql: () => deleteListed(dialect, listedNumbers(dialect, numbers), table, column),
  });

const deleteListed = (dialect: Dialect, from: Statement, table: SqlPart, column: string, index = PRIMARY): Statement =>
  dialect.deleteFrom({ table, as: 'gone', from, on: raw(`gone.${column} = k.found`), index });

/** MySQL family: the keys in order, as `k.found`. Of any length: a channel's name may be longer than a key. */
export const listedKeys = (dialect: Dialect, keys: readonly string[]): Statement =>
  listed(dialect, [...new Set(keys)].sort(), 'text');

/** MySQL family: the numbers in order, as `k.found`. */
export const listedNumbers = (dialect: Dialect, numbers: readonly Whole[]): Statement =>
  listed(dialect, inOrder(numbers).map(String), 'int');

function listed(dialect: Dialect, keys: readonly string[], type: 'text' | 'int'): Statement {
  const rows = keys.map((found) => ({ found }));
  return sql`${dialect.rows(rows, { found: type })} AS k`;
}

/** PostgreSQL: prevents plans cached for an empty table. `as`: whether it is the first or a later part of FROM. */
export const plannedAnew = (dialect: Dialect, as: 'FROM' | 'CROSS JOIN'): Statement =>
  byFamily(dialect, { postgres: () => sql`${raw(as)} ${planned}`, mysql: () => raw('') });

/** Each column's type and its value in a row; only `nullable` columns may be null. */
export type Columns<Row> = Record<string, Column<Row>>;

type Column<Row> =
  | readonly ['text', (row: Row) => string]
  | readonly ['text', (row: Row) => string | null, 'nullable']
  | readonly ['bigint', (row: Row) => number]
  | readonly ['bigint', (row: Row) => number | null, 'nullable'];

/**
 * Replaces NULL in arrays: with `array_nulls = off` the server reads NULL in an array as the text `NULL`. No JSON or
 * user text consists of this character alone, and none of our numbers has this value.
 */
const NOTHING = { text: '\u0001', bigint: '-9223372036854775808' } as const;

/**
 * PostgreSQL: rows as one array parameter per column, which the server reads much faster than JSON. A value that all
 * rows share is sent once.
 */
export function columnRows<Row>(rows: readonly Row[], columns: Columns<Row>, as?: SentAs): Statement {
  if (as === 'values')
    return valueRows(
      rows,
      Object.keys(columns),
      (row, name) => columns[name]![1](row),
      (name) => columns[name]![0],
    );
  const arrays = Object.values(columns).map(
    ([type, of, nullable]) =>
      sql`(SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST(${rows.length} AS integer)]) ELSE a END FROM (SELECT ${arrayOf(type, arrayText(rows, of, type), nullable)} AS a) AS given)`,
  );
  return sql`(SELECT * FROM unnest(${join(arrays)}) AS listed(${join(Object.keys(columns).map((name) => id(name)))}))`;
}

function valueRows<Row>(
  rows: readonly Row[],
  names: readonly string[],
  valueOf: (row: Row, name: string) => SqlValue | undefined,
  typeOf: (name: string) => string,
): Statement {
  const types = names.map(typeOf);
  const texts = () => {
    const before = (row: number, at: number) => (at > 0 ? ', ' : row > 0 ? '), (' : '(SELECT * FROM (VALUES (');
    const casts = rows.flatMap((_, row) => types.map((type, at) => [before(row, at), ` AS ${type})`] as const));
    const literals = casts.map(([text], n) => `${casts[n - 1]?.[1] ?? ''}${text}CAST(`);
    return [...literals, `${casts.at(-1)![1]})) AS listed(${names.map((name) => postgres.quote(name)).join(', ')}))`];
  };
  const values = rows.flatMap((row) => names.map((name) => valueOf(row, name) ?? null));
  return templated(`${rows.length} ${names.join()} ${types.join()}`, texts, values);
}

type Type = keyof typeof NOTHING;

function arrayOf(type: Type, text: string, nullable: 'nullable' | undefined): Statement {
  const given = sql`CAST(${text} AS ${raw(type)}[])`;
  return nullable ? sql`array_replace(${given}, CAST(${raw(`'${NOTHING[type]}'`)} AS ${raw(type)}), NULL)` : given;
}

/** Has one element if all values are the same. */
function arrayText<Row>(rows: readonly Row[], of: (row: Row) => string | number | null, type: Type): string {
  const [first] = rows;
  if (first === undefined) return '{}';
  const shared = of(first);
  let text = `{${element(shared, type)}`;
  if (rows.every((row) => of(row) === shared)) return `${text}}`;
  for (let i = 1; i < rows.length; i++) text += `,${element(of(rows[i] as Row), type)}`;
  return `${text}}`;
}

const SPECIAL = /["\\]/;

function element(value: string | number | null, type: Type): string {
  if (value === null) return NOTHING[type];
  if (typeof value === 'number') return String(value);
  return SPECIAL.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

const JSON_TYPES: Record<JsonColumn, string> = { key: 'text', text: 'text', int: 'bigint', bool: 'boolean' };

const POSTGRES_CASTS: Record<CastType, string> = {
  bigint: 'bigint',
  int: 'integer',
  double: 'double precision',
  text: 'text',
};

/** For an UPDATE, which allows no aliases here. */
const assignedOnPostgres: Dialect['assign'] = (_as, set) =>
  join(Object.entries(set).map(([column, value]) => sql`${raw(column)} = ${value}`));

/** The server rejects channel names longer than 63 bytes, so those of long schema names are hashed. */
const channel = (topic: SqlPart, home: Home): Statement =>
  sql`(SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(${postgres.schemaOf(home)}, '') || '.' || CAST(${topic} AS text) AS c) AS named)`;

/** The channel of `topic` for tables with this home; schemas of one database are separate. */
export const channelOf = (topic: string, home: Home): Statement => sql`SELECT ${channel(topic, home)} AS channel`;

/** The schema as a literal, or what the server says instead of it. */
const schemaAs = (dialect: Pick<Dialect, 'literal'>, { schema }: Home, current: string): Statement =>
  schema === undefined ? raw(current) : dialect.literal(schema);

export const postgres: Dialect = {
  name: 'postgres',
  family: 'postgres',
  placeholder: (position) => `$${position}`,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  literal: (text) => raw(`'${text.replaceAll("'", "''")}'`),
  cast: (value, type) => sql`CAST(${value} AS ${raw(POSTGRES_CASTS[type])})`,
  // Thousands of rows come and go: without frequent, fast vacuums, claims would read many dead rows.
  tableOptions: (fillfactor) =>
    `WITH (fillfactor = ${fillfactor}, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  textType: 'text',
  asKey: (value) => sql`${value}`,
  isFalse: (column) => raw(`NOT ${column}`),
  schemaOf: (home) => schemaAs(postgres, home, 'current_schema()'),
  // Not now(): a lease starts at the statement, not at the start of its transaction. As JavaScript cuts it, not rounded:
  // what follows at once must not seem to come before.
  now: sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  once: (value) => sql`(SELECT ${value})`,
  forNoKeyUpdate: raw('FOR NO KEY UPDATE'),
  forUpdateOf: (alias) => raw(`FOR UPDATE OF ${alias}`),
  newest: raw(''),
  forceIndex: () => raw(''),
  limitTime: (read, ms) => ({
    first: sql`SELECT set_config('statement_timeout', ${String(ms)}, true)`,
    read,
  }),
  canListen: true,
  hasPartialIndexes: true,
  rows: (rows, columns, as) =>
    as === 'values'
      ? valueRows(
          rows,
          Object.keys(columns),
          (row, name) => row[name as never],
          (name) => JSON_TYPES[columns[name]!],
        )
      : sql`(SELECT * FROM json_to_recordset(CAST(${JSON.stringify(rows)} AS json)) AS listed(${join(
          Object.entries(columns).map(([name, type]) => sql`${id(name)} ${raw(JSON_TYPES[type])}`),
        )}))`,
  assign: assignedOnPostgres,
  updateFrom: ({ table, as, from, on, set }) =>
    sql`UPDATE ${table} AS ${raw(as)} SET ${assignedOnPostgres(as, set)} FROM ${from} WHERE ${on}`,
  deleteFrom: ({ table, as, from, on }) => sql`DELETE FROM ${table} AS ${raw(as)} USING ${from} WHERE ${on}`,
  insertOrKeep: (insert, key) => sql`${insert} ON CONFLICT (${join([key].flat())}) DO NOTHING`,
  onConflictUpdate: (key: readonly Identifier[], set) =>
    sql`ON CONFLICT (${join(key)}) DO UPDATE SET ${set((column) => sql`EXCLUDED.${id(column)}`)}`,
  notify: (topic, payload, home) => sql`SELECT pg_notify(${channel(topic, home)}, CAST(${payload} AS text))`,
};

/** MySQL family: a table with few rows would be read whole, and each of them locked until the transaction ends. */
const joinedByKey = ({ table, as, from, on, index = PRIMARY }: JoinedRows): Statement =>
  sql`${from} STRAIGHT_JOIN ${table} AS ${raw(as)} FORCE INDEX (${index}) ON ${on}`;

/** The maximum number of rows per statement: a mark is `MARK + random * ROOM`, and the rest is a count. */
const ROOM = 2 ** 20;
const MARK = 2 ** 52;

/**
 * MySQL family: keeps an existing row's key and counts such rows: the server reports a kept row like an inserted one, but it also
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

const MYSQL_CASTS: Record<CastType, string> = { bigint: 'signed', int: 'signed', double: 'double', text: 'char' };

const assignedOnMysql = (as: string, set: Assignments): Statement =>
  join(Object.entries(set).map(([column, value]) => sql`${raw(`${as}.${column}`)} = ${value}`));

function mysqlDialect(words: Words): Dialect {
  const { name, forUpdateOf, limited } = words;
  const column = (key: string, type: JsonColumn) => {
    if (!/^\w+$/.test(key)) throw new TypeError(`"${key}" cannot be a column of JSON rows`);
    return sql`${id(key)} ${raw(`${jsonType(words, type)} PATH '$.${key}' NULL ON EMPTY ERROR ON ERROR`)}`;
  };
  const literal = (text: string): Statement => raw(`'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`);
  return {
    name,
    family: 'mysql',
    placeholder: () => '?',
    quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
    literal,
    cast: (value, type) => sql`CAST(${value} AS ${raw(MYSQL_CASTS[type])})`,
    tableOptions: () => `ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${KEY_COLLATION[name]}`,
    textType: 'longtext',
    asKey: (value) => sql`${value} COLLATE ${raw(KEY_COLLATION[name])}`,
    isFalse: (column) => raw(`${column} = 0`),
    schemaOf: (home) => schemaAs({ literal }, home, 'DATABASE()'),
    // From UTC and a fixed date: UNIX_TIMESTAMP() repeats an hour when the session's summer time ends.
    now: sql`(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)`,
    once: (value) => value,
    forNoKeyUpdate: raw('FOR UPDATE'),
    forUpdateOf,
    newest: raw('LOCK IN SHARE MODE'),
    forceIndex: (index = PRIMARY) => sql`FORCE INDEX (${index})`,
    limitTime: (read, ms) => ({ read: isRead(read) ? limited(read, ms) : read }),
    canListen: false,
    hasPartialIndexes: false,
    rows: (rows, columns) => {
      const listed = join(Object.entries(columns).map(([key, type]) => column(key, type)));
      return sql`JSON_TABLE(${JSON.stringify(rows)}, '$[*]' COLUMNS (${listed}))`;
    },
    assign: assignedOnMysql,
    updateFrom: (rows) => sql`UPDATE ${joinedByKey(rows)} SET ${assignedOnMysql(rows.as, rows.set)}`,
    deleteFrom: (rows) => sql`DELETE ${raw(rows.as)} FROM ${joinedByKey(rows)}`,
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

/** Overwrites these columns of an existing row with the same key. */
export const overwriting = (dialect: Dialect, key: readonly string[], columns: readonly string[]): Statement =>
  dialect.onConflictUpdate(
    key.map((name) => id(name)),
    (incoming) => join(columns.map((column) => sql`${id(column)} = ${incoming(column)}`)),
  );

/** Rows to be locked in the order of an index. */
export interface FirstRows {
  readonly table: Identifier;
  /** The column of its key. */
  readonly key: Identifier;
  /** Reads some columns of the rows that match, the first ones first, without a limit. */
  readonly select: (columns: Statement) => Statement;
  /** What makes a row match, of the table without an alias. */
  readonly where: Statement;
  readonly columns: Statement;
  readonly limit: number;
}

/**
 * MySQL and MariaDB: locks the first rows that match and that nobody else has locked, and no others. Until its
 * transaction ends, a locking read of an index keeps the locks of entries that it passes over, in READ COMMITTED too:
 * MySQL those of the index, MariaDB those of the rows as well. So a claim would hold up whoever ends what he has claimed
 * before. Here the keys are read without locks, and what still matches is locked by key, in the order of the read: of
 * `window` times as many as are needed, since others may have locked the same ones.
 */
export const lockFirst = ({ table, key, select, where, columns, limit }: FirstRows, window: number): Statement => sql`(
  SELECT ${columns} FROM (${select(sql`${key} AS found`)} LIMIT ${int(window * limit)}) AS f
  STRAIGHT_JOIN ${table} FORCE INDEX (PRIMARY) ON ${table}.${key} = f.found
  WHERE ${where} LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED)`;

/** Reads some columns of the first row behind such a window, if there is one. In parentheses. */
export const selectBehind = (
  { select, limit }: Pick<FirstRows, 'select' | 'limit'>,
  columns: Statement,
  window: number,
): Statement => sql`(${select(columns)} LIMIT 1 OFFSET ${int(window * limit)})`;

/**
 * Locks the first rows of some queues, in wider and wider windows while others have locked all of a window: who holds the
 * locks of many rows, and does not go on, keeps nobody from what stands behind them.
 */
export async function lockFirstOf<Queue, Row>(
  queues: readonly Queue[],
  {
    lock,
    behind,
    isOf,
  }: {
    lock: (queues: readonly Queue[], window: number) => Promise<Row[]>;
    /** A row for each queue that has more than its window. */
    behind: (queues: readonly Queue[], window: number) => Promise<Partial<Row>[]>;
    isOf: (row: Partial<Row>, queue: Queue) => boolean;
  },
): Promise<Row[]> {
  const locked: Row[] = [];
  for (let [window, asked] = [2, queues]; asked.length > 0; window *= 16) {
    const rows = await lock(asked, window);
    locked.push(...rows);
    const without = asked.filter((queue) => !rows.some((row) => isOf(row, queue)));
    const more = without.length > 0 ? await behind(without, window) : [];
    asked = without.filter((queue) => more.some((row) => isOf(row, queue)));
  }
  return locked;
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
  limited: (read, ms) => sql`${inline(`SET STATEMENT max_statement_time = ${ms / 1_000} FOR `)}${read}`,
});

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = { postgres, mysql, mariadb };
