import type { Dialect } from '../dialects/dialect.js';
import type { Statement } from '../dialects/statement.js';
import type { Tables } from '../tables.js';

/** The tables that a process needs: `DbTransport` needs only those of the contract. */
export type SchemaPart = 'transport' | 'engine';

export interface SchemaStep {
  /** Has no effect if the step is done; otherwise `done` must detect that. */
  readonly statement: Statement;
  /** Returns a row if the step is done: MySQL has no `CREATE INDEX IF NOT EXISTS`. */
  readonly done?: Statement;
}

/** Append-only, and compatible with the previous version's code: add, never change or drop. */
export interface Migration {
  readonly id: string;
  readonly part: SchemaPart;
  steps(dialect: Dialect, tables: Tables): SchemaStep[];
}
