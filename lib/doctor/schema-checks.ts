import type { Dialect } from '../sql/dialects.js';
import { pendingMigrations } from '../sql/migrations/migrator.js';
import { connectedAs } from '../sql/migrations/rights.js';
import { id, join, raw, sql, type Statement } from '../sql/statement.js';
import { type Answer, type Check, error, type Finding, granteeOf, info, on, type Patient, textOf } from './check.js';
import {
  type ExpectedColumn,
  type ExpectedIndex,
  expectedSchema,
  type ExpectedTable,
  type FoundColumn,
  type FoundIndex,
  type FoundSchema,
  foundSchema,
  isListed,
  listOnPostgres,
  type OwnTable,
  ownTables,
} from './tables.js';

async function lookAtMigrations({ executor, tables }: Patient): Promise<Answer> {
  const pending = await pendingMigrations(executor, tables);
  if (pending.length === 0) return [];
  return [error(`Not applied: ${pending.join(', ')}`, `npx nest-durable migrate --prefix ${tables.prefix}`)];
}

/** What differs, and how to mend it. */
type Differences = (expected: ReturnType<typeof expectedSchema>, found: FoundSchema, dialect: Dialect) => Finding[];

async function compared({ executor, tables, ...patient }: Patient, differences: Differences): Promise<Answer> {
  const expected = expectedSchema(executor.dialect, tables);
  const names = expected.tables.map(({ name }) => name);
  return differences(expected, await foundSchema({ executor, tables, ...patient }, names), executor.dialect);
}

const missingIn = (found: FoundSchema, table: string): boolean =>
  !found.columns.some((column) => column.table === table);

const columnDrift: Differences = ({ tables }, found, dialect) =>
  tables.flatMap((table) => {
    const columns = found.columns.filter((column) => column.table === table.name);
    if (columns.length === 0) return [error(`The table "${table.name}" is missing`, textOf(table.create, dialect))];
    return [
      ...table.columns.flatMap((expected) => columnFindings(dialect, table, expected, columns)),
      ...foreignColumns(dialect, table, columns),
    ];
  });

function columnFindings(
  dialect: Dialect,
  table: ExpectedTable,
  expected: ExpectedColumn,
  columns: readonly FoundColumn[],
): Finding[] {
  const found = columns.find(({ name }) => name === expected.name);
  const named = `The column "${table.name}"."${expected.name}"`;
  const alter = (change: Statement) => textOf(sql`ALTER TABLE ${table.at} ${change}`, dialect);
  if (!found) return [error(`${named} is missing`, alter(sql`ADD COLUMN ${raw(expected.line)}`))];
  const differs = (Object.keys(SAID) as Aspect[]).filter((aspect) => found[aspect] !== expected[aspect]);
  if (differs.length === 0) return [];
  const text = differs.map((aspect) => `${SAID[aspect](found[aspect])} instead of ${SAID[aspect](expected[aspect])}`);
  return [error(`${named} is ${text.join(', ')}`, ...CHANGES[dialect.name](expected, differs).map(alter))];
}

type Aspect = 'type' | 'notNull' | 'byDefault' | 'numbered';

const SAID: Readonly<Record<Aspect, (value: string | boolean | undefined) => string>> = {
  type: String,
  notNull: (value) => (value ? 'NOT NULL' : 'nullable'),
  byDefault: (value) => (value === undefined ? 'without a default' : `DEFAULT ${value}`),
  numbered: (value) => (value ? 'numbered by the database' : 'not numbered'),
};

/** PostgreSQL changes each aspect of a column by its own. */
function changesOnPostgres(expected: ExpectedColumn, differs: readonly Aspect[]): Statement[] {
  const column = sql`ALTER COLUMN ${id(expected.name)}`;
  const type = raw(/^\w+ (double precision|\w+(?:\(\d+\))?)/.exec(expected.line)?.[1] ?? expected.type);
  const changes: Record<Aspect, Statement> = {
    type: sql`${column} TYPE ${type} USING ${id(expected.name)}::${type}`,
    notNull: sql`${column} ${raw(expected.notNull ? 'SET' : 'DROP')} NOT NULL`,
    byDefault:
      expected.byDefault === undefined
        ? sql`${column} DROP DEFAULT`
        : sql`${column} SET DEFAULT ${raw(`'${expected.byDefault}'`)}`,
    numbered: sql`${column} ADD GENERATED ALWAYS AS IDENTITY`,
  };
  return differs.map((aspect) => changes[aspect]);
}

/** The key stays as it is. */
const changesOnMysql = ({ line }: ExpectedColumn): Statement[] => [
  sql`MODIFY COLUMN ${raw(line.replace(' PRIMARY KEY', ''))}`,
];

const CHANGES: Readonly<
  Record<Dialect['name'], (expected: ExpectedColumn, differs: readonly Aspect[]) => Statement[]>
> = {
  postgres: changesOnPostgres,
  mysql: changesOnMysql,
  mariadb: changesOnMysql,
};

/** A column that our INSERTs leave out must not need a value. */
const foreignColumns = (dialect: Dialect, table: ExpectedTable, columns: readonly FoundColumn[]): Finding[] =>
  columns
    .filter(({ name }) => !table.columns.some((expected) => expected.name === name))
    .filter(
      ({ notNull, byDefault, numbered, generated }) => notNull && byDefault === undefined && !numbered && !generated,
    )
    .map(({ name }) =>
      error(
        `"${table.name}" has a column "${name}" that is not ours and needs a value: we cannot insert rows`,
        textOf(sql`ALTER TABLE ${table.at} DROP COLUMN ${id(name)}`, dialect),
      ),
    );

const indexDrift: Differences = ({ tables, indexes }, found, dialect) => [
  ...tables.flatMap((table) => (missingIn(found, table.name) ? [] : keyFindings(table, found, dialect))),
  ...indexes.flatMap((index) => (missingIn(found, index.table) ? [] : indexFindings(index, found, dialect))),
];

function keyFindings({ name, at, primaryKey }: ExpectedTable, { indexes }: FoundSchema, dialect: Dialect): Finding[] {
  const key = indexes.find((index) => index.table === name && index.primary);
  if (key && String(key.columns) === String(primaryKey)) return [];
  const dropped = key ? sql`${raw(DROP_KEY[dialect.name](key))}, ` : raw('');
  const mend = sql`ALTER TABLE ${at} ${dropped}ADD PRIMARY KEY (${join(primaryKey.map((column) => id(column)))})`;
  const instead = key ? `(${key.columns.join(', ')}) instead of ` : 'missing: it should be ';
  return [error(`The primary key of "${name}" is ${instead}(${primaryKey.join(', ')})`, textOf(mend, dialect))];
}

const DROP_KEY: Readonly<Record<Dialect['name'], (key: FoundIndex) => string>> = {
  postgres: ({ name }) => `DROP CONSTRAINT "${name}"`,
  mysql: () => 'DROP PRIMARY KEY',
  mariadb: () => 'DROP PRIMARY KEY',
};

function indexFindings(expected: ExpectedIndex, { indexes }: FoundSchema, dialect: Dialect): Finding[] {
  const found = indexes.find(({ name, table }) => name === expected.name && table === expected.table);
  const create = textOf(expected.create, dialect);
  if (!found) return [error(`The index "${expected.name}" is missing: looks read the whole table`, create)];
  const [is, should] = [shapeOf(found), shapeOf(expected)];
  if (is === should) return [];
  const drop = textOf(DROP_INDEX[dialect.name](expected), dialect);
  return [error(`The index "${expected.name}" is ${is} instead of ${should}`, drop, create)];
}

const dropOnMysql = ({ name, on }: ExpectedIndex): Statement => sql`DROP INDEX ${id(name)} ON ${on}`;

const DROP_INDEX: Readonly<Record<Dialect['name'], (index: ExpectedIndex) => Statement>> = {
  postgres: ({ name, on }) => sql`DROP INDEX ${id(name, on.home)}`,
  mysql: dropOnMysql,
  mariadb: dropOnMysql,
};

type Shape = Pick<FoundIndex, 'columns' | 'unique' | 'condition'> & Partial<Pick<FoundIndex, 'method'>>;

const shapeOf = ({ columns, unique, condition, method }: Shape): string =>
  `${unique ? 'UNIQUE ' : ''}${method === undefined ? '' : `USING ${method} `}(${columns.join(', ')})${condition === undefined ? '' : ` WHERE ${plainCondition(condition)}`}`;

/** PostgreSQL prints conditions with casts, quotes and operators of its own. */
const plainCondition = (condition: string): string =>
  condition.replaceAll(CAST, '').replaceAll(/[()"]/g, '').replaceAll('~~', 'LIKE');

const CAST = /::(character varying|text|bigint|integer|smallint|double precision)/g;

async function lookAtUsable(patient: Patient): Promise<Answer> {
  const { executor, tables } = patient;
  const names = expectedSchema(executor.dialect, tables).tables.map(({ name }) => name);
  const { indexes } = await foundSchema(patient, names);
  return indexes
    .filter(({ usable }) => !usable)
    .map(({ name, table }) =>
      error(`No statement uses the index "${name}"`, REUSED[executor.dialect.name](name, table)),
    );
}

const REUSED: Readonly<Record<Dialect['name'], (name: string, table: string) => string>> = {
  postgres: (name) => `REINDEX INDEX CONCURRENTLY "${name}";`,
  mysql: (name, table) => `ALTER TABLE \`${table}\` ALTER INDEX \`${name}\` VISIBLE;`,
  mariadb: (name, table) => `ALTER TABLE \`${table}\` ALTER INDEX \`${name}\` NOT IGNORED;`,
};

/** Our tables, compared with what the migrations make. */
export const schemaChecks: readonly Check[] = [
  {
    id: 'migrations',
    group: 'schema',
    meaning: 'All migrations of this version were applied',
    looks: on(lookAtMigrations),
  },
  {
    id: 'columns',
    group: 'schema',
    meaning: 'Our tables have the columns that the migrations make, with their types and defaults',
    looks: on((patient) => compared(patient, columnDrift)),
  },
  {
    id: 'indexes',
    group: 'schema',
    meaning: 'Our tables have their keys and indexes, with their columns, order and condition',
    looks: on((patient) => compared(patient, indexDrift)),
  },
  {
    id: 'unused-indexes',
    group: 'schema',
    meaning: 'Every index of our tables is complete, and the planner sees it',
    looks: on(lookAtUsable),
  },
];

const VERBS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;

const selectRights = (tables: readonly OwnTable[]): Statement => {
  const has = join(VERBS.map((verb) => sql`has_table_privilege(c.oid, ${raw(`'${verb}'`)}) AS ${id(verb)}`));
  return sql`
  SELECT n.nspname AS schema, c.relname AS name, has_schema_privilege(n.oid, 'USAGE') AS "USAGE", ${has}
  FROM ${listOnPostgres(tables)}`;
};

/** Whoever inserts takes the numbers of rows from these; an identity column needs no right. CASE: others have none to ask for. */
const selectClosedSequences = (tables: readonly OwnTable[]): Statement => sql`
  SELECT DISTINCT n.nspname AS schema, s.relname AS name FROM ${listOnPostgres(tables)}
  JOIN pg_catalog.pg_depend AS d ON d.refobjid = c.oid AND d.deptype = 'a'
  JOIN pg_catalog.pg_class AS s ON s.oid = d.objid
  WHERE CASE WHEN s.relkind = 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE') ELSE false END ORDER BY s.relname`;

type Rights = Record<(typeof VERBS)[number] | 'USAGE', boolean> & { schema: string; name: string };

async function rightsOnPostgres(patient: Patient): Promise<Answer> {
  const rows = await patient.ask<Rights>(selectRights(ownTables(patient)));
  const to = await granteeOf(patient);
  const say = (statement: Statement) => textOf(statement, patient.executor.dialect);
  const closed = [...new Set(rows.filter((row) => !row.USAGE).map(({ schema }) => schema))].map((schema) =>
    error(`This user may not use the schema "${schema}"`, say(sql`GRANT USAGE ON SCHEMA ${id(schema)} TO ${to}`)),
  );
  const lacking = rows.flatMap((row) => {
    const missing = VERBS.filter((verb) => !row[verb]);
    if (missing.length === 0) return [];
    const grant = sql`GRANT ${raw(missing.join(', '))} ON ${id(row.schema)}.${id(row.name)} TO ${to}`;
    return [error(`This user lacks ${missing.join(', ')} on "${row.name}"`, say(grant))];
  });
  const sequences = await patient.ask<{ schema: string; name: string }>(selectClosedSequences(ownTables(patient)));
  const numbers = sequences.map(({ schema, name }) =>
    error(
      `This user may not take numbers from "${name}", so it cannot insert`,
      say(sql`GRANT USAGE ON SEQUENCE ${id(schema)}.${id(name)} TO ${to}`),
    ),
  );
  return [...closed, ...lacking, ...numbers];
}

/** What `SHOW GRANTS` says of one place: `*.*`, a pattern of databases, or a table. */
interface Granted {
  verbs: ReadonlySet<string>;
  /** As LIKE takes it. */
  database: string;
  table: string;
}

const GRANT = /^GRANT (.+?) ON (?:TABLE )?(\*|`(?:[^`]|``)+`)\.(\*|`(?:[^`]|``)+`) TO /;

function grantedIn(line: string): Granted[] {
  const [, listed, database, table] = GRANT.exec(line) ?? [];
  if (listed === undefined || database === undefined || table === undefined) return [];
  // Of a right on columns, the whole row is not covered.
  const verbs = listed.replaceAll(/\w+ \([^)]*\)/g, '').split(', ');
  return [
    {
      verbs: new Set(verbs.includes('ALL PRIVILEGES') ? VERBS : verbs),
      database: plain(database),
      table: plain(table),
    },
  ];
}

const plain = (name: string): string => (name === '*' ? '*' : name.slice(1, -1).replaceAll('``', '`'));

/** In grants on databases, `_` and `%` are wildcards unless they are escaped. */
function matchesDatabase({ database, table }: Granted, name: string): boolean {
  if (database === '*') return true;
  if (table !== '*') return database === name;
  const pattern = database.replaceAll(/\\?[_%]|[.*+?^${}()|[\]\\]/g, (found) => {
    if (found === '_') return '.';
    if (found === '%') return '.*';
    return `\\${found.at(-1)}`;
  });
  return new RegExp(`^${pattern}$`).test(name);
}

async function rightsOnMysql(patient: Patient): Promise<Answer> {
  const { executor, ask, tables } = patient;
  const [current] = await ask<{ role: string | null }>(sql`SELECT CURRENT_ROLE() AS role`);
  const grants = await ask<Record<string, string>>(showGrants(patient, current?.role ?? 'NONE'));
  const granted = grants.flatMap((row) => grantedIn(String(Object.values(row)[0])));
  const { schema: database } = await connectedAs(executor, tables.prefix, tables.home);
  const to = await granteeOf(patient);
  return ownTables(patient).flatMap(({ schema, name }) => {
    const within = schema ?? database;
    const here = granted.filter((one) => matchesDatabase(one, within) && (one.table === '*' || one.table === name));
    const missing = VERBS.filter((verb) => !here.some(({ verbs }) => verbs.has(verb)));
    if (missing.length === 0) return [];
    const grant = sql`GRANT ${raw(missing.join(', '))} ON ${id(within)}.${id(name)} TO ${to}`;
    return [error(`This user lacks ${missing.join(', ')} on "${name}"`, textOf(grant, executor.dialect))];
  });
}

const withRole = (role: string): Statement => (role === 'NONE' ? raw('') : sql` USING ${raw(role)}`);

/** MySQL lists what its roles give only if they are named; MariaDB always does. */
const USING: Readonly<Record<Dialect['name'], (role: string) => Statement>> = {
  postgres: () => raw(''),
  mysql: withRole,
  mariadb: () => raw(''),
};

const showGrants = ({ executor }: Patient, role: string): Statement =>
  sql`SHOW GRANTS FOR CURRENT_USER()${USING[executor.dialect.name](role)}`;

/** For a user that does all: API, engine, worker and relay. */
export const rightsCheck: Check = {
  id: 'rights',
  group: 'rights',
  meaning: 'This user may read and write all our tables',
  looks: { postgres: rightsOnPostgres, mysql: rightsOnMysql, mariadb: rightsOnMysql },
};

/** A column that the database numbers. */
interface Numbered {
  within: string;
  name: string;
  attribute: string;
  last: number | string;
  most: number | string;
}

const selectSequences = (tables: readonly OwnTable[]): Statement => sql`
  SELECT n.nspname AS within, c.relname AS name, a.attname AS attribute, q.last_value AS last, q.max_value AS most,
    q.sequencename AS sequence
  FROM ${listOnPostgres(tables)}
  JOIN pg_catalog.pg_depend AS d ON d.refobjid = c.oid AND d.classid = CAST('pg_catalog.pg_class' AS regclass)
    AND d.deptype IN ('a', 'i')
  JOIN pg_catalog.pg_class AS s ON s.oid = d.objid AND s.relkind = 'S'
  JOIN pg_catalog.pg_namespace AS sn ON sn.oid = s.relnamespace
  JOIN pg_catalog.pg_sequences AS q ON q.schemaname = sn.nspname AND q.sequencename = s.relname
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
  WHERE q.last_value IS NOT NULL`;

const LARGEST_INTEGER = 2 ** 31 - 1;

const isNearEnd = ({ last, most }: Numbered, { limits }: Patient): boolean =>
  Number(last) > limits.sequence * Number(most);

const textFor = ({ name, attribute, last, most }: Numbered): string =>
  `"${name}"."${attribute}" has used ${last} of ${most} numbers`;

async function numbersOnPostgres(patient: Patient): Promise<Answer> {
  const { ask, executor } = patient;
  const rows = await ask<Numbered & { sequence: string }>(selectSequences(ownTables(patient)));
  return rows
    .filter((row) => isNearEnd(row, patient))
    .map((row): Finding => {
      const { within, name, attribute, sequence, most } = row;
      if (Number(most) > LARGEST_INTEGER) return error(textFor(row));
      const wider = sql`ALTER TABLE ${id(within)}.${id(name)} ALTER COLUMN ${id(attribute)} TYPE bigint`;
      const longer = sql`ALTER SEQUENCE ${id(within)}.${id(sequence)} AS bigint`;
      return error(textFor(row), textOf(wider, executor.dialect), textOf(longer, executor.dialect));
    });
}

/** `next` may be a day old on MySQL, and the last row may be deleted: the greater of both counts. */
const selectNumbered = (tables: readonly OwnTable[]): Statement => sql`
  SELECT c.TABLE_SCHEMA AS within, c.TABLE_NAME AS name, c.COLUMN_NAME AS attribute, c.COLUMN_TYPE AS type,
    (SELECT t.AUTO_INCREMENT FROM information_schema.TABLES AS t
      WHERE t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME) AS next
  FROM information_schema.COLUMNS AS c WHERE c.EXTRA LIKE '%auto_increment%' AND ${isListed(tables)}`;

type NumberedColumn = Omit<Numbered, 'last' | 'most'> & { type: string; next: number | string | null };

const LARGEST: Readonly<Record<string, number>> = {
  int: LARGEST_INTEGER,
  'int unsigned': 2 ** 32 - 1,
  bigint: 2 ** 63,
  'bigint unsigned': 2 ** 64,
};

const largestOf = (type: string): number => LARGEST[type.replace(/\(\d+\)/, '')] ?? LARGEST_INTEGER;

async function numbersOnMysql(patient: Patient): Promise<Answer> {
  const { ask, executor } = patient;
  const columns = await ask<NumberedColumn>(selectNumbered(ownTables(patient)));
  const findings: Finding[] = [];
  // By the key of each table; there are few.
  for (const { type, next, ...column } of columns) {
    const { within, name, attribute } = column;
    const [row] = await ask<{ last: number | string | null }>(
      sql`SELECT max(${id(attribute)}) AS last FROM ${id(within)}.${id(name)}`,
    );
    const last = Math.max(Number(row?.last ?? 0), Number(next ?? 0) - 1);
    const numbered = { ...column, last, most: largestOf(type) };
    if (!isNearEnd(numbered, patient)) continue;
    const wider = sql`ALTER TABLE ${id(within)}.${id(name)} MODIFY ${id(attribute)} bigint NOT NULL AUTO_INCREMENT`;
    const mends = numbered.most > 2 ** 32 ? [] : [textOf(wider, executor.dialect)];
    findings.push(error(textFor(numbered), ...mends));
  }
  return findings;
}

export const numberCheck: Check = {
  id: 'sequences',
  group: 'schema',
  meaning: 'Numbers of rows are far from their end',
  looks: { postgres: numbersOnPostgres, mysql: numbersOnMysql, mariadb: numbersOnMysql },
};

interface Size {
  name: string;
  /** As the server estimates it. */
  row_count: number | string;
  indexes: number | string;
  /** With its indexes, in bytes. */
  total: number | string;
}

const sizesOnPostgres = (tables: readonly OwnTable[]): Statement => sql`
  SELECT c.relname AS name, greatest(c.reltuples, 0) AS row_count, pg_indexes_size(c.oid) AS indexes,
    pg_total_relation_size(c.oid) AS total
  FROM ${listOnPostgres(tables)} ORDER BY 4 DESC`;

const sizesOnMysql = (tables: readonly OwnTable[]): Statement => sql`
  SELECT TABLE_NAME AS name, TABLE_ROWS AS row_count, INDEX_LENGTH AS indexes, DATA_LENGTH + INDEX_LENGTH AS total
  FROM information_schema.TABLES WHERE ${isListed(tables)} ORDER BY 4 DESC`;

const SHOWN = 3;
const GIGABYTE = 1e9;

const gigabytes = (bytes: number | string): string => (Number(bytes) / GIGABYTE).toFixed(1);

const look =
  (select: (tables: readonly OwnTable[]) => Statement) =>
  async (patient: Patient): Promise<Answer> => {
    const sizes = await patient.ask<Size>(select(ownTables(patient)));
    const total = sizes.reduce((sum, one) => sum + Number(one.total), 0);
    if (total < patient.limits.size) return [];
    const largest = sizes
      .slice(0, SHOWN)
      .map(
        ({ name, total: bytes, indexes, row_count }) =>
          `"${name}" ${gigabytes(bytes)} GB (${gigabytes(indexes)} of indexes, about ${Math.round(Number(row_count))} rows)`,
      );
    return [info(`Our tables take ${gigabytes(total)} GB: ${largest.join(', ')}. See docs/operating.md on retention`)];
  };

export const sizeCheck: Check = {
  id: 'sizes',
  group: 'upkeep',
  meaning: 'Our tables are not large',
  looks: { postgres: look(sizesOnPostgres), mysql: look(sizesOnMysql), mariadb: look(sizesOnMysql) },
};
