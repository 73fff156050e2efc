import { InvalidArgumentError } from '../errors/argument-errors.js';
import {
  dropOutboxStatements,
  type OutboxScriptOptions,
  SCRIPT_OPTIONS,
  outboxStatements,
} from '../outbox/events/outbox-script.sql.js';
import { outboxTableNames } from '../outbox/tables/sql-outbox-tables.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import { DIALECTS } from '../sql/dialects/dialects.js';
import { dropSchemaStatements, schemaStatements } from '../sql/migrations/schema-statements.js';

/** The names and the ordering of the module's `outbox`; variables of the database connector apply as they do there. */
export type OutboxStatementsOptions = Omit<OutboxScriptOptions, 'prefix'>;

export interface MigrationStatementsOptions {
  /** The prefix of all our tables. Default `'durable'`. */
  prefix?: string;
  /** As in the options of the module; `false`: the app has no outbox. */
  outbox?: OutboxStatementsOptions | false;
  /** The version whose tables exist, for example `'0.1.0'`. Default: none, for a database without our tables. */
  from?: string | undefined;
  /** Set it in a migration, so that it stays the same when the package is updated. Default: the version installed. */
  to?: string | undefined;
}

const { prefix: _, ...OUTBOX } = SCRIPT_OPTIONS;
const DROPS = { prefix: true, outbox: OUTBOX } satisfies KnownOptions<
  Pick<MigrationStatementsOptions, 'prefix' | 'outbox'>
>;
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
  const { prefix = 'durable', from, to } = checkedOptions(options, STATEMENTS, 'migrationStatements');
  checkDialect(dialect);
  const schema = schemaStatements(dialect, prefix, { from, to });
  const outbox = outboxOf(prefix, options);
  return outbox ? [...schema, ...outboxStatements(dialect, { ...outbox, from, to })] : schema;
}

/**
 * The statements that drop all our tables, with all runs and events: for the `down` of the first migration. Migrations
 * between versions only add, and code of the version before works with what they added, so theirs can be empty.
 *
 * @throws InvalidArgumentError for an unknown dialect, and for names that a database would reject.
 */
export function dropStatements(
  dialect: Dialect['name'],
  options: Pick<MigrationStatementsOptions, 'prefix' | 'outbox'> = {},
): string[] {
  const { prefix = 'durable' } = checkedOptions(options, DROPS, 'dropStatements');
  checkDialect(dialect);
  const outbox = outboxOf(prefix, options);
  return [...(outbox ? dropOutboxStatements(dialect, outbox) : []), ...dropSchemaStatements(dialect, prefix)];
}

function outboxOf(
  prefix: string,
  { outbox = {} }: Pick<MigrationStatementsOptions, 'outbox'>,
): OutboxScriptOptions | undefined {
  if (outbox === false) return undefined;
  const { schema, ...names } = outboxTableNames(outbox, prefix, process.env);
  return { ...outbox, prefix, ...names, ...(schema !== undefined && { schema }) };
}

/** @throws InvalidArgumentError */
export function checkDialect(dialect: Dialect['name']): void {
  if (Object.hasOwn(DIALECTS, dialect)) return;
  throw new InvalidArgumentError('dialect', dialect, "'postgres', 'mysql' or 'mariadb'");
}
