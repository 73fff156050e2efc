import { DatabaseError } from '../../errors/database-errors.js';
import { MissingRightsError } from '../../errors/setup-errors.js';
import { isDenied, toDatabaseError } from '../database-errors.js';
import { byFamily, type Dialect, render } from '../dialects/dialect.js';
import { id, type Identifier, join, raw, sql, type Statement } from '../dialects/statement.js';
import type { SqlConnection } from '../sql-executor.js';
import { tablesWithPrefix } from '../tables.js';
import { ALL_RIGHTS, type NeededTable } from './table-rights.js';

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

async function refusal(db: SqlConnection, { prefix, grantsTo }: Grants, cause: DatabaseError) {
  const who = await connectedAs(db, prefix);
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
  { prefix, grantsTo }: Grants,
  lacking: readonly string[],
): Promise<never> {
  const who = await connectedAs(db, prefix);
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
export async function connectedAs(db: SqlConnection, prefix: string): Promise<ConnectedAs> {
  const { account, name } = byFamily(db.dialect, {
    postgres: () => ({
      account: sql`CURRENT_USER`,
      // Without USAGE on any schema of its search path, PostgreSQL names none.
      name: sql`COALESCE((${selectHidden(prefix)}), current_schema(), 'public')`,
    }),
    mysql: () => ({ account: sql`CURRENT_USER()`, name: db.dialect.currentSchema }),
  });
  const { rows } = await db.run<{ account: string; name: string }>(sql`SELECT ${account} AS account, ${name} AS name`);
  const { account: user = '', name: schema = '' } = rows[0] ?? {};
  const at = byFamily(db.dialect, { postgres: () => user.length, mysql: () => user.lastIndexOf('@') });
  return { user: user.slice(0, at), host: user.slice(at + 1), schema };
}
