import { type Answer, type Check, error, type Finding, type Patient } from './check.js';
import { isListed, listOnPostgres, type OwnTable, ownTables } from './own-tables.js';
import { textOf } from './settings.js';
import { id, sql, type Statement } from '../sql/dialects/statement.js';

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
