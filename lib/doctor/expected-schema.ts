import type { Dialect } from '../sql/dialects/dialect.js';
import type { Statement } from '../sql/dialects/statement.js';
import { migrationsOf, migrationsTable } from '../sql/migrations/migrator.js';
import type { IndexShape, TableShape } from '../sql/migrations/schema-steps.js';
import type { Tables } from '../sql/tables.js';

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
  readonly columns: readonly ExpectedColumn[];
  /** In its order. */
  readonly primaryKey: readonly string[];
  readonly create: Statement;
}

export interface ExpectedIndex {
  readonly name: string;
  readonly table: string;
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
    if (makes?.kind === 'index') schema.indexes.push(indexOf(makes, statement));
  }
  return schema;
}

function tableOf(dialect: Dialect, { table, lines }: TableShape, create: Statement): ExpectedTable {
  const columnLines = lines.filter((line) => /^[a-z]/.test(line));
  const listed = lines.map((line) => /^PRIMARY KEY \((.+)\)$/.exec(line)?.[1]).find((key) => key !== undefined);
  const own = columnLines.filter((line) => line.includes('PRIMARY KEY')).map((line) => line.split(' ')[0]!);
  const primaryKey = listed?.split(', ') ?? own;
  const columns = columnLines.map((line) => columnOf(dialect, line, primaryKey));
  return { name: table.name, columns, primaryKey, create };
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

const indexOf = ({ name, table, columns, unique = false, where }: IndexShape, create: Statement): ExpectedIndex => ({
  name,
  table: table.name,
  columns: columns.split(', '),
  unique,
  condition: where,
  create,
});
