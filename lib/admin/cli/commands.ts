import type { OutboxOrdering } from '../../outbox/model/outbox-event.js';
import { migrationStatements, type OutboxStatementsOptions } from '../migration-statements.js';
import { jumpNumbers } from '../../outbox/events/sql-outbox-era.js';
import { migrateOutbox, pendingOutbox } from '../../outbox/events/sql-outbox-schema.js';
import {
  type OutboxTableNames,
  outboxTableNames,
  outboxTables,
  type OutboxTables,
} from '../../outbox/tables/sql-outbox-tables.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { migrate, pendingMigrations, validatePrefix } from '../../sql/migrations/migrator.js';
import { scriptOf, wantedBetween } from '../../sql/migrations/schema-statements.js';
import { vacuum } from '../../sql/migrations/vacuum.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import type { Environment } from './cli-environment.js';
import { counted } from './counted.js';
import { missingArgument } from './missing-argument.js';
import { withDatabase } from './open-database.js';
import type { Printer } from './printer.js';

export interface CommandOptions {
  prefix: string;
  url: string | undefined;
  env: Environment;
  /** False: the app has no outbox. */
  outbox?: boolean;
  outboxTable?: string;
  outboxNodesTable?: string;
  outboxSchema?: string;
  outboxOrdering?: OutboxOrdering;
}

type Print = (line: string) => void;

/** Migrates the tables. */
export async function migrateCommand({ prefix, url, ...options }: CommandOptions, print: Printer): Promise<number> {
  validatePrefix(prefix);
  const applied = await withDatabase(url, async (executor) => {
    const ids = await migrate(executor, tablesWithPrefix(prefix));
    if (options.outbox === false) return ids;
    return [...ids, ...(await migrateOutbox(executor, outboxTablesOf(prefix, options), orderingOf(options)))];
  });
  print.gathered({ applied }, applied, told('Applied', applied, prefix));
  return 0;
}

/** Returns 1 when migrations are pending. */
export async function statusCommand({ prefix, url, ...options }: CommandOptions, print: Printer): Promise<number> {
  validatePrefix(prefix);
  const pending = await withDatabase(url, async (executor) => {
    const ids = await pendingMigrations(executor, tablesWithPrefix(prefix));
    if (options.outbox === false) return ids;
    return [...ids, ...(await pendingOutbox(executor, outboxTablesOf(prefix, options), orderingOf(options)))];
  });
  print.gathered({ pending }, pending, told('Pending', pending, prefix));
  return pending.length === 0 ? 0 : 1;
}

const told = (what: string, ids: readonly string[], prefix: string): string[] =>
  ids.length === 0 ? [`The tables ${prefix}_* are up to date`] : ids.map((id) => `${what} ${id}`);

export const DIALECT_NEEDED = 'postgres, mysql or mariadb, or pass a database with --url or DATABASE_URL';

export interface SqlCommandOptions extends CommandOptions {
  dialect: Dialect['name'] | undefined;
  /** The version whose tables exist. */
  from?: string;
}

/** Prints what `migrate` would do to an empty database, or to one of an earlier version. */
export async function sqlCommand(
  { prefix, url, dialect, from, ...options }: SqlCommandOptions,
  print: Print,
): Promise<number> {
  validatePrefix(prefix);
  if (dialect === undefined && url === undefined) {
    throw missingArgument('--dialect', DIALECT_NEEDED);
  }
  const outbox = options.outbox !== false && scriptOptions(prefix, options);
  // Before the database is asked for its kind.
  wantedBetween({ from });
  const name = dialect ?? (await withDatabase(url, (executor) => Promise.resolve(executor.dialect.name)));
  const statements = migrationStatements(name, { prefix, outbox, from });
  print(statements.length > 0 ? scriptOf(statements) : `-- The tables of ${String(from)} are those of this version`);
  return 0;
}

type OutboxFlags = Omit<CommandOptions, 'prefix' | 'url'>;

/** The tables that an app with these options uses. */
export const outboxTablesOf = (prefix: string, options: OutboxFlags): OutboxTables =>
  outboxTables(prefix, namesOf(prefix, options));

/** The same names as the module's, so that a command creates the tables that the app uses. */
function namesOf(prefix: string, options: OutboxFlags): OutboxTableNames {
  const { outboxTable: table, outboxNodesTable: nodesTable, outboxSchema: schema, env } = options;
  return outboxTableNames({ table, nodesTable, schema }, prefix, env);
}

const orderingOf = ({ outboxOrdering: ordering = 'commit' }: OutboxFlags): { ordering: OutboxOrdering } => ({
  ordering,
});

const scriptOptions = (prefix: string, options: OutboxFlags): OutboxStatementsOptions => ({
  ...givenNamesOf(prefix, options),
  ...orderingOf(options),
});

/** The names of the tables of events, for statements that are printed. */
export function givenNamesOf(prefix: string, options: OutboxFlags): Omit<OutboxStatementsOptions, 'ordering'> {
  const { schema, ...names } = namesOf(prefix, options);
  return { ...names, ...(schema !== undefined && { schema }) };
}

/** Moves the event numbers beyond all numbers that were ever assigned. */
export async function jumpCommand({ prefix, url, ...options }: CommandOptions, print: Print): Promise<number> {
  validatePrefix(prefix);
  const tables = outboxTablesOf(prefix, options);
  await withDatabase(url, (executor) => jumpNumbers(executor, tables));
  print(`The numbers of "${tables.names.table}" now continue above all that were ever assigned`);
  return 0;
}

/** Makes the space of deleted rows reusable. */
export async function vacuumCommand({ prefix, url, ...options }: CommandOptions, print: Printer): Promise<number> {
  validatePrefix(prefix);
  const { outbox, nodes } = outboxTablesOf(prefix, options);
  const published = options.outbox === false ? [] : [outbox, nodes];
  const count = await withDatabase(url, (executor) => vacuum(executor, tablesWithPrefix(prefix), published));
  const words =
    count > 0 ? `Vacuumed ${counted(count, 'table')} ${prefix}_*` : 'Nothing to do: this server reuses space by itself';
  print.changed({ vacuumed: count }, [], words);
  return 0;
}
