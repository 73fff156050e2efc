import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { DIALECTS } from '../../sql/dialects/dialects.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import { FIRST_VERSION, scriptOf, type VersionRange, wantedBetween } from '../../sql/migrations/schema-statements.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import { dropOutbox } from './outbox-drop.sql.js';
import { outboxSteps } from './outbox-steps.sql.js';
import { CURRENT_SCHEMA, scriptTexts } from './script-schema.sql.js';
import { type PublishedNames, topicChannel, validateTableNames } from '../tables/sql-outbox-tables.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

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
