import { DatabaseError, MissingRightsError } from '../../core/errors.js';
import { isDenied, toDatabaseError } from '../database-errors.js';
import { byFamily, type Dialect } from '../dialects.js';
import type { SqlConnection } from '../executor.js';
import { type Home, id, type Identifier, int, join, list, raw, render, sql, type Statement } from '../statement.js';
import { tablesWithPrefix } from '../tables.js';

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

export const ALL_RIGHTS: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** A table and what is done with it. */
export interface NeededTable {
  readonly name: string;
  /** Undefined: the connection's own. */
  readonly schema?: string | undefined;
  readonly rights: readonly Right[];
}

/**
 * Those of these tables, which exist, that the user of the connection lacks a right to. One statement on PostgreSQL;
 * two at once on MySQL and MariaDB. None of them touches a row.
 */
export const lackingRights = (db: SqlConnection, needed: readonly NeededTable[]): Promise<NeededTable[]> =>
  byFamily(db.dialect, {
    postgres: async () => {
      const { rows } = await db.run<{ position: number }>(selectLacking(db.dialect, needed));
      const lacking = new Set(rows.map(({ position }) => Number(position)));
      return needed.filter((_, position) => lacking.has(position));
    },
    mysql: () => lackingOnMysql(db, needed),
  });

/** For a table that does not exist, PostgreSQL answers NULL. */
function selectLacking(dialect: Dialect, needed: readonly NeededTable[]): Statement {
  const wanted = needed.map((table, position) => {
    const name = dialect.literal(render(qualified(table), dialect).text);
    return sql`(${int(position)}, ${name}, ${dialect.literal(table.rights.join())})`;
  });
  return sql`SELECT DISTINCT wanted.position FROM (VALUES ${join(wanted)}) AS wanted(position, name, rights)
    CROSS JOIN unnest(string_to_array(wanted.rights, ',')) AS each(wanted_right)
    WHERE NOT has_table_privilege(to_regclass(wanted.name), each.wanted_right)`;
}

const qualified = ({ schema, name }: NeededTable): Statement =>
  schema === undefined ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`;

/** A table without any right is not listed, and the list does not tell of DELETE, which is asked for apart. */
async function lackingOnMysql(db: SqlConnection, needed: readonly NeededTable[]): Promise<NeededTable[]> {
  const [listed, mayDelete] = await Promise.all([
    db.run<{ found: string; position: number; privileges: string }>(selectPrivileges(needed)),
    isAllowed(db, needed),
  ]);
  const rightsOf = new Map(listed.rows.map(({ found, privileges }) => [found.toLowerCase(), privileges.toUpperCase()]));
  const lacking = needed.filter((table) => {
    const rights = rightsOf.get(keyOf(table))?.split(',') ?? [];
    return table.rights.some((right) => right !== 'DELETE' && !rights.includes(right));
  });
  return lacking.length > 0 || mayDelete ? lacking : needed.filter(deletes);
}

const OWN = 'own';
const keyOf = ({ schema = OWN, name }: NeededTable): string => `${schema}.${name}`.toLowerCase();
const deletes = ({ rights }: NeededTable): boolean => rights.includes('DELETE');

/** Of the first column of each table, with what comes from roles, databases and the server. */
function selectPrivileges(needed: readonly NeededTable[]): Statement {
  const schemas = [...new Set(needed.map(({ schema }) => schema))];
  const parts = schemas.map((schema) => {
    const names = needed.filter((table) => table.schema === schema).map(({ name }) => name);
    const where = schema === undefined ? sql`DATABASE()` : sql`${schema}`;
    return sql`SELECT CONCAT(${schema ?? OWN}, '.', table_name) AS found, privileges AS privileges
      FROM information_schema.columns WHERE table_schema = ${where} AND ordinal_position = 1 AND table_name IN ${list(names)}`;
  });
  return join(parts, ' UNION ALL ');
}

/** Whether it may delete from each of them. The statement is only explained. */
async function isAllowed(db: SqlConnection, needed: readonly NeededTable[]): Promise<boolean> {
  const tables = needed.filter(deletes).map(qualified);
  if (tables.length === 0) return true;
  try {
    await db.run(sql`EXPLAIN DELETE ${join(tables)} FROM ${join(tables, ' JOIN ')} WHERE FALSE`);
    return true;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return false;
  }
}

/** Who is connected, and where its tables are. */
export interface ConnectedAs {
  /** The name of the role; of the account without its host. */
  user: string;
  /** MySQL and MariaDB: the host part of the account. */
  host: string;
  /** MySQL and MariaDB: the database. */
  schema: string;
}

/** The statements that give a user what it needs, as their owner runs them. */
export type GrantsTo = (who: ConnectedAs, dialect: Dialect) => readonly string[];

/** What is said where a right is missing. */
export interface Grants {
  /** Of our tables. */
  prefix: string;
  home: Home;
  grantsTo: GrantsTo;
}

/**
 * Runs `work`, which creates or checks tables.
 *
 * @throws MissingRightsError with the grants for the user of the connection, when that lacks a right.
 */
export async function sayingRights<T>(db: SqlConnection, grants: Grants, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error instanceof MissingRightsError || !isDenied(error)) throw error;
    throw await refusal(db, grants, error).catch(() => error);
  }
}

async function refusal(db: SqlConnection, { prefix, home, grantsTo }: Grants, cause: DatabaseError) {
  const who = await connectedAs(db, prefix, home);
  const grants = grantsTo(who, db.dialect);
  const message =
    `The database user "${who.user}" lacks a right. ${cause.message}. Unless the tables exist, create them as their ` +
    'owner: run `npx nest-durable migrate` with its connection, or apply what `npx nest-durable sql` prints, and set ' +
    `\`migrate: false\` in the app. Then the owner grants the app what it needs:\n${grants.join('\n')}`;
  return new MissingRightsError(who.user, grants, message, { cause });
}

/** For tables that exist: `lacking` are those that the user may not use. */
export async function refuseTables(
  db: SqlConnection,
  { prefix, home, grantsTo }: Grants,
  lacking: readonly string[],
): Promise<never> {
  const who = await connectedAs(db, prefix, home);
  const grants = grantsTo(who, db.dialect);
  const message =
    `The database user "${who.user}" lacks rights to ${lacking.join(', ')}. The owner of the tables grants them ` +
    `(after an update that brings new tables, too):\n${grants.join('\n')}`;
  throw new MissingRightsError(who.user, grants, message);
}

/** What an app needs that does not migrate these tables itself. */
export const grantsOn = (tables: readonly Identifier[]): GrantsTo =>
  grantsFor(tables.map(({ name }) => ({ name, rights: ALL_RIGHTS })));

/** These rights, to tables of the schema of the connection. */
export const grantsFor =
  (needed: readonly NeededTable[]): GrantsTo =>
  ({ user, host, schema }, dialect) => {
    const grant = (rights: string, on: Statement, to: Statement) => sql`GRANT ${raw(rights)} ON ${on} TO ${to}`;
    const at = ({ name }: NeededTable) => sql`${id(schema)}.${id(name)}`;
    const alike = [...new Set(needed.map(({ rights }) => rights.join(', ')))];
    const withRights = (rights: string) => needed.filter((table) => table.rights.join(', ') === rights);
    const statements = byFamily(dialect, {
      postgres: () => [
        sql`GRANT USAGE ON SCHEMA ${id(schema)} TO ${id(user)}`,
        ...alike.map((rights) => grant(rights, join(withRights(rights).map(at)), sql`${id(user)}`)),
      ],
      mysql: () => {
        const account = sql`${dialect.literal(user)}@${dialect.literal(host)}`;
        return needed.map((table) => grant(table.rights.join(', '), at(table), account));
      },
    });
    return statements.map((statement) => `${render(statement, dialect).text};`);
  };

/** All that any of them names, each statement once. */
export const allGrants =
  (...grants: readonly GrantsTo[]): GrantsTo =>
  (who, dialect) => [...new Set(grants.flatMap((grantsTo) => grantsTo(who, dialect)))];

/**
 * PostgreSQL: a schema of the search path that the user may not look into, and that has our tables, or is where they
 * belong. There they seem to be missing.
 */
const selectHidden = (prefix: string): Statement =>
  sql`SELECT n.nspname FROM unnest(string_to_array(current_setting('search_path'), ',')) WITH ORDINALITY AS listed(name, at)
    JOIN pg_catalog.pg_namespace AS n ON n.nspname = replace(btrim(listed.name, ' "'), '$user', CAST(CURRENT_USER AS text))
    WHERE NOT has_schema_privilege(n.oid, 'USAGE') AND (current_schema() IS NULL OR EXISTS (
      SELECT 1 FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid AND c.relname = ${tablesWithPrefix(prefix).migrations.name}))
    ORDER BY listed.at LIMIT 1`;

/** @throws DatabaseError when tables only seem to be missing, because the user may not look into their schema. */
export const refuseHidden = (db: SqlConnection, prefix: string): Promise<void> =>
  byFamily(db.dialect, {
    postgres: async () => {
      const { rows } = await db.run<{ name: string }>(
        sql`SELECT nspname AS name FROM (${selectHidden(prefix)}) AS hidden`,
      );
      const [schema] = rows;
      if (!schema) return;
      throw toDatabaseError(Object.assign(new Error(`permission denied for schema ${schema.name}`), { code: '42501' }));
    },
    // A user that sees no table of a database cannot tell whether it exists: servers always speak of rights.
    mysql: () => Promise.resolve(),
  });

/** Who the connection of the pool is, and where the tables of this prefix belong. */
export async function connectedAs(db: SqlConnection, prefix: string, home: Home): Promise<ConnectedAs> {
  const { account, name } = byFamily(db.dialect, {
    postgres: () => ({
      account: sql`CURRENT_USER`,
      // Without USAGE on any schema of its search path, PostgreSQL names none.
      name: sql`COALESCE((${selectHidden(prefix)}), ${db.dialect.schemaOf(home)}, 'public')`,
    }),
    mysql: () => ({ account: sql`CURRENT_USER()`, name: db.dialect.schemaOf(home) }),
  });
  const { rows } = await db.run<{ account: string; name: string }>(sql`SELECT ${account} AS account, ${name} AS name`);
  const { account: user = '', name: schema = '' } = rows[0] ?? {};
  const at = byFamily(db.dialect, { postgres: () => user.length, mysql: () => user.lastIndexOf('@') });
  return { user: user.slice(0, at), host: user.slice(at + 1), schema };
}
