import type { StepAnswer } from '../protocol/step.js';
import { columnRows, type Columns } from '../sql/column-rows.js';
import { keyList, planned } from '../sql/key-list.js';
import { id, raw, sql, type Statement } from '../sql/statement.js';
import { ANSWER_FIELDS, fitsNotification } from './lease.postgres.sql.js';
import { nowOf, onceNow, type Scope, tell } from './task.sql.js';

export interface WrittenRow {
  step_id: string;
  created_at: number | string;
}

const ARRAYS: Columns<StepAnswer> = {
  step_id: ['text', ({ stepId }) => stepId],
  run_id: ['text', ({ runId }) => runId],
  seq: ['bigint', ({ seq }) => seq],
  status: ['text', ({ status }) => status],
  output: ['text', ({ output }) => output, 'nullable'],
  error: ['text', ({ error }) => error, 'nullable'],
  started_at: ['bigint', ({ startedAt }) => startedAt, 'nullable'],
};

/**
 * PostgreSQL: removes the tasks, writes the answers of steps that have none and tells of them, all in one statement.
 * Tasks come first, as in a worker's report, so that the two never wait for each other.
 */
export const answerSteps = (scope: Scope, answers: readonly StepAnswer[], sender: string): Statement => {
  const { tables } = scope;
  const told = fitsNotification(answers)
    ? sql`(SELECT json_agg(${raw(`json_build_array(${ANSWER_FIELDS.join(', ')})`)}) FROM written)`
    : sql`NULL`;
  const payload = sql`json_build_object('from', CAST(${sender} AS text), 'answers', ${told})`;
  return sql`
  WITH clock AS MATERIALIZED (SELECT ${nowOf(scope)} AS at), given AS MATERIALIZED (
    SELECT listed.* FROM ${columnRows(answers, ARRAYS)} AS listed CROSS JOIN ${planned}
  ), gone AS (
    DELETE FROM ${tables.tasks} WHERE step_id = ANY (ARRAY(SELECT step_id FROM given)) RETURNING step_id
  ), written AS (
    INSERT INTO ${tables.results} (step_id, run_id, seq, status, output, error, started_at, created_at)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock) FROM given
    WHERE (SELECT count(*) FROM gone) >= 0
    ON CONFLICT (step_id) DO NOTHING
    RETURNING ${raw(ANSWER_FIELDS.join(', '))}
  )
  SELECT step_id, created_at, (SELECT CASE WHEN EXISTS (SELECT FROM written) THEN (${tell(scope, 'results', payload)}) END) AS told
  FROM written`;
};

const COLUMNS = {
  step_id: 'key',
  run_id: 'key',
  seq: 'int',
  status: 'key',
  output: 'text',
  error: 'text',
  started_at: 'int',
} as const;

/** MySQL and MariaDB: `mark` tells later which rows are new. It is no lease, since it comes without a time. */
export const insertMarked = (scope: Scope, answers: readonly StepAnswer[], mark: string): Statement => {
  const { tables, dialect } = scope;
  const json = JSON.stringify(
    answers.map(({ stepId, runId, seq, status, output, error, startedAt }) => ({
      ...{ step_id: stepId, run_id: runId, seq, status, output, error, started_at: startedAt },
    })),
  );
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.results} (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
  SELECT r.step_id, r.run_id, r.seq, r.status, r.output, r.error, r.started_at, ${onceNow(scope)}, ${mark}
  FROM ${dialect.rows(json, COLUMNS)} AS r`,
    id('step_id'),
  );
};

export const selectMarked = ({ tables }: Scope, stepIds: readonly string[], mark: string): Statement => sql`
  SELECT step_id, created_at FROM ${tables.results} WHERE step_id IN ${keyList(stepIds)} AND claimed_by = ${mark}`;
