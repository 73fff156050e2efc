import type { Patient, Untold } from './check.js';
import { type Dialect, render } from '../sql/dialects/dialect.js';
import { DIALECTS } from '../sql/dialects/dialects.js';
import { id, join, raw, sql, type Statement } from '../sql/dialects/statement.js';
import { connectedAs } from '../sql/migrations/missing-rights.js';

/** The settings of a server by name. On PostgreSQL those with which a session of this user begins. */
export type Settings = ReadonlyMap<string, string>;

const literals = (names: readonly string[]): Statement => join(names.map((name) => raw(`'${name}'`)));

/** PostgreSQL: times are milliseconds. Not the current values: a look bounds its own statements. */
const selectSettings = (names: readonly string[]): Statement =>
  sql`SELECT name, reset_val AS value FROM pg_catalog.pg_settings WHERE name IN (${literals(names)})`;

/** MySQL: by SHOW, since SELECT fails on a server that lacks one of them. */
const showSettings = (names: readonly string[]): Statement =>
  sql`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${literals(names)})`;

export async function postgresSettings({ ask }: Patient, ...names: string[]): Promise<Settings> {
  const rows = await ask<{ name: string; value: string }>(selectSettings(names));
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function mysqlSettings({ ask }: Patient, ...names: string[]): Promise<Settings> {
  const rows = await ask<{ Variable_name: string; Value: string }>(showSettings(names));
  return new Map(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]));
}

/** What is said if the list of transactions failed, see `isUnlistable`. */
export const UNLISTABLE: Untold = {
  untold:
    'MySQL cannot list transactions while one of them runs a statement with a character of four bytes, such as an emoji: ask again',
  mend: [],
};

/** A statement as its text, as people run it. */
export const textOf = (statement: Statement, { name }: Pick<Dialect, 'name'>): string =>
  `${render(statement, DIALECTS[name]).text.trim()};`;

/** PostgreSQL: sets it for this user in this database, which outranks every other place but the connection itself. */
export async function setForUser({ executor, ask }: Patient, name: string, value: string): Promise<string> {
  const [row] = await ask<{ user: string; database: string }>(
    sql`SELECT current_user AS "user", current_database() AS database`,
  );
  const { user = '', database = '' } = row ?? {};
  const change = sql`ALTER ROLE ${id(user)} IN DATABASE ${id(database)} SET ${raw(name)} = ${executor.dialect.literal(value)}`;
  return textOf(change, executor.dialect);
}

/** PostgreSQL: sets it for the server. */
export const setForServer = (name: string, value: string): string[] => [
  `ALTER SYSTEM SET ${name} = ${value};`,
  'SELECT pg_reload_conf();',
];

const SET_GLOBAL: Readonly<Record<Dialect['name'], string>> = {
  postgres: 'ALTER SYSTEM SET',
  // Survives a restart.
  mysql: 'SET PERSIST',
  mariadb: 'SET GLOBAL',
};

/** MySQL and MariaDB: sets it for new connections. */
export const setGlobally = ({ executor }: Patient, name: string, value: string): string =>
  `${SET_GLOBAL[executor.dialect.name]} ${name} = ${value};`;

/** The grantee of this connection, as GRANT takes it. */
export async function granteeOf({ executor, tables }: Patient): Promise<Statement> {
  const { user, host } = await connectedAs(executor, tables.prefix);
  const { dialect } = executor;
  const account = () => sql`${dialect.literal(user)}@${dialect.literal(host)}`;
  const grantees: Record<Dialect['name'], () => Statement> = {
    postgres: () => sql`${id(user)}`,
    mysql: account,
    mariadb: account,
  };
  return grantees[dialect.name]();
}

/** MySQL and MariaDB: looks that need a right of the whole server say how to get it. */
export const grantOnServer = async (patient: Patient, right: string): Promise<string> =>
  textOf(sql`GRANT ${raw(right)} ON *.* TO ${await granteeOf(patient)}`, patient.executor.dialect);
