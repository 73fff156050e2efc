import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { migratedNames, validatePrefix } from '../../sql/migrations/migrator.js';
import type { OwnTables } from '../../sql/sql-executor.js';
import { eraName, type OutboxTableNames, outboxTableNames } from './sql-outbox-tables.js';

type Names = Pick<OutboxTableNames, 'table' | 'nodesTable'>;

/**
 * The names of all tables of this package, on every database, for `schemaGenerator.skipTables` of MikroORM: its schema
 * commands drop tables that have no entity. The MikroORM CLI does not start the app, so only its configuration file can
 * protect the tables there. Other tables with the same prefix are not among them.
 *
 * @param prefix the `prefix` of `DurableModule`. Default `'durable'`.
 * @param outbox `table` and `nodesTable` of its `outbox`, if the app has named them.
 * @throws InvalidArgumentError for a name that a database would reject.
 * @example
 * export default defineConfig({ entities: [Order], schemaGenerator: { skipTables: durableSkipTables() } });
 */
export function durableSkipTables(
  prefix = 'durable',
  outbox: { table?: string | undefined; nodesTable?: string | undefined } = {},
): string[] {
  validatePrefix(prefix);
  const names = outboxTableNames({ ...outbox, schema: undefined }, prefix, process.env);
  return [...migratedNames(prefix), ...published(names)];
}

const published = ({ table, nodesTable }: Names): string[] => [table, nodesTable, eraName(table)];

/** What schema commands are to leave alone. Without `outbox`, the app has no events. */
export const ownTables = (dialect: Dialect, prefix: string, outbox: Names | false): OwnTables => ({
  names: [...migratedNames(prefix), ...(outbox ? published(outbox) : [])],
  hasFunctions: outbox !== false && byFamily(dialect, { postgres: () => true, mysql: () => false }),
  expression: expressionOf(prefix, outbox),
});

/** The call that an app writes to get these names. */
function expressionOf(prefix: string, outbox: Names | false): string {
  const named = outbox && (outbox.table !== `${prefix}_outbox` || outbox.nodesTable !== `${prefix}_outbox_nodes`);
  const names = named ? [`'${prefix}'`, `{ table: '${outbox.table}', nodesTable: '${outbox.nodesTable}' }`] : [];
  const given = named || prefix === 'durable' ? names : [`'${prefix}'`];
  return `durableSkipTables(${given.join(', ')})`;
}
