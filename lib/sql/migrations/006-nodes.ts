import type { Migration } from './migration.js';
import { addColumns } from './schema-steps.js';

/** Through which server of a cluster a process last said that it lives. Unknown of the version before. */
export const nodeServers: Migration = {
  id: '006-nodes',
  part: 'engine',
  steps: (dialect, { nodes }) => [addColumns(dialect, nodes, ['server varchar(320)'])],
};
