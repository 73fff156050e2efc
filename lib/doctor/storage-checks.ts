import { type Answer, type Check, error, type Finding, type Patient, warning } from './check.js';
import { expectedSchema } from './expected-schema.js';
import { foundSchema } from './found-schema.js';
import { isListed, type OwnTable, ownTables } from './own-tables.js';
import { textOf } from './settings.js';
import { KEY_COLLATION } from '../sql/dialects/mysql.dialect.js';
import { id, join, raw, sql, type Statement } from '../sql/dialects/statement.js';

const namesOf = ({ executor, tables }: Patient): string[] =>
  expectedSchema(executor.dialect, tables).tables.map(({ name }) => name);

const alter = ({ executor }: Patient, table: string, change: Statement): string =>
  textOf(sql`ALTER TABLE ${id(table)} ${change}`, executor.dialect);

const selectOptions = (names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, array_to_string(c.reloptions, ',') AS options FROM pg_catalog.pg_class AS c
  WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

/** `fillfactor = 80, …`, as CREATE TABLE has them. */
const optionsIn = ({ strings, values }: Statement): string[] => {
  const text = [
    ...strings,
    ...values.map((value) => (typeof value === 'object' && value && 'strings' in value ? value.strings.join('') : '')),
  ];
  return /WITH \(([^)]+)\)/.exec(text.join(' '))?.[1]?.split(', ') ?? [];
};

async function storageOnPostgres(patient: Patient): Promise<Answer> {
  const { executor, tables, ask } = patient;
  const found = await ask<{ name: string; options: string | null }>(selectOptions(namesOf(patient)));
  const wanted = new Map(
    expectedSchema(executor.dialect, tables).tables.map(({ name, create }) => [name, optionsIn(create)]),
  );
  return found.flatMap(({ name, options }) => {
    const set = new Set((options ?? '').split(','));
    const lost = (wanted.get(name) ?? []).filter(
      (option) => !set.has(option.replaceAll(' ', '')) && !option.endsWith('= 100'),
    );
    if (lost.length === 0) return [];
    const text = `"${name}" has lost ${lost.join(', ')}: dead rows make its looks slow`;
    return [warning(text, alter(patient, name, sql`SET (${raw(lost.join(', '))})`))];
  });
}

const selectEngines = (tables: readonly OwnTable[]): Statement => sql`
  SELECT TABLE_SCHEMA AS within, TABLE_NAME AS name, ENGINE AS engine FROM information_schema.TABLES
  WHERE ENGINE <> 'InnoDB' AND ${isListed(tables)}`;

async function storageOnMysql(patient: Patient): Promise<Answer> {
  const found = await patient.ask<{ within: string; name: string; engine: string }>(selectEngines(ownTables(patient)));
  return found.map(({ within, name, engine }) => {
    const mend = sql`ALTER TABLE ${id(within)}.${id(name)} ENGINE = InnoDB`;
    const text = `"${name}" is stored by ${engine}, which has no transactions`;
    return error(text, textOf(mend, patient.executor.dialect));
  });
}

const selectNondeterministic = (names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, a.attname AS attribute, o.collname AS collation, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_catalog.pg_collation AS o ON o.oid = a.attcollation AND NOT o.collisdeterministic
  WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

/** PostgreSQL before 15 does not keep the version of a database's collation. */
const selectHasVersion = sql`SELECT 1 AS found FROM pg_catalog.pg_attribute
  WHERE attrelid = CAST('pg_catalog.pg_database' AS regclass) AND attname = 'datcollversion'`;

const selectVersion = sql`SELECT datname AS name, datcollversion AS was, pg_database_collation_actual_version(oid) AS now
  FROM pg_catalog.pg_database WHERE datname = current_database()
    AND datcollversion <> pg_database_collation_actual_version(oid)`;

async function collationsOnPostgres(patient: Patient): Promise<Answer> {
  const { ask, executor } = patient;
  const columns = await ask<{ name: string; attribute: string; collation: string; type: string }>(
    selectNondeterministic(namesOf(patient)),
  );
  const findings: Finding[] = columns.map(({ name, attribute, collation, type }) =>
    error(
      `"${name}"."${attribute}" has the collation "${collation}": different ids may be equal there`,
      alter(patient, name, sql`ALTER COLUMN ${id(attribute)} TYPE ${raw(type)} COLLATE "default"`),
    ),
  );
  if ((await ask(selectHasVersion)).length === 0) return findings;
  const databases = await ask<{ name: string; was: string; now: string }>(selectVersion);
  const moved = databases.map(({ name, was, now }) =>
    error(
      `The texts of this database are sorted by version ${now} of its collation, its indexes by ${was}: rows are not found`,
      textOf(sql`REINDEX DATABASE ${id(name)}`, executor.dialect),
      textOf(sql`ALTER DATABASE ${id(name)} REFRESH COLLATION VERSION`, executor.dialect),
    ),
  );
  return [...findings, ...moved];
}

async function collationsOnMysql(patient: Patient): Promise<Answer> {
  const { executor } = patient;
  const { columns } = await foundSchema(patient, namesOf(patient));
  const ours = KEY_COLLATION[executor.dialect.name as keyof typeof KEY_COLLATION];
  const wrong = columns.filter(({ collation }) => collation !== undefined && collation !== ours);
  return [...new Set(wrong.map(({ table }) => table))].map((table) => {
    const of = wrong.filter((column) => column.table === table);
    const named = of.map(({ name, collation }) => `${name} (${collation})`).join(', ');
    const text = `Texts of "${table}" are compared otherwise than byte by byte, so that different ids are equal: ${named}`;
    return error(text, alter(patient, table, sql`CONVERT TO CHARACTER SET utf8mb4 COLLATE ${raw(ours)}`));
  });
}

/** How the tables of this server are stored. */
export const storageChecks: readonly Check[] = [
  {
    id: 'storage',
    group: 'schema',
    meaning: 'Our tables have kept their storage parameters, and are stored with transactions',
    looks: { postgres: storageOnPostgres, mysql: storageOnMysql, mariadb: storageOnMysql },
  },
  {
    id: 'collations',
    group: 'schema',
    meaning: 'Ids are compared byte by byte, and indexes are sorted as the server sorts now',
    looks: { postgres: collationsOnPostgres, mysql: collationsOnMysql, mariadb: collationsOnMysql },
  },
];
