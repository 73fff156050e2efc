import { checkDialect } from './migration-statements.js';
import { type DurableRoles, hiddenFrom, neededBy, type RoleName } from './role-rights.js';
import { type ExpectedTable, expectedSchema } from '../doctor/expected-schema.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { accountOf, type EventRights, grantsToEvents } from '../outbox/events/outbox-roles.sql.js';
import { scriptNames } from '../outbox/events/outbox-script.sql.js';
import { qualified } from '../outbox/events/published-step.sql.js';
import { CURRENT_SCHEMA, scriptTexts } from '../outbox/events/script-schema.sql.js';
import {
  eraName,
  type OutboxTableNames,
  outboxTableNames,
  type PublishedNames,
} from '../outbox/tables/sql-outbox-tables.js';
import { byFamily, type Dialect } from '../sql/dialects/dialect.js';
import { DIALECTS } from '../sql/dialects/dialects.js';
import { id, join, raw, sql, type Statement } from '../sql/dialects/statement.js';
import { validatePrefix } from '../sql/migrations/migrator.js';
import { ALL_RIGHTS } from '../sql/migrations/table-rights.js';
import { tablesWithPrefix } from '../sql/tables.js';

export interface DurableRolesOptions {
  dialect: Dialect['name'];
  /** The roles of PostgreSQL, or the accounts of MySQL and MariaDB, which exist. Omitted ones get no rights. */
  roles: DurableRoles;
  /** The prefix of all our tables. Default `'durable'`. */
  prefix?: string;
  /** The schema of our tables, on MySQL and MariaDB their database. Default: that of the connection that runs the grants. */
  schema?: string;
  /** MySQL and MariaDB: the host part of the accounts. Default `'%'`. */
  host?: string;
  /** As in the options of the module; `false`: the app has no outbox. */
  outbox?: { table?: string; nodesTable?: string; schema?: string } | false;
}

const ROLES = {
  client: true,
  engine: true,
  worker: true,
  foreignWorker: true,
  operator: true,
  reader: true,
} satisfies KnownOptions<DurableRoles>;

const OPTIONS = {
  dialect: true,
  roles: ROLES,
  prefix: true,
  schema: true,
  host: true,
  outbox: { table: true, nodesTable: true, schema: true },
} satisfies KnownOptions<DurableRolesOptions>;

/** What a reader sees of an event; an adopted table may have more. */
const EVENT_COLUMNS = ['sequence_id', 'mutation_id', 'channel', 'name', 'created_at'];

interface Granting {
  dialect: Dialect;
  prefix: string;
  schema: string | undefined;
  host: string | undefined;
}

/**
 * The least rights that each kind of process needs, as statements that the owner of the tables runs after `migrate`.
 * The roles or accounts exist already, and differ. Each statement is complete, without `;` at its end.
 *
 * @throws InvalidArgumentError for an unknown dialect or role, and for names that a database would reject.
 * @example
 * for (const grant of durableRolesSql({ dialect: 'postgres', roles: { engine: 'shop_engine', client: 'shop_api' } }))
 *   await owner.query(grant);
 */
export function durableRolesSql(options: DurableRolesOptions): string[] {
  const given = checkedOptions(options, OPTIONS, 'durableRolesSql');
  const { dialect: name, roles, prefix = 'durable', schema, host, outbox = {} } = given;
  checkDialect(name);
  validatePrefix(prefix);
  const dialect = DIALECTS[name];
  const events = outbox && outboxTableNames(outbox, prefix, process.env);
  const granting = { dialect, prefix, schema, host };
  const statements = namedRoles(roles).flatMap(([role, grantee]) => [
    ...grantsTo(granting, role, grantee),
    ...(events ? grantsOfEvents(granting, role, grantee, events) : []),
  ]);
  const table = events ? events.table : `${prefix}_outbox`;
  return [...new Set(scriptTexts(dialect, statements, { table, prefix }))];
}

function namedRoles(roles: DurableRoles): [RoleName, string][] {
  const named = Object.entries(roles ?? {}).filter(([, role]) => role !== undefined) as [RoleName, string][];
  if (named.length > 0) return named;
  throw new InvalidArgumentError('roles', roles, `at least one of ${Object.keys(ROLES).join(', ')}`);
}

function grantsTo({ dialect, prefix, schema, host }: Granting, role: RoleName, grantee: string): Statement[] {
  const to = accountOf(dialect, grantee, host === undefined ? {} : { host });
  const tables = rightsToOurs(dialect, prefix, role).map(([name, rights]) => {
    const table = schema === undefined ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`;
    return sql`GRANT ${rights} ON ${table} TO ${to}`;
  });
  const usage = byFamily(dialect, {
    postgres: () => [sql`GRANT USAGE ON SCHEMA ${id(schema ?? CURRENT_SCHEMA)} TO ${to}`],
    mysql: () => [],
  });
  return [...usage, ...tables];
}

function rightsToOurs(dialect: Dialect, prefix: string, role: RoleName): [name: string, rights: Statement][] {
  const { tables } = expectedSchema(dialect, tablesWithPrefix(prefix));
  const read = (table: ExpectedTable) => readable(table, hiddenFrom(role, table.name.slice(prefix.length + 1)));
  if (role === 'reader') return tables.map((table) => [table.name, read(table)]);
  const byName = new Map(tables.map((table) => [table.name, table]));
  const needed = neededBy(role, prefix, [...byName.keys()]);
  return needed.map(({ name, rights }) => {
    const isRead = rights.join() === 'SELECT';
    return [name, isRead ? read(byName.get(name)!) : raw(rights.join(', '))];
  });
}

function readable({ columns }: ExpectedTable, hidden: readonly string[] | undefined): Statement {
  if (!hidden) return raw('SELECT');
  const shown = columns.filter((column) => !hidden.includes(column.name));
  return sql`SELECT (${join(shown.map((column) => id(column.name)))})`;
}

/** To the events, and what belongs to them. A client that publishes gets the rights of a writer of `outboxRolesSql`. */
function grantsOfEvents(granting: Granting, role: RoleName, grantee: string, names: OutboxTableNames): Statement[] {
  const { dialect, prefix, schema: appSchema, host } = granting;
  const options = { prefix, ...names, appSchema, host };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { schema = appSchema } = names;
  const at = scriptNames(dialect, { ...given, ...(schema !== undefined && { schema }) });
  const rights = rightsToEvents(dialect, at)[role];
  return rights ? grantsToEvents(dialect, grantee, rights, { ...given, schema: at.schema }) : [];
}

function rightsToEvents(
  dialect: Dialect,
  { schema, table, nodesTable }: PublishedNames,
): Partial<Record<RoleName, EventRights>> {
  const [events, nodes, era] = [table, nodesTable, eraName(table)].map((name) => qualified(schema, name)) as [
    Statement,
    Statement,
    Statement,
  ];
  const all = ALL_RIGHTS.join(', ');
  const reader: EventRights = [[`SELECT (${EVENT_COLUMNS.join(', ')})`, [events]]];
  const acts: EventRights = [
    // Hooks are told of runs that an operator ends.
    [all, [events]],
    ['SELECT', [nodes]],
  ];
  return byFamily<Partial<Record<RoleName, EventRights>>>(dialect, {
    postgres: () => {
      const looks: EventRights = [['EXECUTE', [sql`FUNCTION ${era}()`]]];
      return { engine: [[all, [events, nodes]], ...looks], operator: [...acts, ...looks], reader };
    },
    mysql: () => {
      // Without a right to a table, or to a column, MySQL does not tell that it exists, which the start checks.
      const seen: EventRights = [['REFERENCES', [events, nodes, era]]];
      return {
        engine: [[all, [events, nodes, era]]],
        operator: [...acts, ['REFERENCES', [era]]],
        reader: [...reader, ...seen],
      };
    },
  });
}
