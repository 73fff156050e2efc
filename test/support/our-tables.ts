import { migrationStatements, type MigrationStatementsOptions } from '../../lib/operate/roles.js';
import type { FreshDatabase } from './fresh-database.js';

/**
 * Makes our tables as the owner of the database unless they are there, in one round trip: hundreds of suites need them,
 * and a migration asks a hundred times. `test/contract/sql/our-tables.spec.ts` compares what both make.
 */
export async function makeTables(
  { db, query, script }: Pick<FreshDatabase, 'db' | 'query' | 'script'>,
  options: Pick<MigrationStatementsOptions, 'outbox'> = {},
): Promise<void> {
  const migrations = `SELECT 1 FROM information_schema.tables WHERE table_name = 'durable_migrations' AND table_schema = `;
  const there = await query(migrations + (db === 'postgres' ? 'current_schema()' : 'DATABASE()'));
  if (there.length > 0) return;
  const statements = migrationStatements(db, options);
  await script((db === 'postgres' ? statements : withIndexes(statements)).join(';\n'));
}

/** Tables with their indexes: for an index beside its table, MySQL computes as long as for a table. */
function withIndexes(statements: readonly string[]): string[] {
  const indexes = new Map<string, string[]>();
  const others = statements.filter((statement) => {
    const [, index, table = '', columns] =
      /^CREATE ((?:UNIQUE )?INDEX `\w+`) ON (`\w+`) (\(.+\))$/.exec(statement) ?? [];
    if (index) indexes.set(table, [...(indexes.get(table) ?? []), `${index} ${columns}`]);
    return !index;
  });
  return others.map((statement) => {
    const [, table = ''] = /^CREATE TABLE IF NOT EXISTS (`\w+`)/.exec(statement) ?? [];
    const own = indexes.get(table) ?? [];
    return statement.replace(/\n\) ENGINE/, (end) => own.map((index) => `,\n  ${index}`).join('') + end);
  });
}
