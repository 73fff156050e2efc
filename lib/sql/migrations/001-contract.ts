import type { Dialect } from '../dialects/dialect.js';
import type { Tables } from '../tables.js';
import { createIndex, createTable, KEY, type SchemaStep } from './schema-steps.js';

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
    createIndex(dialect, results, 'collect', 'created_at, step_id'),
  ];
};
