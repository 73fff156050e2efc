import { byFamily, type Dialect } from '../dialects.js';
import { id, Identifier, indexOf, raw, sql, type Statement } from '../statement.js';
import type { Tables } from '../tables.js';

/** The tables that a process needs: `DbTransport` needs only those of the contract. */
export type SchemaPart = 'transport' | 'engine';

export interface SchemaStep {
  /** Has no effect if the step is done; otherwise `done` must detect that. */
  readonly statement: Statement;
  /** Returns a row if the step is done: MySQL has no `CREATE INDEX IF NOT EXISTS`. */
  readonly done?: Statement;
  /** The table that the step creates, unless the app chooses its name. */
  readonly creates?: Identifier;
  /** What the step makes, for whoever compares a database with it. */
  readonly makes?: TableShape | IndexShape;
}

export interface TableShape {
  readonly kind: 'table';
  readonly table: Identifier;
  /** Columns and constraints, as in CREATE TABLE. */
  readonly lines: readonly string[];
}

export interface IndexShape extends IndexOptions {
  readonly kind: 'index';
  readonly name: string;
  readonly table: Identifier;
  /** As in CREATE INDEX. */
  readonly columns: string;
}

/** Append-only, and compatible with the previous version's code: add, never change or drop. */
export interface Migration {
  readonly id: string;
  /** The version of this package that adds it. */
  readonly since: string;
  readonly part: SchemaPart;
  steps(dialect: Dialect, tables: Tables): SchemaStep[];
}

/** `varchar(191)`: the longest key that MySQL can index fully with four bytes per character in every row format. */
export const KEY = 'varchar(191)';

/** A channel, limiter or start key as a hash, so that names of any length fit into an index. */
export const HASH = 'varchar(64)';

/** The column `id`, numbered by the database. */
export const serial = (dialect: Dialect): string =>
  byFamily(dialect, {
    postgres: () => 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    mysql: () => 'id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY',
  });

export interface TableOptions {
  /** PostgreSQL: the fill factor of pages, so that updated rows stay on their page (HOT). */
  fillfactor?: number;
}

/** We define the column types; text compares byte by byte, with trailing spaces, on all databases. */
export function createTable(
  dialect: Dialect,
  table: Identifier | Statement,
  columns: readonly string[],
  options: TableOptions = {},
): SchemaStep {
  const lines = raw(columns.map((column) => `\n  ${column}`).join(','));
  return {
    ...(table instanceof Identifier && { creates: table, makes: { kind: 'table', table, lines: columns } as const }),
    statement: sql`CREATE TABLE IF NOT EXISTS ${table} (${lines}\n) ${raw(dialect.tableOptions(options.fillfactor ?? 100))}`,
  };
}

export interface IndexOptions {
  /** PostgreSQL: the condition of a partial index. */
  where?: string;
  unique?: boolean;
}

/** The name consists of the table's name and `suffix`. */
export function createIndex(
  dialect: Dialect,
  table: Identifier,
  suffix: string,
  columns: string,
  options: IndexOptions = {},
): SchemaStep {
  const { name } = indexOf(table, suffix);
  const on = sql`${id(name)} ON ${table} (${raw(columns)})`;
  const create = raw(options.unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX');
  const { where, ...shape } = options;
  const partial = dialect.hasPartialIndexes && where !== undefined;
  const makes: IndexShape = { kind: 'index', name, table, columns, ...shape, ...(partial && { where }) };
  return byFamily<SchemaStep>(dialect, {
    postgres: () => ({
      makes,
      statement: sql`${create} IF NOT EXISTS ${on}${raw(options.where ? ` WHERE ${options.where}` : '')}`,
    }),
    mysql: () => ({ makes, statement: sql`${create} ${on}`, done: indexNamed(dialect, table, name) }),
  });
}

const indexNamed = (dialect: Dialect, table: Identifier, name: string): Statement =>
  sql`SELECT 1 AS found FROM information_schema.statistics WHERE table_schema = ${dialect.schemaOf(table.home ?? { schema: undefined })} AND table_name = ${table.name} AND index_name = ${name} LIMIT 1`;
