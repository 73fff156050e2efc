import { type Answer, type Check, error, type Patient } from './check.js';
import { listOnPostgres, type OwnTable, ownTables } from './own-tables.js';
import { granteeOf, textOf } from './settings.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import { id, join, raw, sql, type Statement } from '../sql/dialects/statement.js';
import { connectedAs } from '../sql/migrations/missing-rights.js';

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
  const { schema: database } = await connectedAs(executor, tables.prefix);
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
