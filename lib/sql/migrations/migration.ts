import type { Dialect } from '../dialects/dialect.js';
import type { Statement } from '../dialects/statement.js';
import type { Tables } from '../tables.js';

/** What a process needs: `DbTransport` alone only the tables of the contract. */
export type SchemaPart = 'transport' | 'engine';

export interface SchemaStep {
  /** Has no effect when it was done before, or else says so by `done`. */
  readonly statement: Statement;
  /** A query that has a row when the step was done before: MySQL has no `CREATE INDEX IF NOT EXISTS`. */
  readonly done?: Statement;
}

/** Append-only, and safe while the code of the version before runs: add, never change or drop. */
export interface Migration {
  readonly id: string;
  readonly part: SchemaPart;
  steps(dialect: Dialect, tables: Tables): SchemaStep[];
}
