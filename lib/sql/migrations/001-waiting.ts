import type { Dialect } from '../dialects/dialect.js';
import type { Tables } from '../tables.js';
import { createIndex, createTable, HASH, KEY, type SchemaStep, serial } from './schema-steps.js';

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
    createIndex(dialect, limiterEntries, 'queue', 'limiter, granted, turn, queued_at, holder'),
    createIndex(dialect, limiterEntries, 'run', 'run_id'),
  ];
};

/** What runs wait for and what starts them: signals, start keys, schedules, limits. */
export const waitingTables = (dialect: Dialect, tables: Tables): SchemaStep[] => [
  ...signalSteps(dialect, tables),
  ...startSteps(dialect, tables),
  ...limiterSteps(dialect, tables),
];
