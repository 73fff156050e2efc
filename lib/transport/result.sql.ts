import { byFamily } from '../sql/dialects/dialect.js';
import { hasPassed } from '../sql/commit-riders.js';
import { readAnswerMark } from '../protocol/claim-mark.js';
import type { StepAnswer } from '../protocol/step.js';
import { amongKeys, planned } from '../sql/dialects/key-list.js';
import { onceNow, type Scope } from '../sql/tables.js';
import { int, raw, sql, type Statement } from '../sql/dialects/statement.js';

export interface AnswerRow {
  step_id: string;
  run_id: string;
  seq: number | string;
  status: string;
  output: string | null;
  error: string | null;
  started_at: number | string | null;
  created_at: number | string;
  claimed_by: string | null;
}

const COLUMNS = raw('step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by');

/** The position of a read of the answers. */
export interface AnswerPosition {
  createdAt: number;
  stepId: string;
}

/** MySQL cannot use an index for a row comparison. PostgreSQL can, but with OR would read all answers of one moment. */
const isAfter = ({ dialect }: Scope, { createdAt, stepId }: AnswerPosition): Statement =>
  byFamily(dialect, {
    postgres: () => sql`(created_at, step_id) > ((SELECT CAST(${createdAt} AS bigint) FROM ${planned}), ${stepId})`,
    mysql: () => sql`created_at >= ${createdAt} AND (created_at > ${createdAt} OR step_id > ${stepId})`,
  });

/** The next answers in the order of (created_at, step_id), with the time of the read as `at`. */
export const selectAnswers = (scope: Scope, limit: number, position: AnswerPosition): Statement => sql`
  SELECT ${COLUMNS}, ${onceNow(scope)} AS at FROM ${scope.tables.results}
  WHERE ${isAfter(scope, position)}
  ORDER BY created_at, step_id
  LIMIT ${int(limit)}`;

export const deleteAnswers = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.results} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** PostgreSQL: part of a statement that commits runs. */
export const takePart = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`took AS (
    DELETE FROM ${tables.results} WHERE step_id ${amongKeys(dialect, stepIds)} AND ${hasPassed(raw('run_id'))}
  )`;

/** Deletes answers and returns them. */
export const takeAnswersPostgres = (scope: Scope, stepIds: readonly string[]): Statement =>
  sql`${deleteAnswers(scope, stepIds)} RETURNING ${COLUMNS}`;

/** MySQL and MariaDB: locks the newest row versions. */
export const lockAnswers = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`SELECT ${COLUMNS} FROM ${tables.results} WHERE step_id ${amongKeys(dialect, stepIds)} ORDER BY step_id FOR UPDATE`;

/** Any status but `completed` is a failure: its writer did not report success. */
export function answerOf(row: AnswerRow): StepAnswer {
  const by = readAnswerMark(row.claimed_by);
  const answer = answerWithout(row);
  return by ? { ...answer, by } : answer;
}

const answerWithout = (row: AnswerRow): StepAnswer => ({
  stepId: row.step_id,
  runId: row.run_id,
  seq: Number(row.seq),
  status: row.status === 'completed' ? 'completed' : 'failed',
  output: row.output,
  error: row.error,
  startedAt: row.started_at === null ? null : Number(row.started_at),
  createdAt: Number(row.created_at),
});
