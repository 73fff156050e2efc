import type { Identifier, SqlPart, Statement } from './statement.js';

/** Columns of rows that travel as one JSON text: `key` is a string, `text` a long one, `int` fits 64 bits. */
export type JsonColumn = 'key' | 'text' | 'int' | 'bool';

/** Everything that differs between databases. Statements that differ as a whole ask for `family`. */
export interface Dialect {
  readonly name: 'postgres' | 'mysql' | 'mariadb';
  readonly family: 'postgres' | 'mysql';
  placeholder(position: number): string;
  quote(identifier: string): string;
  /** The database's clock as epoch milliseconds: the only clock that leases and due times go by. */
  readonly now: Statement;
  /**
   * A table expression over a JSON text parameter holding an array of objects; it needs an alias:
   * `FROM ${dialect.rows(json, { id: 'key', output: 'text' })} AS r`. One round trip however many rows. Columns that
   * an object lacks are NULL. Texts must hold neither NUL nor lone surrogates; inside of JSON they are escaped anyway.
   */
  rows(json: string, columns: Readonly<Record<string, JsonColumn>>): Statement;
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
