import { byFamily, type Dialect, render } from '../../sql/dialects/dialect.js';
import { DIALECTS } from '../../sql/dialects/dialects.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import type { Statement } from '../../sql/dialects/statement.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import { outboxSteps } from './outbox-steps.sql.js';
import { type PublishedNames, topicChannel, validateTableNames } from '../tables/sql-outbox-tables.js';

export interface OutboxScriptOptions {
  /** The prefix of all our tables. Default `'durable'`. */
  prefix?: string;
  /** Default `<prefix>_outbox`. */
  table?: string;
  /** Default `<prefix>_outbox_nodes`. */
  nodesTable?: string;
  /** PostgreSQL: the outbox's schema. Default `'public'`. MySQL, MariaDB: its database. Default: the current one. */
  schema?: string;
  /** PostgreSQL: the first schema of the app's search path, which holds our other tables. Default `'public'`. */
  appSchema?: string;
  /** Default `'commit'`. */
  ordering?: OutboxOrdering;
}

/** The names for a script, which has no connection. */
export function scriptNames(dialect: Dialect, options: OutboxScriptOptions): PublishedNames {
  const { prefix = 'durable', table = `${prefix}_outbox`, nodesTable = `${prefix}_outbox_nodes` } = options;
  const { schema = byFamily(dialect, { postgres: () => 'public', mysql: () => '' }), appSchema = 'public' } = options;
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
export function outboxSchemaSql(name: Dialect['name'], options: OutboxScriptOptions = {}): string {
  const dialect = DIALECTS[name];
  const names = scriptNames(dialect, options);
  const texts = outboxSteps(dialect, names, options.ordering ?? 'commit')
    .filter(({ onAdoption }) => !onAdoption)
    .map(({ statement }) => statement);
  return script(dialect, texts);
}

export const script = (dialect: Dialect, statements: readonly Statement[]): string =>
  statements.map((statement) => `${render(statement, dialect).text};\n`).join('\n');
