import { tablesWithPrefix } from '../../lib/sql/tables.js';
import type { FreshDatabase } from './fresh-database.js';

/** Deletes all rows of our tables as their owner, in one round trip: most are empty, and hundreds of cases ask for it. */
export async function emptied({ script }: Pick<FreshDatabase, 'script'>): Promise<void> {
  const { migrations: _, prefix: __, ...tables } = tablesWithPrefix('durable');
  const statements = Object.values(tables).map(({ name }) => `DELETE FROM ${name}`);
  await script(statements.join(';\n'));
}
