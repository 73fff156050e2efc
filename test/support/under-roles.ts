import type { FreshDatabase, Row } from './fresh-database.js';
import { makeTables } from './our-tables.js';
import { createRoleUsers, ROLES, type RoleUsers } from './role-users.js';

export interface OpenRoles extends Pick<RoleUsers, 'as' | 'close'> {
  /** Of the owner: a table of the app that it makes is everybody's. */
  query: FreshDatabase['query'];
}

/** Makes the tables as their owner, and a user for each role. */
export async function underRoles(database: FreshDatabase): Promise<OpenRoles> {
  await makeTables(database);
  const users = await createRoleUsers(database);
  const accounts = ROLES.map((role) => users.as(role).user).map((name) =>
    database.db === 'postgres' ? `"${name}"` : `'${name}'@'%'`,
  );
  const query = async <R extends Row = Row>(text: string, values?: unknown[]): Promise<R[]> => {
    const rows = await database.query<R>(text, values);
    const [, made] = /^\s*CREATE TABLE (?:IF NOT EXISTS )?(\w+)/.exec(text) ?? [];
    if (made !== undefined)
      await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${made} TO ${accounts.join(', ')}`);
    return rows;
  };
  return { as: users.as, close: users.close, query };
}
