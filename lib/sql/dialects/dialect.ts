import type { Identifier, SqlPart, Statement } from './statement.js';

/** Columns of rows that travel as one JSON text: `key` is a string, `text` a long one, `int` fits 64 bits. */
export type JsonColumn = 'key' | 'text' | 'int' | 'bool';

/** What a value may be made: a whole number of 64 bits or of 32, a floating point number, a text. */
export type CastType = 'bigint' | 'int' | 'double' | 'text';

/** Databases that speak one dialect, but for some words. */
export type Family = 'postgres' | 'mysql';

/** New values by column. */
export type Assignments = Readonly<Record<string, SqlPart>>;

/** Rows of `table`, called `as`, that match rows of something else. */
export interface JoinedRows {
  readonly table: SqlPart;
  readonly as: string;
  /** With its own alias: `${dialect.rows(…)} AS n`. */
  readonly from: Statement;
  readonly on: Statement;
}

/**
 * All that is spelled differently from database to database, and what one has and another lacks. What a family does in
 * another way altogether asks {@link byFamily}.
 */
export interface Dialect {
  readonly name: 'postgres' | 'mysql' | 'mariadb';
  readonly family: Family;
  placeholder(position: number): string;
  quote(identifier: string): string;
  /** A text of our own written into the statement, for DDL, which has no parameters. */
  literal(text: string): Statement;
  cast(value: SqlPart, type: CastType): Statement;
  /** Behind a CREATE TABLE: whatever is text compares byte by byte, and pages are filled up to `fillfactor` percent. */
  tableOptions(fillfactor: number): string;
  /** The type of columns for payloads: `text` ends at 64 KiB on MySQL. */
  readonly textType: string;
  /** A column's value as keys are compared, whatever collation it has. */
  asKey(value: SqlPart): Statement;
  /** A boolean column that is false, in the form that indexes have. */
  isFalse(column: string): Statement;
  /** The schema that names without one are in. */
  readonly currentSchema: Statement;
  /** The database's clock as epoch milliseconds: the only clock that leases and due times go by. */
  readonly now: Statement;
  /**
   * A value that would be computed for each row, computed once. PostgreSQL's clock changes within a statement, so it is no
   * bound for an index unless it is read once.
   */
  once(value: Statement): Statement;
  /** `FOR UPDATE` of rows whose key stays as it is, in the weakest way there is: children may go on referring to them. */
  readonly forNoKeyUpdate: Statement;
  /** `FOR UPDATE` of one table among several, where the server can say so. */
  forUpdateOf(alias: string): Statement;
  /**
   * Behind a SELECT: the newest committed rows, even where the transaction reads an older snapshot. Nothing on PostgreSQL,
   * where such a transaction fails as it meets the row, and a lock would keep others from going on.
   */
  readonly newest: Statement;
  /** Behind a table: the index that a locking read goes by where it would otherwise lock what it passes over. */
  forceIndex(name: Identifier): Statement;
  /** Whether a connection can hear what others notify. */
  readonly canListen: boolean;
  /** Whether an index may leave rows out. */
  readonly hasPartialIndexes: boolean;
  /**
   * A table expression over a JSON text parameter holding an array of objects; it needs an alias:
   * `FROM ${dialect.rows(json, { id: 'key', output: 'text' })} AS r`. One round trip however many rows. Columns that
   * an object lacks are NULL. Texts must hold neither NUL nor lone surrogates; inside of JSON they are escaped anyway.
   */
  rows(json: string, columns: Readonly<Record<string, JsonColumn>>): Statement;
  /** What stands behind SET in an UPDATE whose table is called `as`. */
  assign(as: string, set: Assignments): Statement;
  /** An UPDATE of rows by those that they match, in the order of `set` (MySQL assigns from left to right). */
  updateFrom(rows: JoinedRows & { readonly set: Assignments }): Statement;
  /** A DELETE of rows that match others. */
  deleteFrom(rows: JoinedRows): Statement;
  /**
   * Turns an INSERT into one that leaves an existing row with the same key alone and hides no other error. `key` is
   * the column or columns of the table's only unique key.
   */
  insertOrKeep(insert: Statement, key: Identifier | readonly Identifier[]): Statement;
  /** `ON CONFLICT (key) DO UPDATE SET …` / `ON DUPLICATE KEY UPDATE …`; `incoming('col')` names the new value. */
  onConflictUpdate(key: readonly Identifier[], set: (incoming: (column: string) => Statement) => Statement): Statement;
  /**
   * A statement that notifies listeners of `<current schema>.<topic>` when its transaction commits; undefined where
   * polling is all there is. It is a SELECT: as a CTE it runs only when something selects from it.
   */
  notify(topic: string, payload: SqlPart): Statement | undefined;
}

export type ByFamily<T> = Readonly<Record<Family, () => T>>;

/**
 * What each family does in its own way. A family more does not compile before it is said here what it does:
 * CONTRIBUTING.md lists these places.
 */
export const byFamily = <T>({ family }: Pick<Dialect, 'family'>, ways: ByFamily<T>): T => ways[family]();
