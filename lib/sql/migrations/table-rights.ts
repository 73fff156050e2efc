import { isDenied } from '../database-errors.js';
import { byFamily, type Dialect, render } from '../dialects/dialect.js';
import { id, int, join, list, sql, type Statement } from '../dialects/statement.js';
import type { SqlConnection } from '../sql-executor.js';

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
