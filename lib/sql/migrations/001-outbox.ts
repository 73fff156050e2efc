import { byFamily, type Dialect } from '../dialects/dialect.js';
import { id, type Identifier, raw, sql } from '../dialects/statement.js';
import type { Tables } from '../tables.js';
import { createIndex, createTable, KEY, type SchemaStep } from './schema-steps.js';

/** The number of lock rows that channels share on the MySQL family; PostgreSQL's locks need no rows. */
export const LOCK_BUCKETS = 4_096;

/**
 * PostgreSQL: unlimited like the published column, since plain INSERTs may use longer names than our API. On other
 * databases that column has the same limit as ours.
 */
const channelType = (dialect: Dialect): string =>
  byFamily(dialect, { postgres: () => 'text', mysql: () => 'varchar(255)' });

const tableOf = (prefix: string, name: string): Identifier => id(`${prefix}_${name}`);

/** Which process publishes which shards of which destination. */
const relaySteps = (dialect: Dialect, prefix: string): SchemaStep[] => [
  createTable(dialect, tableOf(prefix, 'outbox_destinations'), [
    `name ${KEY} NOT NULL PRIMARY KEY`,
    'created_at bigint NOT NULL',
    'seen_at bigint NOT NULL',
    // What a hook wants to hear of runs.
    `wants ${dialect.textType}`,
  ]),
  createTable(
    dialect,
    tableOf(prefix, 'outbox_shards'),
    [
      `destination ${KEY} NOT NULL`,
      'shard smallint NOT NULL',
      `owner ${KEY}`,
      'epoch bigint NOT NULL DEFAULT 0',
      'lease_until bigint',
      'PRIMARY KEY (destination, shard)',
    ],
    { fillfactor: 50 },
  ),
];

/** PostgreSQL: the channels of runs, for sweeps. Elsewhere they are a range of the key, whose collation is binary. */
const runsIndex = (dialect: Dialect, table: Identifier, columns: string): SchemaStep[] =>
  byFamily(dialect, {
    postgres: () => [createIndex(dialect, table, 'runs', columns, { where: `channel LIKE 'durable:run:%'` })],
    mysql: () => [],
  });

/** Positions, states and failures of channels. */
function channelSteps(dialect: Dialect, prefix: string): SchemaStep[] {
  const text = dialect.textType;
  const [channels, pruned] = [tableOf(prefix, 'outbox_channels'), tableOf(prefix, 'outbox_pruned')];
  const columns = [
    `destination ${KEY} NOT NULL`,
    `channel ${channelType(dialect)} NOT NULL`,
    'position bigint NOT NULL DEFAULT 0',
    'attempts integer NOT NULL DEFAULT 0',
    'crashes integer NOT NULL DEFAULT 0',
    'available_at bigint',
    'state varchar(16)',
    `last_error ${text}`,
    'failed_at bigint',
    'PRIMARY KEY (destination, channel)',
  ];
  return [
    createTable(dialect, channels, columns, { fillfactor: 70 }),
    createIndex(dialect, channels, 'state', 'destination, state, channel', { where: 'state IS NOT NULL' }),
    ...runsIndex(dialect, channels, 'destination, channel'),
    createTable(dialect, pruned, [`channel ${channelType(dialect)} NOT NULL PRIMARY KEY`, 'position bigint NOT NULL']),
    ...runsIndex(dialect, pruned, 'channel'),
  ];
}

function deadSteps(dialect: Dialect, prefix: string): SchemaStep[] {
  const text = dialect.textType;
  const dead = tableOf(prefix, 'outbox_dead');
  return [
    createTable(dialect, dead, [
      `destination ${KEY} NOT NULL`,
      'sequence_id bigint NOT NULL',
      `mutation_id ${text} NOT NULL`,
      `channel ${channelType(dialect)} NOT NULL`,
      `name ${text} NOT NULL`,
      'rejected integer NOT NULL DEFAULT 0',
      `data ${text}`,
      `headers ${text}`,
      'attempts integer NOT NULL',
      'reason varchar(32) NOT NULL',
      `last_error ${text}`,
      'failed_at bigint NOT NULL',
      'PRIMARY KEY (destination, sequence_id)',
    ]),
    createIndex(dialect, dead, 'channel', 'destination, channel, sequence_id'),
    // For retention.
    createIndex(dialect, dead, 'age', 'failed_at'),
  ];
}

function inboxSteps(dialect: Dialect, prefix: string): SchemaStep[] {
  const inbox = tableOf(prefix, 'inbox_positions');
  const columns = [
    `consumer ${KEY} NOT NULL`,
    `channel ${channelType(dialect)} NOT NULL`,
    'last_sequence_id bigint NOT NULL',
    'PRIMARY KEY (consumer, channel)',
  ];
  return [createTable(dialect, inbox, columns, { fillfactor: 70 }), ...runsIndex(dialect, inbox, 'consumer, channel')];
}

function lockSteps(dialect: Dialect, prefix: string): SchemaStep[] {
  const locks = tableOf(prefix, 'outbox_locks');
  const digits = raw(
    '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7)',
  );
  return [
    createTable(dialect, locks, ['bucket integer NOT NULL PRIMARY KEY']),
    {
      // 8 ^ 4 rows.
      statement: sql`INSERT INTO ${locks} (bucket)
        SELECT a.d + 8 * b.d + 64 * c.d + 512 * e.d FROM ${digits} AS a, ${digits} AS b, ${digits} AS c, ${digits} AS e`,
      done: sql`SELECT 1 AS found FROM ${locks} LIMIT 1`,
    },
  ];
}

/** Our tables besides the published ones, which have their own steps, since an app may name them. */
export const outboxTables = (dialect: Dialect, { prefix }: Tables): SchemaStep[] => [
  ...relaySteps(dialect, prefix),
  ...channelSteps(dialect, prefix),
  ...deadSteps(dialect, prefix),
  ...inboxSteps(dialect, prefix),
  ...byFamily(dialect, { postgres: () => [], mysql: () => lockSteps(dialect, prefix) }),
];
