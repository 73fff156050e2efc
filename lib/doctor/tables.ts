import type { Dialect } from '../sql/dialects.js';
import { migrationsOf, migrationsTable } from '../sql/migrations/migrator.js';
import type { IndexShape, TableShape } from '../sql/migrations/schema-steps.js';
import { type Identifier, join, sql, type Statement } from '../sql/statement.js';
import type { Tables } from '../sql/tables.js';
import type { Patient } from './check.js';

/** A table by its schema; null: that of the connection. */
export interface OwnTable {
  readonly schema: string | null;
  readonly name: string;
}

/** PostgreSQL: the number of the schema of our tables. */
export const namespaceOf = ({ executor, tables }: Pick<Patient, 'executor' | 'tables'>): Statement =>
  sql`(SELECT here.oid FROM pg_catalog.pg_namespace AS here WHERE here.nspname = ${executor.dialect.schemaOf(tables.home)})`;

/** All our tables, those of the outbox with the names that the app has given them. */
export function ownTables({ executor, tables, outbox }: Patient): OwnTable[] {
  const names = expectedSchema(executor.dialect, tables).tables.map(({ name }) => name);
  const ours = names.map((name) => ({ schema: tables.home.schema ?? null, name }));
  if (!outbox) return ours;
  const { table, nodesTable, schema = null } = outbox.tables.names;
  return [...ours, ...[table, nodesTable].map((name) => ({ schema, name }))];
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

export interface ExpectedColumn {
  readonly name: string;
  /** As this server spells it. */
  readonly type: string;
  readonly notNull: boolean;
  /** Without quotes; undefined: none. */
  readonly byDefault: string | undefined;
  /** Numbered by the database. */
  readonly numbered: boolean;
  /** As in CREATE TABLE. */
  readonly line: string;
}

export interface ExpectedTable {
  readonly name: string;
  /** The same, as statements name it. */
  readonly at: Identifier;
  readonly columns: readonly ExpectedColumn[];
  /** In its order. */
  readonly primaryKey: readonly string[];
  readonly create: Statement;
}

export interface ExpectedIndex {
  readonly name: string;
  readonly table: string;
  /** Its table, as statements name it. */
  readonly on: Identifier;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Undefined: it has every row. */
  readonly condition: string | undefined;
  readonly create: Statement;
}

export interface ExpectedSchema {
  readonly tables: readonly ExpectedTable[];
  readonly indexes: readonly ExpectedIndex[];
}

/** What the migrations make, read from their steps: so there is no second list that could differ. */
export function expectedSchema(dialect: Dialect, tables: Tables): ExpectedSchema {
  const steps = [migrationsTable(dialect, tables), ...migrationsOf({}).flatMap((one) => one.steps(dialect, tables))];
  const schema = { tables: [] as ExpectedTable[], indexes: [] as ExpectedIndex[] };
  for (const { makes, statement } of steps) {
    if (makes?.kind === 'table') schema.tables.push(tableOf(dialect, makes, statement));
    if (makes?.kind === 'index') schema.indexes.push(expectedIndex(makes, statement));
  }
  return schema;
}

function tableOf(dialect: Dialect, { table, lines }: TableShape, create: Statement): ExpectedTable {
  const columnLines = lines.filter((line) => /^[a-z]/.test(line));
  const listed = lines.map((line) => /^PRIMARY KEY \((.+)\)$/.exec(line)?.[1]).find((key) => key !== undefined);
  const own = columnLines.filter((line) => line.includes('PRIMARY KEY')).map((line) => line.split(' ')[0]!);
  const primaryKey = listed?.split(', ') ?? own;
  const columns = columnLines.map((line) => columnOf(dialect, line, primaryKey));
  return { name: table.name, at: table, columns, primaryKey, create };
}

const TYPE = /^\w+ (double precision|\w+(?:\(\d+\))?)/;

function columnOf(dialect: Dialect, line: string, primaryKey: readonly string[]): ExpectedColumn {
  const name = line.split(' ')[0]!;
  return {
    name,
    line,
    type: SPELLED[dialect.name](TYPE.exec(line)?.[1] ?? ''),
    notNull: line.includes('NOT NULL') || primaryKey.includes(name),
    byDefault: /(?<!BY) DEFAULT '?([^' ]+)'?/.exec(line)?.[1],
    numbered: /AUTO_INCREMENT|AS IDENTITY/.test(line),
  };
}

const onMysql = (type: string): string => type.replace(/^integer$/, 'int').replace('double precision', 'double');

const SPELLED: Readonly<Record<Dialect['name'], (type: string) => string>> = {
  postgres: (type) => type.replace(/^varchar/, 'character varying'),
  mysql: onMysql,
  mariadb: onMysql,
};

const expectedIndex = (
  { name, table, columns, unique = false, where }: IndexShape,
  create: Statement,
): ExpectedIndex => ({
  name,
  table: table.name,
  on: table,
  columns: columns.split(', ').map(unquoted),
  unique,
  condition: where,
  create,
});

export interface FoundColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly byDefault: string | undefined;
  readonly numbered: boolean;
  /** MySQL and MariaDB. */
  readonly collation: string | undefined;
  /** Computed by the database. */
  readonly generated: boolean;
}

export interface FoundIndex {
  readonly table: string;
  readonly name: string;
  /** With their direction, unless it is the usual one. */
  readonly columns: readonly string[];
  /** How it is built, unless as a B-tree. */
  readonly method: string | undefined;
  readonly unique: boolean;
  readonly primary: boolean;
  readonly condition: string | undefined;
  /** False: it was not built to its end, or the planner does not see it. */
  readonly usable: boolean;
}

export interface FoundSchema {
  readonly columns: readonly FoundColumn[];
  readonly indexes: readonly FoundIndex[];
}

const among = (names: readonly string[]): Statement => sql`(${join(names)})`;

const postgresColumns = (namespace: Statement, tables: readonly string[]): Statement => sql`
  SELECT c.relname AS table_name, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attnotnull AS not_null, pg_get_expr(d.adbin, d.adrelid) AS by_default, a.attidentity <> '' AS numbered,
    a.attgenerated <> '' AS generated
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = ${namespace} AND c.relkind IN ('r', 'p') AND c.relname IN ${among(tables)}
  ORDER BY c.relname, a.attnum`;

/** Where it is not that of the column. */
const collation = sql`COALESCE((SELECT ' COLLATE ' || o.collname FROM pg_catalog.pg_collation AS o
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k - 1]
  WHERE o.oid = i.indcollation[k - 1] AND o.oid <> a.attcollation), '')`;

/** Bit 1 of its options: it falls. Bit 2: NULL comes first, which is usual where it falls. */
const direction = sql`CASE i.indoption[k - 1] WHEN 0 THEN '' WHEN 1 THEN ' DESC NULLS LAST' WHEN 2 THEN ' NULLS FIRST' ELSE ' DESC' END`;

const postgresIndexes = (namespace: Statement, tables: readonly string[]): Statement => sql`
  SELECT t.relname AS table_name, c.relname AS name, i.indisunique AS is_unique, i.indisprimary AS is_primary,
    i.indisvalid AND i.indisready AS usable, pg_get_expr(i.indpred, i.indrelid, true) AS condition, m.amname AS method,
    (SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true) || ${collation} || ${direction}, ', ' ORDER BY k)
      FROM generate_series(1, i.indnkeyatts) AS k) AS columns
  FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
  JOIN pg_catalog.pg_am AS m ON m.oid = c.relam
  JOIN pg_catalog.pg_class AS t ON t.oid = i.indrelid
  WHERE t.relnamespace = ${namespace} AND t.relname IN ${among(tables)}`;

interface PostgresColumn {
  table_name: string;
  name: string;
  type: string;
  not_null: boolean;
  by_default: string | null;
  numbered: boolean;
  generated: boolean;
}

interface PostgresIndex {
  table_name: string;
  name: string;
  is_unique: boolean;
  is_primary: boolean;
  usable: boolean;
  condition: string | null;
  method: string;
  columns: string;
}

/** `'pending'::character varying` is `pending`. */
const plainDefault = (text: string | null): string | undefined =>
  text === null || text === 'NULL' ? undefined : text.replace(/::.*$/, '').replaceAll("'", '');

const unquoted = (name: string): string => name.replaceAll('"', '');

async function foundOnPostgres(patient: Patient, tables: readonly string[]): Promise<FoundSchema> {
  const { ask } = patient;
  const columns = await ask<PostgresColumn>(postgresColumns(namespaceOf(patient), tables));
  const indexes = await ask<PostgresIndex>(postgresIndexes(namespaceOf(patient), tables));
  return {
    columns: columns.map(({ table_name, not_null, by_default, ...column }) => ({
      ...column,
      table: table_name,
      notNull: not_null,
      byDefault: plainDefault(by_default),
      collation: undefined,
    })),
    indexes: indexes.map((row) => ({
      table: row.table_name,
      name: row.name,
      unique: row.is_unique,
      primary: row.is_primary,
      usable: row.usable,
      condition: row.condition ?? undefined,
      method: row.method === 'btree' ? undefined : row.method,
      columns: row.columns.split(', ').map(unquoted),
    })),
  };
}

const mysqlColumns = (schema: Statement, tables: readonly string[]): Statement => sql`
  SELECT TABLE_NAME AS table_name, COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE AS nullable,
    COLUMN_DEFAULT AS by_default, EXTRA AS extra, COLLATION_NAME AS collation
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ${schema} AND TABLE_NAME IN ${among(tables)}
  ORDER BY TABLE_NAME, ORDINAL_POSITION`;

/** All columns: whether the planner sees an index has another name on each product. */
const mysqlIndexes = (schema: Statement, tables: readonly string[]): Statement => sql`
  SELECT s.* FROM information_schema.STATISTICS AS s
  WHERE s.TABLE_SCHEMA = ${schema} AND s.TABLE_NAME IN ${among(tables)}
  ORDER BY s.TABLE_NAME, s.INDEX_NAME, s.SEQ_IN_INDEX`;

interface MysqlColumn {
  table_name: string;
  name: string;
  type: string;
  nullable: string;
  by_default: string | null;
  extra: string;
  collation: string | null;
}

interface MysqlIndex {
  TABLE_NAME: string;
  INDEX_NAME: string;
  COLUMN_NAME: string;
  NON_UNIQUE: number | string;
  SUB_PART: number | string | null;
  /** Ascending or descending. */
  COLLATION: 'A' | 'D' | null;
  INDEX_TYPE: string;
  /** MySQL. */
  IS_VISIBLE?: string;
  /** MariaDB. */
  IGNORED?: string;
}

/** MariaDB writes the width at which old clients showed a number: `bigint(20)`. */
const plainType = (type: string): string => type.replace(/^(tinyint|smallint|mediumint|int|bigint)\(\d+\)/, '$1');

async function foundOnMysql(
  { ask, executor, tables: { home } }: Patient,
  tables: readonly string[],
): Promise<FoundSchema> {
  const schema = executor.dialect.schemaOf(home);
  const columns = await ask<MysqlColumn>(mysqlColumns(schema, tables));
  const parts = await ask<MysqlIndex>(mysqlIndexes(schema, tables));
  const indexes = new Map<string, MysqlIndex[]>();
  for (const part of parts) {
    const key = `${part.TABLE_NAME}.${part.INDEX_NAME}`;
    indexes.set(key, [...(indexes.get(key) ?? []), part]);
  }
  return {
    columns: columns.map(({ table_name, name, type, nullable, by_default, extra, collation }) => ({
      name,
      table: table_name,
      type: plainType(type),
      notNull: nullable === 'NO',
      byDefault: plainDefault(by_default),
      numbered: extra.includes('auto_increment'),
      collation: collation ?? undefined,
      generated: /GENERATED/i.test(extra) && !/DEFAULT_GENERATED/i.test(extra),
    })),
    indexes: [...indexes.values()].map((rows) => foundIndex(rows)),
  };
}

const foundIndex = ([first, ...others]: readonly MysqlIndex[]): FoundIndex => ({
  table: first!.TABLE_NAME,
  name: first!.INDEX_NAME,
  columns: [first!, ...others].map(
    ({ COLUMN_NAME: column, SUB_PART: part, COLLATION: order }) =>
      `${column}${part === null ? '' : `(${part})`}${order === 'D' ? ' DESC' : ''}`,
  ),
  method: first!.INDEX_TYPE === 'BTREE' ? undefined : first!.INDEX_TYPE,
  unique: Number(first!.NON_UNIQUE) === 0,
  primary: first!.INDEX_NAME === 'PRIMARY',
  condition: undefined,
  usable: first!.IS_VISIBLE !== 'NO' && first!.IGNORED !== 'YES',
});

const FOUND: Readonly<Record<Dialect['name'], (patient: Patient, tables: readonly string[]) => Promise<FoundSchema>>> =
  {
    postgres: foundOnPostgres,
    mysql: foundOnMysql,
    mariadb: foundOnMysql,
  };

/** What the catalog of the server says of these tables, in the schema of ours. */
export const foundSchema = (patient: Patient, tables: readonly string[]): Promise<FoundSchema> =>
  FOUND[patient.executor.dialect.name](patient, tables);
