import { tablesWithPrefix } from '../../lib/sql/tables.js';
import type { FreshDatabase } from './fresh-database.js';

const { migrations: _, prefix: __, home: ___, ...tables } = tablesWithPrefix('durable');
const DELETIONS = Object.values(tables).map(({ name }) => `DELETE FROM ${name}`);

/** Deletes all rows as the owner of the tables, in one round trip: most are empty, and hundreds of tests ask for it. */
export const emptyTables = ({ script }: Pick<FreshDatabase, 'script'>): Promise<void> => script(DELETIONS.join(';\n'));
