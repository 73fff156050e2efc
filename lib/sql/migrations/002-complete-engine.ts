import type { Dialect } from '../dialect.js';
import type { Tables } from '../tables.js';
import type { Migration, SchemaStep } from './migration.js';
import { addColumns, createIndex, createTable, KEY, textType } from './schema-steps.js';

/** A channel, a limiter or a start key: the hash of what it stands for, so that names of any length fit an index. */
const HASH = 'varchar(64)';

const runColumns = (text: string): string[] => [
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

const runSteps = (dialect: Dialect, { runs, steps, dependencies, attributes }: Tables): SchemaStep[] => {
  const text = textType(dialect);
  const postgres = dialect.family === 'postgres';
  return [
    addColumns(dialect, runs, runColumns(text)),
    // New runs that have a turn in line: by priority, and in turn between the keys of a workflow.
    createIndex(dialect, runs, 'turn', 'namespace, workflow, version, turn', { where: 'turn IS NOT NULL' }),
    createIndex(dialect, runs, 'key_turn', 'limiter, turn', { where: 'turn IS NOT NULL' }),
    createIndex(dialect, runs, 'blocked', `namespace, workflow, version, ${postgres ? 'id' : 'reason, id'}`, {
      where: `reason IS NOT NULL AND status = 'suspended'`,
    }),
    createIndex(dialect, runs, 'parent', 'parent_id, id', { where: 'parent_id IS NOT NULL' }),
    // Where all rows are in it, a status would be written with each change of a run.
    createIndex(dialect, runs, 'finished', `namespace, ${postgres ? 'status, ' : ''}finished_at, id`, {
      where: 'finished_at IS NOT NULL',
    }),
    addColumns(dialect, steps, [`ref ${KEY}`]),
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
};

const traceSteps = (dialect: Dialect, { attempts, logs }: Tables): SchemaStep[] => {
  const text = textType(dialect);
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

const signalSteps = (dialect: Dialect, { signals, channels, waits }: Tables): SchemaStep[] => [
  createTable(dialect, signals, [
    serial(dialect),
    'namespace varchar(64) NOT NULL',
    `channel ${HASH} NOT NULL`,
    `name ${KEY} NOT NULL`,
    `target ${KEY} NOT NULL`,
    'addressed varchar(8) NOT NULL',
    `dedup_id ${KEY}`,
    `payload ${textType(dialect)}`,
    'created_at bigint NOT NULL',
    'position bigint',
    `taken_by ${KEY}`,
    'kept_at bigint',
  ]),
  createIndex(dialect, signals, 'order', 'channel, position', { unique: true }),
  createIndex(dialect, signals, 'dedup', 'channel, dedup_id', { unique: true }),
  createIndex(dialect, signals, 'unfiled', dialect.family === 'postgres' ? 'channel, id' : 'position, channel, id', {
    where: 'position IS NULL',
  }),
  createIndex(dialect, signals, 'age', 'created_at'),
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
  const text = textType(dialect);
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
  const text = textType(dialect);
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
    createIndex(dialect, limiterEntries, 'queue', 'limiter, granted, turn, queued_at, holder'),
    createIndex(dialect, limiterEntries, 'run', 'run_id'),
  ];
};

const serial = (dialect: Dialect): string =>
  dialect.family === 'postgres'
    ? 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
    : 'id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY';

/** Everything that is waited for besides workers: signals, runs, limits, times. */
export const completeEngine: Migration = {
  id: '002-engine',
  part: 'engine',
  steps: (dialect, tables) => [
    ...runSteps(dialect, tables),
    ...traceSteps(dialect, tables),
    ...signalSteps(dialect, tables),
    ...startSteps(dialect, tables),
    ...limiterSteps(dialect, tables),
  ],
};
