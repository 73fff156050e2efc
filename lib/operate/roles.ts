import { InvalidArgumentError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { expectedSchema, type ExpectedTable } from '../doctor/tables.js';
import {
  accountOf,
  dropOutboxStatements,
  type EventRights,
  grantsToEvents,
  type OutboxScriptOptions,
  outboxStatements,
  SCRIPT_OPTIONS,
  scriptNames,
} from '../outbox/script.sql.js';
import {
  CURRENT_SCHEMA,
  eraName,
  type OutboxTableNames,
  outboxTableNames,
  type PublishedNames,
  qualified,
  scriptTexts,
} from '../outbox/tables.sql.js';
import { byFamily, type Dialect, DIALECTS } from '../sql/dialects.js';
import { dropSchemaStatements, schemaStatements, validateName, validatePrefix } from '../sql/migrations/migrator.js';
import { ALL_RIGHTS, type NeededTable, type Right } from '../sql/migrations/rights.js';
import { id, join, raw, sql, type Statement } from '../sql/statement.js';
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
  if (schema !== undefined) validateName(schema, 'schema');
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

/** What a database user does, apart from the owner of the tables, who migrates them. */
export interface DurableRoles {
  /** Starts runs, signals them, looks at them and waits for their results. */
  client?: string;
  /** Plays workflows. It may do all that other processes do, except to migrate. */
  engine?: string;
  /** Runs remote steps of a Nest app. */
  worker?: string;
  /** Runs remote steps in another language: it knows the two tables of the contract alone. */
  foreignWorker?: string;
  /** Everything of `Operator`, and its record of acts, which it may not change: an engine erases persons. */
  operator?: string;
  /** Reads what has no payloads: ids, names, states, times. */
  reader?: string;
}

type RoleName = keyof DurableRoles;

/** A process, or a part of what an app does, whose rights are to whole tables. */
export type WholeRole = Exclude<RoleName, 'reader'> | 'relay' | 'effects';

/** Letters: S(ELECT), I(NSERT), U(PDATE), D(ELETE). By the names of the tables after the prefix. */
type TableRights = Readonly<Record<string, string>>;

/** Each process reads which migrations were applied. */
const EVERYBODY: TableRights = { migrations: 'S' };

/** Code of the app may use its store in each of its processes. */
const APP: TableRights = { ...EVERYBODY, store: 'SIUD' };

/** A row that is locked needs UPDATE, even where nothing of it is changed. */
const CLIENT: TableRights = {
  ...APP,
  runs: 'SIU',
  run_attributes: 'SIU',
  run_dependencies: 'SI',
  start_keys: 'SIU',
  steps: 'S',
  step_attempts: 'S',
  step_logs: 'S',
  signals: 'SIU',
  signal_channels: 'SIU',
  signal_waits: 'SUD',
  limiters: 'SIU',
  limiter_entries: 'SIU',
  transport_tasks: 'SD',
  // MySQL and MariaDB: an INSERT that keeps an existing row needs UPDATE.
  transport_results: 'SIU',
  effects: 'S',
  nodes: 'S',
  holds: 'S',
  erasures: 'S',
};

const FOREIGN_WORKER: TableRights = { transport_tasks: 'SUD', transport_results: 'SIU' };

const WORKER: TableRights = {
  ...APP,
  ...FOREIGN_WORKER,
  // Notes are written for runs that exist; and the process that has been there longest looks for unserved work.
  runs: 'S',
  effects: 'S',
  step_attempts: 'SIU',
  step_logs: 'SI',
  nodes: 'SIUD',
  samples: 'SIUD',
  holds: 'S',
};

/** A process that does nothing else: what it needs of the events themselves, `outboxRolesSql` grants. */
const RELAY: TableRights = {
  ...APP,
  nodes: 'SIUD',
  samples: 'SIUD',
  outbox_destinations: 'SIUD',
  outbox_shards: 'SIUD',
  outbox_channels: 'SIUD',
  outbox_dead: 'SIUD',
  outbox_pruned: 'SIUD',
  inbox_positions: 'SIUD',
};

const EFFECTS: TableRights = {
  ...APP,
  nodes: 'SIUD',
  samples: 'SIUD',
  holds: 'S',
  // It looks for unserved work, and answers the runs that wait for a complete operation.
  runs: 'S',
  signal_waits: 'S',
  transport_tasks: 'SD',
  transport_results: 'SIU',
  effects: 'SIUD',
  effect_audit: 'SIUD',
};

const OPERATOR: TableRights = {
  ...EVERYBODY,
  runs: 'SIUD',
  run_attributes: 'SIUD',
  run_dependencies: 'SID',
  start_keys: 'SIUD',
  steps: 'SIUD',
  step_attempts: 'SIUD',
  step_logs: 'SIUD',
  signals: 'SIUD',
  signal_channels: 'SIUD',
  signal_waits: 'SIUD',
  limiters: 'SIUD',
  limiter_entries: 'SIUD',
  schedules: 'SIUD',
  transport_tasks: 'SIUD',
  transport_results: 'SIUD',
  // That it must begin nothing new.
  nodes: 'SU',
  samples: 'S',
  holds: 'SIUD',
  // What was recorded stays.
  acts: 'SI',
  erasures: 'S',
  effects: 'SUD',
  effect_audit: 'SID',
  outbox_destinations: 'SUD',
  outbox_shards: 'SD',
  outbox_channels: 'SIUD',
  outbox_dead: 'SIUD',
  outbox_pruned: 'S',
  // MySQL and MariaDB: hooks are told of a run that it ends.
  outbox_locks: 'SU',
  inbox_positions: 'S',
};

/** What a reader may see of each table: a list leaves out these columns, which may hold data of the app. */
export const PAYLOAD_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  runs: ['input', 'output', 'error', 'reason_detail', 'custom_status', 'context', 'limits', 'resume'],
  steps: ['input', 'output', 'error'],
  step_attempts: ['error'],
  step_logs: ['message', 'fields'],
  signals: ['payload'],
  store: ['value'],
  schedules: ['input'],
  limiter_entries: ['limits', 'task'],
  acts: ['details'],
  transport_tasks: ['input'],
  transport_results: ['output', 'error'],
  effects: ['ref', 'payload', 'last_error', 'error'],
  effect_audit: ['details'],
  outbox_channels: ['last_error'],
  outbox_dead: ['data', 'headers', 'reason', 'last_error'],
};

/** What roles do not see of tables that they may only read. A worker reads what a run carries, its `context`, for traces. */
const HIDDEN: Partial<Record<RoleName, Readonly<Record<string, readonly string[]>>>> = {
  reader: PAYLOAD_COLUMNS,
  worker: {
    runs: PAYLOAD_COLUMNS['runs']!.filter((column) => column !== 'context'),
    effects: PAYLOAD_COLUMNS['effects']!,
  },
};

/** The columns of a table, by its name after the prefix, that a role does not see; undefined: it sees all. */
const hiddenFrom = (role: RoleName, table: string): readonly string[] | undefined => HIDDEN[role]?.[table];

/** Rights to whole tables; undefined: to all of them. */
const ROLE_RIGHTS: Readonly<Record<WholeRole, TableRights | undefined>> = {
  client: CLIENT,
  engine: undefined,
  worker: WORKER,
  foreignWorker: FOREIGN_WORKER,
  operator: OPERATOR,
  relay: RELAY,
  effects: EFFECTS,
};

const NAMED: Readonly<Record<string, Right>> = { S: 'SELECT', I: 'INSERT', U: 'UPDATE', D: 'DELETE' };

/** What a role may do with a table, by its name after the prefix. */
function rightsTo(role: WholeRole, table: string): readonly Right[] {
  const { [role]: rights } = ROLE_RIGHTS;
  if (!rights) return table in EVERYBODY ? ['SELECT'] : ALL_RIGHTS;
  return [...(rights[table] ?? '')].flatMap((letter) => NAMED[letter] ?? []);
}

/** What a role needs of these tables. */
export const neededBy = (role: WholeRole, prefix: string, names: readonly string[]): NeededTable[] =>
  names
    .map((name) => ({ name, rights: rightsTo(role, name.slice(prefix.length + 1)) }))
    .filter(({ rights }) => rights.length > 0);

/** Of that, what it needs of whole tables: a start cannot tell whether single columns are granted. */
export const wholeNeeds = (role: WholeRole, prefix: string, names: readonly string[]): NeededTable[] =>
  neededBy(role, prefix, names).filter(({ name }) => !HIDDEN[role as RoleName]?.[name.slice(prefix.length + 1)]);

/** What a reader needs of these tables, apart from those whose columns it is granted. */
export const readableBy = (prefix: string, names: readonly string[]): NeededTable[] =>
  names
    .filter((name) => !(name.slice(prefix.length + 1) in PAYLOAD_COLUMNS))
    .map((name) => ({ name, rights: ['SELECT'] }));

/** Each table once. */
export function mergedNeeds(needed: readonly NeededTable[]): NeededTable[] {
  const names = [...new Set(needed.map(({ name }) => name))];
  return names.map((name) => {
    const all = new Set(needed.filter((table) => table.name === name).flatMap(({ rights }) => rights));
    return { name, rights: ALL_RIGHTS.filter((right) => all.has(right)) };
  });
}

/** The names and the ordering of the module's `outbox`; variables of the database connector apply as they do there. */
export type OutboxStatementsOptions = Omit<OutboxScriptOptions, 'prefix'>;

export interface MigrationStatementsOptions {
  /** The prefix of all our tables. Default `'durable'`. */
  prefix?: string;
  /**
   * The schema of all our tables, which exists; on MySQL and MariaDB their database. Default: that of the connection that
   * runs the statements.
   */
  schema?: string | undefined;
  /** As in the options of the module; `false`: the app has no outbox. */
  outbox?: OutboxStatementsOptions | false;
  /** The version whose tables exist, for example `'0.1.0'`. Default: none, for a database without our tables. */
  from?: string | undefined;
  /** Set it in a migration, so that it stays the same when the package is updated. Default: the version installed. */
  to?: string | undefined;
}

type DropStatementsOptions = Pick<MigrationStatementsOptions, 'prefix' | 'schema' | 'outbox'>;

const { prefix: _, ...OUTBOX } = SCRIPT_OPTIONS;
const DROPS = { prefix: true, schema: true, outbox: OUTBOX } satisfies KnownOptions<DropStatementsOptions>;
const STATEMENTS = { ...DROPS, from: true, to: true } satisfies KnownOptions<MigrationStatementsOptions>;

/**
 * The statements that create our tables, or bring them from one version to another, for a migration that the app runs
 * with its own tool. Each is complete, without `;` at its end, and takes no parameters. Run them in their order, as the
 * owner of the app's tables; the app then needs `migrate: false`, or has nothing to migrate.
 *
 * @throws InvalidArgumentError for an unknown dialect or version, and for names that a database would reject.
 * @example
 * async up(runner: QueryRunner): Promise<void> {
 *   for (const statement of migrationStatements('postgres', { to: '0.1.0' })) await runner.query(statement);
 * }
 */
export function migrationStatements(dialect: Dialect['name'], options: MigrationStatementsOptions = {}): string[] {
  const { prefix = 'durable', schema, from, to } = checkedOptions(options, STATEMENTS, 'migrationStatements');
  checkDialect(dialect);
  const ours = schemaStatements(dialect, prefix, { schema, from, to });
  const outbox = outboxOf(prefix, options);
  return outbox ? [...ours, ...outboxStatements(dialect, { ...outbox, from, to })] : ours;
}

/**
 * The statements that drop all our tables, with all runs and events: for the `down` of the first migration. Migrations
 * between versions only add, and code of the version before works with what they added, so theirs can be empty.
 *
 * @throws InvalidArgumentError for an unknown dialect, and for names that a database would reject.
 */
export function dropStatements(dialect: Dialect['name'], options: DropStatementsOptions = {}): string[] {
  const { prefix = 'durable', schema } = checkedOptions(options, DROPS, 'dropStatements');
  checkDialect(dialect);
  const outbox = outboxOf(prefix, options);
  return [
    ...(outbox ? dropOutboxStatements(dialect, outbox) : []),
    ...dropSchemaStatements(dialect, prefix, { schema }),
  ];
}

/** Beside our other tables, unless they have a schema of their own. */
function outboxOf(
  prefix: string,
  { schema: appSchema, outbox = {} }: DropStatementsOptions,
): OutboxScriptOptions | undefined {
  if (outbox === false) return undefined;
  const { schema = appSchema, ...names } = outboxTableNames(outbox, prefix, process.env);
  const at = { ...(appSchema !== undefined && { appSchema }), ...(schema !== undefined && { schema }) };
  return { ...at, ...outbox, prefix, ...names, ...(schema !== undefined && { schema }) };
}

/** @throws InvalidArgumentError */
function checkDialect(dialect: Dialect['name']): void {
  if (Object.hasOwn(DIALECTS, dialect)) return;
  throw new InvalidArgumentError('dialect', dialect, "'postgres', 'mysql' or 'mariadb'");
}
