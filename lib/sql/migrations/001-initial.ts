import type { Migration } from './migration.js';
import { createIndex, createTable, KEY, textType } from './schema-steps.js';

/** The table contract that workers in other languages share. Its columns never change; indexes may be added. */
export const initialTransport: Migration = {
  id: '001-transport',
  part: 'transport',
  steps: (dialect, { tasks, results }) => {
    const text = textType(dialect);
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
      // Equal to what a claim asks for and sorts by. Not on claimed_at: each claim would rewrite the index.
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
  },
};

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
  'PRIMARY KEY (run_id, seq)',
];

export const initialEngine: Migration = {
  id: '001-engine',
  part: 'engine',
  steps: (dialect, { runs, steps, nodes }) => {
    const text = textType(dialect);
    return [
      createTable(dialect, runs, runColumns(text), { fillfactor: 80 }),
      createIndex(dialect, runs, 'due', 'namespace, workflow, version, wake_at', { where: 'wake_at IS NOT NULL' }),
      createIndex(dialect, runs, 'owner', 'owner', { where: 'owner IS NOT NULL' }),
      createIndex(dialect, runs, 'listing', 'created_at, id'),
      createTable(dialect, steps, stepColumns(text), { fillfactor: 80 }),
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
        ],
        { fillfactor: 50 },
      ),
    ];
  },
};
