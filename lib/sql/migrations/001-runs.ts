import type { Dialect } from '../dialects/dialect.js';
import type { Tables } from '../tables.js';
import { createIndex, createTable, HASH, KEY, type SchemaStep, serial } from './schema-steps.js';

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
