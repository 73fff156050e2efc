import { type Answer, type Check, error, type Finding, type Patient } from './check.js';
import { type ExpectedColumn, type ExpectedIndex, expectedSchema, type ExpectedTable } from './expected-schema.js';
import { type FoundColumn, type FoundIndex, type FoundSchema, foundSchema } from './found-schema.js';
import { textOf } from './settings.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import { id, join, raw, sql, type Statement } from '../sql/dialects/statement.js';
import { pendingMigrations } from '../sql/migrations/migrator.js';

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
  const alter = (change: Statement) => textOf(sql`ALTER TABLE ${id(table.name)} ${change}`, dialect);
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
        textOf(sql`ALTER TABLE ${id(table.name)} DROP COLUMN ${id(name)}`, dialect),
      ),
    );

const indexDrift: Differences = ({ tables, indexes }, found, dialect) => [
  ...tables.flatMap((table) => (missingIn(found, table.name) ? [] : keyFindings(table, found, dialect))),
  ...indexes.flatMap((index) => (missingIn(found, index.table) ? [] : indexFindings(index, found, dialect))),
];

function keyFindings({ name, primaryKey }: ExpectedTable, { indexes }: FoundSchema, dialect: Dialect): Finding[] {
  const key = indexes.find((index) => index.table === name && index.primary);
  if (key && String(key.columns) === String(primaryKey)) return [];
  const dropped = key ? sql`${raw(DROP_KEY[dialect.name](key))}, ` : raw('');
  const mend = sql`ALTER TABLE ${id(name)} ${dropped}ADD PRIMARY KEY (${join(primaryKey.map(id))})`;
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

const dropOnMysql = ({ name, table }: ExpectedIndex): Statement => sql`DROP INDEX ${id(name)} ON ${id(table)}`;

const DROP_INDEX: Readonly<Record<Dialect['name'], (index: ExpectedIndex) => Statement>> = {
  postgres: ({ name }) => sql`DROP INDEX ${id(name)}`,
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

const on = (look: (patient: Patient) => Promise<Answer>): Check['looks'] => ({
  postgres: look,
  mysql: look,
  mariadb: look,
});

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
