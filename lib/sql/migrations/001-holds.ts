import type { Dialect } from '../dialects/dialect.js';
import type { Tables } from '../tables.js';
import { createTable, KEY, type SchemaStep } from './schema-steps.js';

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
