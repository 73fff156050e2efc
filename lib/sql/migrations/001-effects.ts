import type { Dialect } from '../dialects/dialect.js';
import { id } from '../dialects/statement.js';
import type { Tables } from '../tables.js';
import { createIndex, createTable, KEY, type SchemaStep, serial } from './schema-steps.js';

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
  `CHECK ((status = 'in_flight') = (claim_token IS NOT NULL))`,
  `CHECK ((status = 'succeeded') = (open = 0))`,
  'CHECK ((finished_at IS NULL) = (ready IS NOT NULL))',
  'CHECK (finished_at IS NULL OR (payload IS NULL AND next_attempt_at IS NULL AND lease_until IS NULL))',
];

function effectSteps(dialect: Dialect, prefix: string): SchemaStep[] {
  const effects = id(`${prefix}_effects`);
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

function auditSteps(dialect: Dialect, prefix: string): SchemaStep[] {
  const audit = id(`${prefix}_effect_audit`);
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
export const effectTables = (dialect: Dialect, { prefix }: Tables): SchemaStep[] => [
  ...effectSteps(dialect, prefix),
  ...auditSteps(dialect, prefix),
];
