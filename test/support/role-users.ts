import mysql from 'mysql2/promise';
import pg from 'pg';
import { type DurableRoles, type DurableRolesOptions, durableRolesSql } from '../../lib/operate/roles.js';
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
  const [kind, login] = isPostgres(database) ? ['ROLE', 'LOGIN PASSWORD'] : ['USER', 'IDENTIFIED BY'];
  const users = ROLES.map((role) => `CREATE ${kind} ${account(database, nameOf(role))} ${login} '${PASSWORD}'`);
  const roles = Object.fromEntries(ROLES.map((role) => [role, nameOf(role)]));
  // In one round trip: there are hundreds of grants, and many suites.
  await database.script([...users, ...durableRolesSql({ dialect: database.db, roles, ...options })].join(';\n'));
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
      const names = ROLES.map((role) => account(database, nameOf(role))).join(', ');
      await database.script(isPostgres(database) ? `DROP OWNED BY ${names}; DROP ROLE ${names}` : `DROP USER ${names}`);
    },
  };
}
