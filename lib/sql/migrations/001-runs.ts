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
  'first_seq integer NOT NULL DEFAULT 0',
  'continued_at bigint',
  `limiter ${HASH}`,
  `limits ${text}`,
  'turn bigint',
  `custom_status ${text}`,
  `schedule_id ${KEY}`,
];

const stepColumns = (text: string): string[] => [
  `run_id ${KEY} NOT NULL`,
  'seq integer NOT NULL',
  'kind varchar(16) NOT NULL',
  `name ${KEY} NOT NULL`,
  'status varchar(16) NOT NULL',
  'attempt integer NOT NULL',
  'settled integer',
  `output ${text}`,
  `error ${text}`,
  'wake_at bigint',
  'created_at bigint NOT NULL',
  'started_at bigint',
  'finished_at bigint',
  `ref ${KEY}`,
  'PRIMARY KEY (run_id, seq)',
];

function runSteps(dialect: Dialect, { runs }: Tables): SchemaStep[] {
  const partial = dialect.hasPartialIndexes;
  return [
    createTable(dialect, runs, runColumns(dialect.textType), { fillfactor: 80 }),
    createIndex(dialect, runs, 'due', 'namespace, workflow, version, wake_at', { where: 'wake_at IS NOT NULL' }),
    createIndex(dialect, runs, 'owner', 'owner', { where: 'owner IS NOT NULL' }),
    createIndex(dialect, runs, 'listing', 'created_at, id'),
    // New runs with a turn: by priority, and in turn between the keys of a workflow.
    createIndex(dialect, runs, 'turn', 'namespace, workflow, version, turn', { where: 'turn IS NOT NULL' }),
    createIndex(dialect, runs, 'key_turn', 'limiter, turn', { where: 'turn IS NOT NULL' }),
    createIndex(dialect, runs, 'blocked', `namespace, workflow, version, ${partial ? 'id' : 'reason, id'}`, {
      where: `reason IS NOT NULL AND status = 'suspended'`,
    }),
    createIndex(dialect, runs, 'parent', 'parent_id, id', { where: 'parent_id IS NOT NULL' }),
    // Without partial indexes, a status column would be rewritten with each change of a run.
    createIndex(dialect, runs, 'finished', `namespace, ${partial ? 'status, ' : ''}finished_at, id`, {
      where: 'finished_at IS NOT NULL',
    }),
  ];
}

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
      'started_at bigint NOT NULL',
      'expires_at bigint NOT NULL',
      // The cluster server of its last heartbeat.
      'server varchar(320)',
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
      'started_at bigint',
      'finished_at bigint',
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
    createIndex(dialect, logs, 'run', 'run_id, id'),
  ];
};

/** Runs, their steps, their attributes and logs, and the processes that execute them. */
export const runTables = (dialect: Dialect, tables: Tables): SchemaStep[] => [
  ...runSteps(dialect, tables),
  createTable(dialect, tables.steps, stepColumns(dialect.textType), { fillfactor: 80 }),
  ...dependencySteps(dialect, tables),
  ...traceSteps(dialect, tables),
  ...nodeSteps(dialect, tables),
];
