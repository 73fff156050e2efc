import { InvalidArgumentError } from '../../errors.js';
import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { DIALECTS } from '../../sql/dialects/dialects.js';
import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { id, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { eraName, outboxTables } from '../tables/sql-outbox-tables.js';
import { type OutboxScriptOptions, script, scriptNames } from './outbox-script.sql.js';

/** The roles to grant rights to; omitted ones get no rights. */
export interface OutboxRoles {
  /** Publishes events, through `Outbox` or by INSERT. */
  writer?: string;
  /** Delivers published events. */
  relay?: string;
  /** Reads channels and snapshots. */
  reader?: string;
}

export interface OutboxRolesOptions extends OutboxScriptOptions {
  /** MySQL and MariaDB: the host part of the accounts. Default `'%'`. */
  host?: string;
}

type Rights = readonly (readonly [rights: string, on: readonly Statement[]])[];

const ALL = 'SELECT, INSERT, UPDATE, DELETE';

/**
 * The minimal rights of each role, as a script for existing roles or accounts. On PostgreSQL, numbering at commit runs
 * with the rights of the tables' owner, so a writer needs no right to read or change events.
 *
 * @throws InvalidArgumentError for names that a database would reject.
 */
export function outboxRolesSql(name: Dialect['name'], roles: OutboxRoles, options: OutboxRolesOptions = {}): string {
  const dialect = DIALECTS[name];
  const grants = Object.entries(rightsOf(dialect, options)).flatMap(([role, rights]) => {
    const grantee = roles[role as keyof OutboxRoles];
    return grantee === undefined ? [] : grantsTo(dialect, grantee, rights, options);
  });
  return script(dialect, grants);
}

function rightsOf(dialect: Dialect, options: OutboxScriptOptions): Record<keyof Required<OutboxRoles>, Rights> {
  const { prefix = 'durable', appSchema = 'public' } = options;
  const { schema, ...names } = scriptNames(dialect, options);
  const tables = outboxTables(prefix, { ...names, schema });
  // On MySQL they are all in one database, unless the outbox has its own.
  const ours = (table: (typeof tables)['shards']) =>
    sql`${id(byFamily(dialect, { postgres: () => appSchema, mysql: () => schema }))}.${table}`;
  const [channels, dead, pruned] = [ours(tables.channels), ours(tables.dead), ours(tables.pruned)];
  const state = [ours(tables.destinations), ours(tables.shards), channels, dead, pruned, ours(tables.inbox)];
  const era = sql`${id(schema)}.${id(eraName(names.table))}`;
  const relay: Rights = [
    ['SELECT, UPDATE, DELETE', [tables.outbox]],
    [ALL, [tables.nodes, ...state]],
  ];
  const reader: Rights = [['SELECT', [tables.outbox, pruned]]];
  return byFamily(dialect, {
    postgres: () => {
      const looks: Rights = [['EXECUTE', [sql`FUNCTION ${era}()`]]];
      return { writer: [['INSERT', [tables.outbox]], ...looks], relay: [...relay, ...looks], reader };
    },
    mysql: () => {
      // Without any right to a MySQL table, a role cannot see that it exists, which the start checks.
      const seen: Rights = [['REFERENCES', [tables.nodes, era]]];
      return {
        writer: [['INSERT', [tables.outbox]], ['SELECT, UPDATE', [ours(tables.locks)]], ...seen],
        relay: [...relay, [ALL, [era]]],
        reader: [...reader, ...seen],
      };
    },
  });
}

function grantsTo(dialect: Dialect, grantee: string, rights: Rights, options: OutboxRolesOptions): Statement[] {
  const to = accountOf(dialect, grantee, options);
  const grants = rights.flatMap(([listed, tables]) =>
    tables.map((table) => sql`GRANT ${raw(listed)} ON ${table} TO ${to}`),
  );
  return byFamily(dialect, {
    postgres: () => [...grants, ...schemaGrants(dialect, to, rights, options)],
    mysql: () => grants,
  });
}

function schemaGrants(dialect: Dialect, to: Statement, rights: Rights, options: OutboxRolesOptions): Statement[] {
  const { schema, table } = scriptNames(dialect, options);
  const schemas = [...new Set([schema, options.appSchema ?? 'public'])];
  const inserts = rights.some(([listed]) => listed === 'INSERT');
  return [
    ...schemas.map((name) => sql`GRANT USAGE ON SCHEMA ${id(name)} TO ${to}`),
    sequenceGrant(schema, table, inserts ? 'USAGE' : 'SELECT', to),
  ];
}

/** The sequence of an adopted table may have any name. The check at the start needs SELECT. */
const sequenceGrant = (schema: string, table: string, right: 'USAGE' | 'SELECT', to: Statement): Statement => {
  const named = postgres.literal(`${postgres.quote(schema)}.${postgres.quote(table)}`);
  return sql`DO $durable$ BEGIN EXECUTE format('GRANT ${raw(right)} ON SEQUENCE %s TO ${to}', pg_get_serial_sequence(${named}, 'sequence_id')); END $durable$`;
};

function accountOf(dialect: Dialect, grantee: unknown, { host = '%' }: OutboxRolesOptions): Statement {
  if (typeof grantee !== 'string' || grantee === '' || grantee.length > 63 || /\0|'|%|\$durable\$/.test(grantee))
    throw new InvalidArgumentError('role', grantee, 'the name of a role or account: 1 to 63 characters, no quotes');
  return byFamily(dialect, {
    postgres: () => sql`${id(grantee)}`,
    mysql: () => sql`${dialect.literal(grantee)}@${dialect.literal(host)}`,
  });
}
