import { id, sql } from '../statement.js';
import type { Migration } from './migration.js';

const TABLES = ['outbox_channels', 'outbox_pruned', 'outbox_dead', 'inbox_positions'];

/**
 * PostgreSQL: as long as the published column lets a channel be, since whoever inserts by themselves may use longer names
 * than we do. Elsewhere that column is as long as ours. No row is written again for it.
 */
export const outboxChannels: Migration = {
  id: '005-outbox',
  part: 'engine',
  steps: (dialect, { prefix }) =>
    dialect.family === 'postgres'
      ? TABLES.map((name) => ({
          statement: sql`ALTER TABLE ${id(`${prefix}_${name}`)} ALTER COLUMN channel TYPE text`,
        }))
      : [],
};
