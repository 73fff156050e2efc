import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { sql, type Statement } from '../../sql/dialects/statement.js';
import { eraName, type PublishedNames } from '../tables/sql-outbox-tables.js';
import { dropFunctions } from './postgres-triggers.sql.js';
import { qualified } from './published-step.sql.js';

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
