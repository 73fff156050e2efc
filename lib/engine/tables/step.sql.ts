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
  failures: Int | null;
  deferrals: Int | null;
  settled: Int | null;
  /** Undefined: it was not read. */
  output?: string | null;
  error: string | null;
  ref: string | null;
  wake_at: Int | null;
  created_at: Int;
  asked_at: Int | null;
  started_at: Int | null;
  finished_at: Int | null;
  worker: string | null;
  input?: string | null;
}

const COLUMNS = {
  run_id: 'key',
  seq: 'int',
  kind: 'key',
  name: 'key',
  status: 'key',
  attempt: 'int',
  failures: 'int',
  deferrals: 'int',
  settled: 'int',
  output: 'text',
  error: 'text',
  ref: 'key',
  wake_at: 'int',
  created_at: 'int',
  asked_at: 'int',
  started_at: 'int',
  finished_at: 'int',
  worker: 'key',
} as const;

export const STEP_COLUMNS = raw(Object.keys(COLUMNS).join(', '));
const fieldsBut = (left: string, ...more: string[]): Statement =>
  raw([...Object.keys(COLUMNS), ...more].filter((column) => column !== left).join(', '));
/** All but the run that they belong to, with the input. */
export const STEP_FIELDS = fieldsBut('run_id', 'input');
/** All but the output, which may be long. */
export const STEP_FACTS = fieldsBut('output');
/** The columns that may change after the first write of a position. */
const CHANGING = [
  'status',
  'attempt',
  'failures',
  'deferrals',
  'settled',
  'output',
  'error',
  'ref',
  'wake_at',
  'asked_at',
  'started_at',
  'finished_at',
  'worker',
] as const;

export const stepOf = (row: StepRow): StepRecord => ({
  runId: row.run_id,
  seq: Number(row.seq),
  kind: row.kind,
  name: row.name,
  status: row.status,
  attempt: Number(row.attempt),
  failures: Number(row.failures),
  deferrals: Number(row.deferrals),
  settled: numberOrNull(row.settled),
  output: row.output ?? null,
  error: row.error,
  ref: row.ref,
  wakeAt: numberOrNull(row.wake_at),
  createdAt: Number(row.created_at),
  askedAt: numberOrNull(row.asked_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
  worker: row.worker,
  ...(typeof row.input === 'string' && { input: row.input }),
});

/** What most steps do not have is left out, which reads as NULL. */
const stepsJson = (steps: readonly StepRecord[]): string =>
  JSON.stringify(
    steps.map((step) => ({
      run_id: step.runId,
      seq: step.seq,
      kind: step.kind,
      name: step.name,
      status: step.status,
      attempt: step.attempt,
      failures: step.failures || undefined,
      deferrals: step.deferrals || undefined,
      settled: step.settled,
      output: step.output,
      error: step.error,
      ref: step.ref,
      wake_at: step.wakeAt,
      created_at: step.createdAt,
      asked_at: step.askedAt ?? undefined,
      started_at: step.startedAt,
      finished_at: step.finishedAt,
      worker: step.worker ?? undefined,
      input: step.input,
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
  // Few apps keep inputs, and a record that was read without its input does not remove it.
  const keeping = steps.some(({ input }) => input !== undefined);
  const overwrite = dialect.onConflictUpdate([id('run_id'), id('seq')], (incoming) =>
    join([
      ...CHANGING.map((column) => sql`${id(column)} = ${incoming(column)}`),
      ...(keeping ? [sql`input = COALESCE(${incoming('input')}, ${once ? raw('old') : tables.steps}.input)`] : []),
    ]),
  );
  const columns = keeping ? { ...COLUMNS, input: 'text' as const } : COLUMNS;
  const names = Object.keys(columns);
  const named = (of: string) => raw(names.map((column) => of + column).join(', '));
  // WHERE true: without it, MySQL and PostgreSQL parse ON as part of the join.
  return sql`INSERT INTO ${tables.steps}${raw(once ? ' AS old' : '')} (${named('')})
    SELECT ${named('i.')} FROM ${dialect.rows(stepsJson(steps), columns)} AS i ${held} WHERE true
    ${overwrite}${raw(once ? ' WHERE old.settled IS NULL RETURNING 1' : '')}`;
};

export const selectHistories = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** With the inputs that are kept. */
export const selectWholeHistory = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT ${STEP_COLUMNS}, input FROM ${tables.steps} WHERE run_id = ${runId}`;

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
