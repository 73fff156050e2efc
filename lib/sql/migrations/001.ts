import { byFamily, type Dialect, orderKey } from '../dialects.js';
import { id, type Identifier, raw, sql } from '../statement.js';
import type { Located, Tables } from '../tables.js';
import { createIndex, createTable, HASH, KEY, type SchemaStep, serial } from './schema-steps.js';

/** The database refuses what no version of this schema has written. */
const statusAmong = (...statuses: readonly string[]): string =>
  `CHECK (status IN (${statuses.map((status) => `'${status}'`).join(', ')}))`;

const ENDED_AS = ['completed', 'failed', 'cancelled', 'compensation_failed'] as const;

const runColumns = (text: string): string[] => [
  `id ${KEY} NOT NULL PRIMARY KEY`,
  'namespace varchar(64) NOT NULL',
  `workflow ${KEY} NOT NULL`,
  'version integer NOT NULL',
  'status varchar(32) NOT NULL',
  'reason varchar(64)',
  `reason_detail ${text}`,
  'owner varchar(64)',
  'epoch integer NOT NULL',
  'wake_at bigint',
  'settled integer NOT NULL',
  'crashes integer NOT NULL',
  // The owners among them: each counts once, and takes itself off when it turns out to be alive.
  `crashed ${text}`,
  'priority integer NOT NULL DEFAULT 0',
  `input ${text}`,
  `output ${text}`,
  `error ${text}`,
  'created_at bigint NOT NULL',
  'started_at bigint',
  'finished_at bigint',
  `parent_id ${KEY}`,
  'parent_seq integer',
  'parent_close varchar(16)',
  'closing varchar(16)',
  'notifies integer NOT NULL DEFAULT 0',
  'unwinds integer NOT NULL DEFAULT 0',
  'precondition varchar(16)',
  'blockers integer NOT NULL DEFAULT 0',
  // The runs that it begins after, as JSON, in the order given.
  `targets ${text}`,
  'deadline bigint',
  'timeout_ms bigint',
  // How it can be resumed once it has failed, and which attempts no longer count: see ResumePoint.
  `resume ${text}`,
  'first_seq integer NOT NULL DEFAULT 0',
  'continued_at bigint',
  `limiter ${HASH}`,
  `limits ${text}`,
  'turn bigint',
  `custom_status ${text}`,
  // What its starter passes on: a trace context, and what the app names.
  `context ${text}`,
  `schedule_id ${KEY}`,
  `forked_from ${KEY}`,
  'forked_seq integer',
  // Since when its history is no longer complete.
  'erased_at bigint',
  statusAmong('pending', 'running', 'suspended', 'compensating', ...ENDED_AS),
];

const stepColumns = (text: string): string[] => [
  `run_id ${KEY} NOT NULL`,
  'seq integer NOT NULL',
  'kind varchar(16) NOT NULL',
  `name ${KEY} NOT NULL`,
  'status varchar(16) NOT NULL',
  'attempt integer NOT NULL',
  'failures integer',
  'deferrals integer',
  'settled integer',
  `input ${text}`,
  `output ${text}`,
  `error ${text}`,
  'wake_at bigint',
  'created_at bigint NOT NULL',
  'asked_at bigint',
  'started_at bigint',
  'finished_at bigint',
  `worker ${KEY}`,
  `ref ${KEY}`,
  'PRIMARY KEY (run_id, seq)',
  statusAmong('pending', 'answered', 'exhausted', 'completed', 'failed'),
];

/** How a run has ended; null until then. Stored in its index only. */
const ENDED = 'ended varchar(32) GENERATED ALWAYS AS (CASE WHEN finished_at IS NULL THEN NULL ELSE status END) VIRTUAL';

function runSteps(dialect: Dialect, { runs }: Tables): SchemaStep[] {
  const partial = dialect.hasPartialIndexes;
  return [
    createTable(dialect, runs, [...runColumns(dialect.textType), ...(partial ? [] : [ENDED])], { fillfactor: 80 }),
    createIndex(dialect, runs, 'due', 'namespace, workflow, version, wake_at', { where: 'wake_at IS NOT NULL' }),
    createIndex(dialect, runs, 'owner', 'owner', { where: 'owner IS NOT NULL' }),
    createIndex(dialect, runs, 'listing', 'created_at, id'),
    // New runs with a turn: by priority, and in turn between the keys of a workflow.
    createIndex(dialect, runs, 'turn', 'namespace, workflow, version, turn', { where: 'turn IS NOT NULL' }),
    createIndex(dialect, runs, 'key_turn', 'limiter, turn', { where: 'turn IS NOT NULL' }),
    // Elsewhere than on PostgreSQL it has all runs: the blocked ones together, whatever their workflow.
    createIndex(dialect, runs, 'blocked', `namespace, ${partial ? '' : 'reason, '}workflow, version, id`, {
      where: `reason IS NOT NULL AND status = 'suspended'`,
    }),
    // With the index of due runs, every run by its workflow. Elsewhere that one has all of them.
    ...(partial
      ? [createIndex(dialect, runs, 'not_due', 'namespace, workflow, version', { where: 'wake_at IS NULL' })]
      : []),
    createIndex(dialect, runs, 'parent', 'parent_id, id', { where: 'parent_id IS NOT NULL' }),
    // Without partial indexes, an index of the status would be rewritten with each change of a run.
    createIndex(dialect, runs, 'finished', `namespace, ${partial ? 'status' : 'ended'}, finished_at, id`, {
      where: 'finished_at IS NOT NULL',
    }),
  ];
}

/** Every process with a role, and what it serves, as JSON. A process that has ended stays for a day. */
const nodeSteps = (dialect: Dialect, { nodes }: Tables): SchemaStep[] => [
  createTable(
    dialect,
    nodes,
    [
      'id varchar(64) NOT NULL PRIMARY KEY',
      'namespace varchar(64) NOT NULL',
      'host varchar(255)',
      'pid integer',
      'roles varchar(64)',
      `serves ${dialect.textType}`,
      'version varchar(64)',
      'build varchar(64)',
      // How much it does, as JSON, written with each heartbeat.
      `busy ${dialect.textType}`,
      'started_at bigint NOT NULL',
      'seen_at bigint',
      'expires_at bigint NOT NULL',
      'left_at bigint',
      // The cluster server of its last heartbeat.
      'server varchar(320)',
      // It begins nothing new since then, and who had it drain, and why, as JSON.
      'draining_since bigint',
      `draining_by ${dialect.textType}`,
    ],
    { fillfactor: 50 },
  ),
];

const dependencySteps = (dialect: Dialect, { dependencies, attributes }: Tables): SchemaStep[] => [
  createTable(dialect, dependencies, [
    `target_id ${KEY} NOT NULL`,
    `run_id ${KEY} NOT NULL`,
    'PRIMARY KEY (target_id, run_id)',
  ]),
  createIndex(dialect, dependencies, 'waiting', 'run_id'),
  createTable(dialect, attributes, [
    `run_id ${KEY} NOT NULL`,
    `name ${KEY} NOT NULL`,
    'namespace varchar(64) NOT NULL',
    'type varchar(8) NOT NULL',
    `text_value ${KEY}`,
    'number_value double precision',
    'PRIMARY KEY (run_id, name)',
  ]),
  createIndex(dialect, attributes, 'text', 'namespace, name, text_value, run_id'),
  createIndex(dialect, attributes, 'number', 'namespace, name, number_value, run_id'),
];

const traceSteps = (dialect: Dialect, { attempts, logs }: Tables): SchemaStep[] => {
  const text = dialect.textType;
  return [
    createTable(dialect, attempts, [
      `run_id ${KEY} NOT NULL`,
      'seq integer NOT NULL',
      'attempt integer NOT NULL',
      'outcome varchar(16) NOT NULL',
      'asked_at bigint',
      'started_at bigint',
      'finished_at bigint',
      `worker ${KEY}`,
      `error ${text}`,
      'PRIMARY KEY (run_id, seq, attempt)',
    ]),
    createTable(dialect, logs, [
      serial(dialect),
      `run_id ${KEY} NOT NULL`,
      'seq integer',
      'attempt integer',
      'level varchar(8) NOT NULL',
      `message ${text} NOT NULL`,
      `fields ${text}`,
      'logged_at bigint NOT NULL',
    ]),
    // With the position, so that the lines of one step, and how many they are, are found without reading all texts.
    createIndex(dialect, logs, 'run', 'run_id, id, seq'),
  ];
};

/**
 * Which runs a person's erasure is still to blank: a few rows, while it is under way. With a position, only that step,
 * which holds the outcome of an erased child.
 */
const erasureSteps = (dialect: Dialect, { erasures }: Tables): SchemaStep[] => [
  createTable(dialect, erasures, [
    `run_id ${KEY} NOT NULL`,
    'seq integer NOT NULL',
    'namespace varchar(64) NOT NULL',
    'erasure_id varchar(36) NOT NULL',
    'discards smallint NOT NULL DEFAULT 0',
    'asked_at bigint NOT NULL',
    'PRIMARY KEY (run_id, seq)',
  ]),
  createIndex(dialect, erasures, 'of', 'erasure_id, run_id, seq'),
];

/** What each process has counted, a row per minute. */
const sampleSteps = (dialect: Dialect, { samples }: Tables): SchemaStep[] => [
  createTable(dialect, samples, [
    'minute bigint NOT NULL',
    'node varchar(64) NOT NULL',
    'namespace varchar(64) NOT NULL',
    `body ${dialect.textType} NOT NULL`,
    'PRIMARY KEY (minute, node)',
  ]),
];

/** Runs, their steps, their attributes and logs, and the processes that execute them. */
export const runTables = (dialect: Dialect, tables: Tables): SchemaStep[] => [
  ...runSteps(dialect, tables),
  createTable(dialect, tables.steps, stepColumns(dialect.textType), { fillfactor: 80 }),
  ...dependencySteps(dialect, tables),
  ...traceSteps(dialect, tables),
  ...erasureSteps(dialect, tables),
  ...nodeSteps(dialect, tables),
  ...sampleSteps(dialect, tables),
];

const signalSteps = (dialect: Dialect, { signals, channels, waits }: Tables): SchemaStep[] => [
  createTable(dialect, signals, [
    serial(dialect),
    'namespace varchar(64) NOT NULL',
    `channel ${HASH} NOT NULL`,
    `name ${KEY} NOT NULL`,
    `target ${KEY} NOT NULL`,
    'addressed varchar(8) NOT NULL',
    `dedup_id ${KEY}`,
    `payload ${dialect.textType}`,
    'created_at bigint NOT NULL',
    'position bigint',
    `taken_by ${KEY}`,
    'kept_at bigint',
  ]),
  createIndex(dialect, signals, 'order', 'channel, position', { unique: true }),
  createIndex(dialect, signals, 'dedup', 'channel, dedup_id', { unique: true }),
  createIndex(dialect, signals, 'unfiled', dialect.hasPartialIndexes ? 'channel, id' : 'position, channel, id', {
    where: 'position IS NULL',
  }),
  createIndex(dialect, signals, 'age', 'namespace, addressed, created_at, id'),
  createIndex(dialect, signals, 'target', 'target', { where: `addressed = 'run'` }),
  createTable(dialect, channels, [`channel ${HASH} NOT NULL PRIMARY KEY`, 'last_position bigint NOT NULL'], {
    fillfactor: 70,
  }),
  createTable(dialect, waits, [
    `channel ${HASH} NOT NULL`,
    `step_id ${KEY} NOT NULL`,
    `run_id ${KEY} NOT NULL`,
    'seq integer NOT NULL',
    'after_position bigint NOT NULL',
    'since bigint NOT NULL',
    'deadline bigint',
    'PRIMARY KEY (channel, step_id)',
  ]),
  createIndex(dialect, waits, 'step', 'step_id'),
];

const startSteps = (dialect: Dialect, { startKeys, schedules }: Tables): SchemaStep[] => {
  const text = dialect.textType;
  return [
    createTable(
      dialect,
      startKeys,
      [`start_key ${HASH} NOT NULL PRIMARY KEY`, `run_id ${KEY} NOT NULL`, 'expires_at bigint', 'latest_at bigint'],
      { fillfactor: 80 },
    ),
    createIndex(dialect, startKeys, 'run', 'run_id'),
    createIndex(dialect, startKeys, 'expiry', 'expires_at', { where: 'expires_at IS NOT NULL' }),
    createTable(
      dialect,
      schedules,
      [
        `id ${KEY} NOT NULL`,
        'namespace varchar(64) NOT NULL',
        `workflow ${KEY} NOT NULL`,
        'declared integer NOT NULL DEFAULT 0',
        `spec ${text} NOT NULL`,
        `input ${text}`,
        'paused integer NOT NULL DEFAULT 0',
        'next_at bigint',
        'fired_at bigint',
        `last_run_id ${KEY}`,
        'buffered_at bigint',
        'created_at bigint NOT NULL',
        'PRIMARY KEY (namespace, id)',
      ],
      { fillfactor: 70 },
    ),
    createIndex(dialect, schedules, 'due', 'namespace, next_at', { where: 'next_at IS NOT NULL' }),
    createIndex(dialect, schedules, 'buffered', 'namespace, buffered_at', { where: 'buffered_at IS NOT NULL' }),
  ];
};

const limiterSteps = (dialect: Dialect, { limiters, limiterEntries }: Tables): SchemaStep[] => {
  const text = dialect.textType;
  return [
    createTable(
      dialect,
      limiters,
      [
        `limiter ${HASH} NOT NULL PRIMARY KEY`,
        'namespace varchar(64) NOT NULL',
        `name ${KEY} NOT NULL`,
        `limiter_key ${KEY} NOT NULL`,
        `grants ${text}`,
        'open_at bigint',
      ],
      { fillfactor: 50 },
    ),
    createTable(dialect, limiterEntries, [
      `holder ${KEY} NOT NULL PRIMARY KEY`,
      `limiter ${HASH} NOT NULL`,
      `run_id ${KEY} NOT NULL`,
      'granted integer NOT NULL',
      'turn bigint NOT NULL',
      'queued_at bigint NOT NULL',
      `limits ${text} NOT NULL`,
      `task ${text}`,
    ]),
    createIndex(dialect, limiterEntries, 'queue', `limiter, granted, turn, queued_at, ${orderKey(dialect, 'holder')}`),
    createIndex(dialect, limiterEntries, 'run', 'run_id'),
  ];
};

/** What runs wait for and what starts them: signals, start keys, schedules, limits. */
export const waitingTables = (dialect: Dialect, tables: Tables): SchemaStep[] => [
  ...signalSteps(dialect, tables),
  ...startSteps(dialect, tables),
  ...limiterSteps(dialect, tables),
];

/** The table contract shared with workers in other languages. Its columns never change; indexes may be added. */
export const contractTables = (dialect: Dialect, { tasks, results }: Tables): SchemaStep[] => {
  const text = dialect.textType;
  return [
    createTable(
      dialect,
      tasks,
      [
        `step_id ${KEY} NOT NULL PRIMARY KEY`,
        `run_id ${KEY} NOT NULL`,
        'seq integer NOT NULL',
        `name ${KEY} NOT NULL`,
        `grp ${KEY} NOT NULL`,
        `input ${text}`,
        'attempt integer NOT NULL',
        'status varchar(32) NOT NULL',
        `claimed_by ${KEY}`,
        'claimed_at bigint',
        'created_at bigint NOT NULL',
      ],
      { fillfactor: 70 },
    ),
    // The filter and order of a claim. Without claimed_at: otherwise each claim would rewrite the index.
    createIndex(dialect, tasks, 'claim', 'grp, created_at'),
    createTable(dialect, results, [
      `step_id ${KEY} NOT NULL PRIMARY KEY`,
      `run_id ${KEY} NOT NULL`,
      'seq integer NOT NULL',
      'status varchar(32) NOT NULL',
      `output ${text}`,
      `error ${text}`,
      'started_at bigint',
      `claimed_by ${KEY}`,
      'claimed_at bigint',
      'created_at bigint NOT NULL',
    ]),
    createIndex(dialect, results, 'collect', `created_at, ${orderKey(dialect, 'step_id')}`),
  ];
};

/** A UUID. */
const ENTRY_ID = 'varchar(36)';
const SUBJECT = 'varchar(255)';

/**
 * `ready` is 1 for entries that are claimable or claimed, 0 for those that wait until `next_attempt_at`, NULL for ended
 * ones; `open` is 0 for succeeded ones. Only these are indexed, not status and lease: so a claim changes no indexed
 * column, and its row stays on its page.
 */
const effectColumns = (text: string): string[] => [
  `entry_id ${ENTRY_ID} NOT NULL PRIMARY KEY`,
  `operation ${KEY} NOT NULL`,
  `subject ${SUBJECT} NOT NULL`,
  `handler ${KEY} NOT NULL`,
  'enqueued_at bigint NOT NULL',
  'next_attempt_at bigint',
  'lease_until bigint',
  'last_attempt_at bigint',
  'finished_at bigint',
  'attempts integer NOT NULL DEFAULT 0',
  'ready smallint DEFAULT 1',
  'open smallint NOT NULL DEFAULT 1',
  'payload_erased smallint NOT NULL DEFAULT 0',
  `status varchar(16) NOT NULL DEFAULT 'pending'`,
  `claim_token ${ENTRY_ID}`,
  `claimed_by ${KEY}`,
  `last_error ${KEY}`,
  `error ${text}`,
  // Null once it was erased.
  `ref ${text}`,
  `payload ${text}`,
  `run_id ${KEY}`,
  `trace ${text}`,
  statusAmong('pending', 'in_flight', 'succeeded', 'failed', 'abandoned', 'scheduled'),
  `CHECK ((status = 'in_flight') = (claim_token IS NOT NULL))`,
  `CHECK ((status = 'succeeded') = (open = 0))`,
  'CHECK ((finished_at IS NULL) = (ready IS NOT NULL))',
  'CHECK (finished_at IS NULL OR (payload IS NULL AND next_attempt_at IS NULL AND lease_until IS NULL))',
];

function effectSteps(dialect: Dialect, tables: Located): SchemaStep[] {
  const effects = tableOf(tables, 'effects');
  const partial = dialect.hasPartialIndexes;
  return [
    createTable(dialect, effects, effectColumns(dialect.textType), { fillfactor: 70 }),
    // In claim order.
    createIndex(dialect, effects, 'ready', `${partial ? '' : 'ready, '}handler, enqueued_at, entry_id`, {
      where: 'ready = 1',
    }),
    createIndex(dialect, effects, 'waiting', `${partial ? '' : 'ready, '}next_attempt_at, entry_id`, {
      where: 'ready = 0',
    }),
    // Open entries of a group in lock order, and all entries for counting.
    createIndex(dialect, effects, 'group', 'operation, subject, open, entry_id'),
    createIndex(dialect, effects, 'abandoned', `${partial ? '' : 'open, ready, '}enqueued_at, entry_id`, {
      where: 'ready IS NULL AND open = 1',
    }),
    // For retention.
    createIndex(dialect, effects, 'finished', 'open, finished_at, entry_id', { where: 'finished_at IS NOT NULL' }),
    // The calls of a run, for its story and for an erasure.
    createIndex(dialect, effects, 'run', 'run_id, entry_id', { where: 'run_id IS NOT NULL' }),
  ];
}

function auditSteps(dialect: Dialect, tables: Located): SchemaStep[] {
  const audit = tableOf(tables, 'effect_audit');
  return [
    createTable(dialect, audit, [
      serial(dialect),
      'event_id varchar(64) NOT NULL',
      'type varchar(32) NOT NULL',
      `operation ${KEY} NOT NULL`,
      `subject ${SUBJECT} NOT NULL`,
      `entry_id ${ENTRY_ID}`,
      `handler ${KEY}`,
      `details ${dialect.textType} NOT NULL`,
      'recorded_at bigint NOT NULL',
    ]),
    createIndex(dialect, audit, 'event', 'event_id', { unique: true }),
    createIndex(dialect, audit, 'group', 'operation, subject, id'),
  ];
}

/** Effect calls and their audit log. */
export const effectTables = (dialect: Dialect, tables: Tables): SchemaStep[] => [
  ...effectSteps(dialect, tables),
  ...auditSteps(dialect, tables),
];

/** The number of lock rows that channels share on the MySQL family; PostgreSQL's locks need no rows. */
export const LOCK_BUCKETS = 4_096;

/**
 * PostgreSQL: unlimited like the published column, since plain INSERTs may use longer names than our API. On other
 * databases that column has the same limit as ours.
 */
const channelType = (dialect: Dialect): string =>
  byFamily(dialect, { postgres: () => 'text', mysql: () => 'varchar(255)' });

const tableOf = ({ prefix, home }: Located, name: string): Identifier => id(`${prefix}_${name}`, home);

/** Which process publishes which shards of which destination. */
const relaySteps = (dialect: Dialect, tables: Located): SchemaStep[] => [
  createTable(dialect, tableOf(tables, 'outbox_destinations'), [
    `name ${KEY} NOT NULL PRIMARY KEY`,
    'created_at bigint NOT NULL',
    'seen_at bigint NOT NULL',
    // What a hook wants to hear of runs.
    `wants ${dialect.textType}`,
  ]),
  createTable(
    dialect,
    tableOf(tables, 'outbox_shards'),
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
function channelSteps(dialect: Dialect, tables: Located): SchemaStep[] {
  const text = dialect.textType;
  const [channels, pruned] = [tableOf(tables, 'outbox_channels'), tableOf(tables, 'outbox_pruned')];
  const columns = [
    `destination ${KEY} NOT NULL`,
    `channel ${channelType(dialect)} NOT NULL`,
    'position bigint NOT NULL DEFAULT 0',
    'attempts integer NOT NULL DEFAULT 0',
    // The processes that the first event may have ended: `[one][two]`.
    `crashed ${text}`,
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

function deadSteps(dialect: Dialect, tables: Located): SchemaStep[] {
  const text = dialect.textType;
  const dead = tableOf(tables, 'outbox_dead');
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

function inboxSteps(dialect: Dialect, tables: Located): SchemaStep[] {
  const inbox = tableOf(tables, 'inbox_positions');
  const columns = [
    `consumer ${KEY} NOT NULL`,
    `channel ${channelType(dialect)} NOT NULL`,
    'last_sequence_id bigint NOT NULL',
    'PRIMARY KEY (consumer, channel)',
  ];
  return [createTable(dialect, inbox, columns, { fillfactor: 70 }), ...runsIndex(dialect, inbox, 'consumer, channel')];
}

function lockSteps(dialect: Dialect, tables: Located): SchemaStep[] {
  const locks = tableOf(tables, 'outbox_locks');
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
export const outboxTables = (dialect: Dialect, tables: Tables): SchemaStep[] => [
  ...relaySteps(dialect, tables),
  ...channelSteps(dialect, tables),
  ...deadSteps(dialect, tables),
  ...inboxSteps(dialect, tables),
  ...byFamily(dialect, { postgres: () => [], mysql: () => lockSteps(dialect, tables) }),
];

/** What operators did. Only they write here, so each way to look for something has its index. */
export const actTables = (dialect: Dialect, { acts }: Tables): SchemaStep[] => [
  createTable(dialect, acts, [
    serial(dialect),
    'at bigint NOT NULL',
    `actor ${KEY} NOT NULL`,
    `reason ${dialect.textType}`,
    'action varchar(64) NOT NULL',
    'kind varchar(32) NOT NULL',
    'target varchar(255) NOT NULL',
    'namespace varchar(64)',
    `details ${dialect.textType} NOT NULL`,
    'outcome varchar(64) NOT NULL',
  ]),
  createIndex(dialect, acts, 'target', 'kind, target, id'),
  createIndex(dialect, acts, 'actor', 'actor, id'),
  createIndex(dialect, acts, 'action', 'action, id'),
  createIndex(dialect, acts, 'age', 'at'),
];

/** What stands still. Every process reads the whole table, which is nearly always empty, and each claim of runs by its key. */
export const holdTables = (dialect: Dialect, { holds }: Tables): SchemaStep[] => [
  createTable(dialect, holds, [
    'namespace varchar(64) NOT NULL',
    'kind varchar(16) NOT NULL',
    `name ${KEY} NOT NULL`,
    'since bigint NOT NULL',
    `actor ${KEY} NOT NULL`,
    `reason ${dialect.textType} NOT NULL`,
    'until_at bigint',
    'PRIMARY KEY (namespace, kind, name)',
  ]),
];

/** Texts of the app by key. */
export const storeTables = (dialect: Dialect, { store }: Tables): SchemaStep[] => [
  createTable(dialect, store, [
    'namespace varchar(64) NOT NULL',
    `name ${KEY} NOT NULL`,
    `value ${dialect.textType} NOT NULL`,
    'expires_at bigint',
    'PRIMARY KEY (namespace, name)',
  ]),
  createIndex(dialect, store, 'expires', 'expires_at', { where: 'expires_at IS NOT NULL' }),
];
