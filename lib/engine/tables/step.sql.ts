import { amongKeys } from '../../sql/dialects/key-list.js';
import type { Scope } from '../../sql/tables.js';
import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { numberOrNull } from './run.sql.js';
import type { StepKind, StepRecord, StepStatus } from '../model/step-record.js';

type Int = number | string;

export interface StepRow {
  run_id: string;
  seq: Int;
  kind: StepKind;
  name: string;
  status: StepStatus;
  attempt: Int;
  settled: Int | null;
  output: string | null;
  error: string | null;
  ref: string | null;
  wake_at: Int | null;
  created_at: Int;
  started_at: Int | null;
  finished_at: Int | null;
}

const COLUMNS = {
  run_id: 'key',
  seq: 'int',
  kind: 'key',
  name: 'key',
  status: 'key',
  attempt: 'int',
  settled: 'int',
  output: 'text',
  error: 'text',
  ref: 'key',
  wake_at: 'int',
  created_at: 'int',
  started_at: 'int',
  finished_at: 'int',
} as const;

export const STEP_COLUMNS = raw(Object.keys(COLUMNS).join(', '));
/** The columns that may change after the first write of a position. */
const CHANGING = [
  'status',
  'attempt',
  'settled',
  'output',
  'error',
  'ref',
  'wake_at',
  'started_at',
  'finished_at',
] as const;

export const stepOf = (row: StepRow): StepRecord => ({
  runId: row.run_id,
  seq: Number(row.seq),
  kind: row.kind,
  name: row.name,
  status: row.status,
  attempt: Number(row.attempt),
  settled: numberOrNull(row.settled),
  output: row.output,
  error: row.error,
  ref: row.ref,
  wakeAt: numberOrNull(row.wake_at),
  createdAt: Number(row.created_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
});

const stepsJson = (steps: readonly StepRecord[]): string =>
  JSON.stringify(
    steps.map((step) => ({
      run_id: step.runId,
      seq: step.seq,
      kind: step.kind,
      name: step.name,
      status: step.status,
      attempt: step.attempt,
      settled: step.settled,
      output: step.output,
      error: step.error,
      ref: step.ref,
      wake_at: step.wakeAt,
      created_at: step.createdAt,
      started_at: step.startedAt,
      finished_at: step.finishedAt,
    })),
  );

export interface UpsertSteps {
  /** PostgreSQL: restricts it to runs that passed the fencing of the same statement. */
  held?: Statement;
  /** PostgreSQL: a record with an outcome is not changed, and not returned. */
  once?: boolean;
}

/** Inserts or overwrites whole rows. */
export const upsertSteps = (
  { tables, dialect }: Scope,
  steps: readonly StepRecord[],
  { held = raw(''), once = false }: UpsertSteps = {},
): Statement => {
  const overwrite = dialect.onConflictUpdate([id('run_id'), id('seq')], (incoming) =>
    join(CHANGING.map((column) => sql`${id(column)} = ${incoming(column)}`)),
  );
  const columns = raw(
    Object.keys(COLUMNS)
      .map((column) => `i.${column}`)
      .join(', '),
  );
  // WHERE true: without it, MySQL and PostgreSQL parse ON as part of the join.
  return sql`INSERT INTO ${tables.steps}${raw(once ? ' AS old' : '')} (${STEP_COLUMNS})
    SELECT ${columns} FROM ${dialect.rows(stepsJson(steps), COLUMNS)} AS i ${held} WHERE true
    ${overwrite}${raw(once ? ' WHERE old.settled IS NULL RETURNING 1' : '')}`;
};

export const selectHistories = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id ${amongKeys(dialect, runIds)}`;

export const selectStep = ({ tables }: Scope, runId: string, seq: number): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id = ${runId} AND seq = ${seq}`;

/** Which of these positions are recorded. */
export const selectRecorded = (
  { tables, dialect }: Scope,
  keys: readonly { runId: string; seq: number }[],
): Statement => {
  const asked = keys.map(({ runId, seq }) => ({ run_id: runId, seq }));
  return sql`SELECT s.run_id, s.seq FROM ${dialect.rows(JSON.stringify(asked), { run_id: 'key', seq: 'int' })} AS p
    JOIN ${tables.steps} AS s ON s.run_id = p.run_id AND s.seq = p.seq`;
};

export const deleteHistories = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.steps} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** Unsettled steps of kinds that answers can settle. */
export const selectAnswerable = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps}
  WHERE run_id ${amongKeys(dialect, runIds)} AND kind IN ('remote', 'child', 'signal') AND settled IS NULL`;
