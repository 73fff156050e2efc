import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { DIALECTS } from '../../sql/dialects/dialects.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import { render } from '../../sql/dialects/render.js';
import type { Statement } from '../../sql/dialects/statement.js';
import type { OutboxOrdering } from '../model/outbox-event.js';
import { outboxSteps } from './outbox-steps.sql.js';
import { type PublishedNames, topicChannel, validateTableNames } from '../tables/outbox-table-names.js';

export interface OutboxScriptOptions {
  /** Of all our tables. Default `'durable'`. */
  prefix?: string;
  /** Default `<prefix>_outbox`. */
  table?: string;
  /** Default `<prefix>_outbox_nodes`. */
  nodesTable?: string;
  /** PostgreSQL: the schema of the outbox. Default `'public'`. MySQL and MariaDB: the database. Default: the one in use. */
  schema?: string;
  /** PostgreSQL: the schema that connections of the app find first, where our other tables are. Default `'public'`. */
  appSchema?: string;
  /** Default `'commit'`. */
  ordering?: OutboxOrdering;
}

/** Names of a script, which knows no connection. */
export function scriptNames(dialect: Dialect, options: OutboxScriptOptions): PublishedNames {
  const { prefix = 'durable', table = `${prefix}_outbox`, nodesTable = `${prefix}_outbox_nodes` } = options;
  const { schema = byFamily(dialect, { postgres: () => 'public', mysql: () => '' }), appSchema = 'public' } = options;
  validatePrefix(prefix);
  validateTableNames({ table, nodesTable, schema: schema || undefined });
  return { table, nodesTable, schema, topicChannel: topicChannel(appSchema, prefix) };
}

/**
 * All that `migrateOutbox` does to a database without an outbox, as a script to review or to run by other means, after
 * that of `schemaSql`. Applied again it fails where something is there.
 *
 * @throws InvalidArgumentError for names that no database takes.
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
