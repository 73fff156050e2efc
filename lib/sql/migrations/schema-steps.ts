import { byFamily, type Dialect } from '../dialects/dialect.js';
import { id, type Identifier, raw, sql, type Statement } from '../dialects/statement.js';
import type { SchemaStep } from './migration.js';

/** `varchar(191)` is the longest key that MySQL indexes whole at four bytes per character in every row format. */
export const KEY = 'varchar(191)';

/** A channel, a limiter or a start key: the hash of what it stands for, so that names of any length fit an index. */
export const HASH = 'varchar(64)';

/** The column `id`, numbered by the database. */
export const serial = (dialect: Dialect): string =>
  byFamily(dialect, {
    postgres: () => 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    mysql: () => 'id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY',
  });

export interface TableOptions {
  /** PostgreSQL: how full pages are written, so that updates stay on their page (HOT). */
  fillfactor?: number;
}

/** Column types are ours; whatever is text compares byte by byte, trailing spaces included, on all databases. */
export function createTable(
  dialect: Dialect,
  table: Identifier | Statement,
  columns: readonly string[],
  options: TableOptions = {},
): SchemaStep {
  const lines = raw(columns.map((column) => `\n  ${column}`).join(','));
  return {
    statement: sql`CREATE TABLE IF NOT EXISTS ${table} (${lines}\n) ${raw(dialect.tableOptions(options.fillfactor ?? 100))}`,
  };
}

/** All at once, so that a database which has the first has them all. */
export function addColumns(dialect: Dialect, table: Identifier, columns: readonly string[]): SchemaStep {
  const guard = byFamily(dialect, { postgres: () => 'IF NOT EXISTS ', mysql: () => '' });
  const lines = raw(columns.map((column) => `\n  ADD COLUMN ${guard}${column}`).join(','));
  const statement = sql`ALTER TABLE ${table} ${lines}`;
  const [first = ''] = columns[0]?.split(' ') ?? [];
  return byFamily<SchemaStep>(dialect, {
    postgres: () => ({ statement }),
    mysql: () => ({ statement, done: columnNamed(table, first) }),
  });
}

export interface IndexOptions {
  /** PostgreSQL: which rows are in it. */
  where?: string;
  unique?: boolean;
}

/** Named after its table and `suffix`. */
export function createIndex(
  dialect: Dialect,
  table: Identifier,
  suffix: string,
  columns: string,
  options: IndexOptions = {},
): SchemaStep {
  const name = `${table.name}_${suffix}`;
  const on = sql`${id(name)} ON ${table} (${raw(columns)})`;
  const create = raw(options.unique ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX');
  return byFamily<SchemaStep>(dialect, {
    postgres: () => ({
      statement: sql`${create} IF NOT EXISTS ${on}${raw(options.where ? ` WHERE ${options.where}` : '')}`,
    }),
    mysql: () => ({ statement: sql`${create} ${on}`, done: indexNamed(table, name) }),
  });
}

const indexNamed = (table: Identifier, name: string): Statement =>
  sql`SELECT 1 AS found FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ${table.name} AND index_name = ${name} LIMIT 1`;

const columnNamed = (table: Identifier, column: string): Statement =>
  sql`SELECT 1 AS found FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ${table.name} AND column_name = ${column} LIMIT 1`;
