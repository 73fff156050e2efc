import mysql from 'mysql2/promise';
import pg from 'pg';
import { durableRolesSql, type DurableRoles, type DurableRolesOptions } from '../../lib/index.js';
import type { FreshDatabase } from './fresh-database.js';

export type Role = keyof DurableRoles;

export const ROLES: readonly Role[] = ['client', 'engine', 'worker', 'foreignWorker', 'operator', 'reader'];

const PASSWORD = 'secret';

/** A database user for each role, with what `durableRolesSql` grants. */
export interface RoleUsers {
  /** The database, as this role. */
  as(role: Role): FreshDatabase;
  /** Runs one statement as this role. */
  run(role: Role, text: string): Promise<unknown>;
  close(): Promise<void>;
}

const isPostgres = ({ db }: FreshDatabase): boolean => db === 'postgres';
const account = (database: FreshDatabase, name: string) => (isPostgres(database) ? `"${name}"` : `'${name}'@'%'`);

export async function createRoleUsers(
  database: FreshDatabase,
  options: Partial<DurableRolesOptions> = {},
): Promise<RoleUsers> {
  const nameOf = (role: Role): string => `${role}_${database.database.slice(-8)}`;
  for (const role of ROLES) {
    const how = isPostgres(database) ? 'ROLE' : 'USER';
    const login = isPostgres(database) ? `LOGIN PASSWORD '${PASSWORD}'` : `IDENTIFIED BY '${PASSWORD}'`;
    await database.query(`CREATE ${how} ${account(database, nameOf(role))} ${login}`);
  }
  const roles = Object.fromEntries(ROLES.map((role) => [role, nameOf(role)]));
  for (const grant of durableRolesSql({ dialect: database.db, roles, ...options })) await database.script(grant);
  const pools = new Map<Role, (text: string) => Promise<unknown>>();
  const closing: (() => Promise<void>)[] = [];
  const as = (role: Role): FreshDatabase => ({ ...database, user: nameOf(role), password: PASSWORD });
  const connect = (role: Role): ((text: string) => Promise<unknown>) => {
    const { host, port, user, password, database: name } = as(role);
    const login = { host, port, user, password, database: name };
    if (isPostgres(database)) {
      const pool = new pg.Pool({ ...login, max: 1, allowExitOnIdle: true });
      closing.push(() => pool.end());
      return (text) => pool.query(text);
    }
    const pool = mysql.createPool({ ...login, connectionLimit: 1 });
    closing.push(() => pool.end());
    return (text) => pool.query(text);
  };
  return {
    as,
    run: (role, text) => {
      const known = pools.get(role) ?? connect(role);
      pools.set(role, known);
      return known(text);
    },
    close: async () => {
      await Promise.all(closing.map((close) => close()));
      for (const role of ROLES) {
        const name = account(database, nameOf(role));
        if (isPostgres(database)) await database.query(`DROP OWNED BY ${name}`);
        await database.query(isPostgres(database) ? `DROP ROLE ${name}` : `DROP USER ${name}`);
      }
    },
  };
}
