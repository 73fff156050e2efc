import type { Dialect } from '../sql/dialects.js';
import { createTable, KEY } from '../sql/migrations/schema-steps.js';
import { id, raw, sql, type Statement } from '../sql/statement.js';
import { SHARDS } from './events.js';
import { eraName, type PublishedNames, type PublishedStep, qualified, shortName } from './tables.sql.js';

/** Columns that an adopted table may lack; `shard` is the `shardExpression` of its channel. */
const ADDED = {
  rejected: 'boolean NOT NULL DEFAULT false',
  data: 'json',
  headers: 'json',
  locked_by: KEY,
  lock_expiry: 'datetime(3)',
  processed: 'boolean NOT NULL DEFAULT false',
  created_at: 'datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)',
  shard: `tinyint unsigned AS (crc32(channel) & ${SHARDS - 1}) STORED`,
};

const OUTBOX = [
  'sequence_id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY',
  `mutation_id ${KEY} NOT NULL`,
  'channel varchar(255) NOT NULL',
  `name ${KEY} NOT NULL`,
  ...Object.entries(ADDED).map(([name, type]) => `${name} ${type}`),
];

/** One row: which server assigned the last numbers, and how far the last jump went. */
const ERA = ['id tinyint NOT NULL PRIMARY KEY', `server ${KEY} NOT NULL`, 'reached bigint NOT NULL DEFAULT 0'];

const NODES = [`id ${KEY} NOT NULL PRIMARY KEY`, 'expiry datetime(3) NOT NULL'];

/** Conditions on a view of `information_schema`. */
const inTable = (dialect: Dialect, { schema }: PublishedNames, table: string): Statement =>
  sql`table_schema = ${dialect.literal(schema)} AND table_name = ${dialect.literal(table)}`;

const tableStep = (
  dialect: Dialect,
  names: PublishedNames,
  table: string,
  columns: readonly string[],
): PublishedStep => ({
  ...createTable(dialect, qualified(names.schema, table), columns),
  what: `table "${table}"`,
  done: sql`SELECT 1 FROM information_schema.tables WHERE ${inTable(dialect, names, table)} LIMIT 1`,
});

const columnStep = (dialect: Dialect, names: PublishedNames, column: string, type: string): PublishedStep => ({
  onAdoption: true,
  what: `column "${column}" of "${names.table}"`,
  statement: sql`ALTER TABLE ${qualified(names.schema, names.table)} ADD COLUMN ${id(column)} ${raw(type)}`,
  done: sql`SELECT 1 FROM information_schema.columns WHERE ${inTable(dialect, names, names.table)} AND column_name = '${raw(column)}' LIMIT 1`,
});

function indexStep(dialect: Dialect, names: PublishedNames, suffix: string, columns: string): PublishedStep {
  const index = shortName(`${names.table}_${suffix}`);
  return {
    what: `index "${index}"`,
    statement: sql`CREATE INDEX ${id(index)} ON ${qualified(names.schema, names.table)} (${raw(columns)})`,
    done: sql`SELECT 1 FROM information_schema.statistics WHERE ${inTable(dialect, names, names.table)} AND index_name = ${dialect.literal(index)} LIMIT 1`,
  };
}

/** The published tables and the indexes for relays and for readers of one channel. */
export const mysqlTables = (dialect: Dialect, names: PublishedNames): PublishedStep[] => [
  tableStep(dialect, names, names.table, OUTBOX),
  ...Object.entries(ADDED).map(([column, type]) => columnStep(dialect, names, column, type)),
  tableStep(dialect, names, names.nodesTable, NODES),
  tableStep(dialect, names, eraName(names.table), ERA),
  indexStep(dialect, names, 'pending', 'processed, shard, channel, sequence_id'),
  indexStep(dialect, names, 'channel', 'channel, sequence_id'),
];
