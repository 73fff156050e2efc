import type { Patient } from './check.js';
import { expectedSchema } from './expected-schema.js';
import { join, sql, type Statement } from '../sql/dialects/statement.js';

/** A table by its schema; null: that of unqualified names. */
export interface OwnTable {
  readonly schema: string | null;
  readonly name: string;
}

/** All our tables, those of the outbox with the names that the app has given them. */
export function ownTables({ executor, tables, outbox }: Patient): OwnTable[] {
  const names = expectedSchema(executor.dialect, tables).tables.map(({ name }) => name);
  const ours = names.map((name) => ({ schema: null, name }));
  if (!outbox) return ours;
  const { table, nodesTable, schema = null } = outbox.tables.names;
  return [...ours, ...[table, nodesTable].map((name) => ({ schema: schema ?? null, name }))];
}

/** PostgreSQL: a list for FROM, `t(schema, name)`. */
export const listOnPostgres = (tables: readonly OwnTable[]): Statement => {
  const rows = join(tables.map(({ schema, name }) => sql`(CAST(${schema} AS text), CAST(${name} AS text))`));
  return sql`(VALUES ${rows}) AS t(schema, name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = coalesce(t.schema, current_schema(), 'public')
  JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name`;
};

/** MySQL and MariaDB: the condition of rows of `information_schema`. */
export const isListed = (tables: readonly OwnTable[]): Statement => {
  const rows = tables.map(({ schema, name }) => sql`(COALESCE(${schema}, DATABASE()), ${name})`);
  return sql`(TABLE_SCHEMA, TABLE_NAME) IN (${join(rows)})`;
};
