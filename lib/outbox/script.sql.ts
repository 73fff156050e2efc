import { InvalidArgumentError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { byFamily, type Dialect, DIALECTS, postgres } from '../sql/dialects.js';
import {
  FIRST_VERSION,
  scriptOf,
  validatePrefix,
  type VersionRange,
  wantedBetween,
} from '../sql/migrations/migrator.js';
import { ALL_RIGHTS, type GrantsTo } from '../sql/migrations/rights.js';
import { id, raw, render, sql, type Statement } from '../sql/statement.js';
import type { OutboxOrdering } from './events.js';
import { mysqlTables } from './published-tables.mysql.sql.js';
import { dropFunctions, postgresTables, postgresTriggers } from './published-tables.postgres.sql.js';
import {
  CURRENT_SCHEMA,
  eraName,
  type OutboxTables,
  outboxTables,
  type PublishedNames,
  type PublishedStep,
  qualified,
  scriptTexts,
  topicChannel,
  validateTableNames,
} from './tables.sql.js';

export interface OutboxScriptOptions {
  /** The prefix of all our tables. Default `'durable'`. */
  prefix?: string;
  /** Default `<prefix>_outbox`. */
  table?: string;
  /** Default `<prefix>_outbox_nodes`. */
  nodesTable?: string;
  /** The outbox's schema, on MySQL and MariaDB its database. Default: where the connection creates our other tables. */
  schema?: string;
  /**
   * PostgreSQL: the first schema of the app's search path, which holds our other tables. Default: that of the connection
   * which runs the statements.
   */
  appSchema?: string;
  /** Default `'commit'`. */
  ordering?: OutboxOrdering;
}

export const SCRIPT_OPTIONS = {
  prefix: true,
  table: true,
  nodesTable: true,
  schema: true,
  appSchema: true,
  ordering: true,
} satisfies KnownOptions<OutboxScriptOptions>;

/** The names for a script, which has no connection. */
export function scriptNames(dialect: Dialect, options: OutboxScriptOptions): PublishedNames {
  const { prefix = 'durable', table = `${prefix}_outbox`, nodesTable = `${prefix}_outbox_nodes` } = options;
  const { schema = byFamily(dialect, { postgres: () => CURRENT_SCHEMA, mysql: () => '' }) } = options;
  const { appSchema = CURRENT_SCHEMA } = options;
  validatePrefix(prefix);
  validateTableNames({ table, nodesTable, schema: schema || undefined });
  return { table, nodesTable, schema, topicChannel: topicChannel(appSchema, prefix) };
}

/**
 * The script for an outbox in a new database, to review or to run by other means, after that of `schemaSql`. It does
 * the same as `migrateOutbox`. It fails where objects exist already.
 *
 * @throws InvalidArgumentError for names that a database would reject.
 */
export const outboxSchemaSql = (name: Dialect['name'], options: OutboxScriptOptions = {}): string =>
  scriptOf(outboxStatements(name, checkedOptions(options, SCRIPT_OPTIONS, 'outboxSchemaSql')));

/** The statements of `outboxSchemaSql`, or those that an outbox of an earlier version lacks. */
export function outboxStatements(name: Dialect['name'], options: OutboxScriptOptions & VersionRange = {}): string[] {
  const dialect = DIALECTS[name];
  const names = scriptNames(dialect, options);
  const isWanted = wantedBetween(options);
  const wanted = outboxSteps(dialect, names, options.ordering ?? 'commit').filter(
    ({ onAdoption, since = FIRST_VERSION }) => !onAdoption && isWanted(since),
  );
  return scriptTexts(
    dialect,
    wanted.map(({ statement }) => statement),
    derivedFrom(names, options),
  );
}

/** The statements that drop what those of `outboxStatements` create, whatever its ordering. */
export function dropOutboxStatements(name: Dialect['name'], options: OutboxScriptOptions = {}): string[] {
  const dialect = DIALECTS[name];
  const names = scriptNames(dialect, options);
  return scriptTexts(dialect, dropOutbox(dialect, names), derivedFrom(names, options));
}

export const derivedFrom = ({ table }: Pick<PublishedNames, 'table'>, { prefix = 'durable' }: OutboxScriptOptions) => ({
  table,
  prefix,
});

/** All steps that create the published tables, in order. Completed steps have no effect. */
export const outboxSteps = (dialect: Dialect, names: PublishedNames, ordering: OutboxOrdering): PublishedStep[] =>
  byFamily(dialect, {
    postgres: () => [...postgresTables(names), ...postgresTriggers(names, ordering)],
    mysql: () => mysqlTables(dialect, names),
  });

/** Drops the published tables with all events, and what belongs to them. */
export function dropOutbox(dialect: Dialect, names: PublishedNames): Statement[] {
  const { schema, table, nodesTable } = names;
  const era = qualified(schema, eraName(table));
  return [
    ...[table, nodesTable].map((name) => sql`DROP TABLE IF EXISTS ${qualified(schema, name)}`),
    ...byFamily<Statement[]>(dialect, {
      postgres: () => [...dropFunctions(names), sql`DROP SEQUENCE IF EXISTS ${era}`],
      mysql: () => [sql`DROP TABLE IF EXISTS ${era}`],
    }),
  ];
}

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

/** The first are those to the events. */
export type EventRights = readonly (readonly [rights: string, on: readonly Statement[]])[];

const ALL = ALL_RIGHTS.join(', ');

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
    return grantee === undefined ? [] : grantsToEvents(dialect, grantee, rights, options);
  });
  const names = scriptNames(dialect, options);
  return scriptOf(scriptTexts(dialect, grants, derivedFrom(names, options)));
}

function rightsOf(dialect: Dialect, options: OutboxScriptOptions): Record<keyof Required<OutboxRoles>, EventRights> {
  const { prefix = 'durable', appSchema = CURRENT_SCHEMA } = options;
  const { schema, ...names } = scriptNames(dialect, options);
  const tables = outboxTables(prefix, { ...names, schema: schema || undefined });
  // On MySQL they are all in one database, unless the outbox has its own.
  const home = byFamily(dialect, { postgres: () => appSchema, mysql: () => schema });
  const ours = (table: (typeof tables)['shards']) => (home === '' ? sql`${table}` : sql`${id(home)}.${table}`);
  const [channels, dead, pruned] = [ours(tables.channels), ours(tables.dead), ours(tables.pruned)];
  const state = [ours(tables.destinations), ours(tables.shards), channels, dead, pruned, ours(tables.inbox)];
  const era = qualified(schema, eraName(names.table));
  const relay: EventRights = [
    ['SELECT, UPDATE, DELETE', [tables.outbox]],
    [ALL, [tables.nodes, ...state]],
  ];
  const reader: EventRights = [['SELECT', [tables.outbox, pruned]]];
  return byFamily(dialect, {
    postgres: () => {
      const looks: EventRights = [['EXECUTE', [sql`FUNCTION ${era}()`]]];
      return { writer: [['INSERT', [tables.outbox]], ...looks], relay: [...relay, ...looks], reader };
    },
    mysql: () => {
      // Without any right to a MySQL table, a role cannot see that it exists, which the start checks.
      const seen: EventRights = [['REFERENCES', [tables.nodes, era]]];
      return {
        writer: [['INSERT', [tables.outbox]], ['SELECT, UPDATE', [ours(tables.locks)]], ...seen],
        relay: [...relay, [ALL, [era]]],
        reader: [...reader, ...seen],
      };
    },
  });
}

/**
 * For an app that writes, relays and reads: what concerns the published tables, and the numbers of events. Our other
 * tables are granted with the rest of ours.
 */
export const appGrants =
  ({ prefix, names }: OutboxTables): GrantsTo =>
  ({ user, host, schema: appSchema }, dialect) => {
    const { table, nodesTable, schema = appSchema } = names;
    const options = { prefix, table, nodesTable, schema, appSchema, host };
    const [events, nodes] = [sql`${id(schema)}.${id(table)}`, sql`${id(schema)}.${id(nodesTable)}`];
    const era = sql`${id(schema)}.${id(eraName(table))}`;
    const rights = byFamily<EventRights>(dialect, {
      postgres: () => [
        [ALL, [events, nodes]],
        ['EXECUTE', [sql`FUNCTION ${era}()`]],
      ],
      mysql: () => [[ALL, [events, nodes, era]]],
    });
    return grantsToEvents(dialect, user, rights, options).map((grant) => `${render(grant, dialect).text};`);
  };

/** Rights to the events and what belongs to them, also to their schema and their numbers. */
export function grantsToEvents(
  dialect: Dialect,
  grantee: string,
  rights: EventRights,
  options: OutboxRolesOptions,
): Statement[] {
  const to = accountOf(dialect, grantee, options);
  const grants = rights.flatMap(([listed, tables]) =>
    tables.map((table) => sql`GRANT ${raw(listed)} ON ${table} TO ${to}`),
  );
  return byFamily(dialect, {
    postgres: () => [...grants, ...schemaGrants(dialect, to, rights, options)],
    mysql: () => grants,
  });
}

function schemaGrants(dialect: Dialect, to: Statement, rights: EventRights, options: OutboxRolesOptions): Statement[] {
  const { schema, table } = scriptNames(dialect, options);
  const schemas = [...new Set([schema, options.appSchema ?? CURRENT_SCHEMA])];
  const toEvents = rights[0]?.[0] ?? '';
  const ofNumbers = [
    toEvents.includes('INSERT') ? ['USAGE'] : [],
    toEvents.includes('SELECT') ? ['SELECT'] : [],
  ].flat();
  return [
    ...schemas.map((name) => sql`GRANT USAGE ON SCHEMA ${id(name)} TO ${to}`),
    sequenceGrant(schema, table, ofNumbers.join(', '), to),
  ];
}

/** The sequence of an adopted table may have any name. The check at the start needs SELECT. */
const sequenceGrant = (schema: string, table: string, rights: string, to: Statement): Statement => {
  const named = postgres.literal(`${postgres.quote(schema)}.${postgres.quote(table)}`);
  return sql`DO $durable$ BEGIN EXECUTE format('GRANT ${raw(rights)} ON SEQUENCE %s TO ${to}', pg_get_serial_sequence(${named}, 'sequence_id')); END $durable$`;
};

/** @throws InvalidArgumentError unless it is the name of a role or account. */
export function accountOf(dialect: Dialect, grantee: unknown, { host = '%' }: OutboxRolesOptions): Statement {
  if (typeof grantee !== 'string' || grantee === '' || grantee.length > 63 || /\0|'|%|\$durable\$/.test(grantee))
    throw new InvalidArgumentError('role', grantee, 'the name of a role or account: 1 to 63 characters, no quotes');
  return byFamily(dialect, {
    postgres: () => sql`${id(grantee)}`,
    mysql: () => sql`${dialect.literal(grantee)}@${dialect.literal(host)}`,
  });
}
