import type { Dialect } from '../dialects/dialect.js';
import type { Tables } from '../tables.js';
import { createIndex, createTable, KEY, type SchemaStep, serial } from './schema-steps.js';

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
