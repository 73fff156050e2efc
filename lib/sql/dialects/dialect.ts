import { Identifier, type SqlPart, type SqlValue, Statement } from './statement.js';

/** Columns of rows that are sent as one JSON text: `key` is a string, `text` a long one, `int` fits 64 bits. */
export type JsonColumn = 'key' | 'text' | 'int' | 'bool';

/** The types of a cast: a 64-bit or 32-bit integer, a floating point number, a text. */
export type CastType = 'bigint' | 'int' | 'double' | 'text';

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
}

/** A read that its server ends when it takes too long. */
export interface TimeLimited {
  readonly first?: Statement;
  readonly read: Statement;
}

/**
 * The syntax and features that differ between databases. Where a family needs another approach, use {@link byFamily}.
 */
export interface Dialect {
  readonly name: 'postgres' | 'mysql' | 'mariadb';
  readonly family: Family;
  placeholder(position: number): string;
  quote(identifier: string): string;
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
  /** The schema of unqualified names. */
  readonly currentSchema: Statement;
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
  /** Follows a table: forces the index of a locking read that would otherwise lock rows it skips. */
  forceIndex(name: Identifier): Statement;
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
   * A table expression over a JSON text parameter with an array of objects; it needs an alias: `FROM
   * ${dialect.rows(json, { id: 'key', output: 'text' })} AS r`. One round trip for any number of rows. Columns that an
   * object lacks are NULL. Texts must contain neither NUL nor lone surrogates; JSON escapes them anyway.
   */
  rows(json: string, columns: Readonly<Record<string, JsonColumn>>): Statement;
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
   * A statement that notifies listeners of `<current schema>.<topic>` when its transaction commits; undefined if the
   * database has no notifications. It is a SELECT: as a CTE it runs only when another part selects from it.
   */
  notify(topic: string, payload: SqlPart): Statement | undefined;
}

export type ByFamily<T> = Readonly<Record<Family, () => T>>;

/**
 * What each family does differently. A new family does not compile until each of these places handles it;
 * CONTRIBUTING.md lists them.
 */
export const byFamily = <T>({ family }: Pick<Dialect, 'family'>, ways: ByFamily<T>): T => ways[family]();

export interface RenderedStatement {
  text: string;
  params: SqlValue[];
}

export function render(statement: Statement, dialect: Pick<Dialect, 'quote' | 'placeholder'>): RenderedStatement {
  const params: SqlValue[] = [];
  const write = (value: SqlPart): string => {
    if (value instanceof Statement) return flatten(value);
    if (value instanceof Identifier) return dialect.quote(value.name);
    params.push(value);
    return dialect.placeholder(params.length);
  };
  const flatten = ({ strings, values }: Statement): string =>
    strings.reduce((text, part, i) => text + write(values[i - 1] ?? null) + part);
  return { text: flatten(statement), params };
}
