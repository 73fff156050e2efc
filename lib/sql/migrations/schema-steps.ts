import type { Dialect } from '../dialect.js';
import { KEY_COLLATION } from '../mysql.dialect.js';
import { id, type Identifier, raw, sql, type Statement } from '../statement.js';
import type { SchemaStep } from './migration.js';

/** `varchar(191)` is the longest key that MySQL indexes whole at four bytes per character in every row format. */
export const KEY = 'varchar(191)';

/** Payloads: `text` ends at 64 KiB on MySQL. */
export const textType = (dialect: Dialect): string => (dialect.family === 'postgres' ? 'text' : 'longtext');

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
  return { statement: sql`CREATE TABLE IF NOT EXISTS ${table} (${lines}\n) ${raw(storage(dialect, options))}` };
}

function storage(dialect: Dialect, { fillfactor = 100 }: TableOptions): string {
  if (dialect.name !== 'postgres')
    return `ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${KEY_COLLATION[dialect.name]}`;
  // Rows come and go by the thousand: vacuum often and at full speed, or claims wade through dead ones.
  const settings = [
    'autovacuum_vacuum_scale_factor = 0.02',
    'autovacuum_analyze_scale_factor = 0.02',
    'autovacuum_vacuum_cost_delay = 0',
  ];
  return `WITH (${[`fillfactor = ${fillfactor}`, ...settings].join(', ')})`;
}

/** All at once, so that a database which has the first has them all. */
export function addColumns(dialect: Dialect, table: Identifier, columns: readonly string[]): SchemaStep {
  const guard = dialect.family === 'postgres' ? 'IF NOT EXISTS ' : '';
  const lines = raw(columns.map((column) => `\n  ADD COLUMN ${guard}${column}`).join(','));
  const statement = sql`ALTER TABLE ${table} ${lines}`;
  const [first = ''] = columns[0]?.split(' ') ?? [];
  return dialect.family === 'postgres' ? { statement } : { statement, done: columnNamed(table, first) };
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
  if (dialect.family === 'postgres') {
    return { statement: sql`${create} IF NOT EXISTS ${on}${raw(options.where ? ` WHERE ${options.where}` : '')}` };
  }
  return { statement: sql`${create} ${on}`, done: indexNamed(table, name) };
}

const indexNamed = (table: Identifier, name: string): Statement =>
  sql`SELECT 1 AS found FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ${table.name} AND index_name = ${name} LIMIT 1`;

const columnNamed = (table: Identifier, column: string): Statement =>
  sql`SELECT 1 AS found FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ${table.name} AND column_name = ${column} LIMIT 1`;
